import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { openApiClient } from '../Chatbase/api/client';
import { assertChatbotKnown } from '../Chatbase/resources/conversation/conversations';
import { isObject } from '../Chatbase/values/object';
import type { Settings } from './settings';
import { futureSince, readSettings, refuse } from './settings';
import { maxConcurrency, readPass, ServiceClock, timeBefore } from './sources';
import type { EventState, Pass, SeenRecord } from './state';
import {
	applyPass,
	knownState,
	loadState,
	maxChanges,
	maxRemembered,
	saveState,
	startEarlier,
	startState,
	stateKey,
	withoutFuture,
} from './state';

/** Most passes of a first poll. At least two are read: one pass can miss a record while the list changes. */
const maxFirstPasses = 4;

const sampleSize = 5;

const number = new Intl.NumberFormat('en-US');

const second = 1000;

/** How long Test data may take. */
const sampleTime = 10 * second;

interface Poll {
	context: IPollFunctions;
	settings: Settings;
	api: ApiClient;
	clock: ServiceClock;
	read(
		from: EventState,
		isEnough?: (found: ReadonlyMap<string, SeenRecord>) => boolean,
	): Promise<Pass>;
}

/** What a poll has found, and the state before and after it. */
interface Result {
	changes: IDataObject[];
	pass: Pass;
	/** Undefined for a first poll, which only learns what exists. */
	before?: EventState;
	state: EventState;
	/** What the log says about the saved state. */
	warning?: string;
}

const mayRepeat = 'The last changes may be reported again.';
const mayMiss = 'Changes since the last poll may be missing.';

/** Static data of running polls: n8n 2.41 starts the next poll while the last one still runs. */
const busy = new WeakSet<object>();

/**
 * @returns changes, oldest first; null if there are none
 * @throws NodeOperationError if a setting is wrong, or no record has a readable time
 * @throws NodeApiError if the service fails; the next poll continues from the same state
 */
export async function pollForChanges(
	context: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const clock = new ServiceClock();
	const api = await openApiClient(context, maxConcurrency, {
		onHeaders: (headers) => clock.setBy(headers),
	});
	const poll: Poll = {
		context,
		settings,
		api,
		clock,
		async read(from, isEnough) {
			const pass = await readPass(api, settings, clock, from, isEnough);
			assertDated(context, settings, pass);
			return pass;
		},
	};
	const stored: unknown = context.getWorkflowStaticData('node');
	const key = stateKey(settings.event.value, settings.chatbotId);
	if (context.getMode() === 'manual') {
		return [toItems(settings, await readSample(poll), loadState(stored, key).state)];
	}
	if (!isObject(stored)) {
		const nextStep = 'Rename the node to start with a new state.';
		throw refuse(context, "The trigger's saved state is damaged", nextStep);
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

async function readChanges(poll: Poll, stored: IDataObject, key: string): Promise<Result> {
	const { context, settings, clock, read } = poll;
	const { since } = settings;
	const { state: loaded, isDamaged } = loadState(stored, key);
	// A damaged state may not say what was reported, and a search would report 30 days again.
	const isLost = isDamaged && (!loaded || settings.event.source.isSearch);
	if (isLost) return { ...(await readExisting(poll)), warning: mayMiss };
	if (loaded) {
		const isEarlier = since !== undefined && loaded.since !== undefined && since < loaded.since;
		const start = isEarlier ? startEarlier(loaded, since) : loaded;
		const pass = await read(isEarlier ? startState(since) : start);
		// After the first response, because it has the service's time.
		const before = withoutFuture(start, clock.limit);
		const warning = isDamaged ? mayRepeat : undefined;
		if (before) return { ...applyPass(before, pass, maxChanges), pass, before, warning };
		return { ...(await readExisting(poll)), warning: mayMiss };
	}
	if (since === undefined) return await readExisting(poll);
	const pass = await read(startState(since));
	if (since > clock.latest) throw futureSince(context, since);
	// Changes between now and a time that is slightly ahead would be lost.
	const before = startState(Math.min(since, wholeSecond(clock.now)));
	return { ...applyPass(before, pass, maxChanges), pass, before };
}

/** Reports nothing: everything that exists counts as reported. */
async function readExisting({ api, settings, clock, read }: Poll): Promise<Result> {
	const { chatbotId, event } = settings;
	const { lookBack, isSearch } = event.source;
	// This also tells the service's time, by which the search begins.
	if (isSearch) await assertChatbotKnown(api, chatbotId);
	const from = timeBefore(lookBack[0], clock);
	let pass = await read(startState(from), ({ size }) => isSearch === true && size > maxRemembered);
	// `from` was set by n8n's clock, which may be ahead of the service's.
	let state = knownState(pass, Math.min(from, wholeSecond(clock.now)));
	for (let passes = 1; passes < maxFirstPasses; passes++) {
		pass = await read(state);
		({ state } = applyPass(state, pass, Infinity));
		if (pass.isComplete) break;
	}
	return { changes: [], pass, state };
}

async function readSample({ context, settings, clock, read }: Poll): Promise<IDataObject[]> {
	const { source, records } = settings.event;
	const deadline = Date.now() + sampleTime;
	let sample: IDataObject[] = [];
	const isEnough = ({ size }: ReadonlyMap<string, SeenRecord>) =>
		Date.now() > deadline || (source.isNewestFirst === true && size >= sampleSize);
	for (const days of source.isNewestFirst ? [Infinity] : source.lookBack) {
		const pass = await read(startState(timeBefore(days, clock)), isEnough);
		sample = pass.records
			.filter(({ item }) => settings.isWanted(item))
			.sort((one, other) => other.time - one.time)
			.slice(0, sampleSize)
			.map(({ item }) => item);
		if (sample.length === sampleSize) break;
	}
	if (sample.length > 0) return sample;
	throw refuse(
		context,
		'No records match yet',
		`The chatbot has no ${records} that match the event and the filters. Once the workflow is active, the next match starts it.`,
	);
}

/** Without any readable time the trigger would never report anything. */
function assertDated(context: IPollFunctions, { event }: Settings, pass: Pass): void {
	if (pass.undated === 0 || pass.undated < pass.count) return;
	throw refuse(
		context,
		`No ${event.records} have a readable date`,
		`The service returned ${number.format(pass.count)} ${event.records} without a Unix timestamp or an ISO 8601 date, for example ID ${pass.undatedKey}. Once dates are readable again, the trigger continues from its last poll.`,
	);
}

function logWarnings({ context, settings }: Poll, { pass, before, warning }: Result): void {
	const { name } = context.getNode();
	if (warning) {
		const cause = 'the saved state is damaged or from another version of the package';
		context.logger.warn(`${name}: ${cause}. ${warning}`);
	}
	if (pass.undated > (before?.undated ?? 0)) {
		context.logger.warn(
			`${name}: ${number.format(pass.undated)} of ${number.format(pass.count)} ${settings.event.records} have no readable date, for example ID ${pass.undatedKey}. Their changes are not reported.`,
		);
	}
}

/** Records as the service returned them, with the time up to which changes were reported before. */
function toItems(
	{ event }: Settings,
	records: IDataObject[],
	before?: EventState,
): INodeExecutionData[] {
	const time = event.source.isSearch ? before?.newest : before?.watermark;
	const changedSince = time ? new Date(time).toISOString() : null;
	return records.map((record) => ({ json: { ...record, changedSince } }));
}

/** The service may count whole seconds. */
function wholeSecond(time: number): number {
	return Math.floor(time / second) * second;
}
