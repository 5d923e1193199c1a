/** Chatbots in every shape in which the service may answer them. */
import { titleOf } from '../../errorTexts';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbot' });

beforeEach(() => {
	testbed.service.store.chatbots.clear();
	testbed.service.store.addChatbot({ id: '12', name: 'Twelve' });
	testbed.service.store.addChatbot({ id: '120', name: 'Other' });
});

const shapes = (['chatbots', 'chatbots.data'] as const).flatMap((chatbotListShape) =>
	(['reference', 'sparse'] as const).map((chatbotRecord) => ({ chatbotListShape, chatbotRecord })),
);

describe.each(shapes)('as %j', (shape) => {
	const id = '12';

	beforeEach(() => void Object.assign(testbed.service.behaviour, shape));

	it('are listed with all fields or the most useful fields', async () => {
		const [all, few] = await Promise.all(
			[false, true].map(
				async (simplify) => await testbed.run({ operation: 'getAll', limit: 1, simplify }),
			),
		);
		const [{ json: raw }] = all.items;
		expect(raw).toMatchObject({ id, name: 'Twelve', num_of_characters: 0 });
		const [{ json: simple }] = few.items;
		expect(raw).toMatchObject(simple);
		expect(Object.keys(simple).slice(0, 3)).toEqual(['id', 'name', 'status']);
		expect(Object.keys(simple)).toHaveLength(shape.chatbotRecord === 'sparse' ? 9 : 10);
	});

	it('are found by their ID', async () => {
		const { items } = await testbed.succeed({ operation: 'get', chatbotId: byId('12') });
		expect(items[0].json).toMatchObject({ id, name: 'Twelve' });
		const fromInput = await testbed.run(
			{ operation: 'get', chatbotId: byId('={{ $json.id }}') },
			{ input: [{ id }] },
		);
		expect(fromInput.items).toEqual(items);
		const none = await testbed.run({ operation: 'get', chatbotId: byId('1') });
		expect(none.error?.message).toBe(titleOf('404'));
	});

	it('are listed in the panel', async () => {
		const { results } = await testbed.engine.listSearch('searchChatbots', { filter: 'twelve' });
		expect(results).toEqual([{ name: 'Twelve', value: '12' }]);
	});

	it('get new text with their present name', async () => {
		const { items } = await testbed.succeed({
			operation: 'update',
			chatbotId: byId('12'),
			updateFields: { sourceText: 'We deliver.' },
		});
		expect(testbed.sent.at(-1)).toEqual([
			'POST /update-chatbot-data',
			{ chatbotId: '12', chatbotName: 'Twelve', sourceText: 'We deliver.' },
		]);
		expect(items[0].json).toEqual({ chatbotId: '12' });
	});
});

it('fail when the envelope has an error in the place of its list', async () => {
	const body = { chatbots: { data: null, error: 'Workspace is locked' } };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { items, error } = await testbed.run({ operation: 'getAll' });
	expect(items).toEqual([]);
	expect(error?.message).toBe(titleOf('unexpectedResponse'));
});

it.each([null, false])('are listed when the envelope has %j as its error', async (none) => {
	const body = { chatbots: { data: [{ id: '12', name: 'Twelve' }], error: none } };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { items } = await testbed.succeed({ operation: 'getAll' });
	expect(items).toMatchObject([{ json: { id: '12' } }]);
});

it.each([
	{ chatbots: { data: null, error: null } },
	{ chatbots: { data: [null], error: null } },
	{ chatbots: null },
	[{ id: '12' }],
])('fail when the response has no list: %j', async (body) => {
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { error } = await testbed.run({ operation: 'getAll' });
	expect(error?.message).toBe(titleOf('unexpectedResponse'));
});

it('need a name for new text when they have none', async () => {
	const body = { chatbots: [{ id: '12', name: null }] };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { error } = await testbed.run({
		operation: 'update',
		chatbotId: byId('12'),
		updateFields: { sourceText: 'We deliver.' },
	});
	expect(error?.message).toBe('The chatbot has no name');
	expect(testbed.sent).toHaveLength(1);
});
