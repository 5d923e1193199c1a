import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime } from '../fastTime';
import { branch, type RunOptions } from '../harness';
import type { Connection } from '../harness/workflows';
import { byId } from '../testbed';
import { chatbotId, goOn, mirrorColumns, outcomes, useWorld } from './world';

const world = useWorld('mirror');

const columns = {
	...mirrorColumns,
	onMissing: 'delete',
};
const docs = (...names: string[]) =>
	names.map((name) => ({ type: 'text', name: `Docs: ${name}`, content: name }));
const run = async (
	input: IDataObject[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
) => await world.run({ ...columns, ...parameters }, input, options);
const allTypes = { manageTypes: ['text', 'qna', 'file'] };
const names = () => world.sources.map(({ name }) => name).sort();
const actionsOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => [json.name, (json._sync as IDataObject | undefined)?.action]);

it('writes what changed and deletes what is missing, last, with its record in the output', async () => {
	await run(docs('A', 'B', 'C'));
	world.add({ name: 'Handbook' });
	world.add({ name: 'Docs: file', type: 'file' });
	world.add({ name: 'Docs: link', type: 'link' });
	world.add({ name: 'Docs: leaving', status: 'toBeDeleted' });
	const gone = world.source('Docs: C');
	const result = await run([...docs('A', 'D'), { ...docs('B')[0], content: 'new' }]);
	expect(result.error).toBeUndefined();
	expect(actionsOf(result)).toEqual([
		['Docs: A', 'unchanged'],
		['Docs: D', 'created'],
		['Docs: B', 'updated'],
		['Docs: C', 'deleted'],
	]);
	expect(result.items[3]).toMatchObject({ json: { id: gone.id, size: 1, type: 'text' } });
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
		[],
	]);
	expect(world.steps.slice(-2)).toEqual([`GET ${gone.id}`, `DELETE ${gone.id}`]);
	expect(names()).toEqual([
		'Docs: A',
		'Docs: B',
		'Docs: D',
		'Docs: file',
		'Docs: leaving',
		'Docs: link',
		'Handbook',
	]);
	expect(world.testbed.illegal).toEqual([]);
});

describe('items that another operation has returned', () => {
	const deleted = { ...docs('A')[0], _sync: { action: 'deleted' } };

	it.each([['delete'], ['report']])('are no complete list (%s)', async (onMissing) => {
		const { error } = await run([deleted], { onMissing });
		expect(error?.message).toBe('The input of Mirror is a result, not a list');
		expect(world.sources).toEqual([]);
		const amongOthers = await run([...docs('B'), deleted], { onMissing });
		expect(amongOthers.error?.description).toContain('Item 1 has _sync');
		expect(world.sources).toEqual([]);
	});

	it.each(['create', 'upsert'])(
		'are not created again after a mirror deleted them (%s)',
		async (operation) => {
			const { error } = await run([deleted], { operation, sourceType: 'text' });
			expect(error?.message).toBe('A mirror has deleted this source');
			expect(world.sources).toEqual([]);
		},
	);
});

it('deletes nobody when the expression of Source Type has no value for an item', async () => {
	const input = docs('A', 'B', 'C', 'D').map((doc) => ({ ...doc, type: 'qna' }));
	await run([...input, ...docs('E')]);
	const [, ...others] = input;
	const untyped = { ...input[0], type: undefined };
	const { error } = await run([untyped, ...others, ...docs('E')]);
	expect(error?.message).toBe('Source Type is not text, qna or file');
	expect(world.writes).toEqual([]);
	expect(world.sources).toHaveLength(5);
});

it.each([
	['Source Type', { type: undefined }, 'Source Type is not text, qna or file'],
	['Name', { name: '' }, 'Name is empty'],
])('says what it needs of every item when one has no %s', async (_, lacking, title) => {
	const [first, second] = docs('A', 'B');
	const { items } = await run([{ ...first, ...lacking }, second], {}, goOn);
	const { error } = items[0].json;
	expect(error).toMatch(new RegExp(`^${title}\\. `));
	expect(error).toMatch(
		/ Mirror needs the Source Type and Name of every item\. Nothing was written\.$/,
	);
	expect(world.steps).toEqual([]);
});

