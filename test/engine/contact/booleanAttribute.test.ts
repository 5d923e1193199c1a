import type { ResourceMapperField } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { byId, useTestbed } from '../testbed';

/** Boolean attributes: the choices of the panel are sent as true or false. */
const testbed = useTestbed({ resource: 'contact', operation: 'update' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'active', type: 'boolean' });
	store.addContact('bot', { external_id: 'a', name: 'Ada' });
});

const chosen = { chatbotId, contactId: byId('a') };
const truthOptions = [
	{ name: 'True', value: true },
	{ name: 'False', value: false },
];

async function offered(node?: string): Promise<ResourceMapperField[]> {
	const parameters = { resource: 'contact', operation: 'update', ...chosen };
	const { fields } = await testbed.engine.resourceMapping('mapContactFields', { node, parameters });
	testbed.service.clearRequests();
	return fields;
}

const offeredToTool = async () => await offered('n8n-nodes-chatbase.chatbaseTool');

/** A field beside the attribute is mapped too, so that there is always something to send. */
function mappedTo(value: unknown, schema: ResourceMapperField[]) {
	return { ...chosen, ...mapped({ name: 'Augusta', 'custom_attributes.active': value }, schema) };
}

const sentAttributes = () => {
	const [, body] = testbed.sent.at(-1)!;
	return (body as { data: { custom_attributes?: unknown } }).data.custom_attributes;
};

const expressions: Array<[value: string, sent: boolean]> = [
	['={{ "True" }}', true],
	['={{ $json.fromInput }}', false],
];
const truths: Array<[value: boolean, sent: boolean]> = [
	[true, true],
	[false, false],
];

it('are a list in the panel, and text in a tool', async () => {
	const [node, tool] = [await offered(), await offeredToTool()].map((fields) => fields.at(-1));
	expect(node).toMatchObject({
		displayName: 'Attribute: active',
		type: 'options',
		options: truthOptions,
	});
	expect(tool).toMatchObject({ displayName: 'Attribute: active, true or false', type: 'string' });
});

it('have no default', async () => {
	const fields = [...(await offered()), ...(await offeredToTool())];
	expect(fields.filter(({ type }) => type === 'boolean')).toEqual([]);
	expect(fields.filter(({ defaultValue }) => defaultValue !== undefined)).toEqual([]);
});

it.each([...truths, ...expressions])(
	'%j is sent as %j when it is chosen from the list',
	async (value, sent) => {
		await testbed.succeed(mappedTo(value, await offered()), {
			input: [{ fromInput: 'false' }],
		});
		expect(sentAttributes()).toEqual({ active: sent });
	},
);

it('an empty cell follows Empty Values', async () => {
	const { store } = testbed.service;
	Object.assign(store.contact('bot', 'a')!, { custom_attributes: { active: true } });
	const parameters = mappedTo('={{ $json.active }}', await offered());
	const held = () => store.contact('bot', 'a')?.custom_attributes.active ?? null;
	for (const [emptyValues, expected] of [
		['ignore', true],
		['clear', null],
	]) {
		const options = { emptyValues };
		await testbed.succeed({ ...parameters, options }, { input: [{ active: '' }] });
		expect(held()).toBe(expected);
	}
});

describe('in a tool', () => {
	it.each([
		['string', 'False', { active: false }],
		['string', '', undefined],
		['boolean', false, { active: false }],
	])('the %s %j is sent as %j when a model gives it', async (type, given, sent) => {
		const value = `={{ $fromAI('active', '', '${type}') }}`;
		const { error } = await testbed.callTool(mappedTo(value, await offeredToTool()), {
			active: given,
		});
		expect(error).toBeUndefined();
		expect(sentAttributes()).toEqual(sent);
	});

	it('sends nothing and says what is needed when the value is neither', async () => {
		const { records } = await testbed.callTool(
			mappedTo("={{ $fromAI('active', '', 'string') }}", await offeredToTool()),
			{ active: 'perhaps' },
		);
		expect(records).toEqual([
			{
				error: expect.stringContaining('active must be yes or no, true or false, 1 or 0') as string,
			},
		]);
		expect(testbed.writes).toEqual([]);
	});
});
