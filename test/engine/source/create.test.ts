import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime } from '../fastTime';
import { goOn, outcomes, useWorld } from './world';

const world = useWorld('create');

const text = { name: '={{ $json.name }}', content: '={{ $json.content }}' };
const body = () => world.testbed.service.requests.find(({ method }) => method === 'POST')?.body;

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
			'Seconds to Wait for Training is not a whole number, 1 or more',
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
		// With the names of its fields, almost 4.5 MB.
		await world.succeed({ ...qna, answer: '={{ "x".repeat(4718500) }}' });
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

describe('a link that the chatbot has, with If Exists set to Skip', () => {
	const url = 'https://example.com';
	const link = { sourceType: 'link', url, options: { onExists: 'skip' } };
	const add = (type: 'crawl' | 'individual') =>
		world.add({ type: 'link', name: url, metadata: { type } });

	it('is returned as it is, and the item succeeds', async () => {
		add('crawl');
		const { id } = add('individual');
		world.add({ type: 'link', name: `${url}/docs`, metadata: { type: 'individual' } });
		const { items } = await world.succeed(link);
		expect(items).toMatchObject([{ json: { id, name: url, status: 'trained' } }]);
		expect(world.steps).toEqual(['POST sources', 'GET sources']);
		expect(world.testbed.illegal).toEqual([]);
	});

	it('is not one that is about to be deleted', async () => {
		Object.assign(add('individual'), { status: 'toBeDeleted' });
		const { id } = add('individual');
		const { items } = await world.succeed(link);
		expect(items).toMatchObject([{ json: { id } }]);
	});

	it('is created if there is none', async () => {
		const { items } = await world.succeed(link);
		expect(items).toMatchObject([{ json: { name: url, status: 'untrained' } }]);
		expect(world.steps).toEqual(['POST sources']);
	});

	it.each([
		['SOURCE_PENDING_DELETION', 'The source is about to be deleted'],
		['SOURCE_ALREADY_PENDING_DELETION', 'The request conflicts with what the chatbot has'],
		['SOURCE_IS_TRAINING', 'The source is still in training'],
		['SOURCE_LIMIT', 'The request conflicts with what the chatbot has'],
		['no code', 'The request conflicts with what the chatbot has'],
	])('fails if a 409 does not say that the link exists, but %s', async (code, title) => {
		add('individual');
		const body = { error: { ...(code !== 'no code' && { code }), message: 'Refused' } };
		const fault = { kind: 'status', status: 409, body } as const;
		world.testbed.service.faults.add({ when: { method: 'POST' }, fault });
		const { error } = await world.run(link);
		expect(error?.message).toBe(title);
		expect(error?.description).toContain('The service says: "Refused".');
		expect(world.steps).toEqual(['POST sources']);
	});

	it.each<[Array<'individual'>, string]>([
		[[], 'No listed source has this URL and link type.'],
		[['individual', 'individual'], '2 listed sources have this URL and link type.'],
	])('fails if the list shows %j', async (types, words) => {
		const refusal = { error: { code: 'SOURCE_DUPLICATE', message: 'It exists', details: null } };
		const fault = { kind: 'status', status: 409, body: refusal } as const;
		world.testbed.service.faults.add({ when: { method: 'POST' }, fault });
		world.add({ name: 'Other' });
		types.forEach(add);
		const { error } = await world.run(link);
		expect(error?.message).toBe('The chatbot has a source with this URL');
		expect(error?.description).toContain(words);
	});
});

describe('an unknown outcome', () => {
	const twins = [
		{ name: 'A', content: 'one' },
		{ name: 'A', content: 'two' },
	];
	let real: () => void;

	beforeEach(() => (real = skippedTime(world.testbed.service)));
	afterEach(() => real());

	it.each([
		{ kind: 'resetAfter' },
		{ kind: 'resetBefore' },
		{ kind: 'resetMidBody' },
		{ kind: 'cutJson' },
		{ kind: 'stall', handled: true },
		{ kind: 'status', status: 500 },
		{ kind: 'status', status: 500, handled: true },
	] as const)(
		'fails with the words that it may exist, and is not sent again: %j',
		async (fault) => {
			world.testbed.service.faults.add({ when: { method: 'POST', times: 1 }, fault });
			const { items } = await world.run(text, twins, goOn);
			expect(items[0].json.error).toContain(
				'The source "A" may exist. Create or Update and Mirror find it by its name.',
			);
			expect(items[1].json).toMatchObject({ name: 'A', status: 'untrained' });
			expect(world.writes).toEqual(['POST sources', 'POST sources']);
		},
	);

	it('of a link names its address', async () => {
		const when = { method: 'POST' } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		const { error } = await world.run({ sourceType: 'link', url: 'https://example.com/docs' });
		expect(error?.description).toContain(
			'The source "https://example.com/docs" may exist. To get it, run again with If Exists set to Skip.',
		);
		expect(world.writes).toEqual(['POST sources']);
	});
});

