import type { IDataObject } from 'n8n-workflow';

import { isObject, ownValue } from '../Chatbase/values/object';

/** A record as one pass over the list read it. */
export interface SeenRecord {
	key: string;
	/** When the event happened, in milliseconds since 1970 by the service's clock. */
	time: number;
	item: IDataObject;
}

export interface Pass {
	/** The records from the watermark on, each once. */
	records: SeenRecord[];
	/** The newest time of all records, older ones included; -Infinity without any. */
	newest: number;
	/** Whether the records add up to the total of the list. */
	isComplete: boolean;
	count: number;
	/** Number of records without a readable time, and the key of one. */
	undated: number;
	undatedKey?: string;
}

/** Most changes that one execution reports. It also limits the size of the saved state. */
export const maxChanges = 5000;

/** Incomplete passes in a row that keep the watermark. After them it moves, because a total may always be wrong. */
const maxIncompletePasses = 3;

/** States to save, including the current one, so that correcting a wrong chatbot or event loses nothing. */
const maxStates = 4;

/** How far from 1970 a date can be (ECMAScript, time values). */
const maxTime = 8.64e15;

const version = 1;

/**
 * What the trigger saves between two polls, for one event of one chatbot. Its size depends on the changes between two
 * polls and on the records at the watermark, not on the list.
 *
 * The watermark is the newest time of the pass before the last one. A pass misses changes on pages that it has already
 * read. The next pass sees them, and only then does the watermark move past them. Times are compared with each other,
 * not with a clock.
 */
export interface EventState {
	version: typeof version;
	/** Every change before this time was reported. All versions of the package keep this field. */
	watermark: number;
	/** The newest time of the last complete pass: the next watermark. */
	newest: number;
	/** Keys of reported records that aren't before the watermark, by time. */
	reported: Record<string, string[]>;
	/** The first value of Report Changes Since. */
	since?: number;
	/** Times after the watermark that were reported with a later Report Changes Since: from, and before. */
	reportedSpans?: Array<[number, number]>;
	/** Set while incomplete passes keep the watermark: their number in a row, and their newest time. */
	held?: { passes: number; newest: number };
	/** Number of records without a readable time that was already logged. */
	undated?: number;
}

/** The state that reports all changes since a time. */
export function startState(since: number): EventState {
	return { version, watermark: since, newest: since, reported: {}, since };
}

/**
 * The state in which everything in a first pass counts as reported.
 *
 * @param from the watermark if no record is newer
 */
export function knownState({ records, newest }: Pass, from: number): EventState {
	const watermark = Math.max(newest, from);
	const atWatermark = records.filter(({ time }) => time >= watermark);
	return { version, watermark, newest: watermark, reported: withReported({}, atWatermark) };
}

/** Goes back to an earlier Report Changes Since. Changes that were already reported are not reported again. */
export function startEarlier(state: EventState, since: number): EventState {
	const { watermark, newest, held, reportedSpans = [], since: before = watermark } = state;
	const spans = [...reportedSpans];
	if (before < watermark) spans.push([before, watermark]);
	return {
		...state,
		watermark: since,
		newest: held?.newest ?? newest,
		since,
		reportedSpans: spans,
		held: undefined,
	};
}

/**
 * Compares a pass with the state. The given state is not changed.
 *
 * @param max most changes to report; the next poll reports later ones
 * @returns changes, oldest first, and the next state
 */
export function applyPass(
	state: EventState,
	pass: Pass,
	max: number,
): { changes: IDataObject[]; state: EventState } {
	const unreported = unreportedRecords(state, pass.records);
	const changes = unreported.slice(0, max);
	const passes = pass.isComplete ? 0 : (state.held?.passes ?? 0) + 1;
	// If the watermark moved, records that an incomplete pass missed would never be reported.
	const isHeld = passes > 0 && passes < maxIncompletePasses;
	const seen = Math.max(state.held?.newest ?? state.newest, pass.newest);
	const reach = Math.min(state.newest, unreported[max]?.time ?? Infinity);
	const watermark = isHeld ? state.watermark : Math.max(state.watermark, reach);
	const newest = isHeld ? state.newest : Math.max(watermark, seen);
	const reported = Object.entries(withReported(state.reported, changes));
	const spans = state.reportedSpans?.filter(([, before]) => before > watermark) ?? [];
	return {
		changes: changes.map(({ item }) => item),
		state: {
			version,
			watermark,
			newest,
			reported: Object.fromEntries(reported.filter(([time]) => Number(time) >= watermark)),
			...(state.since !== undefined && { since: state.since }),
			...(spans.length > 0 && { reportedSpans: spans }),
			...(isHeld && { held: { passes, newest: seen } }),
			...(pass.undated > 0 && { undated: pass.undated }),
		},
	};
}

