/** Invalid data for the trigger: it continues and says so. */
import type { IDataObject } from 'n8n-workflow';

import { type EventState, saveState } from '../../../nodes/ChatbaseTrigger/state';
import { savedIn } from './life';
import { type Habits, World } from './world';

function start(habits: Partial<Habits> = {}, event = 'contactCreated') {
	const world = new World(habits);
	const stored: IDataObject = {};
	const poll = async () => {
		const items = await world.poll(event, stored);
		return items.map(({ id }) => id);
	};
	return { world, stored, poll };
}

it.each([-3, 5])(
	'saves no more from poll to poll when the total is wrong by %j',
	async (miscount) => {
		const { world, stored, poll } = start({ miscount });
		world.create(30);
		await poll();
		const sizes: number[] = [];
		const reported: unknown[] = [];
		for (let polls = 0; polls < 60; polls++) {
			world.pass(1);
			world.create();
			reported.push(...(await poll()));
			sizes.push(JSON.stringify(stored).length);
		}
		expect(reported).toEqual(Array.from({ length: 60 }, (_, index) => `record-${index + 31}`));
		expect(Math.max(...sizes.slice(30))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 30)) + 10);
	},
);

it.each(['seconds', 'milliseconds', 'digits', 'longDigits', 'text'] as const)(
	'reports a new record when times are written in %s',
	async (unit) => {
		for (const event of ['contactCreated', 'conversationStarted', 'leadCreated']) {
			const { world, poll } = start({ unit }, event);
			world.create(3);
			await poll();
			world.pass(1);
			world.create();
			expect(await poll()).toEqual(['record-4']);
		}
	},
);

it('warns once for each count when some records have no time', async () => {
	const { world, poll } = start({ undatedEvery: 3 });
	world.create(5);
	await poll();
	world.pass(1);
	world.create();
	expect(await poll()).toEqual([]);
	await poll();
	expect(world.warnings).toEqual([
		expect.stringContaining('1 of 5 contacts have no readable date, for example'),
		expect.stringContaining('2 of 6 contacts have no readable date, for example'),
	]);
});

it('fails and keeps its state when no record has a time', async () => {
	const { world, stored, poll } = start();
	world.create(2);
	await poll();
	const before = JSON.stringify(stored);
	for (const record of world.records) record.isUndated = true;
	await expect(poll()).rejects.toThrow('No contacts have a readable date');
	expect(JSON.stringify(stored)).toBe(before);
	for (const record of world.records) delete record.isUndated;
	world.pass(1);
	world.create();
	expect(await poll()).toEqual(['record-3']);
});

const mayMiss = 'The trigger starts over. Changes since the last poll may be missing.';
const state = { watermark: 1_899_999_999_000, newest: 1_899_999_999_000, reported: {} };

it.each<[string, unknown]>([
	['text', 'rubbish'],
	['cut off', JSON.stringify({ version: 2, state }).slice(0, -9)],
	['null', null],
	['a number', 7],
	['without a state', JSON.stringify({ version: 9 })],
	['years ahead', JSON.stringify({ version: 2, state: { ...state, watermark: 4e12 } })],
	['of an earlier version', { version: 1, ...state }],
	['of a later version', JSON.stringify({ version: 3, state })],
])('starts over and says so in the log when the saved state is %s', async (_, saved) => {
	const { world, stored, poll } = start();
	world.create(2);
	await poll();
	stored.state = { 'contactCreated bot': saved as string };
	expect(await poll()).toEqual([]);
	expect(world.warnings).toEqual([expect.stringContaining(mayMiss)]);
	world.pass(1);
	world.create();
	expect(await poll()).toEqual(['record-3']);
	expect(world.warnings).toHaveLength(1);
});

it('warns and continues when all saved states are damaged', async () => {
	const { world, stored, poll } = start();
	world.create(2);
	stored.state = 'rubbish';
	expect(await poll()).toEqual([]);
	expect(world.warnings).toEqual([expect.stringContaining(mayMiss)]);
});

it('moves its watermark when the newest time that it saved is years ahead', async () => {
	const { world, stored, poll } = start();
	world.create(2);
	await poll();
	const state = { ...savedIn<EventState>(stored), newest: 4e12 };
	saveState(stored, 'contactCreated bot', state);
	for (const name of ['record-3', 'record-4', 'record-5']) {
		world.pass(1);
		world.create();
		expect(await poll()).toEqual([name]);
	}
});

