/** The contract of version 1: what each endpoint does, answers and refuses. */
import { z } from 'zod';

import { contract } from '../../service';
import { endpointOf, endpoints } from '../../service/endpoints';
import { ask, changed, exactly, follow, get, held, useService, type Step } from './client';

const service = useService();

const contacts = '/chatbots/bot/contacts';
const attributes = '/chatbots/bot/custom-attributes';
const messages = [{ role: 'user', content: 'Hi' }];
const named = (...ids: string[]) => ids.map((id) => ({ external_id: id }));
const numbered = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => `n${first + index}`);
const account = { label: 'Main', payment_id: 'p', payment_email: 'p@example.com' };

/** The form of an upload. */
function image(part: string, bytes = 3, chatbotId = 'bot'): FormData {
	const form = new FormData();
	form.set('chatbotId', chatbotId);
	form.set(part, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'image.png');
	return form;
}

const chatbotList = z.union([contract.chatbotListReply, contract.chatbotListReplyOfClients]);

/** What each endpoint answers, in the order of `endpoints`. */
const replies: z.ZodType[] = [
	contract.chatReply,
	contract.messageReply,
	contract.contactListReply,
	contract.contactReply,
	contract.contactReply,
	contract.contactReply,
	contract.customAttributeReply,
	contract.contactCreateReply,
	contract.customAttributeListReply,
	contract.customAttributeReply,
	chatbotList,
	contract.chatbotIdReply,
	contract.chatbotIdReply,
	contract.messageReply,
	contract.conversationListReply,
	contract.leadListReply,
	contract.messageReply,
	contract.messageReply,
	contract.messageReply,
	contract.messageReply,
];

