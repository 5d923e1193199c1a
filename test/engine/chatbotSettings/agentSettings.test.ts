/** The settings that only version 2 of the API has, beside those of version 1. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions } from '../harness';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbotSettings', operation: 'update' });

const settings = 'POST /update-chatbot-settings';
const agent = '/api/v2/agents/bot';

const run = async (parameters: INodeParameters, options: Partial<RunOptions> = {}) =>
	await testbed.run({ chatbotId: byId('bot'), ...parameters }, options);
const stored = () => testbed.service.store.chatbot('bot').agent;
const train = () => testbed.service.store.addSource('bot', { status: 'trained' });
const rows = (...channels: Array<[channel: string, instructions: string]>) => ({
	channelInstructions: {
		rows: channels.map(([channel, instructions]) => ({ channel, instructions })),
	},
});

it.each<[string, INodeParameters, IDataObject]>([
	['a credit limit', { creditLimit: '500' }, { creditLimit: 500 }],
	['a credit limit of zero', { creditLimit: '={{ 0 }}' }, { creditLimit: 0 }],
	['no credit limit', { removeCreditLimit: true }, { creditLimit: null }],
	['blocked countries', { blockedCountries: 'de, Fr' }, { blockedCountries: ['DE', 'FR'] }],
	[
		'blocked countries from a list',
		{ blockedCountries: '={{ ["US"] }}' },
		{ blockedCountries: ['US'] },
	],
])('%s goes out in one request', async (_, updateFields, body) => {
	Object.assign(stored(), { creditLimit: 7, blockedCountries: ['BR'] });
	const { items } = await run({ updateFields });
	expect(testbed.sent).toEqual([[`PUT ${agent}`, body]]);
	expect(testbed.illegal).toEqual([]);
	expect(stored()).toMatchObject(body);
	expect(items[0].json).toEqual({ chatbotId: 'bot', updatedFields: Object.keys(body) });
});

it.each([
	['an empty limit', { creditLimit: '' }],
	['a limit without a value', { creditLimit: '={{ $json.none ?? "" }}' }],
	['a toggle that is off', { removeCreditLimit: false }],
])('%s changes nothing', async (_, updateFields) => {
	const { items } = await run({ updateFields: { ...updateFields, temp: 0.5 } });
	expect(testbed.sent).toEqual([[settings, { chatbotId: 'bot', temp: 0.5 }]]);
	expect(items[0].json.updatedFields).toEqual(['temp']);
});

it('instructions of a channel leave those of other channels and of the voice', async () => {
	stored().channelInstructions = {
		slack: 'Be short.',
		chat_widget: { chat: 'Old', voice: 'Speak slowly.' },
		email: 'Old',
	};
	const { items } = await run(rows(['chat_widget', 'New'], ['email', 'Sign.'], ['whatsapp', 'Hi']));
	const expected = {
		slack: 'Be short.',
		chat_widget: { chat: 'New', voice: 'Speak slowly.' },
		email: 'Sign.',
		whatsapp: 'Hi',
	};
	expect(testbed.sent).toEqual([
		[`GET ${agent}`],
		[`PUT ${agent}`, { channelInstructions: expected }],
	]);
	expect(testbed.illegal).toEqual([]);
	expect(items[0].json.updatedFields).toEqual([
		'channelInstructions.chat_widget',
		'channelInstructions.email',
		'channelInstructions.whatsapp',
	]);
});

it('instructions of several items are all kept', async () => {
	const channelInstructions = {
		rows: [{ channel: '={{ $json.channel }}', instructions: '={{ $json.text }}' }],
	};
	const input = [
		{ channel: 'slack', text: 'A' },
		{ channel: 'email', text: 'B' },
	];
	await run({ channelInstructions }, { input });
	expect(stored().channelInstructions).toEqual({ slack: 'A', email: 'B' });
});

it.each([true, false])('Auto-Retrain has its own request: %s', async (enabled) => {
	train();
	const { items } = await run({ updateFields: { autoRetrain: enabled } });
	expect(testbed.sent).toEqual([[`PUT ${agent}/auto-retrain`, { enabled }]]);
	expect(testbed.illegal).toEqual([]);
	expect(stored().autoRetrain).toBe(enabled);
	expect(items[0].json).toEqual({ chatbotId: 'bot', updatedFields: ['autoRetrain'] });
});

const everything = {
	updateFields: { temp: 0.5, creditLimit: '500', autoRetrain: true },
	...rows(['slack', 'A']),
};

it('all together are read first, then saved one after the other', async () => {
	train();
	const { items } = await run(everything);
	expect(testbed.sent.map(([address]) => address)).toEqual([
		`GET ${agent}`,
		settings,
		`PUT ${agent}`,
		`PUT ${agent}/auto-retrain`,
	]);
	expect(items[0].json).toEqual({
		message: 'Your changes are saved.',
		chatbotId: 'bot',
		updatedFields: ['temp', 'creditLimit', 'channelInstructions.slack', 'autoRetrain'],
	});
});

describe('an error says what was saved', () => {
	it.each<[string, string, string[]]>([
		['the agent is not read', `GET ${agent}`, []],
		['version 1 refuses', settings, []],
		['the agent is not saved', `PUT ${agent}`, ['temp']],
		[
			'the chatbot is not trained',
			`PUT ${agent}/auto-retrain`,
			['temp', 'creditLimit', 'channelInstructions.slack'],
		],
	])('when %s', async (_, address, saved) => {
		train();
		const [method, path] = address.split(' ');
		const at = path.replace('/api/v2', '');
		const fault = { kind: 'status', status: 409 } as const;
		testbed.service.faults.add({ when: { method, path: at }, fault });
		const { error } = await run(everything);
		const words = /Saved before: (.*?)\.(?: |$)/.exec(error?.description ?? '')?.[1];
		expect(words?.split(', ') ?? []).toEqual(saved);
		expect(/Done: item 0\./.test(error?.description ?? '')).toBe(saved.length > 0);
	});

	it('when the plan has no Auto-Retrain', async () => {
		train();
		const body = { error: { code: 'PLAN_FEATURE_NOT_AVAILABLE', message: 'Not in your plan' } };
		const fault = { kind: 'status', status: 403, body } as const;
		testbed.service.faults.add({ when: { path: '/agents/bot/auto-retrain' }, fault });
		const { error } = await run({ updateFields: { temp: 1, autoRetrain: true } });
		expect(error?.description).toContain('Not in your plan');
		expect(error?.description).toContain('Saved before: temp.');
	});
});

it.each<[INodeParameters, string]>([
	[{ updateFields: { creditLimit: '1.5' } }, 'Credit Limit is not a whole number, 0 or more'],
	[{ updateFields: { creditLimit: '-1' } }, 'Credit Limit is not a whole number, 0 or more'],
	[
		{ updateFields: { creditLimit: '5', removeCreditLimit: true } },
		'Credit Limit is set and removed',
	],
	...['', 'Germany', 'UK', 'XX', 'DE,EN', '={{ [] }}'].map((blockedCountries): [object, string] => [
		{ updateFields: { blockedCountries } },
		'Blocked Countries is not a list of country codes',
	]),
	[rows(['slack', ' ']), 'Instructions is empty'],
	[rows(['fax', 'A']), 'Channel is not one of the channels'],
	[rows(['slack', 'A'], ['slack', 'B']), 'A channel is named twice'],
] as Array<[INodeParameters, string]>)('%j is refused before any request', async (wrong, title) => {
	const { error } = await run(wrong);
	expect(error?.message).toBe(title);
	expect(testbed.sent).toEqual([]);
});

it('a Base URL without version 2 is refused before version 1 saves anything', async () => {
	const { apiKey, origin } = testbed.service;
	const credentials = { chatbaseV1Api: { apiKey, baseUrl: `${origin}/other` } };
	const { error } = await run({ updateFields: { temp: 1, creditLimit: '5' } }, { credentials });
	expect(error).toBeDefined();
	expect(testbed.sent).toEqual([]);
});
