/** Random events of a trigger and its records. */
import fc from 'fast-check';
import type { Habits } from './world';

/** Something that happens to the records. */
export type Happening =
	| { kind: 'create'; count: number }
	| { kind: 'edit'; position: number }
	| { kind: 'remove'; position: number }
	| { kind: 'pass'; seconds: number };

/** Something that happens between two polls, or a poll. */
export type Step<Kind = Happening> =
	| Kind
	/** n8n starts again with what it has saved. */
	| { kind: 'restart' }
	/** The clock of n8n is set: so many seconds ahead, or back. */
	| { kind: 'clock'; seconds: number }
	/** Something happens to what n8n has kept. */
	| { kind: 'damage'; damage: Damage }
	/** The user corrects what was set as the beginning. */
	| { kind: 'correct' }
	| {
			kind: 'poll';
			/** What happens before each of the requests is answered. */
			meanwhile: Kind[][];
			/** The request that is refused, from 0. */
			refused?: number;
	  };

/** The changes of the saved state. */
export type Damage =
	| { kind: 'replaced'; by: unknown }
	/** One value of the state, wherever it stands, counted from the first. */
	| { kind: 'value'; position: number; by: unknown }
	/** One value of the state is lost. */
	| { kind: 'loss'; position: number }
	/** The stored text is cut, and the rest is kept as text. */
	| { kind: 'truncated'; length: number };

const rubbish = fc.oneof(
	fc.constantFrom<unknown>(null, true, '', 'text', [], {}, -1, 0, 1.5, 4e12, 8.7e15, 1e300),
	fc.constantFrom<unknown>([null], { '5': null }, { version: 1 }, { version: 9, watermark: 'x' }),
);

const damage: fc.Arbitrary<Damage> = fc.oneof(
	fc.record({ kind: fc.constant('replaced' as const), by: rubbish }),
	fc.record({ kind: fc.constant('value' as const), position: fc.nat(14), by: rubbish }),
	fc.record({ kind: fc.constant('loss' as const), position: fc.nat(14) }),
	fc.record({ kind: fc.constant('truncated' as const), length: fc.nat(200) }),
);

const passing = (seconds: fc.Arbitrary<number>) =>
	fc.record({ kind: fc.constant('pass' as const), seconds });
const creation = (count: fc.Arbitrary<number>) =>
	fc.record({ kind: fc.constant('create' as const), count });
/** Pages have ten records: the interesting places are those that move from one to another. */
const position = fc.oneof(fc.constantFrom(0, 9, 10, 11, 19, 20, 21), fc.nat(99));
const edit = fc.record({ kind: fc.constant('edit' as const), position });
const removal = fc.record({ kind: fc.constant('remove' as const), position });

/** The clock often stands still between two of these. */
const time = { weight: 3, arbitrary: passing(fc.integer({ min: 1, max: 3 })) };
const edits = { weight: 4, arbitrary: edit };
const growth = { weight: 2, arbitrary: creation(fc.constant(1)) };
const decline = { weight: 2, arbitrary: removal };

const betweenPolls: fc.Arbitrary<Happening> = fc.oneof(
	{ weight: 6, arbitrary: time.arbitrary },
	{ weight: 8, arbitrary: edit },
	{ weight: 4, arbitrary: creation(fc.constant(1)) },
	{ weight: 4, arbitrary: removal },
	{ weight: 2, arbitrary: creation(fc.nat(25)) },
	{ weight: 1, arbitrary: passing(fc.nat(200_000)) },
);

/**
 * Leaves out what no client can see: a record that two polls in a row miss, on a page that was
 * already read. The total shows it, unless as many contacts are added as deleted; conversations and leads
 * have no total.
 */
const duringPoll: Record<'contacts' | 'days', Array<fc.Arbitrary<Happening>>> = {
	contacts: [fc.oneof(time, edits, growth), fc.oneof(time, edits, decline)],
	days: [fc.oneof(time, growth)],
};

const meanwhile = (during: fc.Arbitrary<Happening>) =>
	fc.array(fc.array(during, { maxLength: 4 }), { maxLength: 8 });

const poll = (during: Array<fc.Arbitrary<Happening>>): fc.Arbitrary<Step> =>
	fc.record({
		kind: fc.constant('poll' as const),
		meanwhile: fc.oneof(...during.map(meanwhile)),
		refused: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
	});

const days = 24 * 3600;

/** The difference of the two clocks: small, or days. */
const apart = fc.oneof(
	fc.integer({ min: -3600, max: 3600 }),
	fc.integer({ min: -20 * days, max: 20 * days }),
);

