import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { conversationList } from '../Chatbase/resources/conversation/requests';
import { leadList } from '../Chatbase/resources/lead/requests';
import { openService } from '../Chatbase/transport/service';
import { contactSource } from './contactSource';
import { daySource } from './daySource';
import type { Memory } from './memory';
import { observe, readMemory, startMemory } from './memory';
import type { Settings } from './settings';
import { readSettings } from './settings';
import type { Source } from './source';
import { TimeBudget } from './timeBudget';

/** How many changes start one execution. It bounds the memory, and n8n has to carry the items. */
const mostChanges = 5000;

const maxConcurrency = 5;
const dayPageSize = 100;
const sampleSize = 5;

const second = 1000;
const day = 24 * 60 * 60 * second;

/** How long a poll may take where n8n does not say, and how long somebody waits for examples. */
const usualBudget = 5 * 60 * second;
const sampleBudget = 10 * second;

type AnySource = Source<IDataObject, unknown>;

/** Memories that a poll is working on: n8n starts the next poll even when the last one takes longer. */
const busy = new WeakSet<object>();

/**
 * Polls once.
 *
 * @returns the changes since the poll before, oldest first; null where there are none
 * @throws NodeOperationError when a parameter cannot work
 * @throws NodeApiError when the service fails; the next poll then goes on from the same place
 */
export async function pollForChanges(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const source = await sourceOf(context, settings);
	const stored = context.getWorkflowStaticData('node') as { memory?: unknown };
	const memory = readMemory<unknown>(stored.memory, `${settings.event} ${settings.chatbotId}`);
	if (context.getMode() === 'manual') {
		const sample = await readSample(source, settings);
		if (sample.length > 0) return [asItems(sample, memory)];
		throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
			description:
				'The chatbot has no record that fits the event and the filters. An active workflow reports the next one.',
		});
	}
	if (busy.has(stored)) return null;
	busy.add(stored);
	try {
		const { event, chatbotId, since, isWanted } = settings;
		const before =
			memory ??
			startMemory(`${event} ${chatbotId}`, since ?? source.beginning, since !== undefined);
		const budget = new TimeBudget(context.getPollBudgetMs?.() ?? usualBudget);
		const result = await readChanges(source, before, budget);
		// Only now, when nothing can fail any more: n8n keeps what a failed poll has put there.
		stored.memory = result.memory;
		const wanted = result.changes.filter(isWanted);
		return wanted.length > 0 ? [asItems(wanted, before)] : null;
	} finally {
		busy.delete(stored);
	}
}

/** Reads one round; the first time the rounds that it takes to find out what exists. */
async function readChanges(
	source: AnySource,
	before: Memory<unknown>,
	budget: TimeBudget,
): Promise<{ changes: IDataObject[]; memory: Memory<unknown> }> {
	let memory = before;
	for (;;) {
		const reading = await source.read({
			since: memory.settled,
			progress: memory.round?.progress,
			budget,
		});
		const wasSilent = memory.silentRounds > 0;
		const result = observe(memory, reading, mostChanges);
		memory = result.memory;
		if (!wasSilent || memory.silentRounds === 0 || memory.round || !budget.allowsAnother) {
			return result;
		}
	}
}

async function readSample(source: AnySource, { isWanted }: Settings): Promise<IDataObject[]> {
	const budget = new TimeBudget(sampleBudget);
	let sample: IDataObject[] = [];
	for (const since of source.sampleSince) {
		const { sightings } = await source.read({ since, budget });
		sample = sightings
			.filter(({ item }) => isWanted(item))
			.sort((one, other) => other.moment - one.moment)
			.slice(0, sampleSize)
			.map(({ item }) => item);
		if (sample.length === sampleSize) break;
	}
	return sample;
}

/** The items as the service returned them, with the moment up to which changes were reported before. */
function asItems(records: IDataObject[], memory?: Memory<unknown>): INodeExecutionData[] {
	const mark = memory?.settled;
	const changedSince = mark ? new Date(mark).toISOString() : null;
	return records.map((record) => ({ json: { ...record, changedSince } }));
}

async function sourceOf(
	context: IPollFunctions,
	{ event, chatbotId, pageSize, sources }: Settings,
): Promise<AnySource> {
	const service = await openService(context, maxConcurrency);
	const now = Date.now();
	const latest = now + day;
	if (event === 'conversationStarted') {
		const filters = sources.length > 0 ? { filteredSources: sources.join(',') } : {};
		const list = conversationList(service, chatbotId, dayPageSize);
		return daySource(list, filters, now, latest);
	}
	if (event === 'leadCreated') {
		return daySource(leadList(service, chatbotId, dayPageSize), {}, now, latest);
	}
	return contactSource(service, chatbotId, event, pageSize, latest);
}
