import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime } from '../fastTime';
import { goOn, outcomes, useWorld } from './world';

const world = useWorld('create');

const text = { name: '={{ $json.name }}', content: '={{ $json.content }}' };
const body = () => world.testbed.service.requests.find(({ method }) => method === 'POST')?.body;
const names = () => world.sources.map(({ name }) => name);

it.each<[INodeParameters, IDataObject]>([
	[
		{ name: ' Returns ', content: ' Within 30 days.\n' },
		{ type: 'text', name: 'Returns', content: ' Within 30 days.\n' },
	],
	[
		{ sourceType: 'qna', name: 'Returns', questions: 'How?\nWhen?\n', answer: 'By mail' },
		{ type: 'qna', name: 'Returns', questions: ['How?', 'When?'], answer: 'By mail' },
	],
	[
		{ sourceType: 'link', url: ' https://example.com/docs ' },
		{ type: 'link', url: 'https://example.com/docs', linkType: 'individual' },
	],
	[
		{
			sourceType: 'link',
			url: 'https://example.com',
			linkType: 'crawl',
			options: { includeOnlyPaths: '/docs/.*', excludePaths: '/a\n/b', slowScraping: true },
		},
		{
			type: 'link',
			url: 'https://example.com',
			linkType: 'crawl',
			includeOnlyPaths: ['/docs/.*'],
			excludePaths: ['/a', '/b'],
			slowScraping: true,
		},
	],
])('sends what the panel holds: %j', async (parameters, expected) => {
	const { items } = await world.succeed(parameters);
	expect(world.steps).toEqual(['POST sources']);
	expect(body()).toEqual(expected);
	expect(world.testbed.illegal).toEqual([]);
	expect(items).toMatchObject([
		{ json: { type: expected.type, status: 'untrained' }, pairedItem: { item: 0 } },
	]);
});

describe('limits', () => {
	const long = (length: number) => 'x'.repeat(length);
	const qna = { sourceType: 'qna', name: 'A', questions: 'Why?', answer: 'So' };
	const link = { sourceType: 'link' };

	it.each<[INodeParameters, string]>([
		[{ name: '', content: 'x' }, 'Name is not a text of 1 to 100 characters'],
		[{ name: long(101), content: 'x' }, 'Name is not a text of 1 to 100 characters'],
		[{ name: 'A', content: ' ' }, 'Content is not a text of 1 to 1,048,576 characters'],
		[
			{ name: 'A', content: '={{ "x".repeat(1048577) }}' },
			'Content is not a text of 1 to 1,048,576 characters',
		],
		[{ ...qna, name: ' ' }, 'Name is not filled in'],
		[{ ...qna, questions: '' }, 'Questions is not a list of 1 to 50 questions'],
		[{ ...qna, questions: '={{ [] }}' }, 'Questions is not a list of 1 to 50 questions'],
		[
			{ ...qna, questions: '={{ "a\\n".repeat(51) }}' },
			'Questions is not a list of 1 to 50 questions',
		],
		[{ ...qna, answer: '' }, 'Answer is not filled in'],
		[{ ...qna, answer: '={{ "x".repeat(4718592) }}' }, 'The source is too large'],
		[link, 'URL is not a web address such as https://example.com/docs'],
		[{ ...link, url: 'example.com' }, 'URL is not a web address such as https://example.com/docs'],
		[{ ...link, url: 'ftp://a.b' }, 'URL is not a web address such as https://example.com/docs'],
		[{ sourceType: 'notionPage' }, 'Source Type is not text, qna, file or link'],
		[
			{ name: 'A', content: 'x', options: { waitForTraining: 0 } },
			'Wait for Training is not a whole number, 1 or more',
		],
	])('are checked before a request: %j', async (parameters, title) => {
		const { error } = await world.run(parameters);
		expect(error?.message).toBe(title);
		expect(world.steps).toEqual([]);
	});

	it('are as large as the service allows', async () => {
		await world.succeed({
			name: long(100),
			content: '={{ "x".repeat(1048576) }}',
		});
		expect(world.sources[0].size).toBe(1_048_576);
	});
});

it.each([
	[{ storageLimit: 3 }, 'The sources are larger than the plan allows'],
	[{ sourceNames: 'asSent' as const }, 'The chatbot has a source with this URL'],
])('says in words what the service refuses: %j', async (behaviour, title) => {
	world.switchTo(behaviour);
	const url = 'https://example.com';
	world.add({ type: 'link', name: url, metadata: { type: 'individual' } });
	const isLink = title.includes('URL');
	const { error } = await world.run(
		isLink ? { sourceType: 'link', url } : { name: 'A', content: 'Long' },
	);
	expect(error?.message).toBe(title);
	expect(error?.description).toContain('The service says');
});

