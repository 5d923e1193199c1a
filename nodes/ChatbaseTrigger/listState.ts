import {
	type Changes,
	type EventState,
	type FirstPass,
	keysByTime,
	type LaterPass,
	type RecordTime,
	reportedIn,
	type StateMachine,
	stateSince,
} from './state';

/*
 * The states of a list that says when each record changed, such as that of contacts:
 *
 *    first poll: everything is known           Report Changes Since: everything is new
 *                       │                                       │
 *                       └──────────────────┬────────────────────┘
 *                                          ▼
 *                    ┌───────────────▶ following ◀──────────────┐
 *                    │                     │                    │
 *              complete pass:       incomplete pass:      complete pass, or
 *           the watermark moves     the watermark stays   the third in a row:
 *                    │                     │              the watermark moves
 *                    └─────────────────────┤                    │
 *                                          ▼                    │
 *                                        stalled ───────────────┘
 *
 * The watermark moves to the newest time of the pass before. Every change before it was reported: a pass can miss a change
 * on a page that it has already read, but the next pass sees it, and only then does the watermark move past it.
 *
 *    ──────── reported ────────┤ watermark ├──── reported once, by key and time ────┤ newest ├──── new ────▶ time
 *
 * Times are compared with each other, not with a clock. The size of a state depends on the changes between two polls and
 * on the records at the watermark, not on the list.
 */

/**
 * How many incomplete passes in a row keep the watermark. After that it moves, because the total of a list may always be
 * wrong.
 */
const maxIncompletePasses = 3;

/** A state with `stalled` is stalled. Every other state is following. */
export interface ListState extends EventState {
	stalled?: Stalled;
}

/** What incomplete passes in a row have seen while the watermark stays. */
interface Stalled {
	/** How many incomplete passes there were in a row. */
	passes: number;
	newest: number;
}

/** Where a pass leaves the watermark. */
interface Progress {
	watermark: number;
	newest: number;
	stalled?: Stalled;
}

/** The times of a pass that decide about the watermark. */
interface PassTimes {
	isComplete: boolean;
	/** The newest time of this pass and of the incomplete passes before it. */
	newest: number;
	/** The time of the first change that is left for the next poll; Infinity if none is. */
	firstUnreportedTime: number;
}

export const listStates: StateMachine<ListState> = {
	maxKnown: Infinity,
	afterFirst: stateOfList,
	startingAt: stateSince,
	afterLater: followList,

	latestIn: ({ newest, stalled }) => Math.max(newest, stalled?.newest ?? newest),

	rangeOf: ({ watermark }) => ({ since: watermark, downTo: watermark }),

	changedSince: ({ watermark }) => watermark,
};

function stateOfList({ pass, from, since }: FirstPass): ListState {
	const watermark = Math.max(pass.newest, from);
	const atWatermark = pass.records.filter(({ time }) => time >= watermark);

	return {
		watermark,
		newest: watermark,
		reported: keysByTime(atWatermark),
		since,
		undated: pass.undated.size,
	};
}

function followList(state: ListState, { pass, max }: LaterPass): Changes<ListState> {
	const before = reportedIn(state);
	const known = new Set(before.map(identityOf));
	const unreported = pass.records.filter((record) => !known.has(identityOf(record)));
	const changes = unreported.slice(0, max);

	const progress = progressOf(state, {
		isComplete: pass.isComplete,
		newest: Math.max(state.stalled?.newest ?? state.newest, pass.newest),
		firstUnreportedTime: unreported[max]?.time ?? Infinity,
	});
	const reported = [...before, ...changes].filter(
		({ time }) => time >= progress.watermark,
	);

	return {
		changes,
		state: {
			...state,
			...progress,
			reported: keysByTime(reported),
			undated: pass.undated.size,
		},
	};
}

/** A record that changes again has another time. */
function identityOf({ key, time }: RecordTime): string {
	return `${time} ${key}`;
}

function progressOf(state: ListState, times: PassTimes): Progress {
	if (times.isComplete) return moveWatermark(state, times);

	const passes = (state.stalled?.passes ?? 0) + 1;
	if (passes >= maxIncompletePasses) return moveWatermark(state, times);

	// If the watermark moved, records that an incomplete pass missed would never be reported.
	const { watermark, newest } = state;
	return { watermark, newest, stalled: { passes, newest: times.newest } };
}

function moveWatermark(state: ListState, times: PassTimes): Progress {
	const target = Math.min(state.newest, times.firstUnreportedTime);
	const watermark = Math.max(state.watermark, target);
	const newest = Math.max(watermark, times.newest);
	return { watermark, newest, stalled: undefined };
}
