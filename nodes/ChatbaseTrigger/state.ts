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
	/** The records from the watermark on to which the event happened, each once. */
	records: SeenRecord[];
	/** In a search: the others from the watermark on. */
	outside?: SeenRecord[];
	/** The newest time of all records, older ones included; -Infinity without any. In a search at least the present. */
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

/** How long a search event remembers a record that it has reported, and how many of them. */
export const memoryDays = 30;
export const maxRemembered = 10_000;

/** Incomplete passes in a row that keep the watermark. After them it moves, because a total may always be wrong. */
const maxIncompletePasses = 3;

/** States to save, including the current one, so that correcting a wrong chatbot or event loses nothing. */
const maxStates = 4;

const day = 24 * 60 * 60 * 1000;

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
 *
 * A search shows changes late, and not when they happened. There the watermark is the end of the memory: `reported` has
 * every record since then, under the time that it had when it was reported.
 */
export interface EventState {
	version: typeof version;
	/** Every change before this time was reported. All versions of the package keep this field. */
	watermark: number;
	/** The newest time of the last complete pass: the next watermark. In a search: how far it was read. */
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
export function knownState(pass: Pass, from: number): EventState {
	const { records, newest } = pass;
	if (pass.outside)
		return applyPass({ ...startState(from), since: undefined }, pass, Infinity).state;
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
	if (pass.outside) return applySearch(state, pass, pass.outside, max);
	const known = new Map(
		Object.entries(state.reported).map(([time, keys]) => [time, new Set(keys)]),
	);
	const isNew = ({ key, time }: SeenRecord) => !known.get(String(time))?.has(key);
	const unreported = unreportedRecords(state, pass.records.filter(isNew));
	const changes = unreported.slice(0, max);
	const passes = pass.isComplete ? 0 : (state.held?.passes ?? 0) + 1;
	// If the watermark moved, records that an incomplete pass missed would never be reported.
	const isHeld = passes > 0 && passes < maxIncompletePasses;
	const seen = Math.max(state.held?.newest ?? state.newest, pass.newest);
	const reach = Math.min(state.newest, unreported[max]?.time ?? Infinity);
	const watermark = isHeld ? state.watermark : Math.max(state.watermark, reach);
	return {
		changes: changes.map(({ item }) => item),
		state: {
			...nextState(state, pass, watermark, withReported(state.reported, changes)),
			newest: isHeld ? state.newest : Math.max(watermark, seen),
			...(isHeld && { held: { passes, newest: seen } }),
		},
	};
}

/** A record counts again only after it was seen outside the state that the event is about. */
function applySearch(
	state: EventState,
	pass: Pass,
	outside: SeenRecord[],
	max: number,
): { changes: IDataObject[]; state: EventState } {
	const remembered = new Map<string, number>();
	for (const [time, keys] of Object.entries(state.reported)) {
		for (const key of keys) remembered.set(key, Number(time));
	}
	for (const { key, time } of outside) {
		if (time >= (remembered.get(key) ?? Infinity)) remembered.delete(key);
	}
	const isNew = ({ key }: SeenRecord) => !remembered.has(key);
	const unreported = unreportedRecords(state, pass.records.filter(isNew));
	const changes = unreported.slice(0, max);
	for (const { key, time } of changes) remembered.set(key, time);
	const newestFirst = [...remembered]
		.map(([key, time]) => ({ key, time }))
		.sort((one, other) => other.time - one.time);
	const forgotten = newestFirst[maxRemembered]?.time ?? -Infinity;
	const newest = Math.min(Math.max(state.newest, pass.newest), unreported[max]?.time ?? Infinity);
	const watermark = Math.max(state.watermark, newest - memoryDays * day, forgotten + 1);
	return {
		changes: changes.map(({ item }) => item),
		state: { ...nextState(state, pass, watermark, withReported({}, newestFirst)), newest },
	};
}

function nextState(
	{ since, reportedSpans = [] }: EventState,
	{ undated }: Pass,
	watermark: number,
	reported: EventState['reported'],
): Omit<EventState, 'newest'> {
	const spans = reportedSpans.filter(([, before]) => before > watermark);
	const times = Object.entries(reported).filter(([time]) => Number(time) >= watermark);
	return {
		version,
		watermark,
		reported: Object.fromEntries(times),
		...(since !== undefined && { since }),
		...(spans.length > 0 && { reportedSpans: spans }),
		...(undated > 0 && { undated }),
	};
}

/** Oldest first. */
function unreportedRecords({ reportedSpans = [] }: EventState, records: SeenRecord[]) {
	return records
		.filter(({ time }) => !reportedSpans.some(([from, before]) => from <= time && time < before))
		.sort((one, other) => one.time - other.time || (one.key < other.key ? -1 : 1));
}

function withReported(
	reported: EventState['reported'],
	records: Array<Pick<SeenRecord, 'key' | 'time'>>,
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
