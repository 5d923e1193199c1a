import { type IDataObject, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import { countFormat } from '../../values/json';
import { forEachLimited, groupBy } from '../../values/list';
import { withSentence } from '../../api/errors';
import { readList } from '../../api/paginate';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { type Field, optionField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { type ChatbotItems, forEachChatbot } from '../../sync/plan';
import { type Source, sourcePages } from './sources';
import type { SourceChange, WantedFile } from './wantedSource';

const waitSeconds = optionField(
	'waitForTraining',
	'Seconds to Wait for Training',
	wholeNumber(1),
	{
		default: 300,
		description:
			'Maximum number of seconds to wait until the chatbot has learned the source. The item fails if the training fails.',
	},
);

/** Reads milliseconds; 0 without the option. */
export const waitOption: Field<number> = {
	property: waitSeconds.property,
	read: (item) => (waitSeconds.read(item) ?? 0) * 1000,
};

interface Writable {
	/** `wait`: most milliseconds to wait for the training; 0 for none. */
	settings: { chatbotId: string; wait: number };
	wanted: SourceChange;
}

/** A source that was written, or needed no write. */
export interface WrittenSource {
	source: Source;
	/** Makes the output from the source as it was seen last, perhaps after its training. The source itself, if absent. */
	outputFor?(last: Source): IDataObject;
}

interface Work<Params> {
	/** Items with the same key are written one after the other. */
	keyOf?(entry: PendingItem<Params>): string;
	write(entry: PendingItem<Params>): Promise<WrittenSource>;
}

/** Writes a source for each item, those with files one after the other. Then waits for the training of all. */
export async function writeSources<Params extends Writable>(
	run: Run<Params>,
	work: Work<Params>,
): Promise<void> {
	const left: Source[] = [];
	await forEachChatbot(run, async (group) => {
		const { learners, others } = await writeAll(run, group, work);
		left.push(...others);
		await awaitTraining(group, learners);
	});
	tellOfTraining(run.context, left);
}

/** What a source has as its status until the chatbot has learned it. */
const inTraining = ['untrained', 'updated'];

/** @param sources whose training the run did not wait for */
function tellOfTraining(context: RunContext, sources: readonly Source[]) {
	const { length } = sources.filter(({ status }) => inTraining.includes(String(status)));
	if (length === 0) return;

	const [are, their] = length === 1 ? ['source is', 'its'] : ['sources are', 'their'];
	context.note(
		`${countFormat.format(length)} ${are} still in training, which takes a moment. Then ${their} status is "trained". To wait for that, add ${waitSeconds.property.displayName} under Options.`,
	);
}

/** A source that the chatbot learns, and the item that waits for it. */
interface Learner {
	source: Source;
	item: InputItem;
	/** Most milliseconds to wait. */
	wait: number;
	succeed(last: Source): void;
	fail(error: unknown): void;
}

async function writeAll<Params extends Writable>(
	{ context: { node, functions } }: Run<Params>,
	{ api, items }: ChatbotItems<Params>,
	{ keyOf = ({ item }) => String(item.index), write }: Work<Params>,
): Promise<{ learners: Learner[]; others: Source[] }> {
	const learners: Learner[] = [];
	const others: Source[] = [];
	const writeInOrder = async (sequence: Array<PendingItem<Params>>) => {
		for (const entry of sequence) {
			const { item, params, fail } = entry;
			const { wait } = params.settings;
			try {
				const { source, outputFor = (last) => last } = await write(entry);
				const succeed = (last: Source) => entry.succeed([outputFor(last)]);
				if (wait > 0) {
					learners.push({ source, item, wait, succeed, fail });
				} else {
					others.push(source);
					succeed(source);
				}
			} catch (error) {
				fail(namingFile(error, params.wanted.file));
			}
		}
	};

	const sequences = [...groupBy(items, keyOf).values()];
	const hasFile = (sequence: Array<PendingItem<Params>>) =>
		sequence.some(({ params }) => params.wanted.file);
	const withFiles = sequences.filter(hasFile);
	const withoutFiles = sequences.filter((sequence) => !hasFile(sequence));

	const { starts } = api.state.uploads;
	let done = 0;
	const writeFile = async (sequence: typeof items) => {
		const before = starts.length;
		await writeInOrder(sequence);
		done++;
		const progress = `${done} of ${withFiles.length} files are done`;
		if (starts.length > before)
			functions.logger.info(`Node "${node.name}": ${progress}.`);
	};

	await Promise.all([
		forEachLimited(withoutFiles, api.maxConcurrency, writeInOrder),
		forEachLimited(withFiles, 1, writeFile),
	]);
	return { learners, others };
}

/** The service does not name the file that it refuses. */
function namingFile(error: unknown, file?: WantedFile): unknown {
	if (!file || !(error instanceof NodeApiError)) return error;
	return withSentence(error, `The file is "${file.fileName}".`);
}

const maxPause = 10_000;

/** Waits until sources are trained. Each look reads the list once for all of them. */
export async function awaitTraining(
	{ api, chatbotId }: Omit<ChatbotItems<unknown>, 'items'>,
	learners: Learner[],
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

			// Not proven to be complete, since a website that is being crawled makes the list grow.
			const list = await readList(sourcePages(api, chatbotId, {}), Infinity, Infinity);
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			for (const learner of open)
				learner.source = byId.get(learner.source.id) ?? learner.source;
		}
	} catch (error) {
		// Another item has ended the run. These sources are written.
		if (api.state.run.stopped) open.forEach(({ succeed, source }) => succeed(source));

		const failure = error as NodeApiError;
		failure.description = `The source was written. Only the look at its training failed. ${failure.description ?? ''}`;
		open.forEach(({ fail }) => fail(failure));
	}
}

type State = 'learning' | 'trained' | 'failed' | 'overdue';

/** @param waited milliseconds */
function stateOf({ source: { status, metadata }, wait }: Learner, waited: number): State {
	if ([status, metadata?.crawlStatus].includes('failed')) return 'failed';
	if (status === 'trained' && metadata?.crawlStatus !== 'fetching') return 'trained';
	return waited < wait ? 'learning' : 'overdue';
}

/** Gives the item of a source its result, unless the chatbot still learns it. */
function answer(learner: Learner, waited: number) {
	const { source, item, succeed, fail } = learner;
	const state = stateOf(learner, waited);
	if (state === 'failed') fail(trainingError(learner));
	if (state === 'overdue') {
		item.context.warn(
			'The time of Seconds to Wait for Training was over before all sources were trained.',
		);
	}
	if (state === 'trained' || state === 'overdue') succeed(source);
}

function trainingError({ source, item }: Learner): NodeOperationError {
	const advice =
		source.type === 'file'
			? 'A scan has no text: send the text, or a file with text.'
			: 'Check its content, and send it again.';
	return item.error(
		'The training of the source failed',
		`The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`,
	);
}
