/** The schemas, and the responses of the service compared with them. */
import { z } from 'zod';

import { contract, illegalities, type Behaviour, type SimulatedService } from '../../service';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

const { chatModels, earlierChatModels, settingsModels } = contract;

describe('the model lists', () => {
	// The counts of the document: they differ if a value is lost or doubled.
	it.each([
		['chat', chatModels, 31],
		['settings', settingsModels, 38],
		['earlier chat', earlierChatModels, 21],
	])('%s: has as many values as the document', (_name, models, count) => {
		expect(models).toHaveLength(count);
		expect(new Set(models).size).toBe(count);
	});

	it('have 25 values for both chat and settings', () => {
		const settings = new Set<string>(settingsModels);
		expect(chatModels.filter((model) => settings.has(model))).toHaveLength(25);
	});

	it('have no value in both the current and the earlier chat list', () => {
		const earlier = new Set<string>(earlierChatModels);
		expect(chatModels.filter((model) => earlier.has(model))).toEqual([]);
	});
});

describe('an invalid request', () => {
	const legal = {
		method: 'POST',
		path: '/chat',
		query: {},
		body: { chatbotId: 'a', messages: [{ role: 'user', content: 'Hi' }] },
	};

	it('is not reported when the request is valid', () => {
		expect(illegalities([legal])).toEqual([]);
	});

	it.each([
		[{ ...legal, path: '/chats' }, 'POST /chats: no such endpoint'],
		[{ ...legal, method: 'GET' }, 'GET /chat: no such endpoint'],
		[{ ...legal, body: { ...legal.body, chatId: 'a' } }, 'POST /chat: chatId: Unknown field'],
		[
			{ ...legal, body: { ...legal.body, messages: [{ role: 'user', content: 'Hi', id: 1 }] } },
			'POST /chat: messages.0.id: Unknown field',
		],
		[
			{ method: 'GET', path: '/chatbots/a/contacts', query: { per_page: '5' }, body: undefined },
			'GET /chatbots/a/contacts: per_page: Must be at least 10',
		],
		[
			{ method: 'GET', path: '/chatbots/a/contacts', query: { limit: '10' }, body: undefined },
			'GET /chatbots/a/contacts: limit: Unknown field',
		],
		[
			{ method: 'PATCH', path: '/chatbots/a/contacts/', query: {}, body: { data: {} } },
			'PATCH /chatbots/a/contacts/: no such endpoint',
		],
	])('is named: %j', (request, line) => {
		expect(illegalities([legal, request])).toEqual([line]);
	});

	it('is reported when a body is not allowed', () => {
		const request = { method: 'DELETE', path: '/chatbots/a/contacts/b', query: {}, body: {} };
		expect(illegalities([request])).toHaveLength(1);
	});
});

describe('a response of the service', () => {
	let service: SimulatedService;
	beforeAll(async () => {
		service = await serviceWithChatbot();
		service.store.seedContacts(chatbotId, 30);
		service.store.addConversation(chatbotId, { messages: [{ role: 'user', content: 'Hi' }] });
		service.store.addLead(chatbotId, { name: 'Ada' });
	});
	afterAll(async () => await service.close());

	const contacts = `/chatbots/${chatbotId}/contacts`;
	const attributes = `/chatbots/${chatbotId}/custom-attributes`;
	const messages = [{ role: 'user', content: 'Hi' }];
	const chatbotList = z.union([contract.chatbotListReply, contract.chatbotListReplyOfClients]);
	const cases: Array<[string, string, unknown, number, z.ZodType]> = [
		['POST', '/chat', { chatbotId, messages }, 200, contract.chatReply],
		[
			'POST',
			'/update-chatbot-settings',
			{ chatbotId, name: 'New name' },
			202,
			z.strictObject({ message: z.string() }),
		],
		['GET', contacts, undefined, 200, contract.contactListReply],
		['POST', contacts, { users: [{ external_id: 'new' }] }, 200, contract.contactCreateReply],
		['GET', `${contacts}/new`, undefined, 200, contract.contactReply],
		['PATCH', `${contacts}/new`, { data: { name: 'N' } }, 200, contract.contactReply],
		['DELETE', `${contacts}/new`, undefined, 200, contract.contactReply],
		['POST', attributes, { name: 'Shoe-Size', type: 'number' }, 200, contract.customAttributeReply],
		['GET', attributes, undefined, 200, contract.customAttributeListReply],
		['PUT', `${attributes}/company`, { label: 'Firm' }, 200, contract.customAttributeReply],
		['GET', '/get-chatbots', undefined, 200, chatbotList],
		['POST', '/create-chatbot', { chatbotName: 'Third' }, 200, contract.chatbotIdReply],
		[
			'POST',
			'/update-chatbot-data',
			{ chatbotId, chatbotName: 'Renamed', sourceText: 'Text' },
			200,
			contract.chatbotIdReply,
		],
		[
			'GET',
			`/get-conversations?chatbotId=${chatbotId}`,
			undefined,
			200,
			contract.conversationListReply,
		],
		['GET', `/get-leads?chatbotId=${chatbotId}`, undefined, 200, contract.leadListReply],
		[
			'DELETE',
			`/delete-chatbot-icon?chatbotId=${chatbotId}`,
			undefined,
			200,
			contract.messageReply,
		],
		[
			'DELETE',
			`/delete-chatbot-profile-picture?chatbotId=${chatbotId}`,
			undefined,
			200,
			contract.messageReply,
		],
		['GET', `${contacts}/nobody`, undefined, 404, contract.errorReply],
		['GET', '/nowhere', undefined, 404, contract.errorReply],
		['DELETE', `/delete-chatbot?chatbotId=${chatbotId}`, undefined, 200, contract.messageReply],
	];

	it.each(cases)('%s %s', async (method, path, body, status, schema) => {
		const answer = await clientOf(service)(method, path, body);
		expect(answer).toMatchObject({ status });
		expect(schema.safeParse(answer.body).error).toBeUndefined();
	});
});