const promises: Record<string, Step[]> = {
	'a list has each contact once, its total and its pages': [
		[`POST ${contacts}`, { users: named(...numbered(1, 23)) }, 200, { data: { length: 23 } }],
		get(`${contacts}?per_page=10&page=1`, 200, {
			data: named('a', 'b', ...numbered(1, 8)),
			total: 25,
			pages: exactly({ page: 1, per_page: 10, total_pages: 3 }),
		}),
		get(`${contacts}?per_page=10&page=2`, 200, { data: named(...numbered(9, 18)) }),
		get(`${contacts}?per_page=10&page=3`, 200, { data: named(...numbered(19, 23)) }),
		get(`${contacts}?per_page=10&page=4`, 400),
	],
	'a contact is created, read, changed and deleted': [
		[`POST ${contacts}`, { users: [{ external_id: 'n', name: 'N' }] }, 200, { data: named('n') }],
		get(`${contacts}/n`, 200, { data: { name: 'N', email: null } }),
		[`PATCH ${contacts}/n`, { data: { name: 'M' } }, 200, { data: { name: 'M' } }],
		get(`${contacts}/n`, 200, { data: { external_id: 'n', name: 'M' } }),
		[`DELETE ${contacts}/n`, undefined, 200, { data: { external_id: 'n' } }],
		get(`${contacts}/n`, 404, 'Contact not found'),
		[`DELETE ${contacts}/n`, undefined, 404, 'Contact not found'],
	],
	'any External ID names its contact, and a blank one none': [
		[`POST ${contacts}`, { users: named('a/b ü?') }, 200],
		get(`${contacts}/a%2Fb%20%C3%BC%3F`, 200, { data: { external_id: 'a/b ü?' } }),
		get(`${contacts}/`, 404, 'Not found'),
		[`DELETE ${contacts}/`, undefined, 404, 'Not found'],
		[`PATCH ${contacts}/`, { data: {} }, 404, 'Not found'],
		get(`${contacts}`, 200, { total: 3 }),
	],
	'an update keeps what it does not name, and is later than the one before': [
		[
			`PATCH ${contacts}/a`,
			{ data: { phonenumber: '+47', custom_attributes: { number: -1.5 } } },
			200,
			{
				data: {
					name: 'Ada',
					email: 'ada@example.com',
					phonenumber: '+47',
					custom_attributes: exactly({ text: 'before', old: 'kept', number: -1.5 }),
					created_at: Date.UTC(2026, 6, 20, 12) / 1000,
					updated_at: Date.UTC(2026, 6, 20, 12) / 1000 + 1,
				},
			},
		],
		[`PATCH ${contacts}/a`, { data: { external_id: 'c', payment_accounts: [account] } }, 200],
		get(`${contacts}/a`, 404),
		get(`${contacts}/c`, 200, { data: { name: 'Ada', payment_accounts: [account] } }),
	],
	'null clears, also an archived attribute': [
		[`PATCH ${contacts}/a`, { data: { name: null, custom_attributes: { old: null } } }, 200],
		get(`${contacts}/a`, 200, {
			data: { name: null, custom_attributes: exactly({ text: 'before' }) },
		}),
	],
	'fields and attributes that nobody defined are dropped': [
		[
			`PATCH ${contacts}/a`,
			{ data: { nickname: 'A', custom_attributes: { shoe: 42 } } },
			200,
			{ data: { custom_attributes: exactly({ text: 'before', old: 'kept' }) } },
		],
		get(`${contacts}/a`, 200, { data: expect.not.objectContaining({ nickname: 'A' }) as unknown }),
	],
	'values become what their type asks for': [
		[
			`PATCH ${contacts}/b`,
			{ data: { custom_attributes: { boolean: 'true', date: '2025-02-03', text: '' } } },
			200,
			{
				data: {
					custom_attributes: exactly({
						boolean: true,
						date: '2025-02-03T00:00:00.000Z',
						text: '',
					}),
				},
			},
		],
		[
			`PATCH ${contacts}/b`,
			{ data: { custom_attributes: { boolean: 0, date: 0 } } },
			200,
			{ data: { custom_attributes: { boolean: false, date: '1970-01-01T00:00:00.000Z' } } },
		],
	],
	'an External ID and an email belong to one contact': [
		[`PATCH ${contacts}/a`, { data: { external_id: 'b' } }, 409],
		[`PATCH ${contacts}/a`, { data: { email: 'b@example.com' } }, 409, 'Email already exists'],
		[`PATCH ${contacts}/a`, { data: { external_id: 'a', email: 'ada@example.com' } }, 200],
		[`POST ${contacts}`, { users: named('a') }, 409],
		[
			`POST ${contacts}`,
			{ users: named('c', 'd').map((one) => ({ ...one, email: 'x@y.example' })) },
			409,
			'Email already exists',
		],
		get(`${contacts}`, 200, { total: 2 }),
	],
	'a batch holds up to 1,000 contacts': [
		[`POST ${contacts}`, { users: named(...numbered(1, 1000)) }, 200, { data: { length: 1000 } }],
		get(`${contacts}?per_page=1000&page=2`, 200, { data: named('n999', 'n1000') }),
	],
	'an attribute is created and changed, and never deleted': [
		[`POST ${attributes}`, { name: 'Shoe-Size_2', type: 'number', label: 'Size' }, 200],
		[`PUT ${attributes}/Shoe-Size_2`, { description: 'EU' }, 200],
		get(`${attributes}`, 200, {
			data: expect.arrayContaining([
				{
					name: 'Shoe-Size_2',
					type: 'number',
					label: 'Size',
					description: 'EU',
					archived: false,
				},
			]) as unknown,
		}),
		[`POST ${attributes}`, { name: 'text', type: 'date' }, 400],
		[`PATCH ${attributes}/text`, {}, 404],
		[`DELETE ${attributes}/text`, undefined, 404],
		[`PUT ${attributes}/none`, {}, 404, 'Custom attribute not found'],
	],
	'a chat answers, and saves conversations that have an ID': [
		['POST /chat', { chatbotId: 'bot', messages }, 200, exactly({ text: 'You said: Hi' })],
		['POST /chat', { chatbotId: 'bot', messages, stream: true }, 200, 'You said: Hi'],
		get('/get-conversations?chatbotId=bot', 200, { data: { length: 2 } }),
		['POST /chat', { chatbotId: 'bot', messages, conversationId: 'new', contactId: 'a' }, 200],
		['POST /chat', { chatbotId: 'bot', messages, conversationId: 'new' }, 200],
		get('/get-conversations?chatbotId=bot&size=1', 200, {
			data: [
				{
					id: 'new',
					source: 'api',
					messages: [
						{ role: 'user', content: 'Hi' },
						{ role: 'assistant', content: 'You said: Hi' },
						{ role: 'user', content: 'Hi' },
						{ role: 'assistant', content: 'You said: Hi' },
					],
				},
			],
		}),
		['POST /chat', { chatbotId: 'other', messages }, 400],
	],
	'settings keep what they do not name, also within an object': [
		[
			'POST /update-chatbot-settings',
			{ chatbotId: 'bot', styles: { theme: 'dark', buttonColor: '#fff' }, temp: 0, domains: [] },
			202,
		],
		[
			'POST /update-chatbot-settings',
			{ chatbotId: 'bot', styles: { theme: 'light' }, onlyAllowOnAddedDomains: false },
			202,
		],
		['POST /update-chatbot-settings', { chatbotId: 'other' }, 404],
		get('/get-chatbots', 200, {
			chatbots: {
				data: [
					{
						name: 'Bot',
						temp: 0,
						domains: [],
						only_allow_on_added_domains: false,
						styles: { theme: 'light', button_color: '#fff' },
					},
				],
			},
		}),
	],
	'a chatbot is created, trained and deleted': [
		['POST /create-chatbot', { chatbotName: 'Second' }, 200],
		[
			'POST /update-chatbot-data',
			{ chatbotId: 'bot', chatbotName: 'Renamed', sourceText: 'Text' },
			200,
		],
		get('/get-chatbots', 200, {
			chatbots: { data: [{ name: 'Renamed', num_of_characters: 4 }, { name: 'Second' }] },
		}),
		['DELETE /delete-chatbot?chatbotId=bot', undefined, 200],
		['DELETE /delete-chatbot?chatbotId=bot', undefined, 404],
		get('/get-chatbots', 200, { chatbots: { data: [{ name: 'Second' }] } }),
	],
	'conversations come by day and source, the newest first': [
		get('/get-conversations?chatbotId=bot&startDate=2026-07-18&endDate=2026-07-18', 200, {
			data: [{ id: 'c1' }],
		}),
		get('/get-conversations?chatbotId=bot&filteredSources=Email,WhatsApp', 200, {
			data: [{ id: 'c2', source: 'whatsapp' }],
		}),
		get('/get-conversations?chatbotId=bot&size=1', 200, { data: [{ id: 'c2' }] }),
		get('/get-conversations?chatbotId=bot&size=1&page=2', 200, { data: [{ id: 'c1' }] }),
		get('/get-conversations?chatbotId=bot&size=1&page=3', 200, { data: exactly([]) }),
		get('/get-conversations?chatbotId=other', 404),
	],
	'leads come in pages': [
		get('/get-leads?chatbotId=bot&size=10', 200, {
			collectedCustomers: { data: [{ id: '1', name: 'Ada', phone: null }] },
		}),
		get('/get-leads?chatbotId=bot&endDate=2026-07-19', 200, {
			collectedCustomers: { data: exactly([]) },
		}),
	],
	'images are uploaded and deleted': [
		['POST /upload-chatbot-icon', image('chatbotIconFile'), 200],
		['DELETE /delete-chatbot-icon?chatbotId=bot', undefined, 200],
		['POST /upload-chatbot-profile-picture', image('profilePictureFile'), 200],
		['DELETE /delete-chatbot-profile-picture?chatbotId=bot', undefined, 200],
		['POST /upload-chatbot-icon', image('chatbotIconFile', 3, 'other'), 404],
	],
};

