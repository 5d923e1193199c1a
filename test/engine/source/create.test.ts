import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { byId } from '../testbed';
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
		[{ name: '', content: 'x' }, 'Name is empty'],
		[{ name: long(101), content: 'x' }, 'Name is not a text of 1 to 100 characters'],
		[{ name: 'A', content: ' ' }, 'Content is empty'],
		[
			{ name: 'A', content: '={{ "x".repeat(1048577) }}' },
			'Content is not a text of 1 to 1,048,576 characters',
		],
		[{ ...qna, name: ' ' }, 'Name is empty'],
		[{ ...qna, questions: '' }, 'Questions is not a list of 1 to 50 questions'],
		[{ ...qna, questions: '={{ [] }}' }, 'Questions is not a list of 1 to 50 questions'],
		[
			{ ...qna, questions: '={{ "a\\n".repeat(51) }}' },
			'Questions is not a list of 1 to 50 questions',
		],
		[{ ...qna, answer: '' }, 'Answer is empty'],
		[link, 'URL is empty'],
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
		expect(world.sources[0].size).toBe(1_048_576);
	});
});

it.each([
	[{ storageLimit: 3 }, titleOf('422')],
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

	it('is told with its name, and the other items are written', async () => {
		const when = { method: 'POST', times: 1 } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		const { items } = await world.run(text, twins, goOn);
		expect(items[0].json.error).toContain(
			'The source "A" may exist. Create or Update and Mirror find it by its name.',
		);
		expect(items[1].json).toMatchObject({ name: 'A', status: 'untrained' });
		expect(world.writes).toEqual(['POST sources', 'POST sources']);
	});

	it('of a link names its address', async () => {
		const when = { method: 'POST' } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		const { error } = await world.run({ sourceType: 'link', url: 'https://example.com/docs' });
		expect(error?.description).toContain(
			'The source "https://example.com/docs" may exist. Check with Source: Get Many.',
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

	it('ends when its time is over, with a hint', async () => {
		world.switchTo({ training: 'never' });
		const { items, hints } = await world.succeed(waiting, three);
		expect(outcomes(items)).toEqual(['untrained', 'untrained', 'untrained']);
		expect(hints).toMatchObject([
			{ message: expect.stringContaining('Seconds to Wait for Training has passed') },
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

	it.each(['create', 'upsert', 'mirror', 'update'])(
		'says which sources are written when it cannot look: %s',
		async (operation) => {
			const ids = three.map(({ name }) => world.add({ name: `Other ${name}` }).id);
			const input = three.map((one, index) => ({ ...one, id: ids[index] }));
			const stop = world.testbed.service.onRequest(({ method }) => {
				if (method === 'GET') return;
				const fault = { kind: 'status', status: 403 } as const;
				world.testbed.service.faults.add({ when: { method: 'GET' }, fault });
			});
			const fields = { sourceId: byId('={{ $json.id }}'), updateFields: { content: 'new' } };
			const parameters = {
				...waiting,
				...fields,
				operation,
				namePrefix: 'A ',
				onMissing: 'report',
			};
			const { error } = await world.run(parameters, input);
			expect(error?.description).toContain('Done: items 0 to 2.');
			world.testbed.service.faults.clear();

			const { items } = await world.run({ ...parameters, dryRun: false }, input, goOn);
			stop();
			const written = world.sources.map(({ id }) => id);
			for (const { json } of items) {
				const [, id] = /ID ([^)]+)\) was written/.exec(String(json.error)) ?? [];
				expect(written).toContain(id);
			}
		},
	);

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

describe('as a tool', () => {
	const call = async (parameters: INodeParameters, given: Record<string, string>) => {
		const { records } = await world.testbed.callTool(parameters, given);
		return records;
	};

	it.each<[string, INodeParameters, Record<string, string>, IDataObject]>([
		[
			'text',
			{},
			{ Content: 'Within 30 days.' },
			{ type: 'text', name: 'Returns', content: 'Within 30 days.' },
		],
		[
			'Q&A',
			{ sourceType: 'qna' },
			{ Questions: 'How?\nWhen?', Answer: 'By mail' },
			{ type: 'qna', name: 'Returns', questions: ['How?', 'When?'], answer: 'By mail' },
		],
	])('leaves to the model what a %s says', async (_, parameters, given, expected) => {
		await call({ name: 'Returns', ...parameters }, given);
		expect(body()).toEqual(expected);
	});

	it.each([
		[{}, { Content: 'Within 30 days.' }, /^Name is empty/],
		[{ name: 'Returns' }, { Content: '' }, /^Content is empty/],
		[{ name: 'Returns', sourceType: 'qna' }, { Questions: 'How?', Answer: '' }, /^Answer is empty/],
	])('names the field that has no value: %j %j', async (parameters, given, error) => {
		expect(await call(parameters, given)).toEqual([
			{ error: expect.stringMatching(error) as string },
		]);
		expect(world.steps).toEqual([]);
	});
});
