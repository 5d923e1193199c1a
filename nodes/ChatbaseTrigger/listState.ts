import {
	type Changes,
	type EventState,
	keysByTime,
	type Pass,
	type Reported,
	reportedIn,
	type StateMachine,
} from './state';

/** Incomplete passes in a row that keep the watermark. After them it moves, because a total may always be wrong. */
const maxIncompletePasses = 3;

/**
 * The state of a list that says when each record changed. Its size depends on the changes between two polls and on the
 * records at the watermark, not on the list.
 *
 * The watermark is the newest time of the pass before the last one: every change before it was reported. A pass misses
 * changes on pages that it has already read. The next pass sees them, and only then does the watermark move past them.
 * Times are compared with each other, not with a clock.
 */
export interface ListState extends EventState {
	/** Times after the watermark that were reported with a later Report Changes Since: from, and before. */
	reportedSpans?: Array<[number, number]>;
	/** Set while incomplete passes keep the watermark: their number in a row, and their newest time. */
	held?: { passes: number; newest: number };
}

export const listStates: StateMachine<ListState> = {
	maxKnown: Infinity,

	known({ records, newest, undated }, from) {
		const watermark = Math.max(newest, from);
		const atWatermark = records.filter(({ time }) => time >= watermark);
		const reported = keysByTime(atWatermark);
		return { watermark, newest: watermark, reported, undated: undated.size };
	},

	startEarlier(state, since) {
		const {
			watermark,
			newest,
			held,
			reportedSpans = [],
			since: before = watermark,
		} = state;

		return {
			...state,
			watermark: since,
			newest: held?.newest ?? newest,
			since,
			reportedSpans:
				before < watermark ? [...reportedSpans, [before, watermark]] : reportedSpans,
			held: undefined,
		};
	},

	apply,

	latestIn: ({ newest, held, reportedSpans = [] }) =>
		Math.max(newest, held?.newest ?? newest, ...reportedSpans.flat()),

	rangeOf: ({ watermark }) => ({ since: watermark, downTo: watermark }),

	changedSince: ({ watermark }) => watermark,
};

function apply(state: ListState, pass: Pass, max: number): Changes<ListState> {
	const { reportedSpans = [] } = state;
	const before = reportedIn(state);
	const known = new Set(before.map(identityOf));
	const isInSpan = ({ time }: Reported) =>
		reportedSpans.some(([from, end]) => from <= time && time < end);

	const unreported = pass.records.filter(
		(one) => !known.has(identityOf(one)) && !isInSpan(one),
	);
	const changes = unreported.slice(0, max);

	const progress = progressOf(state, pass, unreported[max]?.time ?? Infinity);
	const { watermark } = progress;
	const reported = [...before, ...changes].filter(({ time }) => time >= watermark);
	const spans = reportedSpans.filter(([, end]) => end > watermark);

	return {
		changes,
		state: {
			...state,
			...progress,
			reported: keysByTime(reported),
			reportedSpans: spans.length > 0 ? spans : undefined,
			undated: pass.undated.size,
		},
	};
}

/** A record that changes again has another time. */
function identityOf({ key, time }: Reported): string {
	return `${time} ${key}`;
}

/** @param reach time of the first change that is left for the next poll */
function progressOf(
	state: ListState,
	pass: Pass,
	reach: number,
): Pick<ListState, 'watermark' | 'newest' | 'held'> {
	const { watermark, newest, held } = state;
	const passes = pass.isComplete ? 0 : (held?.passes ?? 0) + 1;
	const seen = Math.max(held?.newest ?? newest, pass.newest);

	// If the watermark moved, records that an incomplete pass missed would never be reported.
	if (passes > 0 && passes < maxIncompletePasses) {
		return { watermark, newest, held: { passes, newest: seen } };
	}

	const moved = Math.max(watermark, Math.min(newest, reach));
	return { watermark: moved, newest: Math.max(moved, seen), held: undefined };
}
