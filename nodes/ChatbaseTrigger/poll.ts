import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { conversationList } from '../Chatbase/resources/conversation/requests';
import { leadList } from '../Chatbase/resources/lead/requests';
import { escapeHtml } from '../Chatbase/api/html';
import { openApiClient } from '../Chatbase/api/client';
import { isObject } from '../Chatbase/values/object';
import { contactSource } from './contactSource';
import { daySource } from './daySource';
import { subjectOf } from './events';
import type { Memory } from './memory';
import {
	beginEarlier,
	observe,
	seedMemory,
	seedUntil,
	startMemory,
	upToPresent,
	withoutFuture,
} from './memory';
import { ServiceClock } from './serviceClock';
import type { Settings } from './settings';
import { futureSince, readSettings } from './settings';
import type { Source, SourceReading } from './source';
import type { Stored } from './stored';
import { isDamaged, recall, remember } from './stored';
import { TimeBudget } from './timeBudget';

/** How many changes start one execution. It bounds the memory, and n8n has to carry the items. */
const mostChanges = 5000;

/** How often the first poll reads the list at most to find out what exists. */
const mostSeedingRounds = 4;

const maxConcurrency = 5;
const dayPageSize = 100;
const sampleSize = 5;

const second = 1000;

/** How long a poll may take where n8n does not say, and how long somebody waits for examples. */
const usualBudget = 5 * 60 * second;
const sampleBudget = 10 * second;

type AnySource = Source<IDataObject, unknown>;
type AnyReading = SourceReading<IDataObject, unknown>;

/** What a poll is about. */
interface Watch {
	context: IPollFunctions;
	source: AnySource;
	clock: ServiceClock;
	subject: string;
}

/** What a poll has found, and what to remember. */
interface Result {
	changes: IDataObject[];
	memory: Memory<unknown>;
	reading: AnyReading;
}

/** Memories that a poll is working on: n8n 2.41 starts the next poll even when the last one takes longer. */
const busy = new WeakSet<object>();

/**
 * Polls once.
 *
 * @returns the changes since the poll before, oldest first; null where there are none
 * @throws NodeOperationError when a parameter cannot work, or when no record has a time that can be read
 * @throws NodeApiError when the service fails; the next poll then goes on from the same place
 */
export async function pollForChanges(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const clock = new ServiceClock();
	const source = await sourceOf(context, settings, clock);
	const stored: unknown = context.getWorkflowStaticData('node');
	const subject = subjectOf(settings.event, settings.chatbotId);
	const watch: Watch = { context, source, clock, subject };
	if (context.getMode() === 'manual') {
		const sample = await readSample(watch, settings);
		return [asItems(sample, recall(stored, subject))];
	}
	if (!isObject(stored)) {
		throw new NodeOperationError(context.getNode(), 'What n8n remembers for this node is damaged', {
			description: 'Rename the node: n8n then begins a new memory for it.',
		});
	}
	if (busy.has(stored)) return null;
	busy.add(stored);
	try {
		const budget = new TimeBudget(context.getPollBudgetMs?.() ?? usualBudget);
		const before = startOf(stored, subject, settings);
		const result = await readChanges(watch, before, budget);
		const isOneRound = !before?.round && !result.memory.round;
		if (isOneRound) refuseUndated(watch, result.reading);
		warn(watch, stored, before, result);
		// Only now, when nothing can fail any more: n8n 2.41 keeps what a failed poll has put there.
		remember(stored, result.memory);
		const wanted = result.changes.filter(settings.isWanted);
		return wanted.length > 0 ? [asItems(wanted, before)] : null;
	} finally {
		busy.delete(stored);
	}
}

/** Where the poll goes on; undefined where it has to find out what exists. */
function startOf(
	stored: Stored,
	subject: string,
	{ since }: Settings,
): Memory<unknown> | undefined {
	const memory = recall(stored, subject);
	if (!memory) {
		// What was reported before the damage is not reported again.
		const isFirst = since !== undefined && !isDamaged(stored, subject);
		return isFirst ? startMemory(subject, since) : undefined;
	}
	if (memory.since === undefined) return memory;
	// A beginning that the user has corrected leaves no trace.
	return since !== undefined && since < memory.since ? beginEarlier(memory, since) : memory;
}

/** Goes on with a round, or begins one; the first time reads what exists. */
async function readChanges(
	watch: Watch,
	before: Memory<unknown> | undefined,
	budget: TimeBudget,
): Promise<Result> {
	const { context, source, clock } = watch;
	if (!before) return await readFirst(watch, budget);
	const { settled: since, round } = before;
	const reading = await source.read({ since, progress: round?.progress, budget });
	const isBeginning = before.since === before.settled;
	if (isBeginning && before.settled > clock.latest) throw futureSince(context, before.settled);
	const sound = withoutFuture(before, clock.tomorrow);
	if (sound !== before) return await readChanges(watch, sound, budget);
	return { ...observe(upToPresent(before, clock.now), reading, mostChanges), reading };
}