describe('Seconds to Wait for Training', () => {
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

	it('waits for nothing without the option, and a hint says what to do', async () => {
		const { items, hints } = await world.run(text, three);
		expect(outcomes(items)).toEqual(['untrained', 'untrained', 'untrained']);
		expect(world.steps).toHaveLength(3);
		expect(hints).toEqual([
			{
				type: 'info',
				location: 'outputPane',
				message:
					'3 sources are still in training, which takes a moment. Then their status is "trained". To wait for that, add Seconds to Wait for Training under Options.',
			},
		]);
	});

	it.each([
		['untrained', 1],
		['updated', 1],
		['trained', 0],
		['failed', 0],
	] as const)('has a hint if an existing source is in training: %s', async (status, count) => {
		const url = 'https://example.com';
		const link = { sourceType: 'link', url, options: { onExists: 'skip' } };
		world.add({ type: 'link', name: url, metadata: { type: 'individual' }, status });
		const { hints } = await world.succeed(link);
		expect(hints).toHaveLength(count);
	});

	it('has one hint for all of Create or Update, not in a second run after the training', async () => {
		const upsert = { ...text, operation: 'upsert' };
		const first = await world.succeed(upsert, three);
		expect(first.hints.map(({ message }) => message)).toEqual([
			'3 sources created. 5 API requests.',
			expect.stringMatching(/^3 sources are still in training/),
		]);
		world.sources.forEach((source) => (source.status = 'trained'));
		const second = await world.succeed(upsert, three);
		expect(second.hints.map(({ message }) => message)).toEqual([
			'3 sources unchanged. 1 API request.',
		]);
	});

	it('fails a source whose training fails', async () => {
		world.switchTo({ training: 'fails' });
		const { items } = await world.run(waiting, three, goOn);
		expect(outcomes(items)).toEqual(Array<string>(3).fill('The training of the source failed'));
		const { error } = await world.run(waiting, three);
		expect(error?.message).toBe('The training of the source failed');
	});

	it('names what was written when its training fails, or cannot be read', async () => {
		world.switchTo({ training: 'fails' });
		const failed = await world.run(waiting, three);
		expect(failed.error?.description).toContain('Done: items 0 to 2.');

		world.switchTo({ training: 'never' });
		const fault = { kind: 'status', status: 403 } as const;
		world.testbed.service.faults.add({ when: { method: 'GET' }, fault });
		const unread = await world.run(waiting, three);
		expect(unread.error).toMatchObject({ httpCode: '403' });
		expect(unread.error?.description).toContain('Done: items 0 to 2.');
	});

	it('ends when its time is over, with a hint', async () => {
		world.switchTo({ training: 'never' });
		const { items, hints } = await world.succeed(waiting, three);
		expect(outcomes(items)).toEqual(['untrained', 'untrained', 'untrained']);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('time of Seconds to Wait for Training') },
		]);
		// Pauses of 1, 2, 4, 8 and 10 seconds.
		expect(world.steps.filter((step) => step === 'GET sources')).toHaveLength(9);
	});

	it('fails when the crawl fails', async () => {
		const stop = world.testbed.service.onRequest(({ method }) => {
			const [source] = world.sources;
			if (method === 'GET') Object.assign(source.metadata ?? {}, { crawlStatus: 'failed' });
		});
		const { error } = await world.run({
			...{ sourceType: 'link', url: 'https://example.com', linkType: 'crawl' },
			options: { waitForTraining: 60 },
		});
		stop();
		expect(error?.message).toBe('The training of the source failed');
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
		expect(error?.description).toContain('Done: items 0, 1.');
		expect(world.steps).toHaveLength(3);
	});
});
