import type { IDataObject } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { skippedTime } from '../fastTime';
import { byId, succeeded } from '../testbed';
import { goOn, itemWithFile, outcomes, useWorld } from './world';

const world = useWorld('upsert');

const columns = {
	sourceType: '={{ $json.type }}',
	name: '={{ $json.name }}',
	content: '={{ $json.content }}',
	questions: '={{ $json.questions }}',
	answer: '={{ $json.answer }}',
};
const docs = [
	{ type: 'text', name: 'A', content: 'one' },
	{ type: 'text', name: 'B', content: 'two' },
	{ type: 'qna', name: 'A', questions: ['Why?'], answer: 'So' },
];
const accented = { type: 'text', name: 'Cafe\u0301 ñ', content: 'three' };
const run = async (input: IDataObject[] = docs, options: IDataObject = {}, more = {}) =>
	await world.run({ ...columns, options } as never, input, more);

describe('a second run with the same input', () => {
	it.each<Partial<BehaviourV2>>([
		{},
		{ sourceNames: 'trimmed' },
		{ sourceUpdate: 'refusedInTraining' },
		{ training: 'never' },
		{ trainingPolls: 3 },
		{ sourceNames: 'NFC' },
		{ sourceNames: 'NFD' },
		{ total: 'absent' },
	])('sends one list and nothing else when the service has %j', async (behaviour) => {
		world.switchTo(behaviour);
		world.add({ name: ' A ' });
		const first = await run();
		expect(first.error).toBeUndefined();
		expect(outcomes(first.items)).toEqual(['updated', 'created', 'created']);
		for (let night = 2; night < 5; night++) {
			const { items } = await run();
			expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
			expect(world.steps).toEqual(['GET sources']);
		}
		await run([accented]);
		expect(outcomes((await run([accented])).items)).toEqual(['unchanged']);
		expect(world.sources).toHaveLength(4);
		expect(world.testbed.illegal).toEqual([]);
	});

	it.each(['text', 'file'])('finds a %s whose name has line breaks', async (type) => {
		const name = 'Returns\nand\r\nrefunds';
		const input = [itemWithFile('any.txt', 'one', { type, name, content: 'one' })];
		const nights = [];
		for (let night = 1; night <= 2; night++) {
			const { items } = await world.run({ ...columns, binaryPropertyName: 'data' }, input);
			nights.push(...outcomes(items));
		}
		expect(nights).toEqual(['created', 'unchanged']);
		expect(world.sources).toHaveLength(1);
	});

	it('sends one request for what changed', async () => {
		await run();
		const { items } = await run([docs[0], { ...docs[1], content: 'new' }, docs[2]]);
		expect(outcomes(items)).toEqual(['unchanged', 'updated', 'unchanged']);
		expect(world.steps).toEqual(['GET sources', `PUT ${world.source('B').id}`]);
		expect(world.source('B').taught).toEqual({ type: 'text', name: 'B', content: 'new' });
	});

	it('says that an update is done, and an unchanged source is not, when a later one fails', async () => {
		await run();
		const when = { method: 'PUT', nth: 2 } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'status', status: 400 } });
		const changed = [docs[0], { ...docs[1], content: 'new' }, { ...docs[2], answer: 'New' }];
		const { error } = await run(changed, { maxConcurrency: 1 });
		expect(error?.description).toMatch(/ Done: item 1\.$/);
	});

	it('sends everything with Always Send', async () => {
		await run();
		const { items } = await run(docs, { alwaysSend: true });
		expect(outcomes(items)).toEqual(['updated', 'updated', 'updated']);
	});
});

describe('a source is written again when it was', () => {
	it.each<[string, () => void, string]>([
		['deleted there', () => Object.assign(world.source('B'), { isGone: true }), 'created'],
		[
			'deleted later there',
			() => Object.assign(world.source('B'), { status: 'toBeDeleted' }),
			'created',
		],
		[
			'deleted and made anew there',
			() => {
				Object.assign(world.source('B'), { isGone: true });
				world.add({ name: 'B', size: 3 });
			},
			'updated',
		],
		['trained to failed', () => Object.assign(world.source('B'), { status: 'failed' }), 'updated'],
	])('%s', async (_, change, action) => {
		await run();
		change();
		const { items } = succeeded(await run());
		expect(outcomes(items)).toEqual(['unchanged', action, 'unchanged']);
		expect(world.writes).toHaveLength(1);
		await run();
		expect(world.steps).toEqual(['GET sources']);
	});

	it.each(['resetAfter', 'resetBefore'] as const)(
		'written without a clear outcome: %s',
		async (kind) => {
			await run();
			world.testbed.service.faults.add({ when: { method: 'PUT' }, fault: { kind } });
			const changed = [docs[0], { ...docs[1], content: 'xxx' }, docs[2]];
			const real = skippedTime(world.testbed.service);
			const { items } = await run(changed, {}, goOn);
			real();
			expect(outcomes(items)).toEqual(['unchanged', titleOf('broken'), 'unchanged']);
			world.testbed.service.faults.clear();
			// Back to the first content.
			const { items: again } = await run();
			expect(outcomes(again)).toEqual(['unchanged', 'updated', 'unchanged']);
			expect(world.source('B').taught).toMatchObject({ content: 'two' });
		},
	);
});

