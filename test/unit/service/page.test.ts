/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The simulated page: who is recognized, what becomes of contacts, and what a custom action is told. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { sign, type SignOptions } from 'jsonwebtoken';

import {
	pageContract,
	startService,
	type CustomAction,
	type Situation,
	type SimulatedService,
} from '../../../service';
import { ask, furnish, held } from './client';

interface ActionRequest {
	method?: string;
	secret?: unknown;
	type?: unknown;
	body: unknown;
}

/** A shop that a custom action asks. */
const shop = {
	requests: [] as ActionRequest[],
	answer: '{"message":"It arrives on Friday."}',
	status: 200,
	isSilent: false,
};

let server: Server;
let service: SimulatedService;
let situation: Situation | undefined;

beforeAll(async () => {
	server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const { method, headers } = request;
			const type = headers['content-type'];
			shop.requests.push({ method, secret: headers['x-secret'], type, body: JSON.parse(text) });
			if (shop.isSilent) return;
			response.writeHead(shop.status, { 'content-type': 'application/json' });
			response.end(shop.answer);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	service = await startService({
		allowsLocalActions: true,
		actionPatienceMs: 200,
		reply: (_messages, about) => {
			situation = about;
			return { text: 'An answer', score: 0.2 };
		},
	});
});

beforeEach(() => {
	furnish(service);
	Object.assign(shop, { requests: [], answer: '{"message":"Friday"}', status: 200 });
	shop.isSilent = false;
});

afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	await service.close();
});

const secret = () => service.store.chatbot('bot').verificationSecret;

/** {"user_id":"a","exp":4102444800}, signed for this chatbot by `openssl dgst -sha256 -hmac`. */
const signedByOpenSsl =
	'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2lkIjoiYSIsImV4cCI6NDEwMjQ0NDgwMH0.gp7p4q7RqljD0pjpYrsdsDcbKqqpXbgUoAZa9JgNBG8';

const tokenOf = (claims: object, options: SignOptions = { expiresIn: '1h' }, key = secret()) =>
	sign(claims, key, options);

