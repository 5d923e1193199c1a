import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openApiClient } from '../Chatbase/api/client';
import { assertChatbotKnown } from '../Chatbase/chatbots/chatbots';
import { countFormat } from '../Chatbase/values/json';
import { readSettings } from './fields';
import { type Poll, readPass, ServiceClock } from './pass';
import {
	type Changes,
	type EventState,
	loadState,
	maxReportedChanges,
	type Obstacle,
	type Pass,
	saveState,
	type SeenRecord,
	stateSince,
} from './state';

/**
 * How many passes a first poll reads, at most. It reads at least two, because one pass can miss a record while the list
 * changes.
 */
const maxFirstPasses = 4;

const sampleSize = 5;

/** How long Test data may take, in milliseconds. */
const sampleTime = 10_000;

const stateUnusable =
	'the saved state is damaged, from another version of the package, or from a clock that was ahead.';

/** Why the trigger starts over, by what is wrong with the saved state. */
const obstacles: Record<Obstacle, string> = {
	unreadable: stateUnusable,
	otherFilter: 'the filter of the event has changed.',
};

const setEarlier =
	'Report Changes Since was set to an earlier time. The trigger starts over. Changes since that time are reported, even if they were reported before.';

interface Result extends Changes<EventState> {
	/** Undefined for a first poll, which only learns what exists. */
	before?: EventState;
}

/** The static data of running polls. n8n 2.41 starts the next poll even if the last one still runs. */
const busy = new WeakSet<object>();

/** Returns changes, oldest first; null if there are none. After an error the next poll continues from the same state. */
export async function pollForChanges(
	this: IPollFunctions,
): Promise<INodeExecutionData[][] | null> {
	const clock = new ServiceClock();
	const api = await openApiClient(this, {
		onHeaders: (headers) => clock.setBy(headers),
	});
	const poll: Poll = { ...readSettings(this), api, clock };
	assertPast(poll);

	const stored = this.getWorkflowStaticData('node');
	if (this.getMode() === 'manual') {
		const { state } = loadState(stored, poll.key, poll.filter);
		return [toItems(poll, await readSample(poll), state)];
	}

	if (busy.has(stored)) return null;
	busy.add(stored);
	try {
		const { changes, before, state } = await readByStoredState(poll, stored);
		const wanted = changes.filter(({ item }) => poll.isWanted(item));
		const items = toItems(poll, wanted, before);

		// This is the last step, because n8n 2.41 keeps what a failed poll has written.
		saveState(stored, poll.key, { ...state, filter: poll.filter });
		return items.length > 0 ? [items] : null;
	} finally {
		busy.delete(stored);
	}
}

/**
 * Throws if Report Changes Since is in the future. The clock of the service, which may be ahead of n8n's, is known after the
 * first response.
 */
function assertPast({ clock, error, since = -Infinity }: Poll) {
	if (since <= clock.latest) return;
	const nextStep = `It is ${new Date(since).toISOString()}. Enter a time in the past, or remove the option to report only changes from now on.`;
	throw error('Report Changes Since is in the future', nextStep);
}

/** Reads what has changed since the saved state. Nothing is saved here. */
export async function readByStoredState(
	poll: Poll,
	stored: IDataObject,
): Promise<Result> {
	const { key, since, filter } = poll;
	const { state, obstacle, since: before } = loadState(stored, key, filter);

	// Changes since a later time were reported already. An expression may set one for every poll.
	if (since !== undefined && before !== undefined && since < before) {
		poll.warn(setEarlier);
		return await readSince(poll, since);
	}

	if (obstacle) return await startOver(poll, obstacles[obstacle]);
	if (!state) return await readFirst(poll);
	return (await readFurther(poll, state)) ?? (await startOver(poll, stateUnusable));
}

async function startOver(poll: Poll, reason: string): Promise<Result> {
	poll.warn(
		`${reason} The trigger starts over. Changes since the last poll may be missing.`,
	);
	return await readExisting(poll);
}

