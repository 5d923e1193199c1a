import type { IDataObject } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { byId, useTestbed } from '../testbed';
import { addTwoChatbots, first, rawFirst, second } from './records';

const testbed = useTestbed(
	{ resource: 'chatbot', operation: 'get' },
	{ behaviour: { chatbotRecord: 'reference' } },
);

beforeEach(() => {
	addTwoChatbots(testbed.service);
});

const list = ['GET /get-chatbots'];

it.each([
	['in ten fields', {}, first],
	['in full', { simplify: false }, rawFirst],
])('returns the chatbot %s', async (_, parameters, json) => {
	const { items } = await testbed.succeed({
		chatbotId: byId('one'),
		...parameters,
	});
	expect(testbed.sent).toEqual([list]);
	expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	expect(Object.keys(first)).toHaveLength(10);
});

it('leaves out fields that the service does not return', async () => {
	const body = { chatbots: [{ id: 'one', name: 'First', extra: 1 }] };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { items } = await testbed.run({ chatbotId: byId('one') });
	expect(items[0].json).toEqual({ id: 'one', name: 'First' });
});

it('evaluates each parameter for each item', async () => {
	const { items } = await testbed.run(
		{ chatbotId: byId('={{ $json.bot }}'), simplify: '={{ $json.simple }}' },
		{
			input: [
				{ bot: 'one', simple: false },
				{ bot: 'two', simple: true },
			],
		},
	);
	expect(items).toEqual([
		{ json: rawFirst, pairedItem: { item: 0 } },
		{ json: second, pairedItem: { item: 1 } },
	]);
});

it('reads the list once for all items', async () => {
	const input = Array.from({ length: 20 }, (_, index) => ({ bot: index % 2 ? 'one' : 'two' }));
	const { items } = await testbed.succeed({ chatbotId: byId('={{ $json.bot }}') }, { input });
	expect(items.map(({ json }) => json.id)).toEqual(input.map(({ bot }) => bot));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	expect(testbed.sent).toEqual([['GET /get-chatbots']]);
});

it('names the ID when the chatbot does not exist', async () => {
	const { error } = await testbed.run({ chatbotId: byId('three') });
	expect(error?.message).toBe(titleOf('404'));
	expect(error?.description).toContain('"three"');
});

describe('the usage of a chatbot', () => {
	const usage = { creditsUsed: 412, creditLimit: 1000, lastMessageAt: '2026-07-20T12:34:56.000Z' };
	const address = ['GET /api/v2/agents/one'];
	const withUsage = { chatbotId: byId('one'), options: { includeUsage: true } };

	beforeEach(() => {
		const { agent } = testbed.service.store.chatbot('one');
		Object.assign(agent, { creditsUsed: 412, creditLimit: 1000 });
		testbed.service.store.addConversation('one', { createdAt: usage.lastMessageAt });
	});

	it.each([
		['in ten fields', {}, first],
		['in full', { simplify: false }, rawFirst],
	])('is added to the chatbot %s', async (_, parameters, chatbot) => {
		const { items } = await testbed.succeed({ ...withUsage, ...parameters });
		expect(testbed.sent).toEqual([list, address]);
		const json: IDataObject = { ...chatbot, usage };
		// In full, it is the time of the last message that the usage has.
		delete json.last_message_at;
		expect(items[0].json).toMatchObject(json);
	});

	it('is read once for each chatbot, and only for items that ask for it', async () => {
		const input = ['one', 'two', 'one'].map((bot) => ({ bot }));
		const { items } = await testbed.run(
			{
				chatbotId: byId('={{ $json.bot }}'),
				options: { includeUsage: '={{ $json.bot === "one" }}' },
			},
			{ input },
		);
		expect(testbed.sent).toEqual([list, address]);
		expect(items.map(({ json }) => json.usage)).toEqual([usage, undefined, usage]);
	});

	it('is null where there is none', async () => {
		const body = { id: 'one', creditsUsed: 0.5, creditLimit: null };
		testbed.service.faults.add({
			when: { path: '/agents/one' },
			fault: { kind: 'otherShape', body },
		});
		const { items } = await testbed.run(withUsage);
		expect(items[0].json.usage).toEqual({
			creditsUsed: 0.5,
			creditLimit: null,
			lastMessageAt: null,
		});
	});

	it('fails if it is not what the API promises', async () => {
		for (const body of [{ id: 'one' }, { creditsUsed: 'many' }, '<html>']) {
			testbed.service.faults.clear();
			testbed.service.faults.add({
				when: { path: '/agents/one' },
				fault: { kind: 'otherShape', body },
			});
			const { error } = await testbed.run(withUsage);
			expect(error?.message).toBe(titleOf('unexpectedResponse'));
		}
	});

	it('says that version 2 may not know the chatbot', async () => {
		testbed.service.behaviourV2.agentId = 'own';
		const { error } = await testbed.run(withUsage);
		testbed.service.behaviourV2.agentId = 'chatbotId';
		expect(error?.message).toBe(titleOf('404'));
		expect(error?.description).toContain('version 2 of the API, which may not know');
	});

	it('is refused before any request if the Base URL does not lead to version 2', async () => {
		const { apiKey, origin } = testbed.service;
		const credentials = { chatbaseV1Api: { apiKey, baseUrl: `${origin}/api` } };
		const refusal = await testbed.refusal(withUsage, { credentials });
		expect(refusal).toBe('The Base URL of the credential does not end in v1');
	});

	it.each([{ output: 'simplified' }, { output: 'selectedFields', outputFields: ['name'] }])(
		'is added for an agent: %j',
		async (parameters) => {
			const { records } = await testbed.callTool({ ...withUsage, ...parameters }, {});
			expect(records).toEqual([expect.objectContaining({ name: 'First', usage })]);
		},
	);
});

describe('in a tool call', () => {
	it.each([
		[{}, first],
		[{ output: 'simplified' }, first],
		[{ output: 'raw' }, rawFirst],
		[
			{ output: 'selectedFields', outputFields: ['name', 'temp', 'nothing'] },
			{ id: 'one', name: 'First', temp: 0 },
		],
		[{ output: 'selectedFields' }, { id: 'one' }],
		[
			{ output: 'selectedFields', outputFields: '={{ "name, temp" }}' },
			{ id: 'one', name: 'First', temp: 0 },
		],
	])('answers with %j', async (parameters, record) => {
		const { records } = await testbed.callTool(
			{ chatbotId: byId('={{ $fromAI("bot") }}'), ...parameters },
			{ bot: 'one' },
		);
		expect(records).toEqual([record]);
	});
});
