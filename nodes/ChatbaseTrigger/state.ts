import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../Chatbase/values/list';
import { isObject, ownValue } from '../Chatbase/values/json';

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
	/** The newest time of all records, older ones included; -Infinity without any. In a search also the present. */
	newest: number;
	/** Milliseconds that the clock of the service is ahead. */
	ahead?: number;
	/** Whether the records add up to the total of the list. */
	isComplete: boolean;
	count: number;
	/** Keys of records without a readable time. */
	undated: string[];
}

/** Most changes that one execution reports. It also limits the size of the saved state. */
export const maxChanges = 5000;

/**
 * How far a search event looks back, and for how long it reports a record only once. It remembers the record twice as
 * long: one that was active in this time is in what it looks at for as long again.
 */
export const memoryDays = 30;

/** How many records a search event remembers. */
export const maxRemembered = 10_000;

/** Incomplete passes in a row that keep the watermark. After them it moves, because a total may always be wrong. */
const maxIncompletePasses = 3;

/** States to save, including the current one, so that correcting a wrong chatbot or event loses nothing. */
const maxStates = 4;

export const day = 24 * 60 * 60 * 1000;

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
	version: number;
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
	/** In a search: milliseconds that the clock of the service was ahead in the last pass. */
	ahead?: number;
	/** Number of records without a readable time that was already logged. */
	undated?: number;
}

export function startState(since: number): EventState {
	return { version, watermark: since, newest: since, reported: {}, since };
}

/** The state in which everything in a first pass counts as reported; `from` is the watermark if no record is newer. */
export function knownState(pass: Pass, from: number): EventState {
	const { records, newest } = pass;
	if (pass.outside)
		return applyPass({ ...startState(from), since: undefined }, pass, Infinity).state;
	const watermark = Math.max(newest, from);
	const atWatermark = records.filter(({ time }) => time >= watermark);
	const reported = keysByTime(atWatermark);
	return { version, watermark, newest: watermark, reported, undated: pass.undated.length };
}

/** Goes back to an earlier Report Changes Since. Changes that were already reported are not reported again. */
export function startEarlier(state: EventState, since: number): EventState {
	const { watermark, newest, held, reportedSpans = [], since: before = watermark } = state;
	return {
		...state,
		watermark: since,
		newest: held?.newest ?? newest,
		since,
		reportedSpans: before < watermark ? [...reportedSpans, [before, watermark]] : reportedSpans,
		held: undefined,
	};
}

/** Compares a pass with the state. Reports at most `max` changes, oldest first; the next poll reports later ones. */
export function applyPass(state: EventState, pass: Pass, max: number) {
	const { since, reportedSpans = [] } = state;
	const outside = new Map(pass.outside?.map(({ key, time }) => [key, time]));
	// In a search, a record counts again only after it was seen outside the state that the event is about.
	const before = reportedIn(state).filter(
		({ key, time }) => time > (outside.get(key) ?? -Infinity),
	);
	const idOf = ({ key, time }: Reported) => (pass.outside ? key : `${time} ${key}`);
	const knownUntil = new Map(
		before.map((one) => [idOf(one), pass.outside ? one.time + memoryDays * day : Infinity]),
	);
	const isInSpan = ({ time }: Reported) =>
		reportedSpans.some(([from, end]) => from <= time && time < end);
	const unreported = pass.records
		.filter((one) => one.time >= (knownUntil.get(idOf(one)) ?? -Infinity) && !isInSpan(one))
		.sort((one, other) => one.time - other.time || (one.key < other.key ? -1 : 1));
	const changes = unreported.slice(0, max);
	const changed = new Set(changes.map(idOf));
	const reported = [...before.filter((one) => !changed.has(idOf(one))), ...changes];
	const reach = unreported[max]?.time ?? Infinity;
	const progress = pass.outside
		? progressOfSearch(state, pass, reach, reported)
		: progressOfList(state, pass, reach);
	const { watermark } = progress;
	const spans = reportedSpans.filter(([, end]) => end > watermark);
	return {
		changes: changes.map(({ item }) => item),
		state: {
			version,
			...progress,
			reported: keysByTime(reported.filter(({ time }) => time >= watermark)),
			...(since !== undefined && { since }),
			...(spans.length > 0 && { reportedSpans: spans }),
			...(pass.undated.length > 0 && { undated: pass.undated.length }),
		},
	};
}

