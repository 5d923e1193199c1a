import {
	type Changes,
	day,
	type EventState,
	type FirstPass,
	keysByTime,
	type LaterPass,
	minute,
	type Pass,
	type RecordTime,
	reportedIn,
	type SeenRecord,
	type StateMachine,
	stateSince,
} from './state';

/*
 * The states of a conversation in a search, which shows changes late, and not when they happened. "Inside" means that the
 * event has happened to it, such as that it ended:
 *
 *                 seen inside: it is reported
 *    unknown ───────────────────────────────▶ remembered ◀──┐
 *       ▲                                       │      │    │ active again 30 days after
 *       │                                       │      └────┘ the report: it is reported
 *       └───────────────────────────────────────┘
 *        seen outside, or 60 days after the report,
 *        or no longer among the newest 10,000
 *
 * The first poll remembers what it sees inside, and reports nothing. With Report Changes Since it remembers what was active in the
 * 30 days before, and reports the rest. All these days are counted on the times of the
 * service. The watermark is the end of the memory:
 *
 *    forgotten ─┤ watermark ├── remembered ──┤ 30 days ago ├── and searched ──┤ an hour ago ├── always read ──┤ newest
 */

/**
 * How far a search event looks back, and for how long it reports a record only once. It remembers a record twice as long,
 * because a record that was active in this time stays in the searched range for as long again.
 */
export const memoryDays = 30;

/** How many records a search event remembers. */
const maxRemembered = 10_000;

/** How long a change may take until a search shows it. The service says "a few seconds" (reference of version 2). */
const maxSearchLag = 60 * minute;

/** `reported` has every record since the watermark, under the time that it had when it was reported. */
interface SearchState extends EventState {
	/** Milliseconds that the clock of the service was ahead in the last pass. */
	ahead?: number;
}

/** What a pass reports, and what is remembered after it. */
interface PassComparison {
	changes: SeenRecord[];
	remembered: RecordTime[];
	/** The time of the first change that is left for the next poll; Infinity if none is. */
	firstUnreportedTime: number;
}

export const searchStates: StateMachine<SearchState> = {
	maxKnown: maxRemembered,
	afterFirst: stateOfSearch,
	startingAt: stateRememberingBefore,
	afterLater: followSearch,

	latestIn: ({ newest }) => newest,

	rangeOf: ({ watermark, newest }) => ({
		since: Math.max(watermark, newest - memoryDays * day),
		downTo: newest - maxSearchLag,
	}),

	changedSince: ({ newest }) => newest,
};

function stateOfSearch({ pass, from, since }: FirstPass): SearchState {
	const start = { watermark: from, newest: from, reported: {}, since };
	return followSearch(start, { pass, max: Infinity }).state;
}

/** A conversation that was in the state before may be active again. It is not reported then, as after any first poll. */
function stateRememberingBefore(since: number, pass?: Pass): SearchState {
	const before = pass?.records.filter(({ time }) => time < since) ?? [];
	const watermark = Math.max(0, since - memoryDays * day);
	return { ...stateSince(since), watermark, reported: keysByTime(before) };
}

function followSearch(state: SearchState, input: LaterPass): Changes<SearchState> {
	const { pass } = input;
	const { changes, remembered, firstUnreportedTime } = compareWithReported(state, input);

	const latest = Math.max(state.newest, pass.newest, presentOf(state, pass));
	const newest = Math.min(latest, firstUnreportedTime);
	const watermark = Math.max(
		state.watermark,
		newest - 2 * memoryDays * day,
		newestForgotten(remembered) + 1,
	);
	const reported = remembered.filter(({ time }) => time >= watermark);

	return {
		changes,
		state: {
			...state,
			watermark,
			newest,
			ahead: pass.ahead,
			reported: keysByTime(reported),
			undated: pass.undated.size,
		},
	};
}

function compareWithReported(
	state: SearchState,
	{ pass, max }: LaterPass,
): PassComparison {
	const before = withoutOutside(reportedIn(state), pass);
	const knownUntil = new Map(
		before.map(({ key, time }) => [key, time + memoryDays * day]),
	);
	const unreported = pass.records.filter(
		({ key, time }) => time >= (knownUntil.get(key) ?? -Infinity),
	);

	const changes = unreported.slice(0, max);
	const changed = new Set(changes.map(({ key }) => key));
	const unchanged = before.filter(({ key }) => !changed.has(key));

	return {
		changes,
		remembered: [...unchanged, ...changes],
		firstUnreportedTime: unreported[max]?.time ?? Infinity,
	};
}

/** Removes the records that were seen outside of what the event is about. They can be reported again. */
function withoutOutside(reported: RecordTime[], { outside }: Pass): RecordTime[] {
	const seenOutside = new Map(outside.map(({ key, time }) => [key, time]));
	return reported.filter(({ key, time }) => time > (seenOutside.get(key) ?? -Infinity));
}

/** The time of the service, if the last poll had the same clock: one response may state a strange time. Otherwise -Infinity. */
function presentOf(state: SearchState, { ahead, now }: Pass): number {
	if (ahead === undefined || state.ahead === undefined) return -Infinity;

	const isSameClock = Math.abs(ahead - state.ahead) < minute;
	return isSameClock ? now : -Infinity;
}

/** The time of the newest record that is forgotten because too many are remembered; -Infinity if none is. */
function newestForgotten(remembered: RecordTime[]): number {
	const newestFirst = remembered
		.map(({ time }) => time)
		.sort((one, other) => other - one);
	return newestFirst[maxRemembered] ?? -Infinity;
}