describe('a refused dry run says once that nothing was written', () => {
	it.each<[string, IDataObject[], INodeParameters]>([
		['when an item has no Name', [...docs('A'), { ...docs('B')[0], name: '' }], {}],
		['when sources are lacking', docs('A'), { options: { expectedItems: 2 } }],
	])('%s', async (_, input, parameters) => {
		const { items } = await run(input, { ...parameters, dryRun: true }, goOn);
		const { error } = items.at(-1)!.json;
		expect(String(error).match(/Nothing was \w+\./g)).toEqual(['Nothing was written.']);
	});
});

it('counts an item that is refused among the Expected Sources', async () => {
	const refused = { ...docs('B')[0], content: '' };
	const options = { expectedItems: 2 };
	const { items } = await run([...docs('A'), refused], { options }, goOn);
	expect(items.map(({ json }) => String(json.error ?? json.name).split('. ')[0])).toEqual([
		'Docs: A',
		'Content is empty',
	]);
});

describe('Name Prefix', () => {
	const named = (...names: string[]) => names.map((name) => ({ type: 'text', name, content: 'x' }));

	it('is added to names that lack it, with case, and never twice', async () => {
		await run(named('A', 'Docs: B', 'docs: C', ' Docs: D '));
		expect(names()).toEqual(['Docs: A', 'Docs: B', 'Docs: D', 'Docs: docs: C']);
		const { items } = await run(named('Docs: A', 'B', 'docs: C', 'D'));
		expect(outcomes(items)).toEqual(Array(4).fill('unchanged'));
	});

	it('counts two items as equal that end with one name', async () => {
		await run(named('A', 'Docs: A'));
		expect(names()).toEqual(['Docs: A']);
		const other = [...named('A'), { ...named('Docs: A')[0], content: 'y' }];
		const { error } = await run(other);
		expect(error?.message).toBe('Several items want different values for one source');
		expect(world.steps).toEqual([]);
	});

	it.each(['text', 'qna'])('refuses a name of a %s that gets too long by it', async (type) => {
		const { error } = await run([{ type, name: 'x'.repeat(95), content: 'x' }]);
		expect(error?.message).toBe('Name is not a text of 1 to 100 characters');
		expect(error?.description).toContain('It begins with the Name Prefix "Docs: ".');
		expect(world.steps).toEqual([]);
	});

	it('is the same in each Unicode form', async () => {
		const accented = { namePrefix: 'Caf\u0065\u0301: ' };
		await run(named('Caf\u00e9: A', 'Cafe\u0301: B'), accented);
		expect(names()).toEqual(['Caf\u00e9: A', 'Caf\u00e9: B']);
		const { items } = await run(named('A'), accented);
		expect(actionsOf({ items })).toEqual([
			['Caf\u00e9: A', 'unchanged'],
			['Caf\u00e9: B', 'deleted'],
		]);
	});
});

it('says what it means if the service stores another name', async () => {
	world.switchTo({ sourceNames: 'lower' });
	const { hints } = await run(docs('A', 'B'));
	expect(hints.map(({ message }) => message)).toContain(
		`The service stored other names than were sent: "docs: a" for "Docs: A", "docs: b" for "Docs: B". Create or Update and Mirror don't find these sources by the names in your input, so each run creates them again. Use the stored names in your input.`,
	);
	world.switchTo({ sourceNames: 'NFD' });
	const other = await run(docs('é'));
	expect(JSON.stringify(other.hints)).not.toContain('other names');
});

