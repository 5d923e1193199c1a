import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { skippedTime } from '../fastTime';
import type { RunOptions } from '../harness';
import { goOn, mirrorColumns, outcomes, useWorld } from './world';

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

it('leaves links, other types and names, and what is leaving already', async () => {
	await run(docs('A', 'B', 'C'));
	world.add({ name: 'Handbook' });
	world.add({ name: 'Docs: file', type: 'file' });
	world.add({ name: 'Docs: link', type: 'link' });
	world.add({ name: 'Docs: leaving', status: 'toBeDeleted' });
	const gone = world.source('Docs: C');
	const result = await run(docs('A', 'B'));
	expect(result.items[2]).toMatchObject({ json: { id: gone.id, size: 1, type: 'text' } });
	expect(world.steps.slice(-2)).toEqual([`GET ${gone.id}`, `DELETE ${gone.id}`]);
	expect(names()).toEqual([
		'Docs: A',
		'Docs: B',
		'Docs: file',
		'Docs: leaving',
		'Docs: link',
		'Handbook',
	]);
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

it('says what it needs of every item when one has no Source Type', async () => {
	const [first, second] = docs('A', 'B');
	const { items } = await run([{ ...first, type: undefined }, second], {}, goOn);
	expect(items[0].json.error).toMatch(
		/ Mirror needs the Source Type and Name of every item\. Nothing was written\.$/,
	);
	expect(world.steps).toEqual([]);
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

it.each([{}, { maxMissing: 20 }])('never deletes all of one type with %j', async (options) => {
	const question = { type: 'qna', name: 'Docs: Q', content: 'So' };
	const texts = docs(...'ABCDEFGHIJKL');
	await run([...texts, question]);
	const { error } = await run(texts, { ...allTypes, options });
	expect(error?.message).toBe('Too many sources are missing from the input');
	expect(error?.description).toMatch(
		/^1 of 13 managed sources are missing, among them all of the type "Q&amp;A" \(limit: all of a type\)\./,
	);
	expect(error?.description).toContain('use the operation Delete');
	const dry = await run(texts, { ...allTypes, options, dryRun: true });
	expect(dry.hints[0].message).toMatch(/A real run would fail: 1 of 13 managed sources/);
	expect(names()).toHaveLength(13);
});

it('keeps a missing source that has become one of another type', async () => {
	await run(docs('A', 'B', 'C'));
	const { id } = world.source('Docs: C');
	const stop = world.testbed.service.onRequest(({ path }) => {
		if (path.endsWith(id)) world.source('Docs: C').type = 'qna';
	});
	const result = await run(docs('A', 'B'));
	stop();
	expect(outcomes(result.items).at(-1)).toBe('kept');
	expect(world.writes).toEqual([]);
});

describe('a missing source that is gone when it is to be deleted', () => {
	const goneWhenRead = async (change: (id: string) => void) => {
		// The list has D first, so D is deleted before C is tried.
		const oneByOne = { options: { maxConcurrency: 1 } };
		await run(docs('A', 'B', 'C', 'D'), oneByOne);
		const { id } = world.source('Docs: C');
		const stop = world.testbed.service.onRequest(({ path }) => {
			if (path.endsWith(id)) change(id);
		});
		const result = await run(docs('A', 'B'), oneByOne);
		stop();
		return actionsOf(result);
	};

	it.each(['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const)(
		'counts as deleted: %s',
		async (sourceNotFound) => {
			world.switchTo({ sourceNotFound });
			const { sources } = world.testbed.service.store.chatbot('bot').agent;
			const actions = await goneWhenRead((id) => {
				for (const source of sources) if (source.id === id) source.isGone = true;
			});
			expect(actions).toContainEqual(['Docs: C', 'deleted']);
		},
	);

	it('does not count as deleted if the chatbot is gone, too', async () => {
		const actions = await goneWhenRead(() => world.switchTo({ agentId: 'own' }));
		expect(actions).toContainEqual(['Docs: C', 'kept']);
		expect(world.source('Docs: C')).toBeDefined();
	});
});

it.each(['deleted', 'toBeDeleted', 'stillListed'] as const)(
	'deletes a source once, whatever becomes of it: %s',
	async (sourceDelete) => {
		world.switchTo({ sourceDelete });
		await run(docs('A', 'B', 'C', 'D'));
		await run(docs('A', 'B'));
		expect(world.writes).toHaveLength(2);
		await run(docs('A', 'B'));
		expect(world.steps).toEqual(['GET sources']);
	},
);

it.each<[string, INodeParameters, string]>([
	['no prefix', { namePrefix: ' ' }, 'Name Prefix is empty'],
	['two prefixes', { namePrefix: '={{ $json.name.slice(0, 7) }}' }, 'Items use different settings'],
])('is refused before any request with %s', async (_, parameters, title) => {
	const { error } = await run(docs('Docs: A', 'B'), parameters);
	expect(error?.message).toBe(title);
	expect(world.steps).toEqual([]);
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
