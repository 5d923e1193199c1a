import { type IDataObject, NodeApiError } from 'n8n-workflow';

import { forEachLimited } from '../../api/concurrency';
import { withSentence } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import type { PendingItem, Run } from '../../execution/run';
import { byChatbot, type ChatbotItems } from '../../sync/plan';
import { groupBy } from '../../values/list';
import type { Source } from './sources';
import { awaitTraining, type Learner } from './training';
import type { WantedFile } from './wantedFile';
import type { SourceChange } from './wantedSource';

interface Writable {
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
	keyOf(entry: PendingItem<Params>): string;
	write(entry: PendingItem<Params>): Promise<WrittenSource>;
}

/** Writes a source for each item, those with files one after the other. Then waits for the training of all. */
export async function writeEach<Params extends Writable>(
	{ context, items, limits }: Run<Params>,
	work: Work<Params>,
): Promise<void> {
	await forEachLimited(byChatbot(items), limits.maxConcurrency, async (group) => {
		const learners = await writeAll(context, group, work);
		await awaitTraining(group.api, group.chatbotId, learners);
	});
}

async function writeAll<Params extends Writable>(
	{ node, functions }: RunContext,
	{ api, items }: ChatbotItems<Params>,
	{ keyOf, write }: Work<Params>,
): Promise<Learner[]> {
	const learners: Learner[] = [];
	const writeInOrder = async (sequence: Array<PendingItem<Params>>) => {
		for (const entry of sequence) {
			const { item, params, fail } = entry;
			try {
				const { source, outputFor = (last) => last } = await write(entry);
				const succeed = (last: Source) => entry.succeed([outputFor(last)]);
				learners.push({ source, item, wait: params.settings.wait, succeed, fail });
			} catch (error) {
				fail(namingFile(error, params.wanted.file));
			}
		}
	};

	const sequences = [...groupBy(items, keyOf).values()];
	const hasFile = ({ params }: PendingItem<Params>) => params.wanted.file !== undefined;
	const files = sequences.filter((sequence) => sequence.some(hasFile));
	const others = sequences.filter((sequence) => !sequence.some(hasFile));

	const { starts } = api.state.uploads;
	let done = 0;
	const writeFile = async (sequence: typeof items) => {
		const before = starts.length;
		await writeInOrder(sequence);
		done++;
		const progress = `${done} of ${files.length} files are done`;
		if (starts.length > before)
			functions.logger.info(`Node "${node.name}": ${progress}.`);
	};

	await Promise.all([
		forEachLimited(others, api.maxConcurrency, writeInOrder),
		forEachLimited(files, 1, writeFile),
	]);
	return learners;
}

/** The service does not name the file that it refuses. */
function namingFile(error: unknown, file?: WantedFile): unknown {
	if (!file || !(error instanceof NodeApiError)) return error;
	return withSentence(error, `The file is "${file.fileName}".`);
}
