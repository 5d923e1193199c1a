/** In n8n 2.41, each line into the input of a node is a separate run with a part of the list. */
import { ExecuteContext } from 'n8n-core';

import type { Connection } from '../harness/workflows';
import { chatbotId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';

const testbed = useTestbed();

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'source', type: 'text' });
	for (const id of ['a', 'b']) {
		store.addContact('bot', { external_id: id, custom_attributes: { source: 'crm' } });
	}
});

const mirror = {
	name: 'Mirror',
	parameters: {
		resource: 'contact',
		operation: 'mirror',
		chatbotId,
		manage: 'tag',
		options: { tagAttribute: { __rl: true, mode: 'name', value: 'source' } },
		tagValue: 'crm',
		onMissing: 'delete',
		...mapped({ external_id: '={{ $json.id }}' }),
	},
};
const read = (name: string) => ({
	name,
	parameters: { resource: 'contact', operation: 'getAll', chatbotId },
});
const run = async (connections: Connection[], onError?: 'continueRegularOutput') => {
	const { nodes } = await testbed.engine.runWorkflow({
		nodes: [{ ...mirror, nodeSettings: { onError } }, read('One'), read('Two')],
		connections,
		input: [{ id: 'a' }],
	});
	return nodes.Mirror;
};
const twoOutputs: Connection[] = [
	{ from: 'Start', to: 'Mirror' },
	{ from: 'Start', output: 1, to: 'Mirror' },
];
const held = () =>
	[...testbed.service.store.chatbot('bot').contacts].map(({ external_id: id }) => id);

it.each([
	['two outputs of one node', twoOutputs, '"Start" and "Start"'],
	[
		'two nodes',
		[
			{ from: 'Start', to: 'Mirror' },
			{ from: 'Start', to: 'Two' },
			{ from: 'Two', to: 'Mirror' },
		],
		'"Start" and "Two"',
	],
])('is refused before any request when %s lead to it', async (_, connections, names) => {
	const { error } = await run(connections);
	expect(error?.message).toBe('Mirror has several incoming connections');
	expect(error?.description).toContain(`at ${names}`);
	expect(error?.description).toContain('Put a Merge node before Mirror');
	expect(testbed.sent.filter(([line]) => !String(line).startsWith('GET'))).toEqual([]);
	expect(held()).toEqual(['a', 'b']);
});

it('fails every item when two outputs lead to it and the workflow continues', async () => {
	const { items } = await run(twoOutputs, 'continueRegularOutput');
	expect(items.map(({ json }) => json.error)).toEqual([
		expect.stringMatching(/^Mirror has several incoming connections/),
	]);
	expect(testbed.sent).toEqual([]);
});

it('runs when one output leads to it', async () => {
	succeeded(await run([{ from: 'Start', to: 'Mirror' }]));
	expect(held()).toEqual(['a']);
});

it('runs when n8n does not tell its connections', async () => {
	Object.defineProperty(ExecuteContext.prototype, 'getConnections', {
		value: undefined,
		configurable: true,
	});
	try {
		expect((await run(twoOutputs)).error).toBeUndefined();
	} finally {
		Reflect.deleteProperty(ExecuteContext.prototype, 'getConnections');
	}
});