const habits = (kind: 'contacts' | 'days'): fc.Arbitrary<Habits> =>
	fc.record({
		unit: fc.constantFrom('seconds', 'milliseconds', 'digits', 'longDigits', 'text'),
		order: fc.constantFrom('oldestFirst', 'newestFirst', 'lastUpdatedFirst'),
		zone: fc.integer({ min: -12, max: 14 }),
		dayOf: fc.constantFrom('created', 'updated'),
		skew: apart,
		miscount: fc.oneof(
			{ weight: 3, arbitrary: fc.constant(0) },
			{ weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
		),
		ignoresPage: fc.constant(false),
		searchesOldestFirst: fc.constant(false),
		undatedEvery: kind === 'contacts' ? fc.constantFrom(0, 0, 7) : fc.constant(0),
	});

/** Seconds from the activation to what the user sets as the beginning: in the past, or by mistake ahead. */
const beginning = fc.oneof(
	fc.integer({ min: -30, max: 2 }),
	fc.integer({ min: -200_000, max: 0 }),
	fc.integer({ min: 0, max: 80_000 }),
	fc.constant(50 * 365 * days),
);

export interface History {
	habits: Habits;
	/** How many records there are at first. */
	size: number;
	before: Happening[];
	/** Report Changes Since, first and corrected. */
	since?: { first: number; corrected: number };
	/** What happens before each request of the first poll is answered. */
	duringActivation: Happening[][];
	steps: Step[];
}

/** Generates histories of a list of contacts, or of a list by day. */
export function histories(kind: 'contacts' | 'days'): fc.Arbitrary<History> {
	const during = duringPoll[kind];
	return fc.record({
		habits: habits(kind),
		size: fc.nat(45),
		before: fc.array(betweenPolls, { maxLength: 4 }),
		since: fc.option(
			fc.record({ first: beginning, corrected: fc.integer({ min: -200_000, max: 0 }) }),
			{ nil: undefined, freq: 3 },
		),
		duringActivation: fc.oneof(fc.constant<Happening[][]>([]), meanwhile(during[0])),
		steps: fc.array(
			fc.oneof(
				{ weight: 12, arbitrary: betweenPolls },
				{ weight: 12, arbitrary: poll(during) },
				{ weight: 3, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
				{ weight: 1, arbitrary: fc.record({ kind: fc.constant('correct' as const) }) },
				{ weight: 1, arbitrary: fc.record({ kind: fc.constant('damage' as const), damage }) },
				{
					weight: 1,
					arbitrary: fc.record({ kind: fc.constant('clock' as const), seconds: apart }),
				},
			),
			{ maxLength: 25 },
		),
	});
}

/** Something that happens to the conversations of a search. */
export type SearchHappening =
	| { kind: 'chat'; id: string; isInside: boolean; lag: number }
	/** Some reach the state at once. */
	| { kind: 'burst'; count: number; lag: number }
	/** The state changes, and the time of the last activity stays. */
	| { kind: 'silent'; id: string; lag: number }
	| { kind: 'pass'; seconds: number };

const lag = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 600 }));
const conversation = fc.oneof(fc.nat(2), fc.nat(60)).map((number) => `c${number}`);

const searched: fc.Arbitrary<SearchHappening> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('chat' as const),
			id: conversation,
			isInside: fc.boolean(),
			lag,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ kind: fc.constant('burst' as const), count: fc.nat(60), lag }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ kind: fc.constant('silent' as const), id: conversation, lag }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			seconds: fc.oneof(fc.nat(3), fc.nat(900), fc.nat(20_000)),
		}),
	},
);

const searchStep: fc.Arbitrary<Step<SearchHappening>> = fc.oneof(
	{ weight: 10, arbitrary: searched },
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			meanwhile: fc.array(fc.array(searched, { maxLength: 3 }), { maxLength: 4 }),
			refused: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('clock' as const),
			seconds: fc.integer({ min: -20 * days, max: 20 * days }),
		}),
	},
);

export interface SearchHistory {
	/** Seconds that the clock of the service is ahead of n8n's. */
	skew: number;
	before: SearchHappening[];
	steps: Array<Step<SearchHappening>>;
}

/** Generates histories of conversations that a search shows late. */
export const searchHistories: fc.Arbitrary<SearchHistory> = fc.record({
	skew: fc.integer({ min: -20 * days, max: 20 * days }),
	before: fc.array(searched, { maxLength: 15 }),
	steps: fc.array(searchStep, { maxLength: 40 }),
});
