import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { byId } from '../testbed';
import { goOn, outcomes, type World, useWorld } from './world';

describe.each(['get', 'update', 'delete'])('%s, of what is missing', (operation) => {
	const world = useWorld(operation);
	const missing = { sourceId: byId('none'), updateFields: { content: 'new' } };
	const codes = ['RESOURCE_NOT_FOUND', 'SOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const;

	it.each(codes)('names the source if the chatbot exists: %s', async (sourceNotFound) => {
		world.switchTo({ sourceNotFound });
		const { error } = await world.run(missing);
		expect(error?.message).toBe('Source not found');
		const isClear = sourceNotFound !== 'AGENT_NOT_FOUND';
		expect(world.steps.slice(1)).toEqual(isClear ? [] : ['GET bot']);
	});

	it('names the chatbot if it does not exist', async () => {
		world.switchTo({ agentId: 'own' });
		const { error } = await world.run(missing);
		expect(error?.message).toBe(titleOf('404'));
	});

	it('names neither if the chatbot cannot be looked up', async () => {
		world.switchTo({ sourceNotFound: 'AGENT_NOT_FOUND' });
		world.testbed.service.faults.add({
			when: { path: '/agents/bot' },
			fault: { kind: 'status', status: 403 },
		});
		const { error } = await world.run(missing);
		expect(error?.message).toBe(titleOf('AUTH_INSUFFICIENT_PERMISSIONS'));
	});
});

describe.each([
	['get', { found: false, id: 'none' }],
	['delete', { deleted: false, found: false, id: 'none' }],
])('%s, with If Not Found: Return', (operation, expected) => {
	const world = useWorld(operation);
	const parameters = { sourceId: byId('none'), options: { onNotFound: 'mark' } };

	it.each(['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const)(
		'marks a source that does not exist: %s',
		async (sourceNotFound) => {
			world.switchTo({ sourceNotFound });
			const { items } = await world.run(parameters);
			expect(items[0].json).toEqual(expected);
		},
	);

	it('fails if the chatbot does not exist', async () => {
		world.switchTo({ agentId: 'own' });
		const { error } = await world.run(parameters);
		expect(error?.message).toBe(titleOf('404'));
	});
});

describe('get', () => {
	const world = useWorld('get');

	it('returns the source as the service returns it', async () => {
		const { id } = world.add({ name: 'A', size: 3 });
		const { items } = await world.run({ sourceId: byId(` ${id} `) });
		const { createdAt } = world.source('A');
		expect(items).toEqual([
			{
				json: {
					id,
					type: 'text',
					name: 'A',
					size: 3,
					createdAt,
					status: 'trained',
					metadata: null,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(world.steps).toEqual([`GET ${id}`]);
	});

	it('fails when the service returns another source', async () => {
		world.testbed.service.faults.add({
			fault: { kind: 'otherShape', body: { id: 'other', type: 'text' } },
		});
		const { error } = await world.run({ sourceId: byId('one') });
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	});
});

describe('update', () => {
	const world = useWorld('update');

	const sourceId = byId('={{ $json.id }}');

	it('sends only the fields that were added', async () => {
		const { id } = world.add({ taught: { content: 'old' } });
		const { items } = await world.run({ sourceId, updateFields: { content: 'new' } }, [{ id }]);
		expect(world.testbed.service.requests[0].body).toEqual({ content: 'new' });
		expect(items[0].json).toMatchObject({ id, status: 'updated', size: 3 });
		expect(world.testbed.illegal).toEqual([]);
	});

	it('renames a Q&A to more than 100 characters', async () => {
		const { id } = world.add({ type: 'qna', name: 'A' });
		const name = 'x'.repeat(150);
		await world.succeed({ sourceId, updateFields: { name } }, [{ id }]);
		expect(world.testbed.service.requests.at(-1)?.body).toEqual({ name });
	});

	it('says how to send no paths when the field was added without a line', async () => {
		const { id } = world.add({ type: 'link', metadata: { type: 'crawl' } });
		const { error } = await world.run({ sourceId, updateFields: { excludePaths: '' } }, [{ id }]);
		expect(error?.message).toBe('Exclude Paths is not a list of nonempty texts');
		expect(error?.description).toBe(
			'Item 0: It is empty. Enter one path per line. To send an empty list, use the expression {{ [] }}.',
		);
		expect(world.steps).toEqual([]);
	});

	it('changes the paths of a link, and clears them', async () => {
		const { id } = world.add({ type: 'link', metadata: { type: 'crawl' } });
		const updateFields = { excludePaths: '={{ [] }}', slowScraping: false, includeOnlyPaths: '/a' };
		await world.run({ sourceId, updateFields }, [{ id }]);
		expect(world.testbed.service.requests[0].body).toEqual({
			excludePaths: [],
			includeOnlyPaths: ['/a'],
			slowScraping: false,
		});
	});

	it.each([
		[{}, 'Nothing to update'],
		[{ name: 'x'.repeat(101), content: 'a' }, 'Name is not a text of 1 to 100 characters'],
		[{ content: '' }, 'Content is empty'],
		[{ questions: '={{ [""] }}' }, 'Questions is not a list of 1 to 50 questions'],
		[{ answer: ' ' }, 'Answer is empty'],
	])('refuses before a request: %j', async (updateFields, title) => {
		const { error } = await world.run({ sourceId, updateFields }, [{ id: 'a' }]);
		expect(error?.message).toBe(title);
		expect(world.steps).toEqual([]);
	});

	it('says that a source waits for its deletion', async () => {
		const { id } = world.add({ status: 'toBeDeleted' });
		const { error } = await world.run({ sourceId, updateFields: { content: 'x' } }, [{ id }]);
		expect(error?.message).toBe('The request conflicts with what the chatbot has');
	});

	describe('in training', () => {
		let real: () => void;

		beforeEach(() => (real = skippedTime(world.testbed.service)));
		afterEach(() => real());

		it('waits and sends the change again', async () => {
			world.switchTo({ sourceUpdate: 'refusedInTraining', trainingPolls: 3 });
			const { id } = world.add({ status: 'untrained' });
			const { items } = await world.succeed({ sourceId, updateFields: { content: 'x' } }, [{ id }]);
			expect(outcomes(items)).toEqual(['updated']);
			expect(world.steps).toEqual(Array(4).fill(`PUT ${id}`));
		});

		it('gives up after two minutes', async () => {
			world.switchTo({ sourceUpdate: 'refusedInTraining', training: 'never' });
			const { id } = world.add({ status: 'untrained' });
			const startedAt = Date.now();
			const { error } = await world.run({ sourceId, updateFields: { content: 'x' } }, [{ id }]);
			expect(error?.message).toBe('The source is still in training');
			expect(Date.now() - startedAt).toBeGreaterThanOrEqual(120_000);
			expect(Date.now() - startedAt).toBeLessThan(130_000);
		});

		it('sends changes to one source one after the other, and waits for all', async () => {
			const { id } = world.add({});
			// Of requests that arrive together, a service can handle the first one last.
			world.testbed.service.faults.add({
				when: { method: 'PUT', nth: 1 },
				fault: { kind: 'delay', ms: 50 },
			});
			const { items } = await world.run(
				{
					sourceId,
					updateFields: { content: '={{ $json.content }}' },
					options: { waitForTraining: 60 },
				},
				['a', 'b', 'c'].map((content) => ({ id, content })),
			);
			expect(outcomes(items)).toEqual(['trained', 'trained', 'trained']);
			expect(world.sources[0].taught).toEqual({ content: 'c' });
			expect(world.writes).toHaveLength(3);
		});
	});
});

describe('delete', () => {
	const world = useWorld('delete');

	const sourceId = byId('={{ $json.id }}');

	it.each(['deleted', 'toBeDeleted', 'stillListed'] as const)(
		'deletes the source: %s',
		async (sourceDelete) => {
			world.switchTo({ sourceDelete });
			const { id } = world.add({ name: 'A' });
			const { items } = await world.run({ sourceId }, [{ id }]);
			expect(items[0].json).toEqual({ deleted: true });
		},
	);

	it.each([
		['deleted', 'Source not found'],
		['toBeDeleted', true],
	] as const)('of a source that is gone: %s', async (sourceDelete, expected) => {
		world.switchTo({ sourceDelete });
		const { id } = world.add({ isGone: true });
		const { items } = await world.run({ sourceId }, [{ id }], goOn);
		expect(items[0].json.deleted ?? String(items[0].json.error).split('. ')[0]).toBe(expected);
	});

	it('says that the service has switched it off', async () => {
		world.switchTo({ disabledEndpoints: ['DELETE /agents/{agentId}/sources/{sourceId}'] });
		const { id } = world.add({});
		const { error } = await world.run({ sourceId }, [{ id }]);
		expect(error?.message).toBe(titleOf('disabled'));
		expect(world.steps).toHaveLength(1);
	});
});

describe('getAll', () => {
	const world = useWorld('getAll');

	const add = (count: number) => {
		for (let number = 0; number < count; number++) world.add({ name: `Doc ${number}` });
	};

	const positions: Array<[Parameters<World['switchTo']>[0], string?]> = [
		[{}],
		[{ total: 'absent' }],
		[{ pagesUnderChange: 'rowTwice' }],
		[{ lastPage: 'hasMoreWithoutCursor' }],
		[{ lastPage: 'cursorWithoutMore' }],
		[{ lastPage: 'repeatedCursor' }],
		[{ total: 'tooHigh' }, 'The sources could not be read completely'],
		[{ total: 'tooLow' }, 'The sources could not be read completely'],
		[{ pagesUnderChange: 'rowSkipped' }, 'The sources could not be read completely'],
		[{ agentId: 'own' }, titleOf('404')],
		[{ agentId: 'own', unknownAgent: 'emptyLists' }, titleOf('404')],
	];

	it.each(positions.map(([behaviour, failure]) => [behaviour, failure] as const))(
		'is complete or fails when the service has %j',
		async (behaviour, failure) => {
			add(150);
			world.switchTo(behaviour);
			const { items, error } = await world.run({ returnAll: true });
			expect(error?.message).toBe(failure);
			expect(new Set(items.map(({ json }) => json.name)).size).toBe(failure ? 0 : 150);
			expect(world.testbed.illegal).toEqual([]);
		},
	);

	it('reads no more than a limit needs', async () => {
		add(150);
		const { items } = await world.run({ limit: 120 });
		expect(items).toHaveLength(120);
		expect(world.testbed.service.requests.map(({ query }) => query.limit)).toEqual(['100', '100']);
		await world.run({ limit: 7 });
		expect(world.testbed.service.requests.map(({ query }) => query.limit)).toEqual(['7']);
	});

	it('lets the service filter', async () => {
		world.add({ name: 'Returns' });
		world.add({ name: 'RETURN address', type: 'qna' });
		world.add({ name: 'Returned', type: 'file' });
		const { items } = await world.run({ filters: { name: 'return', type: ['text', 'qna'] } });
		expect(items.map(({ json }) => json.name).sort()).toEqual(['RETURN address', 'Returns']);
	});
});