async function readFirst(poll: Poll): Promise<Result> {
	const { since } = poll;
	return since === undefined ? await readExisting(poll) : await readSince(poll, since);
}

/** Reports what changed after a state. Undefined if the state is from the future. */
async function readFurther(poll: Poll, state: EventState): Promise<Result | undefined> {
	const pass = await readPass(poll, state);

	// This comes after the first response, which tells the service's time.
	const before = withoutFuture(poll, state);
	return before && reportChanges(poll, before, pass);
}

function reportChanges(poll: Poll, before: EventState, pass: Pass): Result {
	const changes = poll.event.states.afterLater(before, { pass, max: maxReportedChanges });
	return { ...changes, before };
}

/** The state without implausible times; undefined if its watermark is one. */
function withoutFuture(
	{ clock, event }: Poll,
	state: EventState,
): EventState | undefined {
	const { watermark, reported, since } = state;
	if (watermark > clock.limit) return undefined;
	if (event.states.latestIn(state) <= clock.limit) return state;

	return { ...stateSince(watermark), reported, since };
}

/** Reports everything since a time. */
async function readSince(poll: Poll, since: number): Promise<Result> {
	const { states } = poll.event;
	const pass = await readPass(poll, states.startingAt(since));
	assertPast(poll);

	// If the time is slightly in the future, changes between now and then would be lost.
	const before = states.startingAt(Math.min(since, poll.clock.wholeSecond), pass);
	return reportChanges(poll, before, pass);
}

/** Reports nothing: everything that exists counts as reported. */
async function readExisting(poll: Poll): Promise<Result> {
	const { api, chatbotId, clock } = poll;
	const { asksForChatbot, lookBack, states } = poll.event;
	if (asksForChatbot) await assertChatbotKnown(api, chatbotId);

	const from = clock.daysAgo(lookBack[0]);
	const isEnough = (found: number) => found > states.maxKnown;
	let pass = await readPass(poll, stateSince(from), isEnough);

	// `from` was set by n8n's clock, which may be ahead of the service's.
	const now = clock.wholeSecond;
	const since = poll.since ?? now;
	let state = states.afterFirst({ pass, from: Math.min(from, now), since });

	for (let passes = 1; passes < maxFirstPasses; passes++) {
		pass = await readPass(poll, state);
		state = states.afterLater(state, { pass, max: Infinity }).state;
		if (pass.isComplete) break;
	}

	return { changes: [], state };
}

/** The newest records that match. */
async function readSample(poll: Poll): Promise<SeenRecord[]> {
	const { clock, isWanted } = poll;
	const { isNewestFirst, lookBack, records } = poll.event;
	const deadline = performance.now() + sampleTime;
	const isOver = () => performance.now() > deadline;
	const isEnough = (found: number) =>
		isOver() || (isNewestFirst === true && found >= sampleSize);
	let sample: SeenRecord[] = [];
	let count = 0;

	for (const days of isNewestFirst ? [Infinity] : lookBack) {
		const pass = await readPass(poll, stateSince(clock.daysAgo(days)), isEnough);
		count = pass.count;
		const matches = pass.records.filter(({ item }) => isWanted(item));
		sample = matches.slice(-sampleSize).reverse();
		if (sample.length === sampleSize) break;
	}

	if (sample.length > 0) return sample;

	const fact = isOver()
		? `None of the ${countFormat.format(count)} ${records} that were read in 10 seconds match the event and the filters.`
		: `The chatbot has no ${records} that match the event and the filters.`;
	const nextStep = 'Once the workflow is published, the next match starts it.';
	throw poll.error('No records match yet', `${fact} ${nextStep}`);
}

/** Records as the service returned them, with the time up to which changes were reported before. */
function toItems(
	{ event }: Poll,
	records: SeenRecord[],
	before?: EventState,
): INodeExecutionData[] {
	const time = before && event.states.changedSince(before);
	const changedSince = time ? new Date(time).toISOString() : null;
	return records.map(({ item }) => ({ json: { ...item, changedSince } }));
}
