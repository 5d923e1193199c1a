import {
	type Changes,
	day,
	type EventState,
	keysByTime,
	type LaterPass,
	type RecordTime,
	reportedIn,
	type StateMachine,
	stateSince,
} from './state';

/*
 * The states of a conversation whose answers are rated. A rating has no time, and changes none of the conversation. So each
 * poll reads all rated conversations that were active in the last days, and reports those that are unknown:
 *
 *    unknown ── seen: it is reported ──▶ remembered ── no longer among the 10,000 active last ──▶ unknown
 */

/** How many days a conversation may be silent before its answer is rated. */
export const ratedDays = 30;

/** How many conversations are remembered. */
const maxRemembered = 10_000;

export const ratedStates: StateMachine = {
	maxKnown: maxRemembered,

	afterFirst: ({ pass, from, since }) =>
		follow({ ...stateSince(from), since }, { pass, max: Infinity }).state,

	startingAt: stateSince,
	afterLater: follow,
	latestIn: ({ newest }) => newest,

	rangeOf(state) {
		const since = startOf(state);
		return { since, downTo: since };
	},

	changedSince: ({ newest }) => newest,
};

/** Where the search begins. It never goes back, since conversations before it were not compared. */
function startOf({ watermark, newest }: EventState): number {
	return Math.max(watermark, newest - ratedDays * day);
}

function follow(state: EventState, { pass, max }: LaterPass): Changes<EventState> {
	const known = new Map(reportedIn(state).map(({ key, time }) => [key, time]));
	const changes = pass.records.filter(({ key }) => !known.has(key)).slice(0, max);

	const reported = new Set([...known.keys(), ...changes.map(({ key }) => key)]);
	for (const { key, time } of pass.records) {
		if (reported.has(key)) known.set(key, time);
	}

	const newest = Math.max(state.newest, pass.newest);
	return {
		changes,
		state: {
			...state,
			watermark: startOf({ ...state, newest }),
			newest,
			reported: keysByTime(lastActive(known)),
			undated: pass.undated.size,
		},
	};
}

function lastActive(known: Map<string, number>): RecordTime[] {
	return [...known]
		.map(([key, time]) => ({ key, time }))
		.sort((one, other) => other.time - one.time)
		.slice(0, maxRemembered);
}