it.each(Object.entries(promises))('%s', async (_promise, steps) => {
	await follow(service, steps, (request, answer) => {
		if (answer.body === undefined) return;
		const index = endpoints.indexOf(endpointOf(asked(request), endpoints)!);
		const schema = answer.status < 300 ? replies[index] : contract.errorReply;
		expect(schema.safeParse(answer.body).error).toBeUndefined();
	});
});

/** Method and path of `GET /get-leads?size=10`. */
function asked(request: string) {
	const [method, path] = request.split('?')[0].split(' ');
	return { method, path };
}

it('asks each endpoint', () => {
	const done = Object.values(promises).flatMap((steps) =>
		steps
			.filter(([, , status]) => status < 300)
			.map(([request]) => endpointOf(asked(request), endpoints)),
	);
	expect(endpoints.filter((endpoint) => !done.includes(endpoint))).toEqual([]);
	expect(replies).toHaveLength(endpoints.length);
});

const chat = { chatbotId: 'bot', messages };
const created = (users: object[], field: string) => [`POST ${contacts}`, { users }, field];

/** A request, its body, and the field that the refusal names, if it names one. */
const refused = [
	...changed('POST /chat', chat, {
		messages: 'Hi',
		temperature: 1.1,
		model: 'auto',
		stream: 'true',
		chatbotId: '',
		chatId: 'bot',
	}),
	['POST /chat', { ...chat, messages: [{ role: 'system', content: '' }] }, 'messages.0.role'],
	['POST /chat', { ...chat, messages: [{ role: 'user' }] }, 'messages.0.content'],
	['POST /chat', { ...chat, stream: true, temperature: -0.1 }, 'temperature'],
	...changed(
		'POST /update-chatbot-settings',
		{ chatbotId: 'bot' },
		{
			visibility: 'hidden',
			domains: 'example.com',
			ipLimit: 1.5,
			model: 'gpt-4o',
			temp: 1.01,
			temperature: 1,
			name: null,
		},
	),
	...Object.entries({ theme: 'blue', buttonColor: 'red', font: 'Arial' }).map(([name, value]) => [
		'POST /update-chatbot-settings',
		{ chatbotId: 'bot', styles: { [name]: value } },
		`styles.${name}`,
	]),
	...['per_page=9', 'per_page=1001', 'per_page=10.5', 'page=0', 'page=2'].map((query) => [
		`GET ${contacts}?${query}`,
		undefined,
		query.split('=')[0],
	]),
	...Object.entries({ number: '12', text: 5, boolean: 'yes', date: 'soon', old: 'new' }).map(
		([name, value]) => [
			`PATCH ${contacts}/a`,
			{ data: { custom_attributes: { [name]: value } } },
			`custom_attributes.${name}`,
		],
	),
	...Object.entries({ name: 5, external_id: null, payment_accounts: {} }).map(([field, value]) => [
		`PATCH ${contacts}/a`,
		{ data: { [field]: value } },
		field,
	]),
	[`PATCH ${contacts}/a`, { data: { external_id: '' } }, 'external_id'],
	[`PATCH ${contacts}/a`, { data: { payment_accounts: [{ label: 'A' }] } }, 'payment_accounts.0'],
	[`PATCH ${contacts}/a`, { name: 'Ada' }, ''],
	[`PATCH ${contacts}/a`, '{broken', ''],
	created([], 'users'),
	created(named(...numbered(1, 1001)), 'users'),
	created([{ name: 'Ada' }], 'users.0.external_id'),
	created([...named('c'), { external_id: 'd', name: 1 }], 'users.1.name'),
	...changed(
		`POST ${attributes}`,
		{ name: 'a', type: 'text' },
		{
			name: '1st',
			type: 'list',
			archived: 'no',
			color: 'red',
		},
	),
	...['a b', 'a\n', undefined].map((name) => [
		`POST ${attributes}`,
		{ name, type: 'text' },
		'name',
	]),
	...changed(`PUT ${attributes}/text`, {}, { type: 'number', archived: null }),
	['POST /create-chatbot', { chatbotName: 'Ab' }, 'chatbotName'],
	['POST /update-chatbot-data', { chatbotId: 'bot', sourceText: 'x' }, ''],
	['DELETE /delete-chatbot', undefined, 'chatbotId'],
	...['page=0', 'size=101', 'startDate=2025-1-1', 'endDate=2025-02-30'].map((query) => [
		`GET /get-conversations?chatbotId=bot&${query}`,
		undefined,
		query.split('=')[0],
	]),
	['GET /get-leads', undefined, 'chatbotId'],
	['POST /upload-chatbot-icon', image('chatbotIconFile', 0), ''],
	['POST /upload-chatbot-icon', image('chatbotIconFile', 1024 * 1024), ''],
	['POST /upload-chatbot-profile-picture', image('file'), ''],
] as Array<[request: string, body: unknown, field: string]>;