describe('the memory', () => {
	it('is kept when the run fails', async () => {
		world.testbed.service.faults.add({
			when: { method: 'POST', nth: 2 },
			fault: { kind: 'status', status: 403 },
		});
		const { error } = await run(docs, { maxConcurrency: 1 });
		expect(error).toMatchObject({ httpCode: '403' });
		world.testbed.service.faults.clear();
		const { items } = await run();
		expect(outcomes(items)).toEqual(['unchanged', 'created', 'created']);
	});

	it('is not touched by a dry run', async () => {
		await run();
		const before = new Map(world.processed.rows);
		const { items } = await run([{ ...docs[0], content: 'new' }, docs[1]], { dryRun: true });
		expect(outcomes(items)).toEqual(['wouldUpdate', 'unchanged']);
		expect(world.steps).toEqual(['GET sources']);
		expect(world.processed.rows).toEqual(before);
	});

	it('is one for each chatbot', async () => {
		world.testbed.service.store.addChatbot({ id: 'other' });
		const input = ['bot', 'other'].map((bot) => ({ ...docs[0], bot }));
		const parameters = { ...columns, chatbotId: byId('={{ $json.bot }}') };
		await world.run(parameters, input);
		const { items } = await world.run(parameters, input);
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged']);
		expect(world.steps).toEqual(['GET sources', 'GET sources']);
	});
});

describe('items of one name', () => {
	it('are one write when they are equal', async () => {
		const { items } = await run([docs[0], docs[0]]);
		expect(outcomes(items)).toEqual(['created', 'created']);
		expect(world.writes).toEqual(['POST sources']);
	});

	it('are all refused when they differ', async () => {
		const { items } = await run([docs[0], { ...docs[0], content: 'other' }, docs[1]], {}, goOn);
		expect(outcomes(items)).toEqual([
			'Several items want different values for one source',
			'Several items want different values for one source',
			'created',
		]);
		expect(items[0].json.error).toContain('Its items have different values for content.');
	});

	it('are refused when two sources have it, with both IDs', async () => {
		const ids = [world.add({ name: 'A' }).id, world.add({ name: 'A ' }).id];
		world.add({ name: 'A', status: 'toBeDeleted' });
		world.add({ name: 'A', type: 'file' });
		const { items } = await run(docs, {}, goOn);
		expect(outcomes(items)).toEqual(['Several sources have this name', 'created', 'created']);
		for (const id of ids) expect(items[0].json.error).toContain(id);
		expect(world.writes).toEqual(['POST sources', 'POST sources']);
	});
});

it('finds a source whose name in the list is a number, and passes over one without a text', async () => {
	const { id } = world.add({ name: '2026' });
	const data = [
		{ id, type: 'text', name: 2026 },
		{ id: 'b', type: 'text', name: { en: 'B' } },
	];
	const body = { data, pagination: { cursor: null, hasMore: false, total: 2 } };
	const when = { method: 'GET' } as const;
	world.testbed.service.faults.add({ when, fault: { kind: 'otherShape', body } });
	const { items } = await run([{ ...docs[0], name: '2026' }, docs[1]]);
	expect(outcomes(items)).toEqual(['updated', 'created']);
});

it('reads the list to its end before anything is written', async () => {
	for (let number = 0; number < 250; number++) world.add({ name: `Doc ${number}` });
	await run([{ type: 'text', name: 'Doc 7', content: 'x' }]);
	expect(world.steps).toEqual([...Array(3).fill('GET sources'), expect.stringMatching(/^PUT/)]);
	world.switchTo({ total: 'tooHigh' });
	const { error } = await run([{ type: 'text', name: 'Doc 8', content: 'x' }]);
	expect(error?.message).toBe('The sources could not be read completely');
	expect(world.writes).toEqual([]);
});

