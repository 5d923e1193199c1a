/** Contacts that the probe makes for itself, and takes away again. */
import { randomBytes } from 'crypto';

import type { Client } from './client';
import { isMissing, isSuccess, objectOf, recordsOf } from './shapes';

/** Begins every External ID of a scratch contact, of whichever run. */
export const scratchPrefix = 'n8n-nodes-chatbase-probe-';

/** Tells people what they see, and finds a contact whose External ID the service made up. */
export const scratchName = 'Scratch contact of n8n-nodes-chatbase, safe to delete';

const mostTries = 3;

export class Scratch {
	/** What the contacts of this run have in common. */
	readonly run = scratchPrefix + randomBytes(6).toString('hex');
	/** IDs by which contacts that may exist can be deleted. */
	private readonly ids = new Set<string>();
	/** Whether a contact may exist whose ID never came. */
	private isUnclear = false;
	private count = 0;

	constructor(
		private readonly client: Client,
		private readonly contactsPath: string,
	) {}

	/** An External ID for a contact that is about to be made: from now on it will be taken away. */
	newId(): string {
		const id = `${this.run}-${++this.count}`;
		this.ids.add(id);
		return id;
	}

	/** An address of this run that nobody reads. */
	newEmail(): string {
		return `${this.run}-${++this.count}@Example.com`;
	}

	/** Remembers a contact under an ID that the service made up; undefined when the ID did not come. */
	remember(id: string | undefined): void {
		if (id === undefined) this.isUnclear = true;
		else this.ids.add(id);
	}

	/** Finds contacts that an earlier run has left, by reading the whole list, and remembers them. */
	async findLeftovers(): Promise<number> {
		let found = 0;
		let firstOfLastPage: unknown;
		for (let page = 1; ; page++) {
			const { json } = await this.client.ask('GET', this.contactsPath, {
				query: { per_page: 1000, page },
			});
			const contacts = recordsOf(objectOf(json).data) ?? [];
			// A service may answer its last page again and again.
			if (contacts.length === 0 || contacts[0].id === firstOfLastPage) return found;
			firstOfLastPage = contacts[0].id;
			for (const { external_id, id, name } of contacts) {
				const isOurs = typeof external_id === 'string' && external_id.startsWith(scratchPrefix);
				if (!isOurs && name !== scratchName) continue;
				this.ids.add(String(external_id ?? id));
				found++;
			}
			const total = Number(objectOf(objectOf(json).pages).total_pages);
			if (page >= total) return found;
		}
	}

	/**
	 * Takes away every contact that may exist.
	 *
	 * @returns how many are still there, as far as can be known
	 */
	async cleanUp(): Promise<number> {
		if (this.isUnclear) await this.findLeftovers();
		for (const id of this.ids) if (await this.remove(id)) this.ids.delete(id);
		return this.ids.size;
	}

	/** A success is followed by another try: only a contact that is not found is surely gone. */
	private async remove(id: string): Promise<boolean> {
		for (let tries = 0; tries < mostTries; tries++) {
			const response = await this.client.ask(
				'DELETE',
				`${this.contactsPath}/${encodeURIComponent(id)}`,
			);
			if (isMissing(response)) return true;
			if (isSuccess(response) && tries > 0) return true;
		}
		return false;
	}
}