it('sends one list on the second night, and holds both types', async () => {
	const input = [...docs('A', 'B'), { type: 'qna', name: 'Docs: A', content: 'So' }];
	await run(input, { options: { expectedItems: 3 } });
	const result = await run(input, { options: { expectedItems: 3 } });
	expect(outcomes(result.items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
	expect(world.steps).toEqual(['GET sources']);
	// A text is missing, though a Q&A has its name.
	const third = await run(input.slice(1));
	expect(actionsOf(third).at(-1)).toEqual(['Docs: A', 'deleted']);
	expect(third.items.at(-1)?.json.type).toBe('text');
});

it('only reports what is missing by default', async () => {
	await run(docs('A', 'B'));
	const result = await run(docs('A'), { onMissing: 'report' });
	expect(actionsOf(result)).toEqual([
		['Docs: A', 'unchanged'],
		['Docs: B', 'missing'],
	]);
	expect(world.writes).toEqual([]);
});

it('says in a dry run what a real one does', async () => {
	await run(docs('A', 'B', 'C'));
	world.add({ name: 'Handbook' });
	const input = [...docs('B', 'D'), { ...docs('A')[0], content: 'new' }];
	const dry = await run(input, { dryRun: true });
	expect(world.steps).toEqual(['GET sources']);
	expect(dry.hints.map(({ message }) => message)).toEqual([
		"Nothing was written. 1 source would be created, 1 would be updated (Docs: A), 1 unchanged, 1 would be deleted (Docs: C), 1 other isn't managed by this mirror. 1 API request.",
	]);
	const real = await run(input);
	const done: Record<string, string> = {
		wouldCreate: 'created',
		wouldUpdate: 'updated',
		wouldDelete: 'deleted',
	};
	const foretold = actionsOf(dry).map(([name, action]) => [name, done[String(action)] ?? action]);
	expect(foretold).toEqual(actionsOf(real));
});

describe('the safety limit', () => {
	const many = Array.from({ length: 30 }, (_, index) => `${index}`);

	const cases: Array<[INodeParameters, number, string?]> = [
		[{}, 20],
		[{}, 19, 'Too many sources are missing from the input'],
		[{ maxMissing: 11 }, 19],
		[{ maxMissing: 10 }, 19, 'Too many sources are missing from the input'],
		[{ maxMissing: '0%' }, 29, 'Too many sources are missing from the input'],
		[{ expectedItems: 28 }, 29, 'The input has an unexpected length'],
		[{ expectedItems: 29 }, 29],
	];

	it.each(cases.map(([options, count, failure]) => [options, count, failure] as const))(
		'with %j and %d of 30 in the input',
		async (options, count, failure) => {
			await run(docs(...many));
			const changed = docs(...many.slice(0, count)).map((doc) => ({ ...doc, content: 'new' }));
			const { error } = await run(changed, { options });
			expect(error?.message).toBe(failure);
			expect(names()).toHaveLength(failure ? 30 : count);
			expect(world.writes.length).toBe(failure ? 0 : 30);
		},
	);

	it.each([{}, { maxMissing: 20 }])('never deletes all of one type with %j', async (options) => {
		const question = { type: 'qna', name: 'Docs: Q', content: 'So' };
		await run([...docs(...many), question]);
		const { error } = await run(docs(...many), { ...allTypes, options });
		expect(error?.message).toBe('Too many sources are missing from the input');
		expect(error?.description).toMatch(
			/^1 of 31 managed sources are missing, among them all of the type "Q&amp;A" \(limit: all of a type\)\./,
		);
		expect(error?.description).toContain('use the operation Delete');
		const dry = await run(docs(...many), { ...allTypes, options, dryRun: true });
		expect(dry.hints[0].message).toMatch(/A real run would fail: 1 of 31 managed sources/);
		expect(names()).toHaveLength(31);
	});

	it('never deletes all', async () => {
		await run(docs('A'));
		const { error } = await run(docs('B'), { options: { maxMissing: 500 } });
		expect(error?.message).toBe('All managed sources are missing from the input');
		expect(names()).toEqual(['Docs: A']);
	});
});

describe('nothing is deleted', () => {
	const missing = () => names().includes('Docs: C');

	beforeEach(async () => {
		await run(docs('A', 'B', 'C'));
	});

	it.each<[string, () => void, IDataObject[]]>([
		['an item is refused', () => {}, [...docs('A'), { ...docs('B')[0], content: '' }]],
		[
			'an item is not written',
			() =>
				world.testbed.service.faults.add({
					when: { method: 'PUT' },
					fault: { kind: 'status', status: 422 },
				}),
			[...docs('A'), { ...docs('B')[0], content: 'new' }],
		],
		['two sources have the name of an item', () => world.add({ name: 'Docs: A' }), docs('A', 'B')],
		[
			'items contradict each other',
			() => {},
			[...docs('A', 'B'), { ...docs('B')[0], content: 'x' }],
		],
	])('when %s', async (_, prepare, input) => {
		prepare();
		const result = await run(input, {}, goOn);
		expect(actionsOf(result).at(-1)).toEqual(['Docs: C', 'kept']);
		expect(missing()).toBe(true);
	});

	it.each<[string, () => void]>([
		['renamed', () => (world.source('Docs: C').name = 'Mine')],
		['replaced by another type', () => (world.source('Docs: C').type = 'qna')],
	])('that was %s meanwhile', async (_, change) => {
		const { id } = world.source('Docs: C');
		const stop = world.testbed.service.onRequest(({ path }) => {
			if (path.endsWith(id)) change();
		});
		const result = await run(docs('A', 'B'));
		stop();
		expect(outcomes(result.items).at(-1)).toBe('kept');
		expect(world.writes).toEqual([]);
	});

	it('when the list is not complete', async () => {
		world.switchTo({ total: 'tooHigh' });
		const { error } = await run(docs('A', 'B'));
		expect(error?.message).toBe('The sources could not be read completely');
		expect(world.writes).toEqual([]);
	});
});

describe('a missing source', () => {
	beforeEach(async () => {
		await run(docs('A', 'B', 'C', 'D'));
	});

	it('that is gone meanwhile counts as deleted', async () => {
		const { id } = world.source('Docs: C');
		const stop = world.testbed.service.onRequest(({ path }) => {
			if (path.endsWith(id) && world.source('Docs: C')) world.source('Docs: C').isGone = true;
		});
		const result = await run(docs('A', 'B'));
		stop();
		expect(actionsOf(result).slice(2).sort()).toEqual([
			['Docs: C', 'deleted'],
			['Docs: D', 'deleted'],
		]);
	});

	it('whose deletion fails is named, and the deleted ones are in the output', async () => {
		const last = world.source('Docs: C');
		// The newest is deleted first.
		last.createdAt = '2026-01-01T00:00:00.000Z';
		const { id } = last;
		world.testbed.service.faults.add({
			when: { method: 'DELETE', path: `/agents/bot/sources/${id}` },
			fault: { kind: 'status', status: 403 },
		});
		const result = await run(docs('A', 'B'), { options: { maxConcurrency: 1 } });
		expect(result.error).toBeUndefined();
		expect(actionsOf(result).slice(2)).toEqual([
			['Docs: D', 'deleted'],
			['Docs: C', 'kept'],
		]);
		expect(result.hints.map(({ message }) => message)).toContain(
			'1 missing source could not be deleted: Docs: C.',
		);
		const { error } = await run(docs('A', 'B'));
		expect(error?.description).toMatch(/^Missing sources that could not be deleted: Docs: C\./);
	});

	it.each([
		[true, 'deleted'],
		[false, 'kept'],
	])(
		'is looked up when the response to its deletion is a page (done: %s)',
		async (handled, action) => {
			const { id } = world.source('Docs: C');
			world.source('Docs: C').createdAt = '2026-01-01T00:00:00.000Z';
			world.testbed.service.faults.add({
				when: { method: 'DELETE', path: `/agents/bot/sources/${id}` },
				fault: { kind: 'status', status: 200, body: '<html></html>', handled },
			});
			const result = await run(docs('A', 'B'), { options: { maxConcurrency: 1 } });
			expect(actionsOf(result).slice(2)).toEqual([
				['Docs: D', 'deleted'],
				['Docs: C', action],
			]);
			expect(world.source('Docs: C') === undefined).toBe(handled);
		},
	);

	it.each(['deleted', 'toBeDeleted', 'stillListed'] as const)(
		'is deleted once, whatever becomes of it: %s',
		async (sourceDelete) => {
			world.switchTo({ sourceDelete });
			await run(docs('A', 'B'));
			expect(world.writes).toHaveLength(2);
			await run(docs('A', 'B'));
			expect(world.steps).toEqual(['GET sources']);
		},
	);
});

describe('a run is refused before any request', () => {
	it.each<[string, IDataObject[], INodeParameters, string]>([
		['an empty item', [...docs('A'), {}], {}, 'Source Type is not text, qna or file'],
		['a blank name', [...docs('A'), { ...docs('B')[0], name: ' ' }], {}, 'Name is empty'],
		['no prefix', docs('A'), { namePrefix: ' ' }, 'Name Prefix is empty'],
		[
			'two prefixes',
			docs('Docs: A', 'B'),
			{ namePrefix: '={{ $json.name.slice(0, 7) }}' },
			'Items use different settings',
		],
		[
			'two chatbots',
			docs('A', 'B'),
			{ chatbotId: byId('={{ $json.content }}') },
			'Items use different settings',
		],
		[
			'a wrong count',
			docs('A', 'A'),
			{ options: { expectedItems: 2 } },
			'The input has an unexpected length',
		],
	])('with %s', async (_, input, parameters, title) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const { error, items } = await run(input, parameters, { nodeSettings: { onError } });
			const failed = error?.message ?? String(items[0].json.error).split('. ')[0];
			expect([title, 'Name is empty']).toContain(failed);
			expect(world.steps).toEqual([]);
		}
	});

	it('with Execute Once', async () => {
		const { error } = await run(docs('A', 'B'), {}, { nodeSettings: { executeOnce: true } });
		expect(error?.message).toBe('Mirror does not work with Execute Once');
		expect(world.steps).toEqual([]);
	});

	it('in a loop', async () => {
		const { engine, service } = world.testbed;
		const { nodes } = await engine.runWorkflow({
			nodes: [
				{
					name: 'Sync',
					parameters: {
						resource: 'source',
						operation: 'mirror',
						dryRun: false,
						chatbotId,
						...columns,
					},
				},
				{ name: 'Again', parameters: { resource: 'chatbot', operation: 'getAll' } },
			],
			connections: [
				{ from: 'Start', to: 'Sync' },
				{ from: 'Sync', to: 'Again' },
				{ from: 'Again', to: 'Sync' },
			],
			input: docs('A'),
		});
		expect(nodes.Sync.error?.message).toBe('Mirror does not work inside a loop');
		expect(service.requests).toEqual([]);
	});

	it('by an agent', async () => {
		const { records } = await world.testbed.callTool({ ...columns, name: 'Docs: A' }, {});
		expect(JSON.stringify(records)).toContain('Mirror does not work as a tool');
		expect(world.testbed.service.requests).toEqual([]);
	});
});