it.each(refused)('refuses %s %j', async (request, body, field) => {
	service.behaviour.issues = 'everywhere';
	const before = held(service);
	const answer = await ask(service, request, body);
	expect(answer.status).toBe(400);
	if (field !== '') expect(answer.body).toMatchObject({ issues: [{ field }] });
	expect(held(service)).toBe(before);
});

it('accepts each model where the contract lists it', async () => {
	const { chatModels, earlierChatModels, settingsModels } = contract;
	// The counts of the document: they differ if a value is lost.
	expect([chatModels, settingsModels, earlierChatModels].map((list) => new Set(list).size)).toEqual(
		[31, 38, 21],
	);
	await follow(service, [
		...[...chatModels, ...earlierChatModels].map((model): Step => [
			'POST /chat',
			{ ...chat, model },
			200,
		]),
		...settingsModels.map((model): Step => [
			'POST /update-chatbot-settings',
			{ chatbotId: 'bot', model },
			202,
		]),
	]);
});

it.each(endpoints)('$method $path needs the key', async ({ method, path }) => {
	for (const authorization of ['', 'Bearer', 'Bearer other', service.apiKey]) {
		const headers = { authorization };
		const answer = await ask(service, `${method} ${path}`, undefined, { headers });
		expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthorized access' } });
	}
});

it.each(endpoints.filter(({ path }) => path.includes('{chatbotId}')))(
	'$method $path needs a chatbot that exists',
	async ({ method, path }) => {
		const bodies: Record<string, unknown> = {
			POST: path.endsWith('contacts') ? { users: named('c') } : { name: 'a', type: 'text' },
			PATCH: { data: {} },
			PUT: {},
		};
		const answer = await ask(service, `${method} ${path}`, bodies[method]);
		expect(answer).toMatchObject({ status: 404, body: { message: 'Chatbot not found' } });
	},
);
