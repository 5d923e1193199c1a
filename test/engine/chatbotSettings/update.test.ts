import { titleOf } from '../../errorTexts';
import {
	leadFormSettings,
	mainSettings,
	styleSettings,
} from '../../../nodes/Chatbase/resources/chatbotSettings/update';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'chatbotSettings', operation: 'update' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Before' }));

const chatbotId = byId('bot');
const address = 'POST /update-chatbot-settings';

const main = {
	name: 'Support',
	instructions: 'Be brief.\nBe kind.',
	initialMessages: ['Hi!', 'How can I help?'],
	suggestedMessages: ['Where is my parcel?'],
	visibility: 'public',
	domains: ['www.example.com', 'example.com'],
	onlyAllowOnAddedDomains: true,
	ipLimit: 20,
	ipLimitTimeframe: 240,
	ipLimitMessage: 'Too many messages',
	temp: 0.2,
};
const styles = {
	theme: 'dark',
	buttonColor: '#1E90ff',
	displayName: 'Nora',
	alignChatButton: 'left',
	userMessageColor: '#abc',
	autoOpenChatWindowAfter: 5,
};

/** Every field of the panel with a value, and what the service has to receive. */
const everything = {
	parameters: {
		updateFields: { ...main, model: { __rl: true, mode: 'list', value: 'gpt-5-mini' } },
		styles,
		leadForm: {
			title: 'Contact',
			nameActive: true,
			nameLabel: 'Your name',
			emailActive: true,
			emailLabel: 'Your email address',
			phoneActive: true,
			phoneLabel: 'Your phone',
		},
	},
	body: {
		...main,
		model: 'gpt-5-mini',
		styles,
		collectCustomerInformation: {
			title: 'Contact',
			name: { active: true, label: 'Your name' },
			email: { active: true, label: 'Your email address' },
			phone: { active: true, label: 'Your phone' },
		},
	},
};

