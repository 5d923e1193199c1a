/** Escalated and ended conversations: whatever happens, a poll reports those that it sees reach the state. */
import fc from 'fast-check';

import { propertyRuns } from '../../propertyRuns';
import { cursorList, PlainTrigger } from './plainTrigger';

const day = 24 * 3600;

/** What a search shows of a conversation from some moment on, in seconds since 1970. */
interface Version {
	readonly visibleAt: number;
	/** When it was active last; a change of the state alone does not move it. */
	readonly updated: number;
	/** Whether the conversation is in the state that the event is about: ended, or escalated. */
	readonly isInside: boolean;
}

type Row = Version & { readonly id: string };

/** Conversations, each with its versions in order, and a trigger that watches them. */
class Searched {
	readonly conversations = new Map<string, Version[]>();

	/** The newest version of each conversation that the last poll has read. */
	readonly read = new Map<string, Version>();

	readonly trigger: PlainTrigger;

	private changes = 0;

	private shown: { key: string; rows: Row[] } = { key: '', rows: [] };

	/** @param isOldestFirst whether those come first that were active first */
	constructor(
		readonly event: string,
		{ skew = 0, isOldestFirst = false } = {},
	) {
		const newest = (one: Row, other: Row) =>
			one.updated < other.updated || (one.updated === other.updated && one.id < other.id);
		const isAfter = (one: Row, other: Row) =>
			isOldestFirst ? newest(other, one) : newest(one, other);
		const list = (since: number) =>
			cursorList(
				() => this.rowsSince(since),
				{ size: 25, isAfter },
				({ id, ...version }) => {
					if (version.updated >= (this.read.get(id)?.updated ?? 0)) this.read.set(id, version);
					const status = version.isInside ? 'ended' : 'ongoing';
					return { id, updatedAt: version.updated, status };
				},
			);
		this.trigger = new PlainTrigger(event, list, skew);
	}

	get now(): number {
		return this.trigger.now;
	}

	pass(seconds: number): void {
		this.trigger.now += seconds;
	}

	/** A conversation is active, and a search shows it some seconds later. One that was escalated stays so. */
	converse(id: string, isInside: boolean, { lag = 0, updated = this.now } = {}): void {
		this.changes++;
		const versions = this.conversations.get(id) ?? [];
		const stays = this.event === 'conversationEscalated' && versions.at(-1)?.isInside === true;
		const version = { visibleAt: this.now + lag, updated, isInside: isInside || stays };
		this.conversations.set(id, [...versions, version]);
	}

	/** What a search shows of a conversation now. */
	visible(id: string): Version | undefined {
		return this.conversations.get(id)!.findLast(({ visibleAt }) => visibleAt <= this.now);
	}

	/** The same rows until something changes. */
	private rowsSince(since: number): Row[] {
		const key = `${since} ${this.now} ${this.changes}`;
		if (this.shown.key !== key) this.shown = { key, rows: this.readRows(since) };
		return this.shown.rows;
	}

	private readRows(since: number): Row[] {
		const isEscalated = this.event === 'conversationEscalated';
		return [...this.conversations.keys()].flatMap((id) => {
			const version = this.visible(id);
			const isFound = version && version.updated >= since && (version.isInside || !isEscalated);
			return isFound ? [{ id, ...version }] : [];
		});
	}
}

type Happening =
	| { what: 'chat'; id: string; isInside: boolean; lag: number }
	/** Some reach the state at once. */
	| { what: 'burst'; count: number; lag: number }
	/** The state changes, and the time of the last activity stays. */
	| { what: 'silent'; id: string; lag: number }
	| { what: 'pass'; seconds: number };

const lag = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 600 }));
const id = fc.oneof(fc.nat(2), fc.nat(60)).map((number) => `c${number}`);
const seconds = fc.oneof(fc.nat(3), fc.nat(900), fc.nat(20_000));

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.record({ what: fc.constant('chat' as const), id, isInside: fc.boolean(), lag }),
	},
	{
		weight: 1,
		arbitrary: fc.record({ what: fc.constant('burst' as const), count: fc.nat(60), lag }),
	},
	{ weight: 2, arbitrary: fc.record({ what: fc.constant('silent' as const), id, lag }) },
	{ weight: 4, arbitrary: fc.record({ what: fc.constant('pass' as const), seconds }) },
);

const histories = fc.record({
	skew: fc.integer({ min: -20 * day, max: 20 * day }),
	existing: fc.array(happening, { maxLength: 15 }),
	steps: fc.array(
		fc.record({
			before: fc.array(happening, { maxLength: 4 }),
			isRestarted: fc.constantFrom(false, false, false, true),
			meanwhile: fc.array(fc.array(happening, { maxLength: 3 }), { maxLength: 4 }),
			failsAt: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
		}),
		{ maxLength: 16 },
	),
});
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never;
type Step = History['steps'][number];

