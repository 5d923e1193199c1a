import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Habits, TestRecord } from './world';
import { World } from './world';

/** Something that happens to the records. */
type Happening =
	| { kind: 'create'; count: number }
	| { kind: 'edit'; position: number }
	| { kind: 'remove'; position: number }
	| { kind: 'pass'; seconds: number };

/** Something that happens between two polls, or a poll. */
type Step =
	| Happening
	/** n8n starts again with what it has saved. */
	| { kind: 'restart' }
	| {
			kind: 'poll';
			/** Milliseconds; a request takes 100. */
			budget: number;
			/** What happens before each of the requests is answered. */
			meanwhile: Happening[][];
			/** The request that is refused, from 0. */
			refused?: number;
	  };

const passing = (seconds: fc.Arbitrary<number>) =>
	fc.record({ kind: fc.constant('pass' as const), seconds });
const creation = (count: fc.Arbitrary<number>) =>
	fc.record({ kind: fc.constant('create' as const), count });
/** Pages have ten records: the interesting places are those that move from one to another. */
const position = fc.oneof(fc.constantFrom(0, 9, 10, 11, 19, 20, 21), fc.nat(99));
const edit = fc.record({ kind: fc.constant('edit' as const), position });
const removal = fc.record({ kind: fc.constant('remove' as const), position });

/** The clock often stands still between two of these. */
const growth: Array<fc.WeightedArbitrary<Happening>> = [
	{ weight: 4, arbitrary: edit },
	{ weight: 3, arbitrary: passing(fc.integer({ min: 1, max: 3 })) },
	{ weight: 2, arbitrary: creation(fc.constant(1)) },
];
const happeningDuringPoll = fc.oneof(...growth, { weight: 2, arbitrary: removal });
const happening: fc.Arbitrary<Happening> = fc.oneof(
	{ weight: 16, arbitrary: happeningDuringPoll },
	{ weight: 2, arbitrary: creation(fc.nat(25)) },
	{ weight: 1, arbitrary: passing(fc.nat(200_000)) },
);

const meanwhile = (during: fc.Arbitrary<Happening>) =>
	fc.array(fc.array(during, { maxLength: 4 }), { maxLength: 8 });

const poll: fc.Arbitrary<Step> = fc.record({
	kind: fc.constant('poll' as const),
	budget: fc.oneof({ weight: 3, arbitrary: fc.constant(60_000) }, fc.nat(600)),
	meanwhile: meanwhile(happeningDuringPoll),
	refused: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
});

const habits: fc.Arbitrary<Habits> = fc.record({
	unit: fc.constantFrom('seconds', 'milliseconds'),
	order: fc.constantFrom('oldestFirst', 'newestFirst', 'lastUpdatedFirst'),
	zone: fc.integer({ min: -12, max: 14 }),
	dayOf: fc.constantFrom('created', 'updated'),
	skew: fc.integer({ min: -3600, max: 3600 }),
});

interface History {
	habits: Habits;
	/** How many records there are at first. */
	size: number;
	before: Happening[];
	/** What happens before each request of the first poll is answered. */
	duringActivation: Happening[][];
	steps: Step[];
}

const history: fc.Arbitrary<History> = fc.record({
	habits,
	size: fc.nat(45),
	before: fc.array(happening, { maxLength: 4 }),
	// Without removals: a record that hides behind one from both rounds of the first poll counts as new.
	duringActivation: fc.oneof(fc.constant<Happening[][]>([]), meanwhile(fc.oneof(...growth))),
	steps: fc.array(
		fc.oneof(
			{ weight: 3, arbitrary: happening },
			{ weight: 3, arbitrary: poll },
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
		),
		{ maxLength: 25 },
	),
});

const quiet: Step = { kind: 'poll', budget: 60_000, meanwhile: [] };

/** When the event happened to a record, as far as it did. */
const momentOf: Record<string, (record: TestRecord) => number | undefined> = {
	contactCreated: ({ created }) => created,
	contactUpdated: ({ created, updated }) => (updated > created ? updated : undefined),
	contactCreatedOrUpdated: ({ updated }) => updated,
	conversationStarted: ({ created }) => created,
	leadCreated: ({ created }) => created,
};

/** Lives through a history and holds every poll against it. */
class Life {
	private readonly world: World;

	/** What n8n holds, and what of it would survive a restart. */
	private stored: IDataObject = {};

	private saved = '{}';

	/** Changes, each as moment and ID: those that must not be reported, that may be, and that were. */
	private readonly old = new Set<string>();