describe('the request', () => {
	it('has every field with the name and nesting of the API', async () => {
		const { items } = await testbed.succeed({ chatbotId, ...everything.parameters });
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', ...everything.body }]]);
		expect(testbed.service.requests[0].headers).toMatchObject({
			authorization: `Bearer ${testbed.service.apiKey}`,
			'content-type': 'application/json',
		});
		const { message, ...rest } = items[0].json;
		expect(message).toBe('Your changes are saved.');
		expect(rest).toEqual({ chatbotId: 'bot', updatedFields: expect.any(Array) as unknown });
		const settings = [...mainSettings, ...styleSettings, ...leadFormSettings];
		expect([...(rest.updatedFields as string[])].sort()).toEqual(
			settings.map(({ path }) => path).sort(),
		);
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it.each([
		['one field', { updateFields: { temp: 1 } }, { temp: 1 }],
		[
			'false',
			{ updateFields: { onlyAllowOnAddedDomains: false } },
			{ onlyAllowOnAddedDomains: false },
		],
		['zero', { updateFields: { ipLimit: 0, temp: 0 } }, { ipLimit: 0, temp: 0 }],
		['blank text', { updateFields: { instructions: '' } }, { instructions: '' }],
		['an empty list', { updateFields: { domains: [] } }, { domains: [] }],
		['one style', { styles: { theme: 'light' } }, { styles: { theme: 'light' } }],
		[
			'one part of the form',
			{ leadForm: { phoneActive: false } },
			{ collectCustomerInformation: { phone: { active: false } } },
		],
		['JSON', { options: { settingsJson: JSON.stringify(everything.body) } }, everything.body],
		[
			'JSON without the chatbot that it names',
			{ options: { settingsJson: '{ "chatbotId": "other", "name": "A" }' } },
			{ name: 'A' },
		],
		[
			'fields over JSON, part by part',
			{
				styles: { theme: 'dark' },
				options: {
					settingsJson: '{ "name": "A", "styles": { "theme": "light", "displayName": "B" } }',
				},
			},
			{ name: 'A', styles: { theme: 'dark', displayName: 'B' } },
		],
	])('has only %s', async (_, parameters, body) => {
		await testbed.succeed({ chatbotId, ...parameters });
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', ...body }]]);
	});

	it.each([
		['a value of another type', '{"temp":2,"name":null}', ['temp', 'name']],
		['an unknown setting', '{"styles":{"colour":"#fff"},"new":[{}]}', ['styles.colour', 'new']],
		['another shape', '{"styles":"dark"}', ['styles']],
		['a dot in a name', '{"styles.theme":"dark"}', ['styles.theme']],
		['the name of a prototype', '{"__proto__":{"temp":1}}', ['__proto__.temp']],
	])('has JSON unchanged, with %s', async (_, settingsJson, updatedFields) => {
		const confirmation = { message: 'Your changes are saved.' };
		testbed.service.faults.add({ fault: { kind: 'otherShape', body: confirmation } });
		const { items } = await testbed.run({ chatbotId, options: { settingsJson } });
		const [{ body }] = testbed.service.requests;
		expect(JSON.stringify(body)).toBe(`${settingsJson.slice(0, -1)},"chatbotId":"bot"}`);
		expect(items[0].json).toEqual({ ...confirmation, chatbotId: 'bot', updatedFields });
	});

	it('has the field when JSON has another shape in its place', async () => {
		await testbed.run({
			chatbotId,
			styles: { theme: 'dark' },
			options: { settingsJson: '{ "styles": "dark" }' },
		});
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', styles: { theme: 'dark' } }]]);
	});

	it('returns the paths of the updated settings', async () => {
		const { items } = await testbed.run({
			chatbotId,
			updateFields: { name: 'A' },
			styles: { theme: 'dark' },
			leadForm: { nameActive: true },
		});
		expect(items.map(({ json }) => json.updatedFields)).toEqual([
			['name', 'styles.theme', 'collectCustomerInformation.name.active'],
		]);
	});

	it("has the values of each item's expressions, of any type", async () => {
		const { items } = await testbed.succeed(
			{
				chatbotId: byId('={{ $json.bot }}'),
				updateFields: {
					name: '={{ $json.name }}',
					initialMessages: '={{ $json.hello }}',
					temp: '={{ $json.temp }}',
					ipLimit: '={{ $json.limit }}',
					onlyAllowOnAddedDomains: '={{ $json.lock }}',
					visibility: '={{ $json.seen }}',
					model: byId('={{ $json.model }}'),
				},
				styles: { buttonColor: '={{ $json.color }}' },
				leadForm: { title: '={{ $json.title }}' },
				options: { settingsJson: '={{ $json.file }}' },
			},
			{
				input: [
					{
						bot: 'bot',
						name: 7,
						hello: ['Hi'],
						temp: '0.5',
						limit: '3',
						lock: 'TRUE',
						seen: 'private',
						model: 'auto',
						color: '#123456',
						title: 'T',
						file: { ipLimitMessage: 'Slow down' },
					},
					{ bot: 'bot', hello: 'Hi\nthere', title: null, file: '{}' },
				],
			},
		);
		const bodies = testbed.service.requests.map(({ body }) => body);
		expect(bodies).toEqual(
			expect.arrayContaining([
				{
					chatbotId: 'bot',
					ipLimitMessage: 'Slow down',
					name: '7',
					initialMessages: ['Hi'],
					temp: 0.5,
					ipLimit: 3,
					onlyAllowOnAddedDomains: true,
					visibility: 'private',
					model: 'auto',
					styles: { buttonColor: '#123456' },
					collectCustomerInformation: { title: 'T' },
				},
				{ chatbotId: 'bot', initialMessages: ['Hi', 'there'] },
			]),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	it('is sent again when its outcome is unknown', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetAfter' } });
		await testbed.succeed({ chatbotId, updateFields: { name: 'After' } });
		expect(testbed.sent).toHaveLength(2);
	});
});

it('is sent in the order of the items for one chatbot', async () => {
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 200 } });
	const names = ['First', 'Second', 'Third'];
	const { items } = await testbed.run(
		{ chatbotId, updateFields: { name: '={{ $json.name }}' } },
		{ input: names.map((name) => ({ name })) },
	);
	expect(items).toHaveLength(3);
	expect(testbed.sent.map(([, body]) => body)).toEqual(
		names.map((name) => ({ chatbotId: 'bot', name })),
	);
	expect(testbed.service.store.chatbot('bot').settings.name).toBe('Third');
});

it.each([{}, { error: 'Locked' }, { message: { text: 'Saved' } }])(
	'fails when the service responds with %j',
	async (body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { items, error } = await testbed.run({ chatbotId, updateFields: { name: 'After' } });
		expect(items).toEqual([]);
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	},
);

describe('a refusal before any request', () => {
	it.each([
		['nothing at all', {}, 'Nothing to update'],
		[
			'empty collections',
			{ updateFields: {}, styles: {}, options: { settingsJson: '{}' } },
			'Nothing to update',
		],
		['temperature', { updateFields: { temp: 1.01 } }, 'Temperature is not a number from 0 to 1'],
		['temperature', { updateFields: { temp: -0.1 } }, 'Temperature is not a number from 0 to 1'],
		['limit', { updateFields: { ipLimit: -1 } }, 'IP Limit is not a whole number, 0 or more'],
		[
			'timeframe',
			{ updateFields: { ipLimitTimeframe: 1.5 } },
			'IP Limit Timeframe is not a whole number, 0 or more',
		],
		[
			'opening',
			{ styles: { autoOpenChatWindowAfter: -1 } },
			'Auto Open Chat Window After is not a whole number, 0 or more',
		],
		[
			'color',
			{ styles: { buttonColor: 'rgba(0, 0, 0, 0.5)' } },
			'Button Color is not a hex color code such as #1e90ff',
		],
		['color', { styles: { userMessageColor: '' } }, 'User Message Color is empty'],
		['theme', { styles: { theme: 'sepia' } }, 'Theme is not light or dark'],
		['side', { styles: { alignChatButton: 'top' } }, 'Align Chat Button is not right or left'],
		[
			'visibility',
			{ updateFields: { visibility: 'hidden' } },
			'Visibility is not private or public',
		],
		['list', { updateFields: { domains: [''] } }, 'Domains is not a list of nonempty texts'],
		['truth', { leadForm: { emailActive: 'maybe' } }, 'Email Active is not true or false'],
		['model', { updateFields: { model: byId('') } }, 'Model is empty'],
		['JSON', { options: { settingsJson: '{' } }, 'Settings JSON is not valid JSON'],
		['JSON list', { options: { settingsJson: '[]' } }, 'Settings JSON is not a JSON object'],
		['name', { updateFields: { name: '={{ "" }}' } }, 'Name is empty'],
	])('%s: %j', async (_, parameters, message) => {
		const { error } = await testbed.run({ chatbotId, ...parameters });
		expect(error?.message).toBe(message);
		expect(error?.description).toMatch(/^Item 0: /);
		expect(testbed.sent).toEqual([]);
	});

	it.each([
		['domains', 'Domains'],
		['initialMessages', 'Initial Messages'],
		['suggestedMessages', 'Suggested Messages'],
	])('%s: says how to clear the list when the text is blank', async (name, label) => {
		const blanks = ['', ' \n', [''], ['a', ' '], [null]];
		for (const blank of blanks) {
			const { error } = await testbed.run(
				{ chatbotId, updateFields: { [name]: '={{ $json.list }}' } },
				{ input: [{ list: blank }] },
			);
			expect(error?.message).toBe(`${label} is not a list of nonempty texts`);
			expect(error?.description).toContain('To clear the list');
		}
		expect(testbed.sent).toEqual([]);
		await testbed.succeed(
			{ chatbotId, updateFields: { [name]: '={{ $json.list }}' } },
			{ input: [{ list: [] }] },
		);
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', [name]: [] }]]);
	});

	it('sends nothing for undefined, in a field, in JSON and within it', async () => {
		const parameters = {
			chatbotId,
			updateFields: { domains: '={{ $json.gone }}', instructions: '={{ $json.gone }}' },
			options: {
				settingsJson:
					'={{ ({ chatbotId: undefined, name: undefined, temp: 0, styles: { theme: undefined } }) }}',
			},
		};
		const { items } = await testbed.succeed(parameters);
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', temp: 0 }]]);
		expect(items[0].json.updatedFields).toEqual(['temp']);
	});
});

describe('in a tool call', () => {
	const fromAi = (name: string, type = 'string') => `={{ $fromAI('${name}', '', '${type}') }}`;

	it('leaves out fields that the model left blank', async () => {
		const { error, records } = await testbed.callTool(
			{
				chatbotId: byId('bot'),
				updateFields: {
					name: fromAi('name'),
					instructions: fromAi('instructions'),
					domains: [fromAi('domain')],
					model: byId(fromAi('model')),
				},
				styles: { buttonColor: fromAi('color') },
				leadForm: { title: fromAi('title') },
				options: { settingsJson: '' },
			},
			{ name: 'New', instructions: '', domain: '', model: '', color: ' ', title: '' },
		);
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([[address, { chatbotId: 'bot', name: 'New' }]]);
		expect(records).toEqual([
			{ message: 'Your changes are saved.', chatbotId: 'bot', updatedFields: ['name'] },
		]);
	});

	it('returns the error', async () => {
		const { records } = await testbed.callTool(
			{ chatbotId: byId('bot'), updateFields: { temp: fromAi('temp', 'number') } },
			{ temp: 3 },
		);
		expect(records).toEqual([
			{ error: 'Temperature is not a number from 0 to 1. It is the number 3.' },
		]);
		expect(testbed.sent).toEqual([]);
	});
});
