import { countFormat } from '../../values/json';
import { append, forEachLimited, groupBy } from '../../values/list';
import type { ApiClient } from '../../api/client';
import { type Failure, failureOf } from '../../api/failure';
import { readList } from '../../api/paginate';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import type { ReadyItem, Run } from '../../execution/run';
import { type Field, optionField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { forEachChatbot } from '../../sync/plan';
import type { Source } from './plan/source';
import type { SourceChange, WantedFile } from './plan/sourceInput';
import { sourcePages } from './sources';

const waitSeconds = optionField(
	'waitForTraining',
	'Seconds to Wait for Training',
	wholeNumber(1),
	{
		default: 300,
		description:
			'Maximum number of seconds to wait until the training has ended. The item fails if the training fails.',
	},
);

/** The option for the wait. It reads milliseconds, and 0 if the option was not added. */
export const waitOption: Field<number> = {
	property: waitSeconds.property,
	read: (item) => (waitSeconds.read(item) ?? 0) * 1000,
};

/** A source that was sent. */
export interface SentSource {
	readonly source: Source;
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
				send: async () => ({ source: await send(pending) }),
				succeed: (last) => answer([last]),
				fail: (error) => answer(failureOf(error)),
			};
		});

		append(left, await writeSources(run.context, place, writes));
	});

	tellOfTraining(run.context, left);
}

/** The statuses of a source until the chatbot has learned it. */
const inTraining = ['untrained', 'updated'];

/** @param sources the sources whose training the run did not wait for */
export function tellOfTraining(context: RunContext, sources: readonly Source[]): void {
	const { length } = sources.filter(({ status }) => inTraining.includes(String(status)));
	if (length === 0) return;

	const [are, their] = length === 1 ? ['source is', 'its'] : ['sources are', 'their'];
	context.note(
		`${countFormat.format(length)} ${are} still in training, which takes a moment. Then ${their} status is "trained". To wait for that, add ${waitSeconds.property.displayName} under Options.`,
	);
}

/** The chatbot of some sources, and the client for it. */
interface SourcePlace {
	readonly api: ApiClient;
	readonly chatbotId: string;
}

/** A source that the chatbot learns, and the item that waits for it. */
interface Learner {
	/** As it was read last. */
	readonly source: Source;
	readonly item: InputItem;
	/** How many milliseconds to wait, at most. */
	readonly wait: number;
	succeed(last: Source): void;
	fail(error: unknown): void;
}

/**
 * Writes sources, those with files one after the other. Then waits for the training of all.
 * @returns those whose training it did not wait for
 */
export async function writeSources<Sent extends SentSource>(
	{ node, functions }: RunContext,
	place: SourcePlace,
	writes: ReadonlyArray<SourceWrite<Sent>>,
): Promise<Source[]> {
	const keyOfWrite = ({ key, item }: SourceWrite<Sent>) => key ?? `item ${item.index}`;
	const sequences = [...groupBy(writes, keyOfWrite).values()];
	const hasFile = (sequence: typeof writes) => sequence.some(({ file }) => file);
	const withFiles = sequences.filter(hasFile);
	const withoutFiles = sequences.filter((sequence) => !hasFile(sequence));

	const written: Learner[] = [];
	const writeInOrder = async (sequence: typeof writes) => {
		for (const write of sequence) append(written, await writeOne(write));
	};

	const { starts } = place.api.state.uploads;
	let done = 0;
	const writeFiles = async (sequence: typeof writes) => {
		const before = starts.length;
		await writeInOrder(sequence);
		done++;

		if (starts.length === before) return;
		const progress = `${done} of ${withFiles.length} files are done`;
		functions.logger.info(`Node "${node.name}": ${progress}.`);
	};

	await Promise.all([
		forEachLimited(withoutFiles, place.api.maxConcurrency, writeInOrder),
		forEachLimited(withFiles, 1, writeFiles),
	]);

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
		const { source } = sent;
		const succeed = (last: Source) => write.succeed(last, sent);
		if (wait === 0) succeed(source);
		return [{ source, item, wait, succeed, fail }];
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

const maxPause = 10_000;

/** Waits until sources are trained. Each time, the list is read once for all of them. */
export async function awaitTraining(
	{ api, chatbotId }: SourcePlace,
	learners: readonly Learner[],
): Promise<void> {
	const startedAt = performance.now();
	let open = learners;
	try {
		for (let pause = 1000; ; pause = Math.min(2 * pause, maxPause)) {
			const waited = performance.now() - startedAt;
			open.forEach((learner) => answer(learner, waited));
			open = open.filter((learner) => stateOf(learner, waited) === 'learning');
			if (open.length === 0) return;

			await api.wait(Math.min(pause, ...open.map(({ wait }) => wait - waited)));

			// It is not checked whether the list is complete, since a website that is being crawled makes it grow.
			const list = await readList(sourcePages(api, chatbotId, {}), Infinity, Infinity);
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			open = open.map((learner) => ({
				...learner,
				source: byId.get(learner.source.id) ?? learner.source,
			}));
		}
	} catch (error) {
		// Another item has ended the run, but these sources were written.
		if (api.state.run.stopped) {
			open.forEach(({ succeed, source }) => succeed(source));
			return;
		}

		const failure = failureOf(error);
		const sentences = [
			'The source was written. Only reading its training status failed.',
			...failure.sentences,
		];
		open.forEach(({ fail }) => fail(failure.with({ sentences, written: 'yes' })));
	}
}

type State = 'learning' | 'trained' | 'failed' | 'overdue';

/** @param waited milliseconds */
function stateOf({ source, wait }: Learner, waited: number): State {
	const { status, metadata } = source;
	if ([status, metadata?.crawlStatus].includes('failed')) return 'failed';
	if (status === 'trained' && metadata?.crawlStatus !== 'fetching') return 'trained';
	return waited < wait ? 'learning' : 'overdue';
}

/** Sets the result of the item, unless its source is still being trained. */
function answer(learner: Learner, waited: number) {
	const { source, item, succeed, fail } = learner;
	const state = stateOf(learner, waited);
	if (state === 'learning') return;
	if (state === 'failed') {
		fail(trainingError(learner));
		return;
	}

	if (state === 'overdue') {
		item.context.warn(
			'The time of Seconds to Wait for Training was over before all sources were trained.',
		);
	}
	succeed(source);
}

function trainingError({ source, item }: Learner): Failure {
	const advice =
		source.type === 'file'
			? 'A scan has no text: send the text, or a file with text.'
			: 'Check its content, and send it again.';
	const failure = item.error(
		'The training of the source failed',
		`The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`,
	);
	return failure.with({ written: 'yes' });
}