	private readonly optional = new Set<string>();

	private readonly reported = new Set<string>();

	constructor(
		private readonly event: string,
		private readonly history: History,
	) {
		this.world = new World(history.habits);
	}

	async live(): Promise<void> {
		const { size, before, steps } = this.history;
		this.happen({ kind: 'create', count: size });
		for (const each of before) this.happen(each);
		await this.activate();
		for (const step of steps) await this.take(step);
		// A round that was begun is finished, and the next one sees everything.
		await this.take(quiet);
		await this.take(quiet);
		await this.take(quiet);
		this.expectAllReported();
		this.expectSmallMemory();
	}

	/** What is there before is old; what happens during the first poll may be taken for that as well. */
	private async activate() {
		for (const change of this.changes()) this.old.add(change);
		let request = 0;
		this.world.beforeAnswer = () => {
			for (const each of this.history.duringActivation[request++] ?? []) this.happen(each);
			return 200;
		};
		expect(await this.world.poll(this.event, this.stored, 60_000)).toEqual([]);
		this.world.beforeAnswer = () => 200;
		for (const change of this.changes()) if (!this.old.has(change)) this.optional.add(change);
		this.save();
	}

	private async take(step: Step) {
		if (step.kind === 'restart') this.stored = JSON.parse(this.saved) as IDataObject;
		else if (step.kind === 'poll') await this.poll(step);
		else this.happen(step);
	}

	private async poll({ budget, meanwhile, refused }: Extract<Step, { kind: 'poll' }>) {
		const { world } = this;
		let request = 0;
		world.beforeAnswer = () => {
			for (const each of meanwhile[request] ?? []) this.happen(each);
			return request++ === refused ? 403 : 200;
		};
		const before = JSON.stringify(this.stored);
		const items = await world.poll(this.event, this.stored, budget).catch(() => undefined);
		if (items === undefined) expect(JSON.stringify(this.stored)).toBe(before);
		else this.judge(items);
		world.beforeAnswer = () => 200;
	}

	private judge(items: IDataObject[]) {
		const moments = items.map(({ id, created_at, updated_at }) => {
			const record = { id: String(id), created: seconds(created_at), updated: seconds(updated_at) };
			const moment = momentOf[this.event](record)!;
			const change = `${moment} ${record.id}`;
			expect(this.old).not.toContain(change);
			expect(this.reported).not.toContain(change);
			this.reported.add(change);
			return moment;
		});
		expect(moments).toEqual([...moments].sort((one, other) => one - other));
		// n8n saves what a poll remembers together with the execution that it starts.
		if (items.length > 0) this.save();
	}

	private expectAllReported() {
		const done = [this.old, this.optional, this.reported];
		const missing = this.changes().filter((change) => !done.some((set) => set.has(change)));
		expect(missing).toEqual([]);
	}

	/** After a quiet time nothing but the records at the mark is remembered. */
	private expectSmallMemory() {
		const { settled, recent, round } = this.stored.memory as {
			settled: number;
			recent: Record<string, string[]>;
			round?: unknown;
		};
		expect(Object.keys(recent).filter((moment) => moment !== String(settled))).toEqual([]);
		expect(round).toBeUndefined();
	}

	private changes(): string[] {
		return this.world.records.flatMap((record) => {
			const moment = momentOf[this.event](record);
			return moment === undefined ? [] : [`${moment} ${record.id}`];
		});
	}

	private save() {
		this.saved = JSON.stringify(this.stored);
	}

	private happen(happening: Happening) {
		const { world } = this;
		// A page of conversations has ten times as many records.
		const scale = this.event === 'conversationStarted' ? 10 : 1;
		if (happening.kind === 'create') world.create(happening.count * scale);
		if (happening.kind === 'edit') world.edit(happening.position * scale);
		if (happening.kind === 'remove') world.remove(happening.position * scale);
		if (happening.kind === 'pass') world.pass(happening.seconds);
	}
}

function seconds(stamp: unknown): number {
	const moment = typeof stamp === 'string' ? Date.parse(stamp) : Number(stamp);
	return moment > 1e11 ? moment / 1000 : moment;
}

it.each(Object.keys(momentOf))('reports each change once in every history: %s', async (event) => {
	await fc.assert(
		fc.asyncProperty(history, async (given) => await new Life(event, given).live()),
		// Conversations take ten times as many records, and as much longer.
		{ numRuns: event === 'conversationStarted' ? 300 : 2000 },
	);
});