function unreportedRecords(state: EventState, records: SeenRecord[]): SeenRecord[] {
	const { reported, reportedSpans = [] } = state;
	const known = new Map(Object.entries(reported).map(([time, keys]) => [time, new Set(keys)]));
	return records
		.filter(({ key, time }) => !known.get(String(time))?.has(key))
		.filter(({ time }) => !reportedSpans.some(([from, before]) => from <= time && time < before))
		.sort((one, other) => one.time - other.time || (one.key < other.key ? -1 : 1));
}

function withReported(
	reported: EventState['reported'],
	records: SeenRecord[],
): EventState['reported'] {
	const byTime = new Map(Object.entries(reported).map(([time, keys]) => [time, [...keys]]));
	for (const { key, time } of records) {
		const keys = byTime.get(String(time));
		if (keys) keys.push(key);
		else byTime.set(String(time), [key]);
	}
	return Object.fromEntries(byTime);
}

/**
 * The state without implausible times.
 *
 * @param limit later than any plausible time
 * @returns undefined if the watermark itself is implausible
 */
export function withoutFuture(state: EventState, limit: number): EventState | undefined {
	const { watermark, newest, reported, reportedSpans = [], since, held } = state;
	if (watermark > limit) return undefined;
	if (Math.max(newest, held?.newest ?? newest, ...reportedSpans.flat()) <= limit) return state;
	return { ...startState(watermark), reported, since };
}

export function stateKey(event: string, chatbotId: string): string {
	return `${event} ${chatbotId}`;
}

/**
 * Reads a state from n8n's static data, which may be damaged or from another version of the package. A readable
 * watermark is kept: reporting the last changes again is better than losing some.
 */
export function loadState(
	stored: unknown,
	key: string,
): { state?: EventState; isDamaged: boolean } {
	const { state: states } = isObject(stored) ? stored : {};
	const found: unknown = isObject(states) ? ownValue(states, key) : states;
	if (found === undefined) return { isDamaged: false };
	if (isEventState(found)) return { state: found, isDamaged: false };
	if (!isObject(found) || !isTime(found.watermark)) return { isDamaged: true };
	return { state: { ...startState(found.watermark), since: undefined }, isDamaged: true };
}

/** Writes a state into n8n's static data, which n8n saves. */
export function saveState(stored: IDataObject, key: string, state: EventState): void {
	const states = Object.entries(isObject(stored.state) ? stored.state : {});
	const others = states.filter(([other, each]) => other !== key && isEventState(each));
	const kept = [[key, state] as const, ...others].slice(0, maxStates);
	stored.state = Object.fromEntries(kept) as IDataObject;
}

function isEventState(value: unknown): value is EventState {
	if (!isObject(value) || value.version !== version) return false;
	const { watermark, newest, reported, since, reportedSpans, held, undated } = value;
	return (
		isTime(watermark) &&
		isTime(newest) &&
		isObject(reported) &&
		Object.values(reported).every(isListOf((key) => typeof key === 'string')) &&
		(since === undefined || (isTime(since) && since <= watermark)) &&
		(reportedSpans === undefined || isListOf(isListOf(isTime))(reportedSpans)) &&
		(held === undefined || (isObject(held) && Number(held.passes) > 0 && isTime(held.newest))) &&
		Number.isSafeInteger(undated ?? 0)
	);
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= maxTime;
}

function isListOf(isEntry: (entry: unknown) => boolean) {
	return (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);
}