/** Reads what exists: once for the mark, and again for what stands at it or was overlooked. */
async function readFirst({ source, subject, clock }: Watch, budget: TimeBudget): Promise<Result> {
	let reading = await source.read({ since: source.beginning, budget });
	// The clock of n8n may have been ahead when nothing else was known, and asked for days that are still to come.
	let memory = seedMemory(subject, reading, Math.min(source.beginning, clock.now));
	let isKnown = isWhole(reading) && source.beginning <= clock.now;
	let rounds = 1;
	while (!memory.round && rounds < mostSeedingRounds && budget.allowsAnother) {
		reading = await source.read({ since: memory.settled, budget });
		memory = observe(memory, reading, Infinity).memory;
		isKnown ||= isWhole(reading);
		rounds = isWhole(reading) ? mostSeedingRounds : rounds + 1;
	}
	if (!isKnown && rounds < mostSeedingRounds) memory = seedUntil(memory, clock.now);
	return { changes: [], memory, reading };
}

function isWhole({ isComplete, progress }: AnyReading): boolean {
	return isComplete && !progress;
}

/**
 * Where nothing has a time that can be read, the trigger would be silent for ever.
 *
 * @throws NodeOperationError which says so
 */
function refuseUndated({ context, source: { records } }: Watch, reading: AnyReading): void {
	const { count, undated } = reading;
	if (!undated || undated.count < count) return;
	throw new NodeOperationError(context.getNode(), 'The service gives no time that can be read', {
		description: escapeHtml(
			`Changes are told by the time of the ${records}, and none of ${count} has one that is a Unix timestamp or a date in ISO 8601, such as the one with the ID ${undated.example}. Nothing is lost: as soon as the service gives times again, the trigger goes on from where it was.`,
		),
	});
}

/** Tells the log of n8n what the user should know although the trigger can go on. */
function warn(
	{ context, clock, source: { records } }: Watch,
	stored: Stored,
	before: Memory<unknown> | undefined,
	{ memory, reading }: Result,
): void {
	const name = context.getNode().name;
	const wasLost = before !== undefined && before.settled > clock.tomorrow;
	if (isDamaged(stored, memory.subject) || wasLost) {
		const consequence =
			before && !wasLost
				? 'The last changes before may be reported again.'
				: 'Changes since the last poll may be missing.';
		context.logger.warn(
			`${name}: what the trigger remembered is damaged or of another version of the package. ${consequence}`,
		);
	}
	const undated = reading.undated?.count ?? 0;
	if (undated > (Number(stored.undated) || 0)) {
		context.logger.warn(
			`${name}: ${undated} of ${reading.count} ${records} have no time that can be read, such as the one with the ID ${reading.undated!.example}. Their changes are not reported.`,
		);
	}
	if (undated > 0) stored.undated = undated;
	else if (!memory.round) delete stored.undated;
}

async function readSample(watch: Watch, { isWanted }: Settings): Promise<IDataObject[]> {
	const { context, source } = watch;
	const budget = new TimeBudget(sampleBudget);
	let sample: IDataObject[] = [];
	for (const since of source.sampleSince) {
		const reading = await source.read({ since, budget });
		refuseUndated(watch, reading);
		sample = reading.sightings
			.filter(({ item }) => isWanted(item))
			.sort((one, other) => other.moment - one.moment)
			.slice(0, sampleSize)
			.map(({ item }) => item);
		if (sample.length === sampleSize) break;
	}
	if (sample.length > 0) return sample;
	throw new NodeOperationError(context.getNode(), 'There is nothing to show yet', {
		description: `None of the ${source.records} of the chatbot fits the event and the filters. Once the workflow is active, it starts with the next one that does.`,
	});
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
	clock: ServiceClock,
): Promise<AnySource> {
	const api = await openApiClient(context, maxConcurrency, {
		onHeaders: (headers) => clock.setBy(headers),
	});
	if (event === 'conversationStarted') {
		const filters = sources.length > 0 ? { filteredSources: sources.join(',') } : {};
		const list = conversationList(api, chatbotId, dayPageSize);
		return daySource('conversations', list, filters, clock);
	}
	if (event === 'leadCreated') {
		return daySource('leads', leadList(api, chatbotId, dayPageSize), {}, clock);
	}
	return contactSource(api, chatbotId, event, pageSize, clock);
}
