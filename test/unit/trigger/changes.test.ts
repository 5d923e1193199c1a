/** Contacts, conversations, leads and tickets: each change is reported once, whatever happens between polls and during them. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { ListState } from '../../../nodes/ChatbaseTrigger/listState';
import { propertyRuns } from '../../propertyRuns';
import { cursorList, type ListSince, numberedList, PlainTrigger } from './plainTrigger';

/** Times are in seconds since 1970. */
interface TestRecord {
	readonly id: string;
	readonly created: number;
	readonly updated: number;
	/** Whether it has no time that can be read. */
	readonly isUndated: boolean;
}

type Kind = 'contacts' | 'days' | 'tickets';

interface Event {
	kind: Kind;
	/** When the event happened to a record, as far as it did. */
	momentOf(record: TestRecord): number | undefined;
}

const created = ({ created }: TestRecord) => created;
const updated = ({ updated }: TestRecord) => updated;
const events: Record<string, Event> = {
	contactCreated: { kind: 'contacts', momentOf: created },
	contactUpdated: {
		kind: 'contacts',
		momentOf: (record) => (record.updated > record.created + 1 ? record.updated : undefined),
	},
	contactCreatedOrUpdated: { kind: 'contacts', momentOf: updated },
	conversationStarted: { kind: 'days', momentOf: created },
	leadCreated: { kind: 'days', momentOf: created },
	ticketCreated: { kind: 'tickets', momentOf: created },
	ticketUpdated: {
		kind: 'tickets',
		momentOf: (record) => (record.updated > record.created ? record.updated : undefined),
	},
	ticketCreatedOrUpdated: { kind: 'tickets', momentOf: updated },
};

/** What no document promises, and on which the trigger must not depend. */
interface Habits {
	order: 'oldestFirst' | 'newestFirst' | 'lastUpdatedFirst';
	/** Seconds that the clock of the service is ahead of n8n's. */
	skew: number;
	/** How many contacts more the service counts than it lists. */
	miscount: number;
	/** Every so many contacts one has no time that can be read; 0 for none. */
	undatedEvery: number;
}

const usual: Habits = { order: 'oldestFirst', skew: 0, miscount: 0, undatedEvery: 0 };
const day = 24 * 3600;

/** A trigger and the records that it watches. */
class Watched {
	records: TestRecord[] = [];

	readonly trigger: PlainTrigger;

	private count = 0;

	private readonly habits: Habits;

	constructor(
		private readonly event: string,
		habits: Partial<Habits> = {},
	) {
		this.habits = { ...usual, ...habits };
		this.trigger = new PlainTrigger(event, this.list, this.habits.skew);
	}

	create(count = 1): void {
		const { undatedEvery } = this.habits;
		for (let index = 0; index < count; index++) {
			const number = ++this.count;
			const isUndated = undatedEvery > 0 && number % undatedEvery === 0;
			const { now } = this.trigger;
			this.records.push({ id: `record-${number}`, created: now, updated: now, isUndated });
		}
	}

	/** Positions beyond the end start again at the first record. */
	edit(position: number): void {
		const record = this.at(position);
		this.records = this.records.map((other) =>
			other === record ? { ...other, updated: this.trigger.now } : other,
		);
	}

	/** If the total is never right, a record that a removal has hidden can't be detected. */
	remove(position: number): void {
		if (this.trigger.isPolling && this.habits.miscount !== 0) return;
		const record = this.at(position);
		this.records = this.records.filter((other) => other !== record);
	}

	pass(seconds = 1): void {
		this.trigger.now += seconds;
	}

	/** What can be reported now, each as moment and ID. */
	changes(): string[] {
		const { momentOf } = events[this.event];
		return this.records.flatMap((record) => {
			const moment = record.isUndated ? undefined : momentOf(record);
			return moment === undefined ? [] : [`${moment} ${record.id}`];
		});
	}

	private at(position: number): TestRecord | undefined {
		return this.records[position % Math.max(1, this.records.length)];
	}

	private readonly list: ListSince = (since) => {
		const { kind, momentOf } = events[this.event];
		if (kind === 'contacts') {
			const totalOf = (count: number) => count + this.habits.miscount;
			return numberedList(() => this.sorted().map(itemOf), { size: 10, totalOf });
		}
		if (kind === 'days') {
			// The list begins at the start of the day before.
			const start = (Math.floor(since / day) - 1) * day;
			const isListed = (record: TestRecord) => record.created >= start;
			return numberedList(() => this.sorted().filter(isListed).map(itemOf), { size: 10 });
		}
		const timeOf = momentOf === created ? created : updated;
		const isAfter = (one: TestRecord, other: TestRecord) =>
			timeOf(one) < timeOf(other) || (timeOf(one) === timeOf(other) && one.id < other.id);
		return cursorList(() => this.records, { size: 10, isAfter }, itemOf);
	};

