import { randomUUID } from 'node:crypto';
import type { ICheckProcessedOptions } from 'n8n-workflow';

import { errorText } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import { chunk, giveWay } from '../../values/list';
import { countFormat } from '../../values/number';
import type { Source } from './sources';

const options: ICheckProcessedOptions = { mode: 'entries' };

/** n8n 2.41 searches the whole list for each key that it removes, which would hold its main thread. */
const removedTogether = 250;

interface Answer {
	/** Keys that the list had before. */
	known: Set<string>;
	/** The others, in their order. */
	added: string[];
}

/**
 * The list in which n8n keeps hashes for a node of a workflow. It can't be read: it only says whether it has a key, and
 * then adds it (n8n 2.41). Empty if n8n has none for the node: as a tool, in a workflow that was never saved, or in an
 * old n8n.
 */
class ProcessedItems {
	private readonly helpers?: RunContext['functions']['helpers'];

	constructor({ functions, isTool }: RunContext) {
		if (isTool || !functions.getWorkflow().id) return;

		const helpers: Partial<typeof functions.helpers> = functions.helpers;
		const isOffered = helpers.checkProcessedAndRecord && helpers.getProcessedDataCount;
		if (isOffered) this.helpers = functions.helpers;
	}

	/** Asks for keys, each once. Afterwards the list has all of them. */
	async ask(keys: string[]): Promise<Answer> {
		if (!this.helpers || keys.length === 0) return { known: new Set(), added: [] };

		const answer = await this.helpers.checkProcessedAndRecord(keys, 'node', options);
		const known = new Set(answer.processed.map(String));
		return { known, added: answer.new.map(String) };
	}

	/** Removes keys in their order. A crash can leave the last ones. */
	async remove(keys: string[]): Promise<void> {
		for (const part of chunk(keys, removedTogether)) {
			await giveWay();
			await this.helpers?.removeProcessed(part, 'node', options);
		}
	}

	async replace(keys: string[]): Promise<void> {
		await this.helpers?.clearAllProcessedItems('node', options);
		await this.ask(keys);
	}

	async count(): Promise<number> {
		return (await this.helpers?.getProcessedDataCount('node', options)) ?? 0;
	}
}

/** What a source is to hold after the run. */
export interface Content {
	/** Chatbot, type and name. No two contents of a run have the same. */
	key: string;
	wanted: { fingerprint: string };
	/** The source of this name, if the chatbot has one. */
	existing?: Source;
}

/** Whether a source holds a content, as far as n8n remembers. */
export type Verdict = 'same' | 'different' | 'unknown';

/** In the list while a run looks into it. If a run finds it, an earlier one has crashed and left what it looked for. */
const crashMark = 'unfinished';

function nameLine(key: string): string {
	return `name ${key}`;
}

/** What is remembered of a source. A size counts only once it was seen trained; until then, any size will do. */
function contentLine(
	{ id, size }: Source,
	fingerprint: string,
	isTrained: boolean,
): string {
	return `${id} ${isTrained ? (size ?? 0) : 'any'} ${fingerprint}`;
}

function isTrained({ status }: Source): boolean {
	return status === 'trained';
}

/** What the list can have about a content. */
interface Lines {
	key: string;
	isTrained: boolean;
	/** With the size, if the source is trained. */
	now?: string;
	/** The line that it had while its training was different. */
	before?: string;
}

function linesOf({ key, wanted, existing }: Content): Lines {
	if (!existing) return { key, isTrained: false };

	const isTrainedNow = isTrained(existing);
	return {
		key,
		isTrained: isTrainedNow,
		now: contentLine(existing, wanted.fingerprint, isTrainedNow),
		before: contentLine(existing, wanted.fingerprint, !isTrainedNow),
	};
}

/** What a look into n8n's list has shown. */
interface Findings {
	/**
	 * By key, what is remembered: the line of the content, if its source holds that, with the size from now on if it is
	 * trained. Undefined if it holds another one.
	 */
	remembered: Map<string, string | undefined>;
	/** Lines without a size of sources that are trained by now. */
	outdated: string[];
	/** What looking has added to the list, the crash mark last. */
	added: string[];
	/** False after a crash of an earlier run: nothing that was found counts. */
	isTrusted: boolean;
}

