import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'customAttribute', operation: 'update' });

beforeEach(() => {
	testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
	testbed.service.store.addAttribute('bot', { name: 'old', type: 'date', archived: true });
});

const chatbotId = byId('bot');
const byName = (value: string) => ({ __rl: true, mode: 'name', value });
const list = ['GET /chatbots/bot/custom-attributes'];

it.each([
	['plan', { label: 'Tariff' }, { label: 'Tariff', archived: false }],
	['old', { label: 'Old' }, { label: 'Old', archived: true }],
	['old', { description: '' }, { description: '', archived: true }],
])('sends for %s and %j the present value of archived', async (name, updateFields, body) => {
	const { items } = await testbed.succeed({
		chatbotId,
		attributeName: byName(name),
		updateFields,
	});
	expect(testbed.sent).toEqual([list, [`PUT /chatbots/bot/custom-attributes/${name}`, body]]);
	const stored = testbed.service.store.chatbot('bot').attributes.get(name);
	expect(items).toEqual([{ json: stored, pairedItem: { item: 0 } }]);
	expect(stored).toMatchObject(body);
});

it.each([true, false])('reads nothing when the user sets archived: %s', async (archived) => {
	const { items } = await testbed.run({
		chatbotId,
		attributeName: byName('plan'),
		updateFields: { archived },
	});
	expect(testbed.sent).toEqual([['PUT /chatbots/bot/custom-attributes/plan', { archived }]]);
	expect(items[0].json).toMatchObject({ name: 'plan', label: 'Plan', archived });
});

it('evaluates each parameter for each item', async () => {
	const { items } = await testbed.run(
		{
			chatbotId: byId('={{ $json.bot }}'),
			attributeName: byName('={{ $json.name }}'),
			updateFields: {
				label: '={{ $json.label }}',
				description: '={{ $json.description }}',
				archived: '={{ $json.archived }}',
			},
		},
		{
			input: [
				{ bot: 'bot', name: 'plan', label: 'A', archived: true },
				{ bot: 'bot', name: 'old', description: 'B', archived: 'false' },
			],
		},
	);
	expect(items.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
		{
			json: { name: 'plan', type: 'text', label: 'A', description: null, archived: true },
			pairedItem: { item: 0 },
		},
		{
			json: { name: 'old', type: 'date', label: null, description: 'B', archived: false },
			pairedItem: { item: 1 },
		},
	]);
});

it('keeps an attribute archived when an earlier item has archived it', async () => {
	const put = 'PUT /chatbots/bot/custom-attributes/plan';
	testbed.service.faults.add({
		when: { method: 'PUT', nth: 1 },
		fault: { kind: 'delay', ms: 200 },
	});
	await testbed.succeed(
		{
			chatbotId,
			attributeName: byName('plan'),
			updateFields: { label: '={{ $json.label }}', archived: '={{ $json.archived }}' },
		},
		{ input: [{ label: 'A' }, { archived: true }, { label: 'B' }] },
	);
	expect(testbed.sent).toEqual([
		list,
		[put, { label: 'A', archived: false }],
		[put, { archived: true }],
		list,
		[put, { label: 'B', archived: true }],
	]);
});

it('encodes the name in the path', async () => {
	await testbed.run({
		chatbotId,
		attributeName: byName('a/b?c'),
		updateFields: { archived: true },
	});
	expect(testbed.sent[0][0]).toBe('PUT /chatbots/bot/custom-attributes/a%2Fb%3Fc');
});

it.each([
	['an unknown attribute, found by reading', { label: 'A' }, [list]],
	[
		'an unknown attribute, found by the service',
		{ archived: true },
		[['PUT /chatbots/bot/custom-attributes/Plan', { archived: true }]],
	],
])('says what is wrong: %s', async (_, updateFields, sent) => {
	const { error } = await testbed.run({ chatbotId, attributeName: byName('Plan'), updateFields });
	expect(error?.message).toBe('Custom attribute not found');
	expect(error?.description).toContain('exact name, not');
	expect(testbed.sent).toEqual(sent);
});

it('refuses an update without changes before any request', async () => {
	const refusal = await testbed.refusal(
		{ chatbotId, attributeName: byName('plan'), updateFields: { label: '={{ $json.none }}' } },
		{ input: [{}] },
	);
	expect(refusal).toBe('Nothing to update');
});

it('leaves out fields that a model left blank', async () => {
	const { records } = await testbed.callTool(
		{
			chatbotId,
			attributeName: byName('={{ $fromAI("name") }}'),
			updateFields: {
				label: '={{ $fromAI("label") }}',
				description: '={{ $fromAI("description") }}',
			},
		},
		{ name: 'old', label: 'New', description: '' },
	);
	expect(testbed.sent[1]).toEqual([
		'PUT /chatbots/bot/custom-attributes/old',
		{ label: 'New', archived: true },
	]);
	expect(records).toMatchObject([{ name: 'old', label: 'New', archived: true }]);
});

it('leads to Create when the chatbot has no attributes', async () => {
	testbed.service.store.addChatbot({ id: 'empty' });
	const { error } = await testbed.run({
		chatbotId: byId('empty'),
		attributeName: byName('plan'),
		updateFields: { label: 'Plan' },
	});
	expect(error?.message).toBe('Custom attribute not found');
	expect(error?.description).toContain('Create "plan" with Custom Attribute: Create.');
});

describe('the list in the panel', () => {
	const search = async (filter?: string) =>
		await testbed.engine.listSearch('searchCustomAttributes', {
			parameters: { resource: 'customAttribute', operation: 'update', chatbotId },
			filter,
		});
	const old = { name: 'old (old), archived', value: 'old' };
	const plan = { name: 'Plan (plan)', value: 'plan' };

	it.each([
		[undefined, [old, plan]],
		['PLAN', [plan]],
		['nothing', []],
	])('is searched by %j', async (filter, results) => {
		expect(await search(filter)).toEqual({ results });
	});

	it('leads to Create when the chatbot has no attributes', async () => {
		testbed.service.store.addChatbot({ id: 'empty' });
		const listing = testbed.engine.listSearch('searchCustomAttributes', {
			parameters: { resource: 'customAttribute', operation: 'update', chatbotId: byId('empty') },
		});
		await expect(listing).rejects.toMatchObject({
			message: 'The chatbot has no custom attributes',
			description: 'Create one first. Use Custom Attribute: Create.',
		});
	});

	it('asks for a chatbot first', async () => {
		const listing = testbed.engine.listSearch('searchCustomAttributes', {
			parameters: { resource: 'customAttribute', operation: 'update', chatbotId: byId('') },
		});
		await expect(listing).rejects.toThrow('Choose a chatbot first');
	});
});