describe('an unknown outcome', () => {
	const twins = [
		{ name: 'A', content: 'one' },
		{ name: 'A', content: 'two' },
	];
	let real: () => void;

	beforeEach(() => (real = skippedTime(world.testbed.service)));
	afterEach(() => real());

	const faults = [
		{ kind: 'resetAfter' },
		{ kind: 'resetMidBody' },
		{ kind: 'cutJson' },
		{ kind: 'stall', handled: true },
	] as const;
	const strikes = faults.flatMap((fault) => [1, 2].map((nth) => [fault, nth] as const));

	it.each(strikes)(
		'is looked up, and nothing is sent twice: %j, request %d',
		async (fault, nth) => {
			// A source of this name that was there before is another one.
			world.testbed.service.store.clock.set(Date.now() - 60_000);
			const former = world.add({ name: 'A' });
			world.testbed.service.store.clock.release();
			world.testbed.service.faults.add({ when: { method: 'POST', nth }, fault });
			const { items } = await world.succeed(text, twins);
			expect(world.writes).toEqual(['POST sources', 'POST sources']);
			const ids = world.sources.map(({ id }) => id);
			expect([former.id, ...items.map(({ json }) => json.id)]).toEqual(ids);
		},
	);

	it('is not taken for a new source whose name only contains this one', async () => {
		world.add({ name: 'A longer name', createdAt: '2999-01-01T00:00:00.000Z' });
		world.testbed.service.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'status', status: 500 },
		});
		const { error } = await world.run(text, [{ name: 'A', content: 'x' }]);
		expect(error?.description).toContain('The source "A" may exist.');
	});

	it('that stays unknown fails, says so, and is not sent again', async () => {
		world.add({ name: 'A', createdAt: '2026-01-01T00:00:00.000Z' });
		world.testbed.service.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'status', status: 500 },
		});
		const { error } = await world.run(text, [{ name: 'A', content: 'x' }]);
		expect(error?.message).toBe("The service can't respond at the moment");
		expect(error?.description).toContain('The source "A" may exist.');
		expect(world.writes).toEqual(['POST sources']);
		expect(names()).toEqual(['A']);
	});

	it('of an unknown chatbot is an unknown chatbot', async () => {
		world.switchTo({ agentId: 'own', unknownAgent: 'emptyLists' });
		const { error } = await world.run(text, [{ name: 'A', content: 'x' }]);
		expect(error?.message).toBe('Chatbot not found');
		expect(error?.description).not.toContain('may exist');
		expect(world.steps).toEqual(['POST sources', 'GET bot']);
	});

	it('is found when the clocks of n8n and the service differ', async () => {
		const { clock } = world.testbed.service.store;
		clock.set(Date.now() - 3_600_000);
		world.add({ name: 'A' });
		clock.advance(5000);
		world.testbed.service.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetAfter' } });
		const { items } = await world.succeed(text, [{ name: 'A', content: 'x' }]);
		clock.release();
		expect(items[0].json.id).toBe(world.sources[1].id);
	});
});

describe('Wait for Training', () => {
	const three = ['A', 'B', 'C'].map((name) => ({ name, content: name }));
	const waiting = { ...text, options: { waitForTraining: 60 } };
	let real: () => void;

	beforeEach(() => (real = skippedTime(world.testbed.service)));
	afterEach(() => real());

	it('reads the list once a look, for all items', async () => {
		world.switchTo({ trainingPolls: 3 });
		const { items } = await world.succeed(waiting, three);
		expect(outcomes(items)).toEqual(['trained', 'trained', 'trained']);
		expect(world.steps).toEqual([
			...Array<string>(3).fill('POST sources'),
			...Array<string>(4).fill('GET sources'),
		]);
	});

	it('waits for nothing without the option', async () => {
		const { items } = await world.run(text, three);
		expect(outcomes(items)).toEqual(['untrained', 'untrained', 'untrained']);
		expect(world.steps).toHaveLength(3);
	});

	it('fails a source whose training fails', async () => {
		world.switchTo({ training: 'fails' });
		const { items } = await world.run(waiting, three, goOn);
		expect(outcomes(items)).toEqual(Array<string>(3).fill('The training of the source failed'));
		const { error } = await world.run(waiting, three);
		expect(error?.message).toBe('The training of the source failed');
	});

	it('ends when its time is over, with a hint', async () => {
		world.switchTo({ training: 'never' });
		const { items, hints } = await world.succeed(waiting, three);
		expect(outcomes(items)).toEqual(['untrained', 'untrained', 'untrained']);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('time of Wait for Training') },
		]);
		// Pauses of 1, 2, 4, 8 and 10 seconds.
		expect(world.steps.filter((step) => step === 'GET sources')).toHaveLength(9);
	});

	it('waits for the pages of a crawl', async () => {
		world.switchTo({ crawlPolls: 4 });
		const link = { sourceType: 'link', url: 'https://example.com', linkType: 'crawl' };
		const { items } = await world.run({ ...link, options: { waitForTraining: 60 } });
		expect(items[0].json).toMatchObject({
			status: 'trained',
			metadata: { crawlStatus: 'fetched', children: { included: 3 } },
		});
	});

	it('says that the sources are written when it cannot look', async () => {
		world.testbed.service.faults.add({
			when: { method: 'GET' },
			fault: { kind: 'status', status: 403 },
		});
		const { error } = await world.run(waiting, three);
		expect(error?.description).toMatch(/^The source was written\./);
		expect(world.sources).toHaveLength(3);
	});

	it('names what was written when another item ends the run', async () => {
		world.testbed.service.faults.add({
			when: { method: 'POST', nth: 3 },
			fault: { kind: 'status', status: 403 },
		});
		const options = { waitForTraining: 60, maxConcurrency: 1 };
		const { error } = await world.run({ ...text, options }, three);
		expect(error?.description).toContain('Done before the run stopped: A, B.');
		expect(world.steps).toHaveLength(3);
	});
});
