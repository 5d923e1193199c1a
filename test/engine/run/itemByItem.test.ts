/** n8n's Engine 2.0 calls the node once for each item, and not once for all of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Chatbase/resources';
import { goOn } from '../contact/rows';
import { itemFor, mirrors, operations } from '../operations';
import { chatbotId, inputOf, mapped, rename } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const itemByItem = true;

const bots = ['bot-1', 'bot-2'];

const refusal = 'This n8n runs the node once for each item';

/** Operations that work on all items together. */
const together = resources.flatMap(({ option, operations: all }) =>
	all.flatMap(({ value, sendAll }) => (sendAll ? [`${option.value} ${value}`] : [])),
);

const runnable = { ...operations, ...mirrors };

const parametersOf = (name: string): INodeParameters => {
	const [resource, operation] = name.split(' ');
	return { resource, operation, ...runnable[name].parameters };
};

const eachContact: INodeParameters = { chatbotId, ...mapped({ external_id: '={{ $json.id }}' }) };

const mirrorOfAll: INodeParameters = {
	resource: 'contact',
	operation: 'mirror',
	...eachContact,
	manage: 'all',
	onMissing: 'delete',
};

beforeEach(() => {
	for (const { id } of inputOf(2)) testbed.service.store.addContact('bot', { external_id: id });
});

const contacts = () => [...testbed.service.store.chatbot('bot').contacts];

describe.each(together)('%s of several items', (name) => {
	it('is refused before anything is sent', async () => {
		const { error, items } = await testbed.run(parametersOf(name), {
			input: bots.map(itemFor),
			itemByItem,
		});
		expect(error?.message).toBe(refusal);
		expect(error?.description).toMatch(/Engine 2\.0.* Nothing was sent\.$/);
		expect(testbed.sent).toEqual([]);
		expect(items).toEqual([]);
	});

	it('fails every item when On Error is Continue', async () => {
		const { items } = await testbed.succeed(parametersOf(name), {
			input: bots.map(itemFor),
			itemByItem,
			...goOn,
		});
		expect(items.map(({ json }) => json.error)).toEqual([
			expect.stringContaining(refusal),
			expect.stringContaining(refusal),
		]);
		expect(testbed.sent).toEqual([]);
	});
});

it('Mirror deletes nobody who is in the input', async () => {
	await testbed.run(mirrorOfAll, { input: inputOf(2), itemByItem });
	expect(contacts()).toHaveLength(2);
});

it('Mirror takes a single item for a list of one', async () => {
	const parameters = { ...mirrorOfAll, onMissing: 'report' };
	const { items } = await testbed.succeed(parameters, { input: inputOf(1), itemByItem });
	const actions = items.map(({ json }) => (json._sync as IDataObject).action);
	expect(actions).toEqual(['unchanged', 'missing']);
	expect(contacts()).toHaveLength(2);
});

it('an operation that works on each item goes on, and pairs its items', async () => {
	const { items } = await testbed.succeed(rename, { input: inputOf(2), itemByItem });
	expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
		['New', { item: 0 }],
		['New', { item: 1 }],
	]);
});

it('a tool of an agent with several items works, since it gets one call at a time', async () => {
	const { text, error } = await testbed.engine.callTool({
		parameters: {
			...parametersOf('contact upsert'),
			chatbotId,
			...mapped({ external_id: '={{ $fromAI("id") }}', name: 'New' }),
		},
		arguments: { id: 'c0' },
		input: inputOf(3),
	});
	expect(error).toBeUndefined();
	expect(JSON.parse(text!)).toMatchObject([{ external_id: 'c0', name: 'New' }]);
});

it.each(['contact mirror', 'source mirror'])("n8n's Agents are refused %s", async (name) => {
	const records = await testbed.engine.callAgentsTool({
		parameters: parametersOf(name),
		arguments: { id: 'c0' },
	});
	expect(records).toEqual([{ error: expect.stringMatching(/^Mirror does not work as a tool/) }]);
	expect(testbed.sent).toEqual([]);
});
