import { randomUUID } from 'node:crypto';
import type { ICheckProcessedOptions } from 'n8n-workflow';

import { failureOf } from '../../api/failure';
import type { RunContext } from '../../execution/context';
import { chunk, giveWay } from '../../values/list';
import { countFormat } from '../../values/json';
import type { Recollection } from './plan/sourceSteps';

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

/** The line that says that the node has written a source. */
function sourceLine({ id }: TaughtSource): string {
	return id;
}

/** The line that says which content the node has written. */
function contentLine({ id, fingerprint }: TaughtSource): string {
	return `${id} ${fingerprint}`;
}

interface Answer {
	/** The lines that the list had before. */
	readonly known: ReadonlySet<string>;
	/** The lines that were added, in their order. */
	readonly added: readonly string[];
}

/**
 * Remembers what the node wrote to each source, since the API returns no content to compare with. n8n keeps a list for a
 * node of a workflow, here with two lines for each source. It can't be read: it only says whether it has a line, and then
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

	/** How many sources of this run were written by an earlier run. */
	private rememberedCount = 0;

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
	 * Says of each source, by its ID, whether it holds what it is to hold. Has to be followed by `leave` or `startWriting`.
	 * All three throw if n8n's list does not work.
	 */
	async look(
		sources: readonly TaughtSource[],
	): Promise<ReadonlyMap<string, Recollection>> {
		return await this.orEndRun(async () => {
			const contents = await this.ask([...sources.map(contentLine), crashMark]);
			this.added = contents.added;
			this.isTrusted = !contents.known.has(crashMark);
			if (!this.isTrusted) return new Map();

			const isSame = (source: TaughtSource) => contents.known.has(contentLine(source));
			const others = sources.filter((source) => !isSame(source));
			const written = await this.ask(others.map(sourceLine));
			this.added = [...written.added, ...contents.added];
			this.rememberedCount = sources.length - others.length + written.known.size;

			const recollectionOf = (source: TaughtSource): Recollection => {
				if (isSame(source)) return 'same';
				return written.known.has(sourceLine(source)) ? 'different' : 'unknown';
			};
			return new Map(sources.map((source) => [source.id, recollectionOf(source)]));
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
	async startWriting(unchanged: readonly TaughtSource[]): Promise<void> {
		this.isWriting = true;
		unchanged.forEach((source) => this.remember(source));
		await this.orEndRun(async () => {
			await this.warnOfOthers();
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
		const taught = [...this.taught.values()];
		return taught.flatMap((source) => [sourceLine(source), contentLine(source)]);
	}

	/** Warns if most of the remembered sources are not in this run. */
	private async warnOfOthers(): Promise<void> {
		if (!this.isTrusted) return;

		const count = await this.helpers?.getProcessedDataCount('node', options);
		const before = (count ?? 0) - this.added.length;
		// Each source has two lines.
		const others = Math.floor(before / 2) - this.rememberedCount;
		if (others <= this.rememberedCount) return;

		this.context.warn(
			`The node remembered ${countFormat.format(others)} other sources, and now remembers those of this run instead. Use one node for each set of documents.`,
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
