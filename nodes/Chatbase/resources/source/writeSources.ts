/** Writes the sources of items, in order where that matters, and then waits for their training. */
import { type Failure, failureOf } from '../../api/failure';
import type { InputItem } from '../../execution/item';
import type { ReadyItem, Run } from '../../execution/run';
import { forEachChatbot } from '../../sync/plan';
import { append, forEachLimited, groupBy } from '../../values/list';
import type { Source, SourceChange, WantedFile } from './plan/source';
import {
	awaitTraining,
	type Learner,
	type SourcePlace,
	tellOfTraining,
} from './training';

/** A source that this run or an earlier one has sent. */
export interface SentSource {
	readonly source: Source;
	/** Whether this run has sent it. */
	readonly isWritten: boolean;
}

/** A source to write, and the functions that get the result. */
export interface SourceWrite<Sent extends SentSource = SentSource> {
	/** The item that hints and errors name. */
	readonly item: InputItem;
	/** Sources with the same key are written one after the other. */
	readonly key?: string;
	readonly file?: WantedFile;
	/** How many milliseconds to wait for the training, at most; 0 for no wait. */
	readonly wait: number;
	send(): Promise<Sent>;
	/** @param last the source as it was read last, which can be after its training */
	succeed(last: Source, sent: Sent): void;
	fail(error: unknown): void;
}

/** What Create and Update read of an item. */
export interface WritableParams {
	/** `wait`: how many milliseconds to wait for the training, at most; 0 for no wait. */
	readonly settings: { readonly chatbotId: string; readonly wait: number };
	readonly wanted: SourceChange;
}

/** How Create and Update write the source of an item. */
interface ItemWork<Params> {
	/** Items with the same key are written one after the other. */
	keyOf?(params: Params): string;
	send(item: ReadyItem<Params>): Promise<Source>;
}

/** Writes a source for each item, and answers the item with it. */
export async function writeEachItem<Params extends WritableParams>(
	run: Run<Params>,
	{ keyOf, send }: ItemWork<Params>,
): Promise<void> {
	const left: Source[] = [];
	await forEachChatbot(run, async (place) => {
		const writes = place.items.map((pending): SourceWrite => {
			const { item, params, answer } = pending;
			return {
				item,
				key: keyOf?.(params),
				file: params.wanted.file,
				wait: params.settings.wait,
				send: async () => ({ source: await send(pending), isWritten: true }),
				succeed: (last) => answer([last]),
				fail: (error) => answer(failureOf(error)),
			};
		});

		append(left, await writeSources(place, writes));
	});

	tellOfTraining(run.context, left);
}

/**
 * Writes sources, then waits for the training of all.
 * @returns those whose training it did not wait for
 */
export async function writeSources<Sent extends SentSource>(
	place: SourcePlace,
	writes: ReadonlyArray<SourceWrite<Sent>>,
): Promise<Source[]> {
	const keyOfWrite = ({ key, item }: SourceWrite<Sent>) => key ?? `item ${item.index}`;
	const sequences = [...groupBy(writes, keyOfWrite).values()];

	const written: Learner[] = [];
	await forEachLimited(sequences, place.api.maxConcurrency, async (sequence) => {
		for (const write of sequence) append(written, await writeOne(write));
	});

	await awaitTraining(
		place,
		written.filter(({ wait }) => wait > 0),
	);
	return written.filter(({ wait }) => wait === 0).map(({ source }) => source);
}

/** Answers the item, unless it waits for the training. @returns nothing if that failed */
async function writeOne<Sent extends SentSource>(
	write: SourceWrite<Sent>,
): Promise<Learner[]> {
	const { item, file, wait, fail } = write;
	try {
		const sent = await write.send();
		const { source, isWritten } = sent;
		const succeed = (last: Source) => write.succeed(last, sent);
		if (wait === 0) succeed(source);
		return [{ source, item, wait, isWritten, succeed, fail }];
	} catch (error) {
		fail(namingFile(error, file));
		return [];
	}
}

/** Adds the name of the file to a failure, since the service does not name the file that it refuses. */
function namingFile(error: unknown, file?: WantedFile): Failure {
	const failure = failureOf(error);
	if (!file || !failure.response) return failure;
	return failure.and(`The file is "${file.fileName}".`);
}