type Progress = Pick<EventState, 'watermark' | 'newest' | 'held' | 'ahead'>;

/** @param reach time of the first change that is left for the next poll */
function progressOfList(state: EventState, pass: Pass, reach: number): Progress {
	const { watermark, newest, held } = state;
	const passes = pass.isComplete ? 0 : (held?.passes ?? 0) + 1;
	const seen = Math.max(held?.newest ?? newest, pass.newest);
	// If the watermark moved, records that an incomplete pass missed would never be reported.
	if (passes > 0 && passes < maxIncompletePasses) {
		return { watermark, newest, held: { passes, newest: seen } };
	}
	const moved = Math.max(watermark, Math.min(newest, reach));
	return { watermark: moved, newest: Math.max(moved, seen) };
}

function progressOfSearch(state: EventState, pass: Pass, reach: number, reported: Reported[]) {
	const newest = Math.min(Math.max(state.newest, pass.newest), reach);
	const newestFirst = reported.map(({ time }) => time).sort((one, other) => other - one);
	const forgotten = newestFirst[maxRemembered] ?? -Infinity;
	return {
		watermark: Math.max(state.watermark, newest - 2 * memoryDays * day, forgotten + 1),
		newest,
		ahead: pass.ahead,
	};
}

type Reported = Pick<SeenRecord, 'key' | 'time'>;

function reportedIn({ reported }: EventState): Reported[] {
	return Object.entries(reported).flatMap(([time, keys]) =>
		keys.map((key) => ({ key, time: Number(time) })),
	);
}

function keysByTime(records: Reported[]): EventState['reported'] {
	const groups = groupBy(records, ({ time }) => String(time));
	return Object.fromEntries(
		[...groups].map(([time, group]) => [time, group.map(({ key }) => key)]),
	);
}

/** The state without times after a limit; undefined if the watermark is after it. */
export function withoutFuture(state: EventState, limit: number): EventState | undefined {
	const { watermark, newest, reported, reportedSpans = [], since, held } = state;
	if (watermark > limit) return undefined;
	if (Math.max(newest, held?.newest ?? newest, ...reportedSpans.flat()) <= limit) return state;
	return { ...startState(watermark), reported, since };
}

/**
 * Reads a state from n8n's static data, which may be damaged or from another version of the package. A readable
 * watermark is kept: reporting the last changes again is better than losing some.
 */
export function loadState(stored: unknown, key: string) {
	const { state: states } = isObject(stored) ? stored : {};
	const found: unknown = isObject(states) ? ownValue(states, key) : states;
	if (found === undefined) return { isDamaged: false };
	if (isEventState(found)) return { state: found, isDamaged: false };
	if (!isObject(found) || !isTime(found.watermark)) return { isDamaged: true };
	return { state: { ...startState(found.watermark), since: undefined }, isDamaged: true };
}

export function saveState(stored: IDataObject, key: string, state: EventState): void {
	const states = Object.entries(isObject(stored.state) ? stored.state : {});
	const others = states.filter(([other, each]) => other !== key && isEventState(each));
	const kept = [[key, state] as const, ...others].slice(0, maxStates);
	stored.state = Object.fromEntries(kept) as IDataObject;
}

/** Whether each field can be what a state has there. */
const validFields: Record<keyof EventState, (value: unknown) => boolean> = {
	version: (value) => value === version,
	watermark: isTime,
	newest: isTime,
	reported: (value) => isObject(value) && Object.values(value).every(isListOf(isText)),
	since: isAbsentOr(isTime),
	reportedSpans: isAbsentOr(isListOf(isListOf(isTime))),
	held: isAbsentOr((held) => isObject(held) && Number(held.passes) > 0 && isTime(held.newest)),
	ahead: isAbsentOr(Number.isSafeInteger),
	undated: isAbsentOr(Number.isSafeInteger),
};

function isEventState(value: unknown): value is EventState {
	if (!isObject(value)) return false;
	const isValid = Object.entries(validFields).every(([name, isValidIn]) => isValidIn(value[name]));
	return isValid && Number(value.since ?? -Infinity) <= Number(value.watermark);
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= maxTime;
}

function isText(value: unknown): boolean {
	return typeof value === 'string';
}

function isAbsentOr(isValid: (value: unknown) => boolean) {
	return (value: unknown): boolean => value === undefined || isValid(value);
}

function isListOf(isEntry: (entry: unknown) => boolean) {
	return (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);
}
