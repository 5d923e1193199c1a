import { randomUUID } from 'node:crypto';
import type { ICheckProcessedOptions } from 'n8n-workflow';

import { failureOf } from '../../api/failure';
import type { RunContext } from '../../execution/context';
import { chunk, giveWay } from '../../values/list';
import { countFormat } from '../../values/json';

const options: ICheckProcessedOptions = { mode: 'entries' };

/** How many keys are removed together. n8n 2.41 searches the whole list for each of them, which would block its main thread. */
const removedTogether = 250;

/**
 * This line is in the list while a run looks into it. If a run finds it, an earlier run has crashed, and the list may have
 * lines that are not true.
 */
const crashMark = 'unfinished';

/** A source, and the fingerprint of the content that it should have. */
export interface TaughtSource {
	readonly id: string;
	readonly fingerprint: string;
}

/** The line that says which content the node has written to a source. */
function lineOf({ id, fingerprint }: TaughtSource): string {
	return `${id} ${fingerprint}`;
}

/** What a run will send, as numbers of sources. */
interface SentCounts {
	/** Sources that the chatbot has. Earlier runs may have written them. */
	readonly updated: number;
	readonly created: number;
}

interface Answer {
	/** The lines that the list had before. */
	readonly known: ReadonlySet<string>;
	/** The lines that were added, in their order. */
	readonly added: readonly string[];
}

/**
 * Remembers what the node wrote to each source, since the API returns no content to compare with. n8n keeps a list for a
 * node of a workflow, here with a line for each source. It can't be read: it only says whether it has a line, and then
 * adds it (n8n 2.41). It becomes that of the last run that wrote something. n8n has none for a tool, for a workflow that
 * was never saved, and in an old version.
 *
 *     look ─┬─ leave                            writes nothing: the list is as it was
 *           └─ startWriting, remember …, save   the list has the sources of this run
 */
export class SourceMemory {
	private readonly helpers?: RunContext['functions']['helpers'];

	/** The line in the list that stands for this run while it writes. */
	private readonly runMark = `run ${randomUUID()}`;

	/** The lines that `look` has added to the list, the crash mark last. */
	private added: readonly string[] = [];

	/** False if an earlier run has crashed. Then no line that was found counts. */
	private isTrusted = true;

	private isWriting = false;

	/** The sources that the list will have after the run, by their IDs. */
	private readonly taught = new Map<string, TaughtSource>();

	constructor(private readonly context: RunContext) {
		const { functions, isTool } = context;
		const helpers: Partial<typeof functions.helpers> = functions.helpers;
		const isOffered = helpers.checkProcessedAndRecord && helpers.getProcessedDataCount;
		const hasList = isOffered && !isTool && functions.getWorkflow().id;
		if (hasList) this.helpers = functions.helpers;
	}

	/**
	 * Returns the IDs of the sources that hold what they should. Has to be followed by `leave` or `startWriting`. All three
	 * throw if n8n's list does not work.
	 */
	async look(sources: readonly TaughtSource[]): Promise<ReadonlySet<string>> {
		return await this.orEndRun(async () => {
			const { known, added } = await this.ask([...sources.map(lineOf), crashMark]);
			this.added = added;
			this.isTrusted = !known.has(crashMark);
			if (!this.isTrusted) return new Set();

			const held = sources.filter((source) => known.has(lineOf(source)));
			return new Set(held.map(({ id }) => id));
		});
	}

	/** For a run that writes nothing: leaves n8n's list as it was. */
	async leave(): Promise<void> {
		await this.orEndRun(async () => {
			// The lines are removed in their order. The crash mark is the last one, so that the next run trusts no list that is
			// only half clean.
			for (const part of chunk(this.added, removedTogether)) {
				await giveWay();
				await this.helpers?.removeProcessed(part, 'node', options);
			}
		});
	}

	/** For a run that writes. The list forgets the sources that will be written, since the outcome may stay unknown. */
	async startWriting(
		unchanged: readonly TaughtSource[],
		sent: SentCounts,
	): Promise<void> {
		this.isWriting = true;
		unchanged.forEach((source) => this.remember(source));
		await this.orEndRun(async () => {
			await this.warnOfOthers(sent);
			await this.replace([this.runMark, ...this.lines]);
		});
	}

	/** Notes that a source was written. */
	remember(source: TaughtSource): void {
		this.taught.set(source.id, source);
	}

	/** Saves the list after all writes. If that fails, the next run only sends some sources once more. */
	async save(): Promise<void> {
		if (!this.isWriting) return;

		try {
			const { known } = await this.ask([this.runMark]);
			// If another run has replaced the list meanwhile, it is not known which run wrote last.
			await this.replace(known.has(this.runMark) ? this.lines : []);
		} catch (error) {
			const reason = failureOf(error).text;
			this.context.warn(
				`n8n could not remember what this run sent, so the next run may send it again: ${reason}`,
			);
		}
	}

	/** Ends the run if the memory does not work before the first write: it could keep lines that the run makes untrue. */
	private async orEndRun<Result>(work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			throw this.context.error(
				"n8n can't use its memory of this node",
				`n8n reports: ${failureOf(error).text}. Nothing was written. The node remembers in n8n's database what it has sent. Check that n8n can read and write its database, then run the workflow again.`,
			);
		}
	}

	private get lines(): string[] {
		return [...this.taught.values()].map(lineOf);
	}

	/**
	 * Warns if most of the remembered sources are surely not in this run. Each source that will be updated may be one of them,
	 * with its earlier content.
	 */
	private async warnOfOthers({ updated, created }: SentCounts): Promise<void> {
		if (!this.isTrusted) return;

		const count = await this.helpers?.getProcessedDataCount('node', options);
		const remembered = (count ?? 0) - this.added.length;
		const present = this.taught.size + updated;
		const others = remembered - present;
		if (others <= present) return;

		const all = present + created;
		const now = all === 1 ? 'this source' : `these ${countFormat.format(all)} sources`;
		const least = updated > 0 ? 'at least ' : '';
		const before = others === 1 ? '1 other' : `${countFormat.format(others)} others`;
		this.context.warn(
			`This node now remembers ${now} instead of ${least}${before}. Use one node for each set.`,
		);
	}

	/** Asks n8n for lines, each of them once. Afterwards the list has all of them. */
	private async ask(lines: string[]): Promise<Answer> {
		if (!this.helpers || lines.length === 0) return { known: new Set(), added: [] };

		const answer = await this.helpers.checkProcessedAndRecord(lines, 'node', options);
		const known = new Set(answer.processed.map(String));
		return { known, added: answer.new.map(String) };
	}

	private async replace(lines: string[]): Promise<void> {
		await this.helpers?.clearAllProcessedItems('node', options);
		await this.ask(lines);
	}
}
