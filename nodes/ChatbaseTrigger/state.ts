import { type IDataObject, jsonParse } from 'n8n-workflow';

import { isObject, objectIn, ownValue } from '../Chatbase/values/json';

/** In milliseconds, as all times of the trigger. */
export const minute = 60 * 1000;

export const day = 24 * 60 * minute;

/** How many changes one execution reports, at most. It also limits the size of the saved state. */
export const maxReportedChanges = 5000;

/** A record, and when the event happened to it, in milliseconds since 1970 by the service's clock. */
export interface RecordTime {
	key: string;
	time: number;
}

export interface SeenRecord extends RecordTime {
	item: IDataObject;
}

/** What one reading of a list, or of its newest part, has shown. */
export interface Pass {
	/** The records from the watermark on to which the event happened, each once, oldest first. */
	records: SeenRecord[];
	/** The other records from the watermark on. */
	outside: SeenRecord[];
	/** The newest time of all records, older ones included; -Infinity without any. */
	newest: number;
	/** The time of the service at the end. */
	now: number;
	/** Milliseconds that the clock of the service is ahead; undefined if no response said its time. */
	ahead?: number;
	/** Whether the records add up to the total of the list. */
	isComplete: boolean;
	count: number;
	/** Keys of records without a readable time. */
	undated: Set<string>;
}

/** What the trigger saves between two polls, for one event of one chatbot. */
export interface EventState {
	/** No change before this time is reported any more. */
	watermark: number;
	/** The newest time up to which the list is known. */
	newest: number;
	/** Keys of reported records that aren't before the watermark, by time. */
	reported: Record<string, string[]>;
	/** What the trigger reports begins here: at Report Changes Since, or at the first poll. */
	since: number;
	/** How many records without a readable time the last pass had, which were logged. */
	undated?: number;
	/** The filter of the service. Records that it left out were not compared. Undefined without one. */
	filter?: string;
}

/** What the first poll of a trigger has learned. All of it counts as reported. */
export interface FirstPass {
	pass: Pass;
	/** The watermark if no record is newer. */
	from: number;
	/** See `since` of the state. */
	since: number;
}

/** What any other poll has read. */
export interface LaterPass {
	pass: Pass;
	/** How many changes to report, oldest first. The next poll reports the later ones. */
	max: number;
}

/** What a poll reports, and what it saves. */
export interface Changes<State> {
	changes: SeenRecord[];
	state: State;
}

/** How the states of an event follow each other. Nothing here reads a clock or sends a request. */
export interface StateMachine<State extends EventState = EventState> {
	afterFirst(input: FirstPass): State;
	/** The state in which everything since a time is new. A pass from it shows what the event happened to before. */
	startingAt(since: number, pass?: Pass): State;
	afterLater(state: State, input: LaterPass): Changes<State>;
	/** The latest time that a state has, which a clock that was ahead can have left in the future. */
	latestIn(state: State): number;
	/** The time from which records count, and how far back a list is read if it has the newest records first. */
	rangeOf(state: State): { since: number; downTo: number };
	/** The time up to which changes were reported before. */
	changedSince(state: State): number;
	/** How many records a first poll has to know, at most. */
	maxKnown: number;
}

/** A state that has reported everything before a time, and nothing since. */
export function stateSince(since: number): EventState {
	return { watermark: since, newest: since, reported: {}, since };
}

export function reportedIn({ reported }: EventState): RecordTime[] {
	return Object.entries(reported).flatMap(([time, keys]) =>
		keys.map((key) => ({ key, time: Number(time) })),
	);
}

export function keysByTime(records: RecordTime[]): EventState['reported'] {
	const keys: EventState['reported'] = {};

	for (const { key, time } of records) {
		keys[time] ??= [];
		keys[time].push(key);
	}

	return keys;
}

/** Raised when states change their form. A state of another form is not read. */
const version = 2;

/**
 * How many states are saved, including the current one. So nothing is lost if a wrong chatbot or event is set and then
 * corrected.
 */
const maxStates = 4;

/** Why a saved state can't be used: it is damaged or of another version of the package, or has another filter. */
export type Obstacle = 'unreadable' | 'otherFilter';

/** What n8n's static data holds for an event of a chatbot. */
interface LoadedState {
	/** Undefined before the first poll, and if it can't be used. */
	state?: EventState;
	obstacle?: Obstacle;
	/** Where the saved state begins, even if it has another filter. Undefined if it can't be read. */
	since?: number;
}

/** @param filter the filter that the service gets now */
export function loadState(
	{ state: states = {} }: IDataObject,
	key: string,
	filter?: string,
): LoadedState {
	const saved: unknown = isObject(states) ? ownValue(states, key) : states;
	if (saved === undefined) return {};

	const read = jsonParse<unknown>(String(saved), { fallbackValue: null });
	if (!isObject(read) || read.version !== version) return { obstacle: 'unreadable' };

	const state = read.state as unknown as EventState;
	const { since } = state;
	if (state.filter !== filter) return { obstacle: 'otherFilter', since };
	return { state, since };
}

/** Saves the state as one text. A damaged text can't be read at all, so no part of a state is ever used. */
export function saveState(stored: IDataObject, key: string, state: EventState): void {
	const states = Object.entries(objectIn(stored.state));
	const others = states.filter(
		([other, saved]) => other !== key && typeof saved === 'string',
	);
	const saved = JSON.stringify({ version, state });
	stored.state = Object.fromEntries([[key, saved], ...others].slice(0, maxStates));
}
