import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../execution/item';
import { isObject, ownValue } from '../../values/object';
import type { Source } from './sources';

export function fingerprintOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('base64').slice(0, 22);
}

/**
 * What the node wrote to the sources of a chatbot: size and fingerprint, as one text a source. The API returns no content to
 * compare with. n8n keeps it between production runs.
 */
export class Fingerprints {
	private readonly memory: IDataObject;

	private readonly name: string;

	private readonly entries: Map<string, unknown>;

	constructor({ functions }: RunContext, chatbotId: string) {
		this.memory = functions.getWorkflowStaticData('node');
		this.name = `sources of ${chatbotId}`;
		const stored = ownValue(this.memory, this.name);
		this.entries = new Map(isObject(stored) ? Object.entries(stored) : []);
	}

	/** Whether a source still is as the node wrote it. If no size was stated then (0), it may be any now. */
	isAsWritten({ id, size = 0, status }: Source, fingerprint: string): boolean {
		const [writtenSize, written] = String(this.entries.get(id)).split(' ');
		const isSameSize = [0, size].includes(Number(writtenSize));
		return written === fingerprint && isSameSize && status !== 'failed';
	}

	remember({ id, size = 0 }: Source, fingerprint: string) {
		this.entries.set(id, `${size} ${fingerprint}`);
	}

	forget(id: string) {
		this.entries.delete(id);
	}

	/** @param present IDs of sources that still exist; all others are forgotten */
	save(present: ReadonlySet<string>) {
		const entries = [...this.entries].filter(([id]) => present.has(id));
		const kept = Object.fromEntries(entries) as IDataObject;
		// n8n writes to its database after each change.
		const hasChanged = JSON.stringify(kept) !== JSON.stringify(this.memory[this.name] ?? {});
		if (hasChanged) this.memory[this.name] = kept;
	}
}