it('finds a source behind the first 100,000, which is as long as an output can be', async () => {
	const last = world.add({ name: 'A' });
	const others = Array.from({ length: 100_150 }, (_, id) => ({ id, name: `${id}`, type: 'text' }));
	const data = [...others, { id: last.id, name: 'A', type: 'text', status: 'trained' }];
	const body = { data, pagination: { hasMore: false, cursor: null, total: data.length } };
	world.testbed.service.faults.add({
		when: { method: 'GET' },
		fault: { kind: 'otherShape', body },
	});
	const { items } = await run([docs[0]]);
	expect(outcomes(items)).toEqual(['updated']);
	expect(world.writes).toEqual([`PUT ${last.id}`]);
});

it('writes nothing when version 2 does not know the chatbot', async () => {
	world.switchTo({ agentId: 'own', unknownAgent: 'emptyLists' });
	const { error } = await run();
	expect(error?.message).toBe(titleOf('404'));
	expect(world.steps).toEqual(['GET sources', 'GET bot']);
});

it.each([{ isGone: true }, { status: 'toBeDeleted' }])(
	'creates a source that is deleted during the run: %j',
	async (state) => {
		await run();
		const stop = world.testbed.service.onRequest(({ method }) => {
			if (method === 'PUT') Object.assign(world.source('B') ?? {}, state);
		});
		const { items } = await run([{ ...docs[1], content: 'new' }]);
		stop();
		expect(outcomes(items)).toEqual(['created']);
		const [last] = world.sources.filter(({ name }) => name === 'B').slice(-1);
		expect(last.taught).toMatchObject({ content: 'new' });
	},
);

it('fails a source whose answer was lost, and finds it by its name in the next run', async () => {
	const when = { method: 'POST', times: 1 } as const;
	world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
	const { items } = await run(docs, { maxConcurrency: 1 }, goOn);
	expect(outcomes(items)).toEqual([titleOf('broken'), 'created', 'created']);
	expect(items[0].json.error).toContain('The source "A" may exist.');
	expect(world.writes).toHaveLength(3);
	const { items: again } = succeeded(await run());
	expect(outcomes(again)).toEqual(['updated', 'unchanged', 'unchanged']);
	expect(world.sources).toHaveLength(3);
});

it('waits for the training of all sources with one list a look', async () => {
	const real = skippedTime(world.testbed.service);
	world.switchTo({ trainingPolls: 2 });
	const { items } = await run(docs, { waitForTraining: 60 });
	real();
	expect(items.map(({ json }) => json.status)).toEqual(['trained', 'trained', 'trained']);
	expect(world.steps.filter((step) => step === 'GET sources')).toHaveLength(4);
});

it('waits for the training while a website that is being crawled makes the list grow', async () => {
	const real = skippedTime(world.testbed.service);
	world.switchTo({ trainingPolls: 3 });
	for (let index = 0; index < 250; index++) world.add({ name: `Page ${index}`, type: 'link' });
	let isWritten = false;
	const stop = world.testbed.service.onRequest(({ method }) => {
		isWritten ||= method === 'POST';
		if (isWritten && method === 'GET') world.add({ name: 'One more page', type: 'link' });
	});
	const { items } = succeeded(await run(docs, { waitForTraining: 60 }));
	stop();
	real();
	expect(items.map(({ json }) => json.status)).toEqual(['trained', 'trained', 'trained']);
});

it('remembers no source whose training failed', async () => {
	const real = skippedTime(world.testbed.service);
	world.switchTo({ training: 'fails' });
	const { items } = await run(docs, { waitForTraining: 60 }, goOn);
	expect(outcomes(items)).toEqual(Array(3).fill('The training of the source failed'));
	world.switchTo({ training: 'succeeds' });
	// An earlier version stays in use, so a service may call the source trained.
	Object.assign(world.source('B'), { status: 'trained' });
	const { items: again } = await run(docs, { waitForTraining: 60 }, goOn);
	real();
	expect(outcomes(again)).toEqual(['updated', 'updated', 'updated']);
});

it('writes at most Max Concurrency at a time', async () => {
	const many = Array.from({ length: 30 }, (_, index) => ({
		type: 'text',
		name: `Doc ${index}`,
		content: 'x',
	}));
	let open = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	let arrived = 0;
	const stop = world.testbed.service.onRequest(async ({ method }) => {
		if (method !== 'POST') return;
		if (++arrived === 3) open();
		await opened;
	});
	await run(many, { maxConcurrency: 3 });
	stop();
	expect(world.testbed.service.maxInFlight).toBe(3);
});

it('returns a summary, and writes the rest before it fails', async () => {
	const input = [...docs, { type: 'text', name: 'C', content: '' }];
	const finish = { onFailedItems: 'finish', output: 'summary' };
	const { error } = await run(input, finish);
	expect(error?.message).toBe('1 of 4 sources failed');
	const { items } = await run(input, { output: 'summary' }, goOn);
	expect(items[0].json).toMatchObject({ items: 4, unchanged: 3, failed: 1, requests: 1 });
});
