/** Escalated and ended conversations: whatever happens, a poll reports those that it sees reach the state. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { EventState } from '../../../nodes/ChatbaseTrigger/state';
import { propertyRuns } from '../../propertyRuns';
import { savedIn } from './life';
import { SearchWorld } from './searchWorld';

const day = 24 * 3600;
const lag = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 600 }));
const conversation = fc.oneof(fc.nat(2), fc.nat(60)).map((number) => `c${number}`);

type Happening =
	| { kind: 'chat'; id: string; isInside: boolean; lag: number }
	/** Some reach the state at once. */
	| { kind: 'burst'; count: number; lag: number }
	/** The state changes, and the time of the last activity stays. */
	| { kind: 'silent'; id: string; lag: number }
	| { kind: 'pass'; seconds: number };

type Step =
	| Happening
	| { kind: 'restart' }
	| { kind: 'clock'; seconds: number }
	| { kind: 'poll'; meanwhile: Happening[][]; refused?: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
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

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 10, arbitrary: happening },
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('poll' as const),
			meanwhile: fc.array(fc.array(happening, { maxLength: 3 }), { maxLength: 4 }),
			refused: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
		}),
	},
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('clock' as const),
			seconds: fc.integer({ min: -20 * day, max: 20 * day }),
		}),
	},
);

/** Plays a history, and holds each poll against what the index has shown. */
class SearchLife {
	private stored: IDataObject = {};

	private saved = '{}';

	/** The conversations that the trigger knows to be in the state, now and as n8n has saved it. */
	private inside = new Set<string>();

	private savedInside = new Set<string>();

	private isActive = false;

	private bursts = 0;

	constructor(
		private readonly event: string,
		private readonly world: SearchWorld,
	) {}

	async live(before: Happening[], steps: Step[]): Promise<void> {
		for (const each of before) this.happen(each);
		this.happen({ kind: 'pass', seconds: 601 });
		for (const each of [quiet, ...steps]) await this.take(each);
		this.happen({ kind: 'pass', seconds: 601 });
		await this.take(quiet);
		for (const id of this.world.conversations.keys()) {
			if (this.world.visible(id)!.isInside) expect(this.inside).toContain(id);
		}
		this.happen({ kind: 'pass', seconds: 3601 });
		await this.take(quiet);
		await this.take(quiet);
		expect(this.world.requests).toBe(1);
	}

	private async take(each: Step) {
		if (each.kind === 'restart') {
			this.stored = JSON.parse(this.saved) as IDataObject;
			this.inside = new Set(this.savedInside);
		} else if (each.kind === 'clock') this.world.jump(each.seconds);
		else if (each.kind === 'poll') await this.poll(each);
		else this.happen(each);
	}

	private happen(each: Happening) {
		const { world } = this;
		if (each.kind === 'pass') world.pass(each.seconds);
		if (each.kind === 'chat') this.change(each.id, each.isInside, each.lag);
		for (let count = each.kind === 'burst' ? each.count : 0; count > 0; count--) {
			this.change(`burst ${++this.bursts}`, true, (each as { lag: number }).lag);
		}
		const last = each.kind === 'silent' && world.conversations.get(each.id)?.at(-1);
		// An hour after its last activity nobody looks for it on later pages.
		if (last && last.updated > world.now - 1800) {
			this.change((each as { id: string }).id, true, (each as { lag: number }).lag, last.updated);
		}
	}

	/** A conversation that was escalated stays so. */
	private change(id: string, isInside: boolean, delay: number, updated?: number) {
		const wasInside = this.world.conversations.get(id)?.at(-1)?.isInside ?? false;
		const stays = this.event === 'conversationEscalated' && wasInside;
		this.world.change(id, isInside || stays, delay, updated);
	}