/** Plays a history, and holds each poll against what the search has shown. */
async function live(event: string, { skew, existing, steps }: History): Promise<void> {
	const searched = new Searched(event, { skew });
	const { trigger, conversations } = searched;
	/** The conversations that the trigger knows to be in the state, now and as n8n has saved it. */
	let inside = new Set<string>();
	let savedInside = new Set<string>();
	let isActive = false;
	let bursts = 0;

	const happen = (each: Happening) => {
		if (each.what === 'pass') searched.pass(each.seconds);
		if (each.what === 'chat') searched.converse(each.id, each.isInside, each);
		if (each.what === 'burst') {
			const { lag } = each;
			for (let count = each.count; count > 0; count--) {
				searched.converse(`burst ${++bursts}`, true, { lag });
			}
		}
		const last = each.what === 'silent' && conversations.get(each.id)?.at(-1);
		// An hour after its last activity nobody looks for it on later pages.
		if (last && last.updated > searched.now - 1800) {
			const { id, lag } = each as { id: string; lag: number };
			searched.converse(id, true, { lag, updated: last.updated });
		}
	};

	const poll = async ({ before, isRestarted, meanwhile, failsAt }: Step) => {
		before.forEach(happen);
		if (isRestarted) {
			trigger.restart();
			inside = new Set(savedInside);
		}
		const shown = new Map([...conversations.keys()].map((id) => [id, searched.visible(id)]));
		const stored = JSON.stringify(trigger.stored);
		searched.read.clear();
		const acts = meanwhile.map((each) => () => each.forEach(happen));
		const items = await trigger.poll({ meanwhile: acts, failsAt }).catch((error: Error) => {
			if (failsAt === undefined) throw error;
			expect(JSON.stringify(trigger.stored)).toBe(stored);
		});
		if (!items) return;

		const expected: string[] = [];
		for (const id of conversations.keys()) {
			// One that moves to the front while later pages are read is seen by the next poll.
			const hasMoved = searched.visible(id) !== shown.get(id);
			const version = searched.read.get(id) ?? (hasMoved ? undefined : shown.get(id));
			if (version?.isInside && !inside.has(id)) expected.push(id);
			if (version?.isInside) inside.add(id);
			else if (version) inside.delete(id);
		}
		expect(items.map(({ id }) => id).sort()).toEqual(isActive ? expected.sort() : []);
		const moments = items.map(({ moment }) => moment);
		expect(moments).toEqual([...moments].sort((one, other) => one - other));
		if (items.length > 0 || !isActive) savedInside = new Set(inside);
		isActive = true;
	};
	const quiet = (seconds = 0): Step => ({
		before: [{ what: 'pass', seconds }],
		isRestarted: false,
		meanwhile: [],
		failsAt: undefined,
	});

	existing.forEach(happen);
	for (const step of [quiet(601), ...steps, quiet(601)]) await poll(step);
	for (const id of conversations.keys()) {
		if (searched.visible(id)!.isInside) expect(inside).toContain(id);
	}
	await poll(quiet(3601));
	await poll(quiet());
	expect(trigger.pages).toBe(1);
}

it.each(['conversationEscalated', 'conversationEnded'])(
	'reports each conversation once when it is seen to reach the state, whatever happens, for %s',
	async (event) => {
		const property = fc.asyncProperty(histories, async (history) => await live(event, history));
		await fc.assert(property, propertyRuns(60));
	},
	60_000,
);

const idsBy = async ({ trigger }: Searched) => (await trigger.poll()).map(({ id }) => id);

it('finds all that ended hours after their last message when they ended together', async () => {
	const searched = new Searched('conversationEnded');
	const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
	for (const id of ids) searched.converse(id, false);
	const updated = searched.now;
	await searched.trigger.poll();
	searched.pass(6 * 3600);
	await searched.trigger.poll();
	expect(await idsBy(searched)).toEqual([]);
	expect(searched.trigger.pages).toBe(1);
	searched.pass(60);
	for (const id of ids) searched.converse(id, true, { updated });
	expect((await idsBy(searched)).sort()).toEqual(ids.sort());
});

it('reads a search to its end when those come first that were active first', async () => {
	const searched = new Searched('conversationEscalated', { isOldestFirst: true });
	for (let index = 1; index <= 60; index++) {
		searched.converse(`c${index}`, true);
		searched.pass(3600);
	}
	await searched.trigger.poll();
	searched.converse('new', true);
	expect(await idsBy(searched)).toEqual(['new']);
});

it('stops the first poll when it has as many as it remembers, and reports no older one later', async () => {
	const searched = new Searched('conversationEnded');
	// One a minute for a week, on 420 pages.
	for (let index = 0; index < 10_500; index++) {
		searched.converse(`c${index}`, true);
		searched.pass(60);
	}
	await searched.trigger.poll();
	// Then the first poll reads the last hour again.
	expect(searched.trigger.pages).toBe(401 + 3);

	searched.pass(60);
	searched.converse('new', true);
	expect(await idsBy(searched)).toEqual(['new']);
	expect(await idsBy(searched)).toEqual([]);
});
