import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../execution/item';
import { isObject, ownValue } from '../../values/object';
import type { Source } from './sources';

/** Opens what the node remembers of the sources of a chatbot. The fingerprints of all items must be known before. */
export async function openMemory(
	{ functions }: RunContext,
	chatbotId: string,
): Promise<SourceMemory> {
	return new SourceMemory(functions.getWorkflowStaticData('node'), `sources of ${chatbotId}`);
}

export function fingerprintOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('base64').slice(0, 22);
}

/** What the node wrote to each source: size and fingerprint, as one text. The API returns no content to compare with. */
export class SourceMemory {
	private readonly entries: Map<string, unknown>;

	/** @param memory n8n's static data of the node */
	constructor(
		private readonly memory: IDataObject,
		private readonly name: string,
	) {
		const stored = ownValue(memory, name);
		this.entries = new Map(isObject(stored) ? Object.entries(stored) : []);
	}

	/** Whether a source still is as the node wrote it. If its size was not known then (0), it may be any now. */
	isAsWritten({ id, size = 0, status }: Source, fingerprint: string): boolean {
		const [writtenSize, written] = String(this.entries.get(id)).split(' ');
		const isSameSize = [0, size].includes(Number(writtenSize));
		return written === fingerprint && isSameSize && status !== 'failed';
	}

	/**
	 * The size that a write returns may be that of the earlier content, until the source is seen trained.
	 *
	 * @param before the source before it was written
	 * @param isResponse whether the source is the response to the write
	 */
	remember(
		{ id, size = 0, status }: Source,
		fingerprint: string,
		before: Source | undefined,
		isResponse: boolean,
	) {
		const isKnown = size !== before?.size || (status === 'trained' && !isResponse);
		if (isKnown) this.entries.set(id, `${size} ${fingerprint}`);
		else if (!this.entries.has(id)) this.entries.set(id, `0 ${fingerprint}`);
	}

	forget(id: string) {
		this.entries.delete(id);
	}

	/** @param present IDs of sources that still exist; all others are forgotten */
	async save(present: ReadonlySet<string>): Promise<void> {
		const entries = [...this.entries].filter(([id]) => present.has(id));
		const kept = Object.fromEntries(entries) as IDataObject;
		// n8n writes to its database after each change.
		const hasChanged = JSON.stringify(kept) !== JSON.stringify(this.memory[this.name] ?? {});
		if (hasChanged) this.memory[this.name] = kept;
	}
}