it.each(['contactCreated', 'leadCreated'])(
	'ends a pass when the service repeats a page, for %s',
	async (event) => {
		const { world, stored } = start({ ignoresPage: true }, event);
		world.create(1000);
		let requests = 0;
		await world.poll(event, stored, () => {
			requests++;
			return 200;
		});
		expect(requests).toBeLessThan(40);
	},
);

it('holds its watermark for two incomplete passes when a page is missing', async () => {
	const { world, stored, poll } = start();
	const watermark = () => savedIn<EventState>(stored).watermark;
	world.create(15);
	await poll();
	const before = watermark();
	const incomplete = async () => {
		let requests = 0;
		const items = await world.poll('contactCreated', stored, () => (requests++ === 1 ? 400 : 200));
		return items.map(({ id }) => id);
	};
	world.pass(1);
	world.create(5);
	world.pass(1);
	// Only these changes are on the page that can be read.
	world.records.unshift(...world.records.splice(-5));
	world.create(2);
	expect(await incomplete()).toHaveLength(5);
	expect(await incomplete()).toEqual([]);
	expect(watermark()).toBe(before);
	expect(await poll()).toEqual(['record-21', 'record-22']);
	await poll();
	expect(watermark()).toBe(world.now * 1000);
});

describe('the header Date', () => {
	const days = 24 * 3600;

	/** The list of leads ends with status 400: there is no second page. */
	const pollLeads = async (world: World, stored: IDataObject, since?: number) => {
		let requests = 0;
		const status = () => (requests++ % 2 === 1 ? 400 : 200);
		const items = await world.poll('leadCreated', stored, status, since);
		return items.map(({ id }) => id);
	};

	it.each<[string, (world: World) => World['dateOf']]>([
		['only errors are', (world) => (status) => (status === 200 ? undefined : world.now - 3 * days)],
		['every response is', (world) => () => world.now - 3 * days],
	])('loses no change when %s dated days behind', async (_, dateOf) => {
		const { world, stored, poll } = start({}, 'leadCreated');
		world.create(2);
		await poll();
		world.pass(1);
		world.create();
		world.dateOf = dateOf(world);
		expect(await pollLeads(world, stored)).toEqual(['record-3']);
		expect(world.warnings).toEqual([]);
	});

	it('refuses no Report Changes Since when an error is dated before it', async () => {
		const { world, stored } = start({}, 'leadCreated');
		world.create(2);
		world.dateOf = (status) => (status === 200 ? world.now : world.now - 3 * days);
		expect(await pollLeads(world, stored, world.now - 60)).toEqual(['record-1', 'record-2']);
	});
});

it('reads for about ten seconds when Test data is asked for and the list is long', async () => {
	const { world } = start();
	world.create(3000);
	let requests = 0;
	world.mode = 'manual';
	const items = await world.poll('contactCreated', {}, () => {
		requests++;
		return 200;
	});
	expect(items).toHaveLength(5);
	// A request takes 100 milliseconds here.
	expect(requests).toBeGreaterThan(95);
	expect(requests).toBeLessThan(115);
});

it('says how many it has read when Test data ends before it finds a match', async () => {
	const { world } = start();
	world.create(3000);
	world.pass(2);
	world.edit(2999);
	world.mode = 'manual';
	await expect(world.poll('contactUpdated', {})).rejects.toMatchObject({
		title: 'No records match yet',
		sentences: [
			expect.stringMatching(
				/^None of the (9|1,0)\d0 contacts that were read in 10 seconds match the event and the filters\./,
			),
		],
	});
});

it('loses no change of now when Report Changes Since is half a minute ahead', async () => {
	const { world, stored } = start();
	const since = world.now + 30;
	await world.poll('contactCreated', stored, undefined, since);
	world.pass(1);
	world.create();
	const items = await world.poll('contactCreated', stored, undefined, since);
	expect(items.map(({ id }) => id)).toEqual(['record-1']);
});

it('forgets a reported record when it is removed after an incomplete pass', async () => {
	const { world, stored, poll } = start({ miscount: 1 });
	world.create();
	await poll();
	world.pass(1);
	world.create();
	expect(await poll()).toEqual(['record-2']);
	world.records.pop();
	for (let polls = 0; polls < 6; polls++) await poll();
	const { watermark, reported } = savedIn<EventState>(stored);
	expect({ watermark, times: Object.keys(reported) }).toEqual({
		watermark: world.now * 1000,
		times: [String(watermark)],
	});
});
