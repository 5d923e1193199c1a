/** Escalated and ended conversations: whatever happens, a poll reports those that it sees reach the state. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { EventState } from '../../../nodes/ChatbaseTrigger/state';
import { propertyRuns } from '../../propertyRuns';
import { type SearchHappening, searchHistories, type SearchHistory, type Step } from './history';
import { savedIn } from './life';
import { World } from './world';

const day = 24 * 3600;

type SearchStep = Step<SearchHappening>;

/** Plays a history, and holds each poll against what the index has shown. */
class SearchLife {
	private stored: IDataObject = {};

	private saved = '{}';

	/** The conversations that the trigger knows to be in the state, now and as n8n has saved it. */
	private inside = new Set<string>();

	private savedInside = new Set<string>();

	private isActive = false;

	private bursts = 0;

	private readonly world: World;

	constructor(
		private readonly event: string,
		private readonly history: SearchHistory,
	) {
		this.world = new World({ skew: history.skew });
	}

	async live(): Promise<void> {
		const { before, steps } = this.history;
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

	private async take(each: SearchStep) {
		if (each.kind === 'restart') {
			this.stored = JSON.parse(this.saved) as IDataObject;
			this.inside = new Set(this.savedInside);
		} else if (each.kind === 'clock') this.world.jump(each.seconds);
		else if (each.kind === 'poll') await this.poll(each);
		else if (each.kind !== 'correct' && each.kind !== 'damage') this.happen(each);
	}

	private happen(each: SearchHappening) {
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
		this.world.converse(id, isInside || stays, delay, updated);
	}

	private async poll({ meanwhile, refused }: Extract<SearchStep, { kind: 'poll' }>) {
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

const quiet: SearchStep = { kind: 'poll', meanwhile: [] };

it.each(['conversationEscalated', 'conversationEnded'])(
	'reports each conversation once when it is seen to reach the state, whatever happens, for %s',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(searchHistories, async (given) => await new SearchLife(event, given).live()),
			propertyRuns(60),
		);
	},
	60_000,
);

it('remembers the newest 10,000 and reports no older one when there are more', async () => {
	const world = new World();
	const event = 'conversationEscalated';
	const stored: IDataObject = {};
	const reported = () => Object.values(savedIn<EventState>(stored).reported).flat();
	world.pass(-3 * day);
	for (let index = 1; index <= 12_000; index++) {
		world.converse(`c${index}`, true);
		world.pass(20);
	}
	await world.poll(event, stored);
	expect(world.requests).toBeLessThan(415);
	expect(reported()).toHaveLength(10_000);
	expect(await world.poll(event, stored)).toEqual([]);
	for (let index = 1; index <= 100; index++) world.converse(`new ${index}`, true);
	expect(await world.poll(event, stored)).toHaveLength(100);
	expect(reported()).toHaveLength(10_000);
	expect(reported()).not.toContain('c2050');
	world.converse('c12000', true);
	world.converse('c5', true);
	expect((await world.poll(event, stored)).map(({ id }) => id)).toEqual(['c5']);
	expect(JSON.stringify(stored).length).toBeLessThan(500_000);
});

it('finds all that ended hours after their last message when they ended together', async () => {
	const world = new World();
	const event = 'conversationEnded';
	const stored: IDataObject = {};
	const ids = Array.from({ length: 60 }, (_, index) => `c${index}`);
	for (const id of ids) world.converse(id, false);
	const lastMessage = world.now;
	await world.poll(event, stored);
	world.pass(6 * 3600);
	await world.poll(event, stored);
	expect(await world.poll(event, stored)).toEqual([]);
	expect(world.requests).toBe(1);
	world.pass(60);
	for (const id of ids) world.converse(id, true, 0, lastMessage);
	expect((await world.poll(event, stored)).map(({ id }) => id).sort()).toEqual(ids.sort());
});

it('reads a search to its end when those come first that were active first', async () => {
	const world = new World({ searchesOldestFirst: true });
	const event = 'conversationEscalated';
	const stored: IDataObject = {};
	for (let index = 1; index <= 60; index++) {
		world.converse(`c${index}`, true);
		world.pass(3600);
	}
	await world.poll(event, stored);
	world.converse('new', true);
	expect((await world.poll(event, stored)).map(({ id }) => id)).toEqual(['new']);
});
