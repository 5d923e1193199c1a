import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../execution/item';
import { isObject, ownValue } from '../../values/object';
import type { Source } from './sources';

export function fingerprintOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('base64').slice(0, 22);
}

/** The service states no size for a source that it has not trained yet. */
const unknownSize = 0;

/**
 * What the node wrote to the sources of a chatbot: the size that the service stated and a fingerprint, by the ID of the
 * source. The API returns no content to compare with. n8n keeps it between production runs, as one text a source, since
 * it watches each object.
 */
export class Fingerprints {
	private readonly memory: IDataObject;

	private readonly name: string;

	private readonly entries: Map<string, unknown>;

	private hasChanged = false;

	constructor({ functions }: RunContext, chatbotId: string) {
		this.memory = functions.getWorkflowStaticData('node');
		this.name = `sources of ${chatbotId}`;
		const stored = ownValue(this.memory, this.name);
		this.entries = new Map(isObject(stored) ? Object.entries(stored) : []);
	}

	/** Whether a source still is as the node wrote it. A size that was unknown then may be any now. */
	isAsWritten({ id, size, status }: Source, fingerprint: string): boolean {
		const [writtenSize, written] = String(this.entries.get(id)).split(' ');
		const isSameSize = [unknownSize, size ?? unknownSize].includes(Number(writtenSize));
		return written === fingerprint && isSameSize && status !== 'failed';
	}

	remember({ id, size }: Source, fingerprint: string) {
		const entry = `${size ?? unknownSize} ${fingerprint}`;
		this.hasChanged ||= this.entries.get(id) !== entry;
		this.entries.set(id, entry);
	}

	forget(id: string) {
		this.hasChanged = this.entries.delete(id) || this.hasChanged;
	}

	/** @param isPresent whether the chatbot still has a source; all others are forgotten */
	save(isPresent: (id: string) => boolean) {
		[...this.entries.keys()].filter((id) => !isPresent(id)).forEach((id) => this.forget(id));
		// n8n writes to its database after each change.
		if (this.hasChanged) this.memory[this.name] = Object.fromEntries(this.entries) as IDataObject;
	}
}