async function look(list: ProcessedItems, contents: Content[]): Promise<Findings> {
	const remembered: Findings['remembered'] = new Map();
	const outdated: string[] = [];

	const lines = contents.map(linesOf);
	const likely = lines.flatMap(({ now }) => now ?? []);
	const first = await list.ask([...likely, crashMark]);
	const isTrusted = !first.known.has(crashMark);
	if (!isTrusted) return { remembered, outdated, added: first.added, isTrusted };

	const others: Lines[] = [];
	for (const each of lines) {
		const { key, now } = each;
		if (now && first.known.has(now)) remembered.set(key, now);
		else others.push(each);
	}

	const unlikely = others.flatMap(({ before }) => before ?? []);
	const names = others.map(({ key }) => nameLine(key));
	const second = await list.ask([...unlikely, ...names]);
	for (const { key, isTrained, now, before } of others) {
		if (second.known.has(nameLine(key))) remembered.set(key, undefined);
		if (!before || !second.known.has(before)) continue;

		remembered.set(key, isTrained ? now : before);
		if (isTrained) outdated.push(before);
	}

	const added = [...second.added, ...first.added];
	return { remembered, outdated, added, isTrusted };
}

/**
 * Remembers what the node wrote to each source, since the API returns no content to compare with. n8n keeps a line for
 * each name and one for each content. The list becomes that of the last run that wrote something.
 */
export class SourceMemory {
	/** The mark of this run in the list while it writes. */
	private readonly mark = `run ${randomUUID()}`;

	/** What the list will have after the run, by key. */
	private readonly lines = new Map<string, string>();

	private constructor(
		private readonly context: RunContext,
		private readonly list: ProcessedItems,
		private readonly found: Findings,
	) {}

	/** Looks up what a run wants, and has to be followed by `leave`, `leaveWithSizes` or `startWriting`. Throws if n8n's list does not work. */
	static async open(context: RunContext, contents: Content[]): Promise<SourceMemory> {
		const list = new ProcessedItems(context);
		const found = await orFail(context, async () => await look(list, contents));
		return new SourceMemory(context, list, found);
	}

	verdictOn({ key }: Content): Verdict {
		const { remembered } = this.found;
		if (!remembered.has(key)) return 'unknown';
		return remembered.get(key) === undefined ? 'different' : 'same';
	}

	/** For a dry run: leaves n8n's list as it was. */
	async leave(): Promise<void> {
		await this.clean(this.found.added);
	}

	/** For a run that has nothing to write: leaves n8n's list as it was, but for sizes that count from now on. */
	async leaveWithSizes(): Promise<void> {
		const { added, outdated, remembered } = this.found;
		const kept = new Set(remembered.values());
		const others = added.filter((line) => !kept.has(line));
		await this.clean([...outdated, ...others]);
	}

	/** @param lines the crash mark last, so that the next run trusts no list that is only half clean */
	private async clean(lines: string[]): Promise<void> {
		await orFail(this.context, async () => await this.list.remove(lines));
	}

	/** For a run that writes. What it is about to write is forgotten before, since the outcome may stay unknown. */
	async startWriting(unchanged: Content[]): Promise<void> {
		const { remembered } = this.found;
		for (const { key } of unchanged) this.lines.set(key, remembered.get(key)!);

		await orFail(this.context, async () => {
			await this.warnOfOthers();
			await this.list.replace([this.mark, ...this.linesOfList()]);
		});
	}

	/**
	 * After a source was written.
	 *
	 * @param isSeen false for the response to a write, whose status and size may be those of the content before
	 */
	remember({ key, wanted }: Content, source: Source, isSeen: boolean): void {
		this.lines.set(
			key,
			contentLine(source, wanted.fingerprint, isSeen && isTrained(source)),
		);
	}

	/** After all writes, so that a failure can only cause that sources are sent once more. */
	async save(): Promise<void> {
		try {
			const { known } = await this.list.ask([this.mark]);
			// If another run has replaced the list meanwhile, nobody knows which one wrote last.
			await this.list.replace(known.has(this.mark) ? this.linesOfList() : []);
		} catch (error) {
			const reason = errorText(error as Error);
			this.context.warn(
				`n8n could not remember what this run sent, so the next run may send it again: ${reason}`,
			);
		}
	}

	private linesOfList(): string[] {
		return [...[...this.lines.keys()].map(nameLine), ...this.lines.values()];
	}

	/** Says so if most of what is remembered is about sources that this run does not have. */
	private async warnOfOthers(): Promise<void> {
		const { added, remembered, isTrusted } = this.found;
		if (!isTrusted) return;

		const before = (await this.list.count()) - added.length;
		// Each source has two lines.
		const others = Math.floor(before / 2) - remembered.size;
		if (others <= remembered.size) return;
		this.context.warn(
			`The node remembered ${countFormat.format(others)} other sources, and now remembers those of this run instead. Use one node for each set of documents.`,
		);
	}
}

/** Before the first write, a list that does not work ends the run: it could hold what this run makes untrue. */
async function orFail<Result>(
	context: RunContext,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw context.error(
			"n8n can't use its memory of this node",
			`n8n reports: ${errorText(error as Error)}. Nothing was written. The node remembers in n8n's database what it has sent. Check that n8n can read and write its database, then run the workflow again.`,
		);
	}
}
