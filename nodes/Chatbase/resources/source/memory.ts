import { createHash, randomUUID } from 'node:crypto';
import type { ICheckProcessedOptions, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { errorText } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import { ownValue } from '../../values/json';
import type { Source } from './sources';

export function fingerprintOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('base64').slice(0, 22);
}

/** What is remembered of a source: with its size, or with 0 if that was not known, so that it may be any now. */
function linesFor({ id, size = 0 }: Source, fingerprint: string): [unknown: string, known: string] {
	return [`${id} 0 ${fingerprint}`, `${id} ${size} ${fingerprint}`];
}

/** What the node wrote to each source, as lines. The API returns no content to compare with. */
class SourceMemory {
	private readonly lines: Map<string, string>;

	constructor(
		lines: string[],
		private readonly store?: (lines: string[]) => Promise<void>,
	) {
		this.lines = new Map(lines.map((line) => [line.split(' ')[0], line]));
	}

	isAsWritten(source: Source, fingerprint: string): boolean {
		const line = this.lines.get(source.id) ?? '';
		return linesFor(source, fingerprint).includes(line) && source.status !== 'failed';
	}

	/** The size in the response to a write may be that of the content before, until the source is seen trained. */
	remember(source: Source, fingerprint: string, before: Source | undefined, isResponse: boolean) {
		const { id, size, status } = source;
		const [unknown, known] = linesFor(source, fingerprint);
		const isKnown = size !== before?.size || (status === 'trained' && !isResponse);
		this.lines.set(id, isKnown ? known : (this.lines.get(id) ?? unknown));
	}

	forget(id: string) {
		this.lines.delete(id);
	}

	/** @param present IDs of sources that still exist; all others are forgotten */
	async save(present: ReadonlySet<string>): Promise<void> {
		await this.store?.([...this.lines].flatMap(([id, line]) => (present.has(id) ? line : [])));
	}
}

/** @param tasks what the run wants sources to hold that may exist */
export type OpenMemory = (
	context: RunContext,
	name: string,
	tasks: Array<{ existing?: Source; fingerprint: string }>,
	dryRun: boolean,
) => Promise<SourceMemory>;

const options: ICheckProcessedOptions = { mode: 'entries' };

/** n8n 2.41 and 1.123 have these at run time, but not in their types. */
interface WithInstance {
	instanceSettings?: { isWorker: boolean };
	workflow?: { getPollNodes(): unknown[] };
}

/**
 * @returns nothing where saving it could cost another node its memory: n8n saves that of all nodes of the workflow as one,
 * hands workers none (n8n 2.41), and a poll may change it during the execution
 */
function staticDataOf(functions: IExecuteFunctions): IDataObject | undefined {
	const { instanceSettings, workflow } = functions as WithInstance;
	const isSafe = instanceSettings?.isWorker === false && workflow?.getPollNodes().length === 0;
	return isSafe ? functions.getWorkflowStaticData('node') : undefined;
}

export const openStaticData: OpenMemory = async (context, name, _, dryRun) => {
	const { functions } = context;
	const memory = staticDataOf(functions);
	const stored = ownValue(memory ?? {}, name);
	const before = Array.isArray(stored) ? stored.map(String) : [];
	// The node may have been a mirror before.
	const clear = async () => await functions.helpers.clearAllProcessedItems('node', options);
	if (!dryRun) await clear().catch(() => {});
	return new SourceMemory(before, async (lines) => {
		// n8n writes to its database after each change.
		if (lines.join() === before.join()) return;
		if (memory) memory[name] = lines;
		if (memory && functions.getMode() !== 'manual') return;
		context.warn(
			'n8n does not remember what this run sent. If a published workflow has other content of the same length, turn on Always Send there for one run.',
		);
	});
};

/** n8n has its list of processed items everywhere. The list only says whether it has a key, and then adds it (n8n 2.41). */
export const openProcessedItems: OpenMemory = async (context, name, tasks, dryRun) => {
	const { helpers } = context.functions;
	const ask = async (keys: string[]) =>
		await helpers.checkProcessedAndRecord(keys, 'node', options);
	const replace = async (keys: string[]) => {
		await helpers.clearAllProcessedItems('node', options);
		await ask(keys);
	};
	const warn = (error: unknown) => {
		const reason = errorText(error as Error);
		context.warn(`n8n has no memory of this node, so all sources are sent: ${reason}`);
	};
	try {
		const possible = tasks.flatMap(({ existing, fingerprint }) =>
			existing ? linesFor(existing, fingerprint) : [],
		);
		const { new: added, processed } = await ask(['unfinished', ...possible]);
		// After a crash, the list may still hold keys of content that was never written.
		const known = new Set(added.includes('unfinished') ? processed : []);
		const lines = possible.filter((line) => known.has(line));
		if (dryRun) {
			// n8n 2.41 searches the whole list for each item, which would hold its main thread.
			for (let start = 0; start < added.length; start += 500) {
				await helpers.removeProcessed(added.slice(start, start + 500), 'node', options);
			}
			return new SourceMemory(lines);
		}
		const run = `run ${randomUUID()}`;
		// What is about to be written is forgotten before.
		await replace([run, ...lines]);
		// The node may have been Create or Update before.
		const memory = staticDataOf(context.functions);
		if (memory?.[name]) delete memory[name];
		const save = async (written: string[]) => {
			const isOnly = (await ask([run])).processed.length > 0;
			// If another run has replaced the list meanwhile, nobody knows which one wrote last.
			await replace(isOnly ? written : []);
		};
		return new SourceMemory(lines, async (written) => await save(written).catch(warn));
	} catch (error) {
		warn(error);
		return new SourceMemory([], async () => await replace([]).catch(() => {}));
	}
};
