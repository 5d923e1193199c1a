import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { openApiClient } from '../Chatbase/api/client';
import { assertChatbotKnown } from '../Chatbase/resources/chatbot/chatbots';
import { countFormat } from '../Chatbase/values/number';
import { isObject } from '../Chatbase/values/json';
import { readSettings } from './fields';
import { type IsEnough, type Poll, readPass, ServiceClock } from './pass';
import {
	applyPass,
	type EventState,
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

interface Result {
	changes: IDataObject[];
	/** Undefined for a first poll, which only learns what exists. */
	before?: EventState;
	state: EventState;
}

/** Static data of running polls: n8n 2.41 starts the next poll while the last one still runs. */
const busy = new WeakSet<object>();

/** Returns changes, oldest first; null if there are none. After an error the next poll continues from the same state. */
export async function pollForChanges(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const clock = new ServiceClock();
	const api = await openApiClient(this, maxConcurrency, {
		onHeaders: (headers) => clock.setBy(headers),
	});
	const poll: Poll = { ...readSettings(this), context: this, api, clock };
	assertPast(poll);
	const stored: unknown = this.getWorkflowStaticData('node');
	if (this.getMode() === 'manual') {
		return [toItems(poll, await readSample(poll), loadState(stored, poll.key).state)];
	}
	if (!isObject(stored)) {
		const nextStep = 'Rename the node to start with a new state.';
		throw poll.error("The trigger's saved state is damaged", nextStep);
	}
	if (busy.has(stored)) return null;
	busy.add(stored);
	try {
		const { changes, before, state } = await readChanges(poll, stored);
		const items = toItems(poll, changes.filter(poll.isWanted), before);
		// Last, because n8n 2.41 keeps what a failed poll has written.
		saveState(stored, poll.key, state);
		return items.length > 0 ? [items] : null;
	} finally {
		busy.delete(stored);
	}
}

/** The service's clock may be ahead of n8n's. It is known after the first response. */
function assertPast({ clock, error, since = -Infinity }: Poll) {
	if (since <= clock.latest) return;
	const nextStep = `It is ${new Date(since).toISOString()}. Enter a time in the past, or remove the option to report only changes from now on.`;
	throw error('Report Changes Since is in the future', nextStep);
}

/** Throws if no record has a readable time, since the trigger would never report anything. */
async function read(poll: Poll, from: EventState, isEnough?: IsEnough) {
	const { records } = poll.event;
	const pass = await readPass(poll, from, isEnough);
	const { undated, count } = pass;
	if (undated.length > 0 && undated.length === count) {
		const nextStep = `The service returned ${countFormat.format(count)} ${records} without a Unix timestamp or an ISO 8601 date, for example ID ${undated[0]}. Once dates are readable again, the trigger continues from its last poll.`;
		throw poll.error(`No ${records} have a readable date`, nextStep);
	}
	if (undated.length > (from.undated ?? 0)) {
		warn(
			poll,
			`${countFormat.format(undated.length)} of ${countFormat.format(count)} ${records} have no readable date, for example ID ${undated[0]}. Their changes are not reported.`,
		);
	}
	return pass;
}

function warn({ context }: Poll, words: string) {
	context.logger.warn(`${context.getNode().name}: ${words}`);
}

async function readChanges(poll: Poll, stored: IDataObject): Promise<Result> {
	const { clock, event, key, since } = poll;
	const { state: loaded, isDamaged } = loadState(stored, key);
	const warnOfDamage = (effect: string) => {
		warn(poll, `the saved state is damaged or from another version of the package. ${effect}`);
	};
	// A damaged state may not say what was reported, and a search would report 30 days again.
	if (loaded && !(isDamaged && event.isSearch)) {
		const isEarlier = since !== undefined && loaded.since !== undefined && since < loaded.since;
		const start = isEarlier ? startEarlier(loaded, since) : loaded;
		const pass = await read(poll, isEarlier ? startState(since) : start);
		// After the first response, because it has the service's time.
		const before = withoutFuture(start, clock.limit);
		if (isDamaged && before) warnOfDamage('The last changes may be reported again.');
		if (before) return { ...applyPass(before, pass, maxChanges), before };
	}
	if (loaded || isDamaged) {
		warnOfDamage('Changes since the last poll may be missing.');
		return await readExisting(poll);
	}
	if (since === undefined) return await readExisting(poll);
	const pass = await read(poll, startState(since));
	assertPast(poll);
	// Changes between now and a time that is slightly ahead would be lost.
	const before = startState(Math.min(since, clock.wholeSecond));
	return { ...applyPass(before, pass, maxChanges), before };
}

/** Reports nothing: everything that exists counts as reported. */
async function readExisting(poll: Poll): Promise<Result> {
	const { api, chatbotId, clock } = poll;
	const { lookBack, isSearch } = poll.event;
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
	return { changes: [], state };
}

async function readSample(poll: Poll): Promise<IDataObject[]> {
	const { clock, isWanted } = poll;
	const { isNewestFirst, lookBack, records } = poll.event;
	const deadline = performance.now() + sampleTime;
	let sample: IDataObject[] = [];
	const isEnough = (found: number) =>
		performance.now() > deadline || (isNewestFirst && found >= sampleSize);
	for (const days of isNewestFirst ? [Infinity] : lookBack) {
		const pass = await read(poll, startState(clock.daysAgo(days)), isEnough);
		sample = pass.records
			.filter(({ item }) => isWanted(item))
			.sort((one, other) => other.time - one.time)
			.slice(0, sampleSize)
			.map(({ item }) => item);
		if (sample.length === sampleSize) break;
	}
	if (sample.length > 0) return sample;
	const nextStep = `The chatbot has no ${records} that match the event and the filters. Once the workflow is published, the next match starts it.`;
	throw poll.error('No records match yet', nextStep);
}

/** Records as the service returned them, with the time up to which changes were reported before. */
function toItems({ event }: Poll, records: IDataObject[], before?: EventState) {
	const time = event.isSearch ? before?.newest : before?.watermark;
	const changedSince = time ? new Date(time).toISOString() : null;
	return records.map((record) => ({ json: { ...record, changedSince } }));
}
