import type { ICheckProcessedOptions } from 'n8n-workflow';

import type { RunContext } from '../../execution/context';
import { chunk } from '../../values/list';

const options: ICheckProcessedOptions = { mode: 'entries' };

/** n8n 2.41 searches the whole list for each key that it removes, which would hold its main thread. */
const removedTogether = 500;

interface Answer {
	/** Keys that the list had before. */
	known: Set<string>;
	/** The others, in their order. */
	added: string[];
}

/**
 * The list in which n8n keeps hashes for a node of a workflow. It can't be read: it only says whether it has a key, and
 * then adds it (n8n 2.41).
 */
export class ProcessedItems {
	private constructor(private readonly helpers: RunContext['functions']['helpers']) {}

	/** Undefined if n8n has no list for the node: as a tool, in a workflow that was never saved, or in an old n8n. */
	static of({ functions, isTool }: RunContext): ProcessedItems | undefined {
		if (isTool) return undefined;
		if (!functions.getWorkflow().id) return undefined;

		const helpers: Partial<typeof functions.helpers> = functions.helpers;
		const isOffered = helpers.checkProcessedAndRecord && helpers.getProcessedDataCount;
		return isOffered ? new ProcessedItems(functions.helpers) : undefined;
	}

	/** Asks for keys, each once. Afterwards the list has all of them. */
	async ask(keys: string[]): Promise<Answer> {
		if (keys.length === 0) return { known: new Set(), added: [] };

		const { helpers } = this;
		const { processed, new: added } = await helpers.checkProcessedAndRecord(keys, 'node', options);
		return { known: new Set(processed.map(String)), added: added.map(String) };
	}

	/** Removes keys in their order. A crash can leave the last ones. */
	async remove(keys: string[]): Promise<void> {
		for (const part of chunk(keys, removedTogether)) {
			await this.helpers.removeProcessed(part, 'node', options);
		}
	}

	async replace(keys: string[]): Promise<void> {
		await this.helpers.clearAllProcessedItems('node', options);
		await this.ask(keys);
	}

	async count(): Promise<number> {
		return await this.helpers.getProcessedDataCount('node', options);
	}
}
