import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import { errorText } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import { countFormat } from '../../values/number';
import { ProcessedItems } from './processedItems';
import type { Source } from './sources';

/** What a source is to hold after the run. */
export interface Content {
	/** Chatbot, type and name. No two contents of a run have the same. */
	key: string;
	/** Of everything that is sent. */
	fingerprint: string;
	/** The source of this name, if the chatbot has one. */
	existing?: Source;
}

/** Whether a source holds a content, as far as n8n remembers. */
export type Verdict = 'same' | 'different' | 'unknown';

export function fingerprintOf(body: IDataObject): string {
	return createHash('sha256').update(JSON.stringify(body)).digest('base64').slice(0, 22);
}

/** In the list while a run looks into it. If a run finds it, an earlier one has crashed and left what it looked for. */
const crashMark = 'unfinished';

const nameLine = ({ key }: Content) => `name ${key}`;

/** What is remembered of a source. A size counts only once it was seen trained; until then, any size will do. */
function contentLine({ id, size }: Source, fingerprint: string, isTrained: boolean): string {
	return `${id} ${isTrained ? (size ?? 0) : 'any'} ${fingerprint}`;
}

function isTrained({ status }: Source): boolean {
	return status === 'trained';
}

/** The line for a source as it is now, and the one that it had while its training was different. */
function possibleLines({ existing, fingerprint }: Content): [now: string, before: string] | [] {
	if (!existing) return [];

	const isTrainedNow = isTrained(existing);
	return [
		contentLine(existing, fingerprint, isTrainedNow),
		contentLine(existing, fingerprint, !isTrainedNow),
	];
}

/** What a look into n8n's list has shown. */
interface Findings {
	/** Contents that their sources hold, with the line to keep: with the size from now on, if the source is trained. */
	same: Map<Content, string>;
	/** Contents whose name was remembered, perhaps with another content. */
	named: Set<Content>;
	/** Lines without a size of sources that are trained by now. */
	outdated: string[];
	/** What looking has added to the list, the crash mark last. */
	added: string[];
	/** False after a crash of an earlier run: nothing that was found counts. */
	isTrusted: boolean;
}

const nothing: Findings = {
	same: new Map(),
	named: new Set(),
	outdated: [],
	added: [],
	isTrusted: false,
};

/**
 * Remembers what the node wrote to each source, since the API returns no content to compare with. n8n keeps a line for
 * each name and one for each content. The list becomes that of the last run that wrote something.
 */
export class SourceMemory {
	/** The mark of this run in the list while it writes. */
	private readonly mark = `run ${randomUUID()}`;

	private readonly lines = new Map<Content, string>();

	private constructor(
		private readonly context: RunContext,
		private readonly list: ProcessedItems | undefined,
		private readonly found: Findings,
	) {}

	/** Looks up what a run wants, and has to be followed by `leave`, `leaveWithSizes` or `startWriting`. Throws if n8n's list does not work. */
	static async open(context: RunContext, contents: Content[]): Promise<SourceMemory> {
		const list = ProcessedItems.of(context);
		const found = list ? await orFail(context, async () => await look(list, contents)) : nothing;
		return new SourceMemory(context, list, found);
	}

	verdictOn(content: Content): Verdict {
		if (this.found.same.has(content)) return 'same';
		return this.found.named.has(content) ? 'different' : 'unknown';
	}

	/** For a dry run: leaves n8n's list as it was. */
	async leave(): Promise<void> {
		await this.clean(this.found.added);
	}

	/** For a run that has nothing to write: leaves n8n's list as it was, but for sizes that count from now on. */
	async leaveWithSizes(): Promise<void> {
		const { added, outdated, same } = this.found;
		const isKept = new Set(same.values());
		await this.clean([...outdated, ...added.filter((line) => !isKept.has(line))]);
	}

	/** @param lines the crash mark last, so that the next run trusts no list that is only half clean */
	private async clean(lines: string[]): Promise<void> {
		await orFail(this.context, async () => await this.list?.remove(lines));
	}