it('deletes only after every source was trained', async () => {
	for (let night = 1; night <= 2; night++) await run(docs('A', 'B', 'C'));
	const real = skippedTime(world.testbed.service);
	world.switchTo({ training: 'fails' });
	const input = [...docs('A'), { ...docs('B')[0], content: 'new' }];
	const result = await run(input, { options: { waitForTraining: 60 } }, goOn);
	real();
	expect(outcomes(result.items)).toEqual([
		'unchanged',
		'The training of the source failed',
		'kept',
	]);
	expect(names()).toContain('Docs: C');
});

describe('is refused before any request', () => {
	const runAfter = async (connections: Connection[], onMissing: 'delete' | 'report') => {
		const parameters = {
			resource: 'source',
			operation: 'mirror',
			dryRun: false,
			chatbotId,
			...columns,
		};
		const { nodes } = await world.testbed.engine.runWorkflow({
			nodes: [
				{ name: 'Mirror', parameters: { ...parameters, onMissing } },
				...['HTTP', 'IF', 'Join'].map((name) => ({ name, node: branch.type })),
			],
			connections,
			input: docs('A'),
		});
		return nodes.Mirror;
	};

	const cases: Array<[string, string, Connection[]]> = [
		[
			'lines meet in a node before it',
			'Branches join before Mirror without a Merge node',
			[
				{ from: 'Start', to: 'IF' },
				{ from: 'IF', to: 'Join' },
				{ from: 'IF', output: 1, to: 'Join' },
				{ from: 'Join', to: 'Mirror' },
			],
		],
		[
			'each round of a loop also leads to it',
			'Mirror does not work inside a loop',
			[
				{ from: 'Start', to: 'HTTP' },
				{ from: 'HTTP', to: 'IF' },
				{ from: 'IF', output: 1, to: 'HTTP' },
				{ from: 'HTTP', to: 'Mirror' },
			],
		],
	];

	it.each(cases)('when %s', async (_, title, connections) => {
		const { error } = await runAfter(connections, 'delete');
		expect(error?.message).toBe(title);
		expect(world.testbed.service.requests).toEqual([]);
	});

	it.each(cases)('but not if it only reports, when %s', async (...[, , connections]) => {
		expect((await runAfter(connections, 'report')).error).toBeUndefined();
		expect(names()).toEqual(['Docs: A']);
	});
});
