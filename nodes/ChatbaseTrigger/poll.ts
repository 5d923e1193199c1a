import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type ApiClient, openApiClient } from '../Chatbase/api/client';
import { assertChatbotKnown } from '../Chatbase/resources/chatbot/chatbots';
import { countFormat } from '../Chatbase/values/number';
import { isObject } from '../Chatbase/values/json';
import { errorsAt, readSettings, type Settings } from './fields';
import { readPass, ServiceClock } from './pass';
import type { EventState, Pass } from './state';
import {
	applyPass,
	knownState,
	loadState,
	maxChanges,
	maxRemembered,
	saveState,
	startEarlier,
	startState,
	withoutFuture,
} from './state';

const maxConcurrency = 5;

/** Most passes of a first poll. At least two are read: one pass can miss a record while the list changes. */
const maxFirstPasses = 4;

const sampleSize = 5;

/** How long Test data may take, in milliseconds. */
const sampleTime = 10_000;

interface Poll {
	context: IPollFunctions;
	settings: Settings;
	api: ApiClient;
	clock: ServiceClock;
}

interface Result {
	changes: IDataObject[];
	pass: Pass;
	/** Undefined for a first poll, which only learns what exists. */
	before?: EventState;
	state: EventState;
	/** What the log says about the saved state. */
	warning?: string;
}

const mayMiss = 'Changes since the last poll may be missing.';

/** Static data of running polls: n8n 2.41 starts the next poll while the last one still runs. */
const busy = new WeakSet<object>();

/** Returns changes, oldest first; null if there are none. After an error the next poll continues from the same state. */
export async function pollForChanges(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const clock = new ServiceClock();
	const api = await openApiClient(context, maxConcurrency, {
		onHeaders: (headers) => clock.setBy(headers),
	});
	const poll: Poll = { context, settings, api, clock };
	assertPast(poll);
	const stored: unknown = context.getWorkflowStaticData('node');
	const { key } = settings;
	if (context.getMode() === 'manual') {
		return [toItems(settings, await readSample(poll), loadState(stored, key).state)];
	}
	if (!isObject(stored)) {
		const nextStep = 'Rename the node to start with a new state.';
		throw errorsAt(context).error("The trigger's saved state is damaged", nextStep);
	}
	if (busy.has(stored)) return null;
	busy.add(stored);
	try {
		const result = await readChanges(poll, stored, key);
		const items = toItems(settings, result.changes.filter(settings.isWanted), result.before);
		logWarnings(poll, result);
		// Last, because n8n 2.41 keeps what a failed poll has written.
		saveState(stored, key, result.state);
		return items.length > 0 ? [items] : null;
	} finally {
		busy.delete(stored);
	}
}

/** The service's clock may be ahead of n8n's. It is known after the first response. */
function assertPast({ context, settings: { since = -Infinity }, clock }: Poll) {
	if (since <= clock.latest) return;
	const nextStep = `It is ${new Date(since).toISOString()}. Enter a time in the past, or remove the option to report only changes from now on.`;
	throw errorsAt(context).error('Report Changes Since is in the future', nextStep);
}

/** Throws if no record has a readable time, since the trigger would never report anything. */
async function read(
	{ context, settings, api, clock }: Poll,
	from: EventState,
	isEnough?: (found: number) => boolean | undefined,
): Promise<Pass> {
	const pass = await readPass(api, settings, clock, from, isEnough);
	const { undated, count } = pass;
	if (undated.length === 0 || undated.length < count) return pass;
	const { records } = settings.event;
	const nextStep = `The service returned ${countFormat.format(count)} ${records} without a Unix timestamp or an ISO 8601 date, for example ID ${undated[0]}. Once dates are readable again, the trigger continues from its last poll.`;
	throw errorsAt(context).error(`No ${records} have a readable date`, nextStep);
}

