import { randomUUID } from 'node:crypto';
import type { ICheckProcessedOptions } from 'n8n-workflow';

import { errorText } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import { chunk, giveWay } from '../../values/list';
import { countFormat } from '../../values/json';
import type { Source } from './sources';

const options: ICheckProcessedOptions = { mode: 'entries' };

/** n8n 2.41 searches the whole list for each key that it removes, which would hold its main thread. */
const removedTogether = 250;

/** In the list while a run looks into it. If a run finds it, an earlier one has crashed and left what it looked for. */
const crashMark = 'unfinished';

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

function nameLine({ key }: Content): string {
	return `name ${key}`;
}

function isTrained({ status }: Source): boolean {
	return status === 'trained';
}

/** What is remembered of a source. A size counts only once it was seen trained; until then, any size will do. */
function contentLine(
	{ wanted: { fingerprint } }: Content,
	{ id, size }: Source,
	isSeenTrained: boolean,
): string {
	return `${id} ${isSeenTrained ? (size ?? 0) : 'any'} ${fingerprint}`;
}

/** If its source holds a content. */
function lineNow(content: Content): string | undefined {
	const { existing } = content;
	return existing && contentLine(content, existing, isTrained(existing));
}

/** If its source held a content when its training was different. */
function lineBefore(content: Content): string | undefined {
	const { existing } = content;
	return existing && contentLine(content, existing, !isTrained(existing));
}

interface Answer {
	/** Keys that the list had before. */
	known: Set<string>;
	/** The others, in their order. */
	added: string[];
}

/**
 * Remembers what the node wrote to each source, since the API returns no content to compare with. n8n keeps a list for a
 * node of a workflow, here with a line for each name and one for each content. It can't be read: it only says whether it
 * has a line, and then adds it (n8n 2.41). It becomes that of the last run that wrote something. n8n has none for a tool,
 * for a workflow that was never saved, and in an old version.
 */
export class SourceMemory {
	private readonly helpers?: RunContext['functions']['helpers'];

	/** The mark of this run in the list while it writes. */
	private readonly mark = `run ${randomUUID()}`;

	/**
	 * By key, what is remembered: the line of the content, if its source holds that, with the size from now on if it is
	 * trained. Undefined if it holds another one.
	 */
	private readonly remembered = new Map<string, string | undefined>();

	/** Lines without a size of sources that are trained by now. */
	private readonly outdated: string[] = [];

	/** What looking has added to the list, the crash mark last. */
	private added: string[] = [];

	/** False after a crash of an earlier run: nothing that was found counts. */
	private isTrusted = true;

	/** What the list will have after the run: the line of each content, by that of its name. */
	private readonly lines = new Map<string, string>();

	constructor(private readonly context: RunContext) {
		const { functions, isTool } = context;
		const helpers: Partial<typeof functions.helpers> = functions.helpers;
		const isOffered = helpers.checkProcessedAndRecord && helpers.getProcessedDataCount;
		const hasList = isOffered && !isTool && functions.getWorkflow().id;
		if (hasList) this.helpers = functions.helpers;
	}

	/**
	 * Looks up what a run wants, and has to be followed by `leave`, `leaveWithSizes` or `startWriting`. They throw if n8n's
	 * list does not work: it could hold what this run makes untrue.
	 */
	async look(contents: Content[]): Promise<void> {
		const { remembered, outdated } = this;
		const likely = await this.ask([
			...contents.flatMap((content) => lineNow(content) ?? []),
			crashMark,
		]);
		this.added = likely.added;
		this.isTrusted = !likely.known.has(crashMark);
		if (!this.isTrusted) return;

		const others: Content[] = [];
		for (const content of contents) {
			const now = lineNow(content);
			if (now && likely.known.has(now)) remembered.set(content.key, now);
			else others.push(content);
		}

		const unlikely = await this.ask([
			...others.flatMap((content) => lineBefore(content) ?? []),
			...others.map(nameLine),
		]);
		this.added = [...unlikely.added, ...likely.added];
		for (const content of others) {
			const { key, existing } = content;
			if (unlikely.known.has(nameLine(content))) remembered.set(key, undefined);

			const before = lineBefore(content);
			if (!existing || !before || !unlikely.known.has(before)) continue;
			remembered.set(key, isTrained(existing) ? lineNow(content) : before);
			if (isTrained(existing)) outdated.push(before);
		}
	}

	verdictOn({ key }: Content): Verdict {
		if (!this.remembered.has(key)) return 'unknown';
		return this.remembered.get(key) === undefined ? 'different' : 'same';
	}

	/** For a dry run: leaves n8n's list as it was. */
	async leave(): Promise<void> {
		await this.remove(this.added);
	}

	/** For a run that has nothing to write: leaves n8n's list as it was, but for sizes that count from now on. */
	async leaveWithSizes(): Promise<void> {
		const kept = new Set(this.remembered.values());
		const others = this.added.filter((line) => !kept.has(line));
		await this.remove([...this.outdated, ...others]);
	}

	/** For a run that writes. What it is about to write is forgotten before, since the outcome may stay unknown. */
	async startWriting(unchanged: Content[]): Promise<void> {
		for (const content of unchanged) {
			this.lines.set(nameLine(content), this.remembered.get(content.key)!);
		}
		await this.warnOfOthers();
		await this.replace([this.mark, ...this.linesOfList()]);
	}

	/**
	 * After a source was written.
	 *
	 * @param isSeen false for the response to a write, whose status and size may be those of the content before
	 */
	remember(content: Content, source: Source, isSeen: boolean): void {
		const line = contentLine(content, source, isSeen && isTrained(source));
		this.lines.set(nameLine(content), line);
	}

	/** After all writes, so that a failure can only cause that sources are sent once more. */
	async save(): Promise<void> {
		try {
			const { known } = await this.ask([this.mark]);
			// If another run has replaced the list meanwhile, nobody knows which one wrote last.
			await this.replace(known.has(this.mark) ? this.linesOfList() : []);
		} catch (error) {
			const reason = errorText(error as Error);
			this.context.warn(
				`n8n could not remember what this run sent, so the next run may send it again: ${reason}`,
			);
		}
	}

	private linesOfList(): string[] {
		return [...this.lines].flat();
	}

	/** Says so if most of what is remembered is about sources that this run does not have. */
	private async warnOfOthers(): Promise<void> {
		if (!this.isTrusted) return;

		const count = await this.helpers?.getProcessedDataCount('node', options);
		const before = (count ?? 0) - this.added.length;
		// Each source has two lines.
		const others = Math.floor(before / 2) - this.remembered.size;
		if (others <= this.remembered.size) return;
		this.context.warn(
			`The node remembered ${countFormat.format(others)} other sources, and now remembers those of this run instead. Use one node for each set of documents.`,
		);
	}

	/** Asks for lines, each once. Afterwards the list has all of them. */
	private async ask(lines: string[]): Promise<Answer> {
		if (!this.helpers || lines.length === 0) return { known: new Set(), added: [] };

		const answer = await this.helpers.checkProcessedAndRecord(lines, 'node', options);
		const known = new Set(answer.processed.map(String));
		return { known, added: answer.new.map(String) };
	}

	/** Removes lines in their order: the crash mark last, so that the next run trusts no list that is only half clean. */
	private async remove(lines: string[]): Promise<void> {
		for (const part of chunk(lines, removedTogether)) {
			await giveWay();
			await this.helpers?.removeProcessed(part, 'node', options);
		}
	}

	private async replace(lines: string[]): Promise<void> {
		await this.helpers?.clearAllProcessedItems('node', options);
		await this.ask(lines);
	}
}