	/** For a run that writes. What it is about to write is forgotten before, since the outcome may stay unknown. */
	async startWriting(unchanged: Content[]): Promise<void> {
		const { list } = this;
		if (!list) return;

		for (const content of unchanged) {
			const line = this.found.same.get(content);
			if (line !== undefined) this.lines.set(content, line);
		}
		await orFail(this.context, async () => {
			await this.warnOfOthers(list);
			await list.replace([this.mark, ...this.linesOfList()]);
		});
	}

	/**
	 * After a source was written.
	 *
	 * @param isSeen false for the response to a write, whose status and size may be those of the content before
	 */
	remember(content: Content, source: Source, isSeen: boolean) {
		this.lines.set(content, contentLine(source, content.fingerprint, isSeen && isTrained(source)));
	}

	/** After all writes, so that a failure can only cause that sources are sent once more. */
	async save(): Promise<void> {
		const { list, mark } = this;
		if (!list) return;

		try {
			const isOnlyRun = (await list.ask([mark])).known.has(mark);
			// If another run has replaced the list meanwhile, nobody knows which one wrote last.
			await list.replace(isOnlyRun ? this.linesOfList() : []);
		} catch (error) {
			const reason = errorText(error as Error);
			this.context.warn(
				`n8n could not remember what this run sent, so the next run may send it again: ${reason}`,
			);
		}
	}

	private linesOfList(): string[] {
		return [...this.lines].flatMap(([content, line]) => [nameLine(content), line]);
	}

	/** Says so if most of what is remembered is about sources that this run does not have. */
	private async warnOfOthers(list: ProcessedItems): Promise<void> {
		const { added, named, isTrusted } = this.found;
		if (!isTrusted) return;

		const before = (await list.count()) - added.length;
		// Each source has two lines.
		const others = Math.floor(before / 2) - named.size;
		if (others <= named.size) return;
		this.context.warn(
			`The node remembered ${countFormat.format(others)} other sources, and now remembers those of this run instead. Use one node for each set of documents.`,
		);
	}
}

async function look(list: ProcessedItems, contents: Content[]): Promise<Findings> {
	const likely = contents.flatMap((content) => possibleLines(content).slice(0, 1));
	const first = await list.ask([...likely, crashMark]);
	if (first.known.has(crashMark)) return { ...nothing, added: first.added };

	const isFound = (content: Content) =>
		possibleLines(content).some((line) => first.known.has(line));
	const others = contents.filter((content) => !isFound(content));
	const second = await list.ask(
		others.flatMap((content) => [nameLine(content), ...possibleLines(content).slice(1)]),
	);
	const known = new Set([...first.known, ...second.known]);

	const same = new Map<Content, string>();
	const outdated: string[] = [];
	for (const content of contents) {
		const [now, before] = possibleLines(content);
		if (now === undefined || before === undefined) continue;

		if (known.has(now)) {
			same.set(content, now);
		} else if (known.has(before) && isTrained(content.existing!)) {
			same.set(content, now);
			outdated.push(before);
		} else if (known.has(before)) {
			same.set(content, before);
		}
	}
	const isNamed = (content: Content) => isFound(content) || known.has(nameLine(content));
	const named = new Set(contents.filter(isNamed));
	return { same, named, outdated, added: [...second.added, ...first.added], isTrusted: true };
}

/** Before the first write, a list that does not work ends the run: it could hold what this run makes untrue. */
async function orFail<Result>(context: RunContext, work: () => Promise<Result>): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		throw memoryError(context, error as Error);
	}
}

function memoryError(context: RunContext, error: Error): NodeOperationError {
	return context.error(
		"n8n can't use its memory of this node",
		`n8n reports: ${errorText(error)}. Nothing was written. The node remembers in n8n's database what it has sent. Check that n8n can read and write its database, then run the workflow again.`,
	);
}