	private sorted(): TestRecord[] {
		const { order } = this.habits;
		if (order === 'oldestFirst') return this.records;
		if (order === 'newestFirst') return [...this.records].reverse();
		return [...this.records].sort((one, other) => other.updated - one.updated);
	}
}

/** Contacts and leads have other names for their times than tickets. */
function itemOf({ id, isUndated, ...times }: TestRecord): IDataObject {
	const created = isUndated ? 'soon' : times.created;
	const updated = isUndated ? null : times.updated;
	return { id, created_at: created, updated_at: updated, createdAt: created, updatedAt: updated };
}

/** Something that happens to the records. */
type Happening =
	| { what: 'create'; count: number }
	| { what: 'edit'; position: number }
	| { what: 'remove'; position: number }
	| { what: 'pass'; seconds: number };

interface Step {
	before: Happening[];
	/** Whether n8n starts again before the poll. */
	isRestarted: boolean;
	/** What happens before each page of the poll is read. */
	meanwhile: Happening[][];
	failsAt?: number;
}

const passing = (seconds: fc.Arbitrary<number>) =>
	fc.record({ what: fc.constant('pass' as const), seconds });
const growth = (count: fc.Arbitrary<number>) =>
	fc.record({ what: fc.constant('create' as const), count });
/** Pages have ten records: the interesting places are those that move from one to another. */
const position = fc.oneof(fc.constantFrom(0, 9, 10, 11, 19, 20, 21), fc.nat(99));
const edit = fc.record({ what: fc.constant('edit' as const), position });
const removal = fc.record({ what: fc.constant('remove' as const), position });
const shortTime = passing(fc.integer({ min: 1, max: 3 }));

const betweenPolls: fc.Arbitrary<Happening> = fc.oneof(
	// The clock often stands still between two of these.
	{ weight: 6, arbitrary: shortTime },
	{ weight: 8, arbitrary: edit },
	{ weight: 4, arbitrary: growth(fc.constant(1)) },
	{ weight: 4, arbitrary: removal },
	{ weight: 2, arbitrary: growth(fc.nat(25)) },
	{ weight: 1, arbitrary: passing(fc.nat(200_000)) },
);

/**
 * Leaves out what no client can see: a record that two polls in a row miss, on a page that was already read. The total shows
 * it, unless as many contacts are added as deleted; conversations and leads have no total.
 */
const duringPoll: Record<Kind, Array<fc.Arbitrary<Happening>>> = {
	contacts: [fc.oneof(shortTime, edit, growth(fc.constant(1))), fc.oneof(shortTime, edit, removal)],
	days: [fc.oneof(shortTime, growth(fc.constant(1)))],
	tickets: [fc.oneof(shortTime, edit, growth(fc.constant(1))), fc.oneof(shortTime, edit, removal)],
};

const meanwhile = (kind: Kind) =>
	fc.oneof(
		...duringPoll[kind].map((during) =>
			fc.array(fc.array(during, { maxLength: 4 }), { maxLength: 8 }),
		),
	);

const histories = (kind: Kind) =>
	fc.record({
		habits: fc.record<Habits>({
			order: fc.constantFrom('oldestFirst', 'newestFirst', 'lastUpdatedFirst'),
			skew: fc.integer({ min: -20 * day, max: 20 * day }),
			miscount: fc.constantFrom(0, 0, 0, -3, -1, 2),
			undatedEvery: kind === 'contacts' ? fc.constantFrom(0, 0, 7) : fc.constant(0),
		}),
		size: fc.nat(45),
		before: fc.array(betweenPolls, { maxLength: 4 }),
		/** Seconds from the activation to Report Changes Since. */
		beginning: fc.option(
			fc.oneof(fc.integer({ min: -30, max: 0 }), fc.integer({ min: -2 * day, max: 0 })),
			{
				nil: undefined,
				freq: 3,
			},
		),
		activation: fc.oneof(fc.constant<Happening[][]>([]), meanwhile(kind)),
		steps: fc.array(
			fc.record<Step>({
				before: fc.array(betweenPolls, { maxLength: 4 }),
				isRestarted: fc.constantFrom(false, false, false, true),
				meanwhile: meanwhile(kind),
				failsAt: fc.option(fc.nat(8), { nil: undefined, freq: 4 }),
			}),
			{ maxLength: 12 },
		),
	});
