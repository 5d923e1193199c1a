import { defaultBehaviour } from '../../../service';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'customAttribute', operation: 'create' });

beforeEach(() => {
	testbed.service.store.addChatbot({ id: 'my bot' });
});

const chatbotId = byId('my bot');
const address = 'POST /chatbots/my%20bot/custom-attributes';
const list = 'GET /chatbots/my%20bot/custom-attributes';
const addresses = () => testbed.sent.map(([sent]) => sent);

describe('the request', () => {
	it.each([
		['text', {}, { label: 'plan' }],
		['number', { label: 'Plan' }, { label: 'Plan' }],
		['boolean', { label: '' }, { label: '' }],
		[
			'date',
			{ label: 'Plan', description: 'Since when', archived: true },
			{ label: 'Plan', description: 'Since when', archived: true },
		],
		[
			'text',
			{ archived: false, description: '' },
			{ label: 'plan', archived: false, description: '' },
		],
	])('has a %s attribute with %j', async (attributeType, additionalFields, body) => {
		const { items } = await testbed.succeed({
			chatbotId,
			attributeName: 'plan',
			attributeType,
			additionalFields,
		});
		expect(testbed.sent).toEqual([
			[list],
			[address, { name: 'plan', type: attributeType, ...body }],
		]);
		const json = { name: 'plan', type: attributeType, description: null, archived: false, ...body };
		expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it("has the values of each item's expressions", async () => {
		const { items } = await testbed.run(
			{
				chatbotId: byId('={{ $json.bot }}'),
				attributeName: '={{ $json.name }}',
				attributeType: '={{ $json.type }}',
				additionalFields: {
					label: '={{ $json.label }}',
					description: '={{ $json.description }}',
					archived: '={{ $json.archived }}',
				},
				options: { onExists: '={{ $json.onExists }}' },
			},
			{
				input: [
					{ bot: 'my bot', name: 'a', type: 'text', archived: 'true' },
					{ bot: 'my bot', name: 'b', type: 'date', label: 'B', description: 'b' },
				],
			},
		);
		expect(items).toEqual([
			{
				json: { name: 'a', type: 'text', label: 'a', description: null, archived: true },
				pairedItem: { item: 0 },
			},
			{
				json: { name: 'b', type: 'date', label: 'B', description: 'b', archived: false },
				pairedItem: { item: 1 },
			},
		]);
	});

	it.each(['', '1st', '_a', 'a b', 'größe', 'a.b', 'a\n'])(
		'is not sent when the name is %j',
		async (name) => {
			const { error } = await testbed.run(
				{ chatbotId, attributeName: '={{ $json.name }}' },
				{ input: [{ name }] },
			);
			expect(error?.message).toBe('Attribute Name is not valid');
			expect(error?.description).toContain('Start with a letter');
			expect(testbed.sent).toEqual([]);
		},
	);

	it.each(['a', 'Z-9', 'lifetime_value'])('has the name %j', async (attributeName) => {
		await testbed.run({ chatbotId, attributeName });
		expect(testbed.service.requests[1].body).toMatchObject({ name: attributeName });
	});

	it('is not sent when the type is unknown', async () => {
		const refusal = await testbed.refusal({
			chatbotId,
			attributeName: 'a',
			attributeType: '={{ "list" }}',
		});
		expect(refusal).toBe('Attribute Type is not boolean, date, number or text');
	});

	it('leaves out fields that a model left blank', async () => {
		const { records } = await testbed.callTool(
			{
				chatbotId,
				attributeName: '={{ $fromAI("name") }}',
				additionalFields: {
					label: '={{ $fromAI("label") }}',
					description: '={{ $fromAI("description") }}',
				},
			},
			{ name: 'plan', label: '', description: '' },
		);
		expect(testbed.sent).toEqual([
			[list],
			[address, { name: 'plan', type: 'text', label: 'plan' }],
		]);
		expect(records).toEqual([
			{ name: 'plan', type: 'text', label: 'plan', description: null, archived: false },
		]);
	});
});

describe('an attribute that exists', () => {
	const existing = {
		name: 'plan',
		type: 'text',
		label: 'Old',
		description: null,
		archived: true,
	} as const;

	beforeEach(() => void testbed.service.store.addAttribute('my bot', existing));
	afterEach(() => void Object.assign(testbed.service.behaviour, defaultBehaviour));

	it.each([400, 409] as const)('fails by default with the status %d', async (status) => {
		testbed.service.behaviour.existingAttribute = status;
		const { error } = await testbed.run({ chatbotId, attributeName: 'plan' });
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(error?.description).toContain('Custom attribute already exists');
		expect(addresses()).toEqual([list, address]);
	});

	it('is the output when If Exists is Skip', async () => {
		const { items } = await testbed.succeed({
			chatbotId,
			attributeName: 'plan',
			options: { onExists: 'skip' },
		});
		expect(items).toEqual([{ json: existing, pairedItem: { item: 0 } }]);
		expect(addresses()).toEqual([list]);
	});

	it.each([400, 409] as const)(
		'is the output when If Exists is Skip, and the service refuses one that was made meanwhile with %d',
		async (status) => {
			testbed.service.behaviour.existingAttribute = status;
			const made = { ...existing, name: 'made' };
			const stop = testbed.service.onRequest(({ method }) => {
				if (method === 'POST') testbed.service.store.addAttribute('my bot', made);
			});
			const { items } = await testbed.succeed({
				chatbotId,
				attributeName: 'made',
				options: { onExists: 'skip' },
			});
			stop();
			expect(items).toEqual([{ json: made, pairedItem: { item: 0 } }]);
			expect(addresses()).toEqual([list, address, list]);
		},
	);

	it('is the output of both items when a run names it twice', async () => {
		const { items } = await testbed.succeed(
			{ chatbotId, attributeName: 'new', options: { onExists: 'skip' } },
			{ input: [{}, {}] },
		);
		expect(items.map(({ json }) => json.name)).toEqual(['new', 'new']);
		expect(addresses()).toEqual([list, address]);
	});

	it.each(['Plan', 'PLAN'])('is not made again as %s, whatever If Exists says', async (name) => {
		for (const onExists of ['error', 'skip']) {
			testbed.service.clearRequests();
			const { error } = await testbed.run(
				{ chatbotId, attributeName: '={{ $json.name }}', options: { onExists, maxConcurrency: 1 } },
				{ input: [{ name: 'other' }, { name }] },
			);
			expect(error?.message).toBe('Another attribute differs only in case');
			expect(error?.description).toBe(
				`Item 1: The chatbot has "plan". "${name}" would be another attribute, which cannot be deleted or renamed. Use "plan", or choose another name.`,
			);
			expect(error?.context.itemIndex).toBe(1);
			expect(addresses()).toEqual([list]);
		}
	});

	it.each([
		['case', 'Tier', 'text', {}, 'Another attribute differs only in case'],
		['type', 'tier', 'date', { onExists: 'skip' }, 'The attribute has another type'],
	])('is refused before any write in a second %s', async (_, name, type, options, title) => {
		const parameters = {
			chatbotId,
			attributeName: '={{ $json.name }}',
			attributeType: '={{ $json.type }}',
			options,
		};
		const [tier, other] = ['tier', 'other'].map((each) => ({ name: each, type: 'text' }));
		const input = [tier, { name, type }, other];
		const { error } = await testbed.run(parameters, { input });
		expect(error?.message).toBe(title);
		expect(addresses()).toEqual([list]);

		const nodeSettings = { onError: 'continueRegularOutput' } as const;
		const { items } = await testbed.run(parameters, { input, nodeSettings });
		expect(items.map(({ json }) => json.error ?? json.name)).toEqual([
			'tier',
			expect.stringContaining('An earlier item has "tier"'),
			'other',
		]);
	});

	it('is the output in each case in which the chatbot has it', async () => {
		testbed.service.store.addAttribute('my bot', { ...existing, name: 'Plan' });
		const { items } = await testbed.succeed(
			{ chatbotId, attributeName: '={{ $json.name }}', options: { onExists: 'skip' } },
			{ input: [{ name: 'Plan' }, { name: 'plan' }] },
		);
		expect(items.map(({ json }) => json.name)).toEqual(['Plan', 'plan']);
	});

	it('is created when the service cannot list attributes', async () => {
		testbed.service.behaviour.endpoints = 'contract';
		const { items } = await testbed.succeed({ chatbotId, attributeName: 'new' });
		expect(items).toMatchObject([{ json: { name: 'new' } }]);
	});

	it('fails when its type differs', async () => {
		const { items, error } = await testbed.run({
			chatbotId,
			attributeName: 'plan',
			attributeType: 'date',
			options: { onExists: 'skip' },
		});
		expect(error?.message).toBe('The attribute has another type');
		expect(error?.description).toContain('with the type text, not date');
		expect(items).toEqual([]);
	});

	it('fails when the refusal has another reason', async () => {
		const body = { message: 'The name is reserved' };
		testbed.service.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'status', status: 400, body },
		});
		const { error } = await testbed.run({
			chatbotId,
			attributeName: 'email',
			options: { onExists: 'skip' },
		});
		expect(error?.message).toBe('The service rejected the custom attribute');
		expect(error?.description).toContain('The name is reserved');
	});
});
