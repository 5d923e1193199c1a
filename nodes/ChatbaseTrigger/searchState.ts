import {
	type Changes,
	day,
	type EventState,
	keysByTime,
	minute,
	type Pass,
	type Reported,
	reportedIn,
	type StateMachine,
} from './state';

/**
 * How far a search event looks back, and for how long it reports a record only once. It remembers the record twice as
 * long: one that was active in this time is in what it looks at for as long again.
 */
export const memoryDays = 30;

/** How many records a search event remembers. */
const maxRemembered = 10_000;

/** How long a search may take to show a change. "A few seconds" (reference of version 2, 3.2). */
const maxSearchLag = 60 * minute;

/**
 * The state of a search, which shows changes late, and not when they happened. The watermark is the end of the memory:
 * `reported` has every record since then, under the time that it had when it was reported.
 */
export interface SearchState extends EventState {
	/** Milliseconds that the clock of the service was ahead in the last pass. */
	ahead?: number;
}

export const searchStates: StateMachine<SearchState> = {
	maxKnown: maxRemembered,

	known(pass, from) {
		const start = { watermark: from, newest: from, reported: {} };
		return apply(start, pass, Infinity).state;
	},

	// What was reported is remembered by its key.
	startEarlier: (state, since) => ({ ...state, watermark: since, since }),

	apply,

	latestIn: ({ newest }) => newest,

	rangeOf: ({ watermark, newest }) => ({
		since: Math.max(watermark, newest - memoryDays * day),
		downTo: newest - maxSearchLag,
	}),

	changedSince: ({ newest }) => newest,
};

function apply(state: SearchState, pass: Pass, max: number): Changes<SearchState> {
	// A record counts again only after it was seen outside of what the event is about.
	const outside = new Map(pass.outside.map(({ key, time }) => [key, time]));
	const before = reportedIn(state).filter(
		({ key, time }) => time > (outside.get(key) ?? -Infinity),
	);
	const knownUntil = new Map(
		before.map(({ key, time }) => [key, time + memoryDays * day]),
	);

	const unreported = pass.records.filter(
		({ key, time }) => time >= (knownUntil.get(key) ?? -Infinity),
	);
	const changes = unreported.slice(0, max);
	const changed = new Set(changes.map(({ key }) => key));
	const reported = [...before.filter(({ key }) => !changed.has(key)), ...changes];

	const reach = unreported[max]?.time ?? Infinity;
	const newest = Math.min(
		Math.max(state.newest, pass.newest, presentOf(state, pass)),
		reach,
	);
	const watermark = Math.max(
		state.watermark,
		newest - 2 * memoryDays * day,
		newestForgotten(reported) + 1,
	);

	return {
		changes,
		state: {
			...state,
			watermark,
			newest,
			ahead: pass.ahead,
			reported: keysByTime(reported.filter(({ time }) => time >= watermark)),
			undated: pass.undated.size,
		},
	};
}

/** Now, if the last poll had the same clock, since one response may state a strange time. Otherwise -Infinity. */
function presentOf({ ahead = NaN }: SearchState, pass: Pass): number {
	return Math.abs((pass.ahead ?? NaN) - ahead) < minute ? pass.now : -Infinity;
}

/** The time of the newest record that is too many to be remembered; -Infinity if none is. */
function newestForgotten(reported: Reported[]): number {
	const newestFirst = reported.map(({ time }) => time).sort((one, other) => other - one);
	return newestFirst[maxRemembered] ?? -Infinity;
}