describe('a response in another shape', () => {
	let service: SimulatedService;
	let ask: ReturnType<typeof clientOf>;
	beforeEach(async () => {
		service = await serviceWithChatbot();
		ask = clientOf(service);
	});
	afterEach(async () => await service.close());

	it.each([
		[
			'/get-chatbots',
			{ chatbotListShape: 'chatbots', chatbotRecord: 'reference', readyStatus: 'ready' },
			contract.chatbotListReply,
		],
		['/get-chatbots', { chatbotListShape: 'chatbots.data' }, contract.chatbotListReplyOfClients],
		[
			'/get-chatbots',
			{ chatbotListShape: 'chatbots.data', chatbotId: 'number' },
			contract.chatbotListReplyOfClients,
		],
		[
			`/chatbots/${chatbotId}/contacts`,
			{ contactId: 'number' },
			z.looseObject({ data: z.array(contract.contactWithNumericId).min(1) }),
		],
		[
			`/get-conversations?chatbotId=${chatbotId}`,
			{ conversationExtras: 'returned', conversationTimeField: 'last_message_at' },
			contract.conversationListReplyOfClients,
		],
	] as Array<[string, Partial<Behaviour>, z.ZodType]>)(
		'%s with %j',
		async (path, behaviour, schema) => {
			service.store.seedContacts(chatbotId, 3);
			const { id } = service.store.addConversation(chatbotId, {
				messages: [
					{ role: 'user', content: 'Hi' },
					{ role: 'assistant', content: 'Hello' },
				],
			});
			service.store.addLead(chatbotId, { name: 'Ada', conversationId: id });
			Object.assign(service.behaviour, behaviour);
			expect(schema.safeParse((await ask('GET', path)).body).error).toBeUndefined();
		},
	);
});

describe('the endpoints', () => {
	let service: SimulatedService;
	beforeEach(async () => (service = await serviceWithChatbot()));
	afterEach(async () => await service.close());

	const statuses = async () => {
		const ask = clientOf(service);
		const asked = await Promise.all(
			['/chatbots/bot/contacts', '/chatbots/bot/custom-attributes', '/get-chatbots'].map(
				async (path) => await ask('GET', path),
			),
		);
		return asked.map(({ status }) => status);
	};

	it.each([
		['all', [200, 200, 200]],
		['withoutAttributeList', [200, 404, 200]],
		['contract', [200, 404, 404]],
	] as const)('%s', async (endpoints, expected) => {
		service.behaviour.endpoints = endpoints;
		expect(await statuses()).toEqual(expected);
		const created = await clientOf(service)('POST', '/chatbots/bot/custom-attributes', {
			name: 'size',
			type: 'number',
		});
		expect(created.status).toBe(200);
	});
});

describe('authentication', () => {
	let service: SimulatedService;
	beforeAll(async () => (service = await serviceWithChatbot()));
	afterAll(async () => await service.close());

	const every = [
		['POST', '/chat'],
		['POST', '/update-chatbot-settings'],
		['GET', '/chatbots/bot/contacts'],
		['POST', '/chatbots/bot/contacts'],
		['GET', '/chatbots/bot/contacts/a'],
		['PATCH', '/chatbots/bot/contacts/a'],
		['DELETE', '/chatbots/bot/contacts/a'],
		['GET', '/chatbots/bot/custom-attributes'],
		['POST', '/chatbots/bot/custom-attributes'],
		['PUT', '/chatbots/bot/custom-attributes/a'],
		['GET', '/get-chatbots'],
		['POST', '/create-chatbot'],
		['POST', '/update-chatbot-data'],
		['DELETE', '/delete-chatbot'],
		['GET', '/get-conversations'],
		['GET', '/get-leads'],
		['POST', '/upload-chatbot-icon'],
		['DELETE', '/delete-chatbot-icon'],
		['POST', '/upload-chatbot-profile-picture'],
		['DELETE', '/delete-chatbot-profile-picture'],
	];

	it.each(every)('is required by %s %s', async (method, path) => {
		const answer = await clientOf(service)(method, path, undefined, {
			headers: { authorization: 'Bearer another-key' },
		});
		expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthorized access' } });
	});

	it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi'])(
		'refuses the header "%s"',
		async (authorization) => {
			const answer = await clientOf(service)('GET', '/get-chatbots', undefined, {
				headers: { authorization },
			});
			expect(answer.status).toBe(401);
		},
	);

	it('is refused with the message of the switch', async () => {
		service.behaviour.unauthorizedMessage = 'No API key provided.';
		const headers = { authorization: '' };
		expect((await clientOf(service)('GET', '/get-chatbots', undefined, { headers })).body).toEqual({
			message: 'No API key provided.',
		});
		service.behaviour.unauthorizedMessage = 'Unauthorized access';
	});

	it('refuses a key without its scheme', async () => {
		const answer = await clientOf(service)('GET', '/get-chatbots', undefined, {
			headers: { authorization: service.apiKey },
		});
		expect(answer.status).toBe(401);
	});

	it('is checked before the body', async () => {
		const answer = await clientOf(service)('POST', '/chat', '{broken', {
			headers: { authorization: 'Bearer another-key' },
		});
		expect(answer.status).toBe(401);
	});
});