type History = ReturnType<typeof histories> extends fc.Arbitrary<infer Value> ? Value : never;

const quiet: Step = { before: [], isRestarted: false, meanwhile: [] };
/** Two passes see everything; if the total is never right, it takes a few more until the watermark follows. */
const quietSteps = Array<Step>(8).fill(quiet);

/** Plays a history, and compares every poll with it. */
async function live(event: string, { habits, size, before, activation, ...history }: History) {
	const watched = new Watched(event, habits);
	const { trigger } = watched;
	const happen = (each: Happening) => {
		if (each.what === 'create') watched.create(each.count);
		if (each.what === 'edit') watched.edit(each.position);
		if (each.what === 'remove') watched.remove(each.position);
		if (each.what === 'pass') watched.pass(each.seconds);
	};
	watched.create(size);
	before.forEach(happen);

	const since = history.beginning === undefined ? undefined : trigger.now + history.beginning;
	const isAllUndated = () =>
		watched.records.length > 0 && watched.records.every((record) => record.isUndated);
	/** What existed before the first poll, and what came while it was read. */
	const old = new Set<string>();
	const optional = new Set<string>();
	const reported = new Set<string>();

	const poll = async (step: Step) => {
		const stored = JSON.stringify(trigger.stored);
		const mayFail = step.failsAt !== undefined || isAllUndated();
		const acts = step.meanwhile.map((each) => () => each.forEach(happen));
		const polling = trigger.poll({ meanwhile: acts, failsAt: step.failsAt, since });
		return await polling.catch((error: Error) => {
			// After an error, the next poll continues from the same state.
			expect([error, mayFail || isAllUndated()]).toEqual([error, true]);
			expect(JSON.stringify(trigger.stored)).toBe(stored);
			return undefined;
		});
	};
	const judge = (items: Awaited<ReturnType<typeof trigger.poll>>) => {
		for (const { id, moment } of items) {
			const change = `${moment} ${String(id)}`;
			const isEarly = moment < (since ?? -Infinity);
			expect([change, old.has(change), isEarly, reported.has(change)]).toEqual([
				change,
				false,
				false,
				false,
			]);
			reported.add(change);
		}
		const moments = items.map(({ moment }) => moment);
		expect(moments).toEqual([...moments].sort((one, other) => one - other));
	};

	let isLearning = true;
	for (const step of [{ ...quiet, meanwhile: activation }, ...history.steps, ...quietSteps]) {
		step.before.forEach(happen);
		if (step.isRestarted) trigger.restart();
		const existing = watched.changes();
		const items = await poll(step);
		if (items === undefined) continue;

		if (isLearning && since === undefined) {
			expect(items).toEqual([]);
			existing.forEach((change) => old.add(change));
			watched.changes().forEach((change) => old.has(change) || optional.add(change));
		}
		isLearning = false;
		judge(items);
	}

	const isDone = (change: string) => [old, optional, reported].some((set) => set.has(change));
	const isEarly = (change: string) => Number(change.split(' ')[0]) < (since ?? -Infinity);
	expect(watched.changes().filter((change) => !isDone(change) && !isEarly(change))).toEqual([]);
	if (isAllUndated()) return;

	// After a quiet time, only the records at the watermark are saved.
	const { watermark, newest, reported: saved } = trigger.state!;
	const others = Object.keys(saved).filter((time) => time !== String(watermark));
	expect({ others, newest }).toEqual({ others: [], newest: watermark });
}

it.each(Object.keys(events))(
	'reports each change once, whatever happens between polls and during them, when Trigger On is %s',
	async (event) => {
		const property = fc.asyncProperty(
			histories(events[event].kind),
			async (history) => await live(event, history),
		);
		await fc.assert(property, propertyRuns(60));
	},
	120_000,
);

/** A trigger that knows these records. */
async function start(event: string, size: number, habits?: Partial<Habits>) {
	const watched = new Watched(event, habits);
	watched.create(size);
	watched.pass(2);
	const { trigger } = watched;
	await trigger.poll();
	const poll = async (...meanwhile: Array<() => void>) =>
		(await trigger.poll({ meanwhile })).map(({ id }) => id);
	return { watched, trigger, poll };
}

const nothing = () => {};

