/** What the trigger cannot make sense of: it goes on, and says so. */
import type { IDataObject } from 'n8n-workflow';

import type { Habits } from './world';
import { usualHabits, World } from './world';

const budget = 60_000;

function start(habits: Partial<Habits> = {}, event = 'contactCreated') {
	const world = new World({ ...usualHabits, ...habits });
	const stored: IDataObject = {};
	const poll = async () => {
		const items = await world.poll(event, stored, budget);
		return items.map(({ id }) => id);
	};
	return { world, stored, poll };
}

it.each([-3, 5])('grows with nothing where the total is wrong by %j', async (miscount) => {
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
});

it.each(['seconds', 'milliseconds', 'digits', 'longDigits', 'text'] as const)(
	'reads times written in %s',
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

it('says once that some records have no time', async () => {
	const { world, poll } = start({ undatedEvery: 3 });
	world.create(5);
	await poll();
	world.pass(1);
	world.create();
	expect(await poll()).toEqual([]);
	await poll();
	expect(world.warnings).toEqual([
		expect.stringContaining('1 of 5 contacts have no time that can be read, such as'),
		expect.stringContaining('2 of 6 contacts have no time that can be read, such as'),
	]);
});

it('fails where no record has a time, and goes on from where it was when they have', async () => {
	const { world, stored, poll } = start();
	world.create(2);
	await poll();
	const before = JSON.stringify(stored);
	for (const record of world.records) record.isUndated = true;
	await expect(poll()).rejects.toThrow('The service gives no time that can be read');
	expect(JSON.stringify(stored)).toBe(before);
	for (const record of world.records) delete record.isUndated;
	world.pass(1);
	world.create();
	expect(await poll()).toEqual(['record-3']);
});

it.each<[string, unknown, string]>([
	['text', 'rubbish', 'Changes since the last poll may be missing.'],
	['null', null, 'Changes since the last poll may be missing.'],
	[
		'a mark far ahead',
		{ version: 1, settled: 4e12, newest: 4e12, recent: {} },
		'Changes since the last poll may be missing.',
	],
	[
		'a part of it',
		{ version: 1, settled: 1_899_999_999_000 },
		'The last changes before may be reported again.',
	],
])('says that the memory is damaged: %s', async (_, damage, consequence) => {
	const { world, stored, poll } = start();
	world.create(2);
	await poll();
	const subject = 'contactCreated bot';
	stored.memory = (
		typeof damage === 'object' && damage !== null ? { ...damage, subject } : damage
	) as IDataObject;
	await poll();
	expect(world.warnings).toEqual([expect.stringContaining(consequence)]);
	world.pass(1);
	world.create();
	expect(await poll()).toEqual(['record-3']);
	expect(world.warnings).toHaveLength(1);
});

it('says that what n8n keeps is no memory at all', async () => {
	const { world } = start();
	for (const stored of ['text', null, [], 7]) {
		const poll = world.poll('contactCreated', stored as unknown as IDataObject, budget);
		await expect(poll).rejects.toThrow('What n8n remembers for this node is damaged');
	}
});

it.each(['contactCreated', 'leadCreated'])(
	'ends at a repeated page, however little one poll may read: %s',
	async (event) => {
		const { world, stored } = start({ ignoresPage: true }, event);
		world.create(1000);
		await world.poll(event, stored, 0);
		await world.poll(event, stored, 0);
		expect(stored.memory).not.toHaveProperty('round');
	},
);

describe('a response whose Date is days behind', () => {
	const days = 24 * 3600;

	it.each<[string, (world: World) => World['dateOf']]>([
		['only errors are', (world) => (status) => (status === 200 ? undefined : world.now - 3 * days)],
		['every response is', (world) => () => world.now - 3 * days],
	])('loses no change when %s', async (_, dateOf) => {
		const { world, stored, poll } = start({}, 'leadCreated');
		world.create(2);
		await poll();
		world.pass(1);
		world.create();
		world.dateOf = dateOf(world);
		// The list ends with status 400: there is no second page.
		let requests = 0;
		const items = await world.poll('leadCreated', stored, budget, () =>
			requests++ % 2 === 1 ? 400 : 200,
		);
		expect(items.map(({ id }) => id)).toEqual(['record-3']);
		expect(world.warnings).toEqual([]);
	});
});
