import type { IDataObject } from 'n8n-workflow';

import { forEachLimited } from '../../api/concurrency';
import type { RunContext } from '../../execution/context';
import type { PendingItem, Run } from '../../execution/run';
import { byChatbot, type ChatbotItems } from '../../sync/plan';
import { groupBy } from '../../values/list';
import type { Source } from './sources';
import { awaitTraining, type Learner } from './training';
import type { SourceChange } from './wanted';

interface SourceParams {
	settings: { chatbotId: string; wait: number };
	wanted: SourceChange;
}

/** A source that was written, or needed no write. */
export interface WrittenSource {
	source: Source;
	/** Makes the output from the source as it was seen last, perhaps after its training. The source itself, if absent. */
	outputFor?(last: Source): IDataObject;
}

interface Work<Entry> {
	/** Lists of entries that have to be written one after the other. */
	sequences: Entry[][];
	write(entry: Entry): Promise<WrittenSource>;
}

/** Writes sources, those with files one after the other. Then waits for the training of all. */
export async function writeInOrder<Entry extends PendingItem<SourceParams>>(
	{ node, functions }: RunContext,
	{ api, chatbotId }: Pick<ChatbotItems<unknown>, 'api' | 'chatbotId'>,
	{ sequences, write }: Work<Entry>,
): Promise<void> {
	const learners: Learner[] = [];
	const writeAll = async (sequence: Entry[]) => {
		for (const entry of sequence) {
			const { item, params, fail } = entry;
			try {
				const { source, outputFor = (last) => last } = await write(entry);
				const succeed = (last: Source) => entry.succeed([outputFor(last)]);
				learners.push({ source, item, wait: params.settings.wait, succeed, fail });
			} catch (error) {
				fail(error);
			}
		}
	};

	const hasFile = (sequence: Entry[]) => sequence.some(({ params }) => params.wanted.file);
	const files = sequences.filter(hasFile);
	const others = sequences.filter((sequence) => !hasFile(sequence));
	const { starts } = api.state.uploads;
	let done = 0;
	const writeFile = async (sequence: Entry[]) => {
		const before = starts.length;
		await writeAll(sequence);
		done++;
		const progress = `${done} of ${files.length} files are done`;
		if (starts.length > before) functions.logger.info(`Node "${node.name}": ${progress}.`);
	};

	await Promise.all([
		forEachLimited(others, api.maxConcurrency, writeAll),
		forEachLimited(files, 1, writeFile),
	]);
	await awaitTraining(api, chatbotId, learners);
}

/** Writes a source for each item, those with the same key one after the other. */
export async function writeEach<Params extends SourceParams>(
	{ context, items, limits }: Run<Params>,
	keyOfItem: (entry: PendingItem<Params>) => string,
	write: (entry: PendingItem<Params>) => Promise<Source>,
): Promise<void> {
	await forEachLimited(byChatbot(items), limits.maxConcurrency, async (group) => {
		const sequences = [...groupBy(group.items, keyOfItem).values()];
		await writeInOrder(context, group, {
			sequences,
			write: async (entry) => ({ source: await write(entry) }),
		});
	});
}