	private async poll({ meanwhile, refused }: Extract<Step, { kind: 'poll' }>) {
		const { world, event } = this;
		const shown = new Map([...world.conversations.keys()].map((id) => [id, world.visible(id)]));
		const before = JSON.stringify(this.stored);
		let request = 0;
		let items: IDataObject[];
		try {
			items = await world.poll(event, this.stored, () => {
				for (const each of meanwhile[request] ?? []) this.happen(each);
				return request++ === refused ? 403 : 200;
			});
		} catch (error) {
			expect({ refused, error }).not.toMatchObject({ refused: undefined });
			expect(JSON.stringify(this.stored)).toBe(before);
			return;
		}
		const expected: string[] = [];
		for (const id of world.conversations.keys()) {
			// One that moves to the front while later pages are read is seen by the next poll.
			const hasMoved = world.visible(id) !== shown.get(id);
			const version = world.read.get(id) ?? (hasMoved ? undefined : shown.get(id));
			const isNew = version?.isInside && !this.inside.has(id);
			if (isNew) expected.push(id);
			if (version?.isInside) this.inside.add(id);
			else if (version) this.inside.delete(id);
		}
		expect(items.map(({ id }) => id).sort()).toEqual(this.isActive ? expected.sort() : []);
		const times = items.map(({ updatedAt }) => Number(updatedAt));
		expect(times).toEqual([...times].sort((one, other) => one - other));
		// n8n saves when a poll starts an execution, and at the activation.
		if (items.length > 0 || !this.isActive) {
			this.saved = JSON.stringify(this.stored);
			this.savedInside = new Set(this.inside);
		}
		this.isActive = true;
	}
}

const quiet: Step = { kind: 'poll', meanwhile: [] };

it.each(['conversationEscalated', 'conversationEnded'])(
	'reports each conversation once when it is seen to reach the state, whatever happens, for %s',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(happening, { maxLength: 15 }),
				fc.array(step, { maxLength: 40 }),
				fc.integer({ min: -20 * day, max: 20 * day }),
				async (before, steps, skew) =>
					await new SearchLife(event, new SearchWorld(skew)).live(before, steps),
			),
			propertyRuns(60),
		);
	},
	60_000,
);

it('remembers the newest 10,000 and reports no older one when there are more', async () => {
	const world = new SearchWorld();
	const event = 'conversationEscalated';
	const stored: IDataObject = {};
	const reported = () => Object.values(savedIn<EventState>(stored).reported).flat();
	world.pass(-3 * day);
	for (let index = 1; index <= 12_000; index++) {
		world.change(`c${index}`, true);
		world.pass(20);
	}
	await world.poll(event, stored);
	expect(world.requests).toBeLessThan(415);
	expect(reported()).toHaveLength(10_000);
	expect(await world.poll(event, stored)).toEqual([]);
	for (let index = 1; index <= 100; index++) world.change(`new ${index}`, true);
	expect(await world.poll(event, stored)).toHaveLength(100);
	expect(reported()).toHaveLength(10_000);
	expect(reported()).not.toContain('c2050');
	world.change('c12000', true);
	world.change('c5', true);
	expect((await world.poll(event, stored)).map(({ id }) => id)).toEqual(['c5']);
	expect(JSON.stringify(stored).length).toBeLessThan(500_000);
});

it('finds all that ended hours after their last message when they ended together', async () => {
	const world = new SearchWorld();
	const event = 'conversationEnded';
	const stored: IDataObject = {};
	const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
	for (const id of ids) world.change(id, false);
	const lastMessage = world.now;
	await world.poll(event, stored);
	world.pass(6 * 3600);
	await world.poll(event, stored);
	expect(await world.poll(event, stored)).toEqual([]);
	expect(world.requests).toBe(1);
	world.pass(60);
	for (const id of ids) world.change(id, true, 0, lastMessage);
	expect((await world.poll(event, stored)).map(({ id }) => id).sort()).toEqual(ids.sort());
});

it('reads a search to its end when those come first that were active first', async () => {
	const world = new SearchWorld();
	world.isOldestFirst = true;
	const event = 'conversationEscalated';
	const stored: IDataObject = {};
	for (let index = 1; index <= 60; index++) {
		world.change(`c${index}`, true);
		world.pass(3600);
	}
	await world.poll(event, stored);
	world.change('new', true);
	expect((await world.poll(event, stored)).map(({ id }) => id)).toEqual(['new']);
});