async function post(path: string, body: object) {
	const response = await fetch(service.pageOf('bot') + path, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function visit(claims?: object) {
	const { body } = await post('/sessions', claims ? { token: tokenOf(claims) } : {});
	const { sessionId, userId } = pageContract.sessionReply.parse(body);
	const say = async (message: string) => {
		const answer = await post(`/sessions/${sessionId}/messages`, { message });
		return pageContract.pageMessageReply.parse(answer.body);
	};
	return { sessionId, userId, say };
}

function orderStatus(changes: Partial<CustomAction> = {}): CustomAction {
	const { port } = server.address() as AddressInfo;
	return {
		name: 'order_status',
		whenToUse: 'When the visitor asks where an order is',
		inputs: [{ name: 'order_number', type: 'text', description: 'Number of the order' }],
		method: 'POST',
		url: `http://127.0.0.1:${port}/orders`,
		headers: { 'x-secret': 'header-secret' },
		body: {
			order: '{{order_number}}',
			customer: '{{contact.external_id}}',
			text: 'Order {{ order_number }} of {{contact.name}}',
			attributes: [{ kept: 1, text: '{{contact.custom_attributes.text}}' }],
		},
		recognize: (message) => {
			const number = /order (\w+)/.exec(message)?.[1];
			return number === undefined ? undefined : { order_number: number };
		},
		...changes,
	};
}

describe('a token', () => {
	it('verifies the visitor whose ID it has as user_id or sub', async () => {
		expect((await visit({ user_id: 'a', sub: 'b' })).userId).toBe('a');
		expect((await visit({ sub: 'b' })).userId).toBe('b');
		expect((await visit()).userId).toBeNull();
	});

	it('may be signed by any program that follows the standard', async () => {
		expect((await post('/sessions', { token: signedByOpenSsl })).body.userId).toBe('a');
	});

	it.each([
		['an ID that is a number', () => tokenOf({ user_id: 1042 }), /user_id/],
		['no ID', () => tokenOf({ name: 'Ada' }), /user_id/],
		['an empty ID', () => tokenOf({ user_id: '' }), /user_id/],
		['another secret', () => tokenOf({ user_id: 'a' }, {}, 'other'), /signature/],
		[
			'another algorithm',
			() => tokenOf({ user_id: 'a' }, { algorithm: 'HS512' }),
			/invalid algorithm/,
		],
		[
			'no algorithm',
			() => tokenOf({ user_id: 'a' }, { algorithm: 'none' }, ''),
			/signature is required/,
		],
		['an end in the past', () => tokenOf({ user_id: 'a', exp: 1_784_548_799 }, {}), /expired/],
		['a changed payload', () => changed(tokenOf({ user_id: 'a' })), /signature/],
		['no form of a token', () => 'not a token', /malformed/],
	])('is refused with %s, and writes nothing', async (_what, make, words) => {
		const before = held(service);
		const { status, body } = await post('/sessions', { token: make() });
		expect(status).toBe(401);
		expect(body.message).toMatch(words);
		expect(held(service)).toBe(before);
	});

	it('is valid until the second of its end', async () => {
		const token = tokenOf({ user_id: 'a', exp: service.clock.seconds() + 1 }, {});
		expect((await post('/sessions', { token })).status).toBe(201);
		service.clock.advance(1000);
		expect((await post('/sessions', { token })).status).toBe(401);
	});

	it('creates the contact of a new visitor', async () => {
		const accounts = [{ label: 'Main', stripe_id: 'cus_1' }];
		await visit({ user_id: 'N-1', name: 'New', email: 'n@x.example', stripe_accounts: accounts });
		expect(service.store.contact('bot', 'N-1')).toMatchObject({
			name: 'New',
			email: 'n@x.example',
			phonenumber: null,
			payment_accounts: [{ label: 'Main', payment_id: 'cus_1' }],
		});
	});

	it('leaves what it lacks, and clears what is null', async () => {
		service.store.addContact('bot', { external_id: 'c', name: 'Cleo', phonenumber: '+1' });
		await visit({ user_id: 'c', phonenumber: null, custom_attributes: { text: 'new' } });
		const contact = service.store.contact('bot', 'c');
		expect(contact).toMatchObject({ name: 'Cleo', phonenumber: null });
		expect(contact?.custom_attributes).toEqual({ text: 'new' });
		await visit({ user_id: 'c', custom_attributes: { text: null } });
		expect(service.store.contact('bot', 'c')?.custom_attributes).toEqual({});
	});

	it('clears and keeps so, however the API treats null and omitted attributes', async () => {
		const api = { nullInWrite: 'badRequest', attributesOnPatch: 'replace' } as const;
		Object.assign(service.behaviour, api);
		await visit({ user_id: 'a', email: null, custom_attributes: { number: 1 } });
		const { email, custom_attributes } = service.store.contact('bot', 'a')!;
		expect(email).toBeNull();
		expect(custom_attributes).toEqual({ text: 'before', old: 'kept', number: 1 });
	});

	it('creates no contact above the limit of the chatbot', async () => {
		service.behaviour.maximumContacts = 2;
		expect((await post('/sessions', { token: tokenOf({ user_id: 'N-1' }) })).status).toBe(400);
		expect(service.store.contact('bot', 'N-1')).toBeUndefined();
	});

	it('does not take the email of another contact', async () => {
		const token = tokenOf({ user_id: 'b', email: 'ada@example.com' });
		expect((await post('/sessions', { token })).status).toBe(409);
		expect(service.store.contact('bot', 'b')?.email).toBe('b@example.com');
	});
});

/** The same token with another ID in it. */
function changed(token: string): string {
	const [header, , signature] = token.split('.');
	const payload = Buffer.from(JSON.stringify({ user_id: 'b' })).toString('base64url');
	return [header, payload, signature].join('.');
}

describe('a chat on the page', () => {
	it('is a conversation of the widget, with the ID of the verified visitor and a score', async () => {
		const visitor = await visit({ user_id: 'a' });
		const { conversationId } = await visitor.say('Hello');
		await visitor.say('Again');
		const { body } = await ask(
			service,
			`GET /agents/bot/conversations/export?conversationId=${conversationId}`,
		);
		const [conversation] = body.data;
		expect(conversation).toMatchObject({ source: 'Widget or Iframe', userId: 'a' });
		expect(conversation.messages.map(({ role, metadata }: never) => [role, metadata])).toEqual([
			['user', undefined],
			['assistant', { score: 0.2 }],
			['user', undefined],
			['assistant', { score: 0.2 }],
		]);
	});

	it('takes a thumb for an answer, and none for a question', async () => {
		const { sessionId, say } = await visit();
		const { messageId, conversationId } = await say('Hello');
		const path = (id: string) => `/sessions/${sessionId}/messages/${id}/feedback`;
		await post(path(messageId), { feedback: 'negative' });
		expect((await post(path(`${conversationId}-1`), { feedback: 'negative' })).status).toBe(404);
		const { messages } = service.store.chatbot('bot').conversations.at(-1)!;
		expect(messages.map(({ feedback }) => feedback)).toEqual([undefined, 'negative']);
	});

	it('needs a session of this chatbot', async () => {
		expect((await post('/sessions/none/messages', { message: 'Hi' })).status).toBe(404);
	});
});

describe('a custom action', () => {
	it('gets the data of the contact of a verified visitor, as JSON with its headers', async () => {
		service.setUpAction('bot', orderStatus());
		service.store.addContact('bot', {
			external_id: 'K-1',
			name: 'Kim',
			custom_attributes: { text: 'gold' },
		});
		await (await visit({ user_id: 'K-1' })).say('Where is order 1042?');
		const body = {
			order: '1042',
			customer: 'K-1',
			text: 'Order 1042 of Kim',
			attributes: [{ kept: 1, text: 'gold' }],
		};
		const type = 'application/json';
		expect(shop.requests).toEqual([{ method: 'POST', secret: 'header-secret', type, body }]);
		expect(situation?.action?.output).toEqual({ message: 'Friday' });
	});

	it('is not used for a message that is about something else', async () => {
		service.setUpAction('bot', orderStatus());
		await (await visit()).say('Hello');
		expect(shop.requests).toEqual([]);
		expect(situation?.action).toBeUndefined();
	});

	it.each([
		['of an unknown visitor', async () => await (await visit()).say('order 1')],
		[
			'of the API with a userId',
			async () => await ask(service, 'POST /agents/bot/chat', { message: 'order 1', userId: 'a' }),
		],
		[
			'of the API with a contactId',
			async () => {
				const messages = [{ role: 'user', content: 'order 1' }];
				await ask(service, 'POST /chat', { chatbotId: 'bot', messages, contactId: 'a' });
			},
		],
	])('gets no contact in a chat %s', async (_which, chat) => {
		service.setUpAction('bot', orderStatus());
		await chat();
		expect(shop.requests).toHaveLength(1);
		expect(shop.requests[0].body).toMatchObject({ order: '1', customer: null });
	});

	it('finds the contact of exactly this ID, with its case', async () => {
		service.setUpAction('bot', orderStatus());
		service.store.addContact('bot', { external_id: 'K-1', name: 'Kim' });
		await (await visit({ user_id: 'k-1' })).say('order 1');
		// The token has made a contact of its own.
		expect(shop.requests[0].body).toMatchObject({ customer: 'k-1', text: 'Order 1 of ' });
	});

	it('is shown as a call and its result in the conversation', async () => {
		service.setUpAction('bot', orderStatus());
		const { conversationId } = await (await visit()).say('order 1');
		const { body } = await ask(
			service,
			`GET /agents/bot/conversations/export?conversationId=${conversationId}`,
		);
		const call = { toolCallId: 'call_1', toolName: 'order_status' };
		expect(body.data[0].messages[1].parts).toEqual([
			{ type: 'tool-call', ...call },
			{ type: 'tool-result', ...call, output: { message: 'Friday' } },
			{ type: 'text', text: 'An answer' },
		]);
	});

	it.each([
		['does not come in time', { isSilent: true }, 'TimeoutError'],
		['is no JSON', { answer: 'It arrives on Friday.' }, 'SyntaxError'],
		['is a JSON text', { answer: '"Friday"' }, 'ZodError'],
		['has another status', { status: 500 }, 'Status 500'],
	])('has failed if its response %s', async (_what, changes, failure) => {
		service.setUpAction('bot', orderStatus());
		Object.assign(shop, changes);
		await (await visit()).say('order 1');
		expect(situation?.action).toMatchObject({ failure });
		expect(situation?.action?.output).toBeUndefined();
	});

	it.each(['http://shop.example/orders', 'ftp://127.0.0.1/orders'])(
		'is refused with the address %s',
		(url) => {
			expect(() => service.setUpAction('bot', orderStatus({ url }))).toThrow(/HTTPS/);
		},
	);

	it('calls this machine only if the service was started so', async () => {
		const strict = await startService();
		try {
			strict.store.addChatbot({ id: 'bot' });
			expect(() => strict.setUpAction('bot', orderStatus())).toThrow(/HTTPS/);
			strict.setUpAction('bot', orderStatus({ url: 'https://shop.example/orders' }));
			expect(strict.store.chatbot('bot').actions).toHaveLength(1);
		} finally {
			await strict.close();
		}
	});

	it('is refused without a name', () => {
		expect(() => service.setUpAction('bot', orderStatus({ name: '' }))).toThrow(/Invalid input/);
	});
});

describe('a client-side action', () => {
	const chat = async (body: object) => {
		const answer = await ask(service, 'POST /agents/bot/chat', { stream: false, ...body });
		return (answer.body as { data: { parts: object[]; metadata: Record<string, string> } }).data;
	};

	it('is called until the chatbot can answer, with the results of its calls', async () => {
		service.store.chatbot('bot').clientActions.push({
			name: 'look_up_order',
			recognize: (message, results) => (results.length < 2 ? [{ order: message }] : []),
		});
		let answer = await chat({ message: '1042' });
		const { conversationId } = answer.metadata;
		for (const output of [{ found: false }, { status: 'packed' }]) {
			const [call] = answer.parts as Array<{ toolCallId: string }>;
			const { toolCallId } = call!;
			expect(answer.parts).toEqual([
				{ type: 'tool-call', toolCallId, toolName: 'look_up_order', input: { order: '1042' } },
			]);
			expect(answer.metadata.finishReason).toBe('tool-calls');
			const path = `POST /agents/bot/conversations/${conversationId}/tool-result`;
			await ask(service, path, { toolCallId, output });
			answer = await chat({ conversationId });
		}
		expect(situation?.action).toMatchObject({
			inputs: { order: '1042' },
			output: { status: 'packed' },
		});
		expect(answer).toMatchObject({
			parts: [{ type: 'text', text: 'An answer' }],
			metadata: { finishReason: 'stop' },
		});
	});
});