async function readChanges(poll: Poll, stored: IDataObject, key: string): Promise<Result> {
	const { settings, clock } = poll;
	const { since } = settings;
	const { state: loaded, isDamaged } = loadState(stored, key);
	// A damaged state may not say what was reported, and a search would report 30 days again.
	const isLost = isDamaged && (!loaded || settings.event.isSearch);
	if (isLost) return { ...(await readExisting(poll)), warning: mayMiss };
	if (loaded) {
		const isEarlier = since !== undefined && loaded.since !== undefined && since < loaded.since;
		const start = isEarlier ? startEarlier(loaded, since) : loaded;
		const pass = await read(poll, isEarlier ? startState(since) : start);
		// After the first response, because it has the service's time.
		const before = withoutFuture(start, clock.limit);
		const warning = isDamaged ? 'The last changes may be reported again.' : undefined;
		if (before) return { ...applyPass(before, pass, maxChanges), pass, before, warning };
		return { ...(await readExisting(poll)), warning: mayMiss };
	}
	if (since === undefined) return await readExisting(poll);
	const pass = await read(poll, startState(since));
	assertPast(poll);
	// Changes between now and a time that is slightly ahead would be lost.
	const before = startState(Math.min(since, clock.wholeSecond));
	return { ...applyPass(before, pass, maxChanges), pass, before };
}

/** Reports nothing: everything that exists counts as reported. */
async function readExisting(poll: Poll): Promise<Result> {
	const { api, clock } = poll;
	const { chatbotId, event } = poll.settings;
	const { lookBack, isSearch } = event;
	// This also tells the service's time, by which the search begins.
	if (isSearch) await assertChatbotKnown(api, chatbotId);
	const from = clock.daysAgo(lookBack[0]);
	const isEnough = (found: number) => isSearch && found > maxRemembered;
	let pass = await read(poll, startState(from), isEnough);
	// `from` was set by n8n's clock, which may be ahead of the service's.
	let state = knownState(pass, Math.min(from, clock.wholeSecond));
	for (let passes = 1; passes < maxFirstPasses; passes++) {
		pass = await read(poll, state);
		({ state } = applyPass(state, pass, Infinity));
		if (pass.isComplete) break;
	}
	return { changes: [], pass, state };
}

async function readSample(poll: Poll): Promise<IDataObject[]> {
	const { context, settings, clock } = poll;
	const { isNewestFirst, lookBack, records } = settings.event;
	const deadline = performance.now() + sampleTime;
	let sample: IDataObject[] = [];
	const isEnough = (found: number) =>
		performance.now() > deadline || (isNewestFirst && found >= sampleSize);
	for (const days of isNewestFirst ? [Infinity] : lookBack) {
		const pass = await read(poll, startState(clock.daysAgo(days)), isEnough);
		sample = pass.records
			.filter(({ item }) => settings.isWanted(item))
			.sort((one, other) => other.time - one.time)
			.slice(0, sampleSize)
			.map(({ item }) => item);
		if (sample.length === sampleSize) break;
	}
	if (sample.length > 0) return sample;
	const nextStep = `The chatbot has no ${records} that match the event and the filters. Once the workflow is published, the next match starts it.`;
	throw errorsAt(context).error('No records match yet', nextStep);
}

function logWarnings({ context, settings }: Poll, { pass, before, warning }: Result): void {
	const { name } = context.getNode();
	if (warning) {
		const cause = 'the saved state is damaged or from another version of the package';
		context.logger.warn(`${name}: ${cause}. ${warning}`);
	}
	const { undated, count } = pass;
	if (undated.length > (before?.undated ?? 0)) {
		context.logger.warn(
			`${name}: ${countFormat.format(undated.length)} of ${countFormat.format(count)} ${settings.event.records} have no readable date, for example ID ${undated[0]}. Their changes are not reported.`,
		);
	}
}

/** Records as the service returned them, with the time up to which changes were reported before. */
function toItems(
	{ event }: Settings,
	records: IDataObject[],
	before?: EventState,
): INodeExecutionData[] {
	const time = event.isSearch ? before?.newest : before?.watermark;
	const changedSince = time ? new Date(time).toISOString() : null;
	return records.map((record) => ({ json: { ...record, changedSince } }));
}
