/** Records that change or move to another page while the pages are read. */
import type { IDataObject } from 'n8n-workflow';

import { savedIn } from './life';
import { World } from './world';

async function start(event: string, size: number) {
	const world = new World();
	world.create(size);
	world.pass(2);
	const stored: IDataObject = {};
	await world.poll(event, stored);
	/** Polls while something happens before the given request, from 1, is answered. */
	const poll = async (happenings: Record<number, () => void> = {}) => {
		let request = 0;
		const items = await world.poll(event, stored, () => {
			happenings[++request]?.();
			return 200;
		});
		return items.map(({ id }) => id);
	};
	return { world, stored, poll };
}

it('reports a contact that changed on a page that was already read, when the next poll reads it', async () => {
	const { world, poll } = await start('contactUpdated', 30);
	const changed = await poll({
		3: () => {
			world.edit(0);
			world.pass(1);
			world.edit(25);
		},
	});
	expect(changed).toEqual(['record-26']);
	expect(await poll()).toEqual(['record-1']);
	expect(await poll()).toEqual([]);
});

it('reports such a contact when the next pass misses it too', async () => {
	const { world, poll } = await start('contactUpdated', 30);
	await poll({
		3: () => {
			world.edit(10);
			world.pass(1);
			world.edit(25);
		},
	});
	// The first record of the second page has moved to the end of the first, which was already read.
	expect(await poll({ 2: () => world.remove(0) })).toEqual([]);
	expect(await poll()).toEqual(['record-11']);
	expect(await poll()).toEqual([]);
});

it('reports no old contact when the list moves during the first poll', async () => {
	const world = new World({ order: 'lastUpdatedFirst' });
	world.create(30);
	const stored: IDataObject = {};
	await world.poll('contactCreatedOrUpdated', stored, () => {
		world.remove(0);
		return 200;
	});
	expect(await world.poll('contactCreatedOrUpdated', stored)).toEqual([]);
});

it('reports no old lead when the second pass of the first poll misses one', async () => {
	const world = new World();
	world.create(20);
	const stored: IDataObject = {};
	let request = 0;
	await world.poll('leadCreated', stored, () => {
		// Requests 1 to 3 are the first pass: two pages of ten, and an empty one.
		if (++request === 5) world.remove(0);
		return 200;
	});
	expect(await world.poll('leadCreated', stored)).toEqual([]);
});

it('reports a record and keeps its watermark when the time of the record is far ahead', async () => {
	const { world, stored, poll } = await start('contactCreated', 3);
	world.create();
	world.records.at(-1)!.created += 10 * 365 * 24 * 3600;
	expect(await poll()).toEqual(['record-4']);
	expect(await poll()).toEqual([]);
	world.pass(60);
	world.create();
	expect(await poll()).toEqual(['record-5']);
	expect(await poll()).toEqual([]);
	expect(savedIn(stored)).toMatchObject({ watermark: world.now * 1000 });
});

it('reports nothing twice when a poll starts while the last one still reads', async () => {
	const { world, stored, poll } = await start('contactCreated', 30);
	world.create();
	const [first, second] = await Promise.all([
		world.poll('contactCreated', stored),
		world.poll('contactCreated', stored),
	]);
	expect(first.map(({ id }) => id)).toEqual(['record-31']);
	expect(second).toEqual([]);
	expect(await poll()).toEqual([]);
});