it('reports a contact that changed on a page that was already read, also when the next pass misses it', async () => {
	const { watched, poll } = await start('contactUpdated', 30);
	const changeTwo = () => {
		watched.edit(10);
		watched.pass(1);
		watched.edit(25);
	};
	expect(await poll(nothing, nothing, changeTwo)).toEqual(['record-26']);
	// The first record of the second page has moved to the end of the first, which was already read.
	expect(await poll(nothing, () => watched.remove(0))).toEqual([]);
	expect(await poll()).toEqual(['record-11']);
	expect(await poll()).toEqual([]);
});

it('reports no old lead when the second pass of the first poll misses one', async () => {
	const watched = new Watched('leadCreated');
	watched.create(20);
	// The first pass has two pages of ten, and an empty one.
	const meanwhile = [nothing, nothing, nothing, nothing, () => watched.remove(0)];
	await watched.trigger.poll({ meanwhile });
	expect(await watched.trigger.poll()).toEqual([]);
});

it('keeps its watermark when the time of a record is far ahead', async () => {
	const { watched, trigger, poll } = await start('contactCreated', 3);
	watched.create();
	const last = watched.records.pop()!;
	watched.records.push({ ...last, created: last.created + 3650 * day });
	expect(await poll()).toEqual(['record-4']);
	expect(await poll()).toEqual([]);
	watched.pass(60);
	watched.create();
	expect(await poll()).toEqual(['record-5']);
	expect(await poll()).toEqual([]);
	expect(trigger.state).toMatchObject({ watermark: trigger.now * 1000 });
});

it('moves its watermark when the newest time that it saved is years ahead', async () => {
	const { watched, trigger, poll } = await start('contactCreated', 2);
	trigger.state = { ...trigger.state!, newest: 4e12 };
	for (const name of ['record-3', 'record-4', 'record-5']) {
		watched.pass(1);
		watched.create();
		expect(await poll()).toEqual([name]);
	}
});

it('starts over and says so when the watermark that it saved is years ahead', async () => {
	const { watched, trigger, poll } = await start('contactCreated', 2);
	trigger.state = { ...trigger.state!, watermark: 4e12 };
	expect(await poll()).toEqual([]);
	expect(trigger.warnings).toEqual([expect.stringContaining('The trigger starts over.')]);
	watched.pass(1);
	watched.create();
	expect(await poll()).toEqual(['record-3']);
});

it('warns once for each count of records without a time, and fails when none has one', async () => {
	const { watched, trigger, poll } = await start('contactCreated', 5, { undatedEvery: 3 });
	watched.pass(1);
	watched.create();
	expect(await poll()).toEqual([]);
	await poll();
	expect(trigger.warnings).toEqual([
		expect.stringContaining('1 of 5 contacts have no readable date, for example'),
		expect.stringContaining('2 of 6 contacts have no readable date, for example'),
	]);
	const before = JSON.stringify(trigger.stored);
	const { records } = watched;
	watched.records = records.map((record) => ({ ...record, isUndated: true }));
	await expect(poll()).rejects.toThrow('No contacts have a readable date');
	expect(JSON.stringify(trigger.stored)).toBe(before);
});

it('loses no change when responses are dated days behind', async () => {
	const { watched, trigger, poll } = await start('leadCreated', 2);
	watched.pass(1);
	watched.create();
	trigger.dateOf = () => trigger.now - 3 * day;
	expect(await poll()).toEqual(['record-3']);
	expect(trigger.warnings).toEqual([]);
});

it('loses no change of now when Report Changes Since is half a minute ahead', async () => {
	const watched = new Watched('contactCreated');
	const { trigger } = watched;
	const since = trigger.now + 30;
	await trigger.poll({ since });
	watched.pass(1);
	watched.create();
	expect(await trigger.poll({ since })).toHaveLength(1);
});

it('holds its watermark for two passes that do not add up to the total', async () => {
	const { watched, trigger, poll } = await start('contactCreated', 15);
	const watermark = () => (trigger.state as ListState).watermark;
	const before = watermark();
	watched.pass(1);
	watched.create();
	// A record is missed: it moves to the first page, which was read.
	const missOne = async () => {
		const [first] = watched.records;
		const items = await poll(nothing, () => watched.records.shift());
		watched.records.unshift(first);
		return items;
	};
	expect(await missOne()).toEqual(['record-16']);
	expect(await missOne()).toEqual([]);
	expect(watermark()).toBe(before);
	await poll();
	await poll();
	expect(watermark()).toBe(trigger.now * 1000);
});
