/** Names for what a run makes for itself. */
import { randomBytes, randomInt } from 'crypto';

import { scratchPrefix } from './ownership';

/** Explains the contact to people who see it. */
export const scratchName = 'Scratch contact of n8n-nodes-chatbase, safe to delete';

export class Scratch {
	/** What the names of this run have in common. */
	readonly run = scratchPrefix + randomBytes(6).toString('hex');
	/** External IDs of contacts that may exist. */
	readonly ids = new Set<string>();
	private count = 0;

	/** An External ID for a contact that is about to be made: the end of the run deletes it. */
	newId(): string {
		const id = this.newName();
		this.ids.add(id);
		return id;
	}

	newName(): string {
		return `${this.run}-${++this.count}`;
	}

	newEmail(): string {
		return `${this.newName()}@Example.com`;
	}

	/** Of the hundred numbers of an area that nobody ever gets. */
	newPhone(): string {
		return `+1 (202) 555-01${String(randomInt(100)).padStart(2, '0')}`;
	}
}
