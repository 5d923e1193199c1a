/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The service with some of everything in it, and a plain HTTP client that follows steps. */
import { isDeepStrictEqual } from 'node:util';

import { startService, type ServiceOptions, type SimulatedService } from '../../service';

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed text; undefined when it isn't JSON. */
	body: ReturnType<typeof JSON.parse>;
}

/**
 * A request with its body, and what is expected of the answer: the status, and a part of the body.
 * A text is the message or code of an error, else the whole answer. In a request `{id}` and
 * `{cursor}` are those of the answers before.
 */
export type Step = [request: string, body: unknown, status: number, part?: unknown];

const now = '2026-07-20T12:00:00.000Z';

/** A chatbot with two of nearly everything. */
export function furnish({ store, clock }: SimulatedService): void {
	clock.set(now);
	store.addChatbot({ id: 'bot', name: 'Bot' });
	for (const type of ['text', 'number', 'boolean', 'date'] as const) {
		store.addAttribute('bot', { name: type, type });
	}
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	store.addContact('bot', {
		external_id: 'a',
		name: 'Ada',
		email: 'ada@example.com',
		custom_attributes: { text: 'before', old: 'kept' },
	});
	store.addContact('bot', { external_id: 'b', email: 'b@example.com' });
	const messages = [
		{ role: 'user', content: 'A refund?' },
		{ role: 'assistant', content: 'No', feedback: 'negative' as const, score: 0.5 },
	];
	store.addConversation('bot', {
		id: 'c1',
		createdAt: '2026-07-18T12:00:00.000Z',
		userId: 'me',
	});
	store.addConversation('bot', {
		id: 'c2',
		createdAt: '2026-07-19T12:00:00.000Z',
		source: 'WhatsApp',
		status: 'ended',
		userId: 'u',
		messages,
		facets: {
			sentiment: 'positive',
			topics: ['billing'],
			escalated: true,
			hasVoice: true,
			actionTypes: ['collect-leads'],
			tools: [
				{ name: 'lookup', outcome: 'success' },
				{ name: 'other', outcome: 'error' },
			],
			procedures: [{ name: 'Return', outcome: 'completed' }],
		},
	});
	store.addLead('bot', { name: 'Ada', conversationId: 'c2' });
	const createdAt = '2026-07-01T00:00:00.000Z';
	store.addSource('bot', { id: 's1', type: 'file', name: 'Prices', createdAt });
	store.addSource('bot', { id: 's0', type: 'notionPage', name: 'Wiki', createdAt });
	store.addSource('bot', { id: 's2', name: 'Opening hours', size: 5, createdAt: now });
	store.addTicket('bot', { priority: 'high', createdAt });
	store.addTicket('bot', { channel: 'email', createdAt: '2026-07-02T00:00:00.000Z' });
	const template = (name: string, status: string, url: string) => ({
		id: name,
		name,
		language: 'en',
		category: 'UTILITY',
		status,
		parameterFormat: 'POSITIONAL' as const,
		variables: { body: ['1'] },
		components: [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url }] }],
	});
	store.chatbot('bot').agent.whatsapp.accounts.push({
		id: 'waba',
		senders: [{ from: '+49 30 1', verifiedName: 'Shop' }],
		templates: [
			template('hello', 'APPROVED', 'https://shop.example'),
			template('draft', 'PENDING', 'https://shop.example'),
			template('button', 'APPROVED', 'https://shop.example/{{1}}'),
		],
	});
}

/** A service for all tests of a suite, furnished anew before each. */
export function useService(options?: ServiceOptions): SimulatedService & { reset: () => void } {
	let service: SimulatedService;
	let switches: Pick<SimulatedService, 'behaviour' | 'behaviourV2'>;
	const reset = () => {
		const { behaviour, behaviourV2 } = structuredClone(switches);
		Object.assign(service.behaviour, behaviour);
		Object.assign(service.behaviourV2, behaviourV2);
		service.delayMs = 0;
		service.store.chatbots.clear();
		service.faults.clear();
		service.clearRequests();
		furnish(service);
	};
	beforeAll(async () => {
		service = await startService(options);
		const { behaviour, behaviourV2 } = service;
		switches = structuredClone({ behaviour, behaviourV2 });
	});
	beforeEach(reset);
	afterAll(async () => await service.close());
	// The service itself exists only once the suite runs.
	return new Proxy({} as ReturnType<typeof useService>, {
		get: (_nothing, name) => (name === 'reset' ? reset : (Reflect.get(service, name) as unknown)),
		set: (_nothing, name, value) => Reflect.set(service, name, value),
	});
}

/** Sends a request such as `GET /get-chatbots` with the key of the service. */
async function send(
	service: SimulatedService,
	request: string,
	body?: unknown,
	{ headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
	const [method, path] = request.split(' ');
	const base = /^\/(agents|health)/.test(path) ? `${service.origin}/api/v2` : service.baseUrl;
	const isJson = body !== undefined && !(body instanceof FormData);
	return await fetch(base + path, {
		method,
		redirect: 'manual',
		signal,
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			...(isJson && { 'content-type': 'application/json' }),
			...headers,
		},
		// A string is sent unchanged, so a test can send invalid JSON.
		body: isJson && typeof body !== 'string' ? JSON.stringify(body) : (body as FormData),
	});
}

/** Sends a request and reads the whole answer. */
export async function ask(...request: Parameters<typeof send>): Promise<Answer> {
	const response = await send(...request);
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** Sends a request and gathers the body in the pieces in which it arrives, until it ends or breaks. */
export async function received(...request: Parameters<typeof send>) {
	const reader = (await send(...request)).body!.getReader();
	const chunks: Uint8Array[] = [];
	for (;;) {
		const { done, value } = await reader.read().catch(() => ({ done: 'broken', value: undefined }));
		if (done) return { chunks, isBroken: done === 'broken' };
		chunks.push(value!);
	}
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A form with a file of so many bytes, a name or both. */
export function fileForm(fileName?: string, bytes = 8, name?: string): FormData {
	const form = new FormData();
	if (name !== undefined) form.append('name', name);
	if (fileName !== undefined) form.append('file', new Blob(['x'.repeat(bytes)]), fileName);
	return form;
}

/** A request without a body. */
export const get = (path: string, status: number, part?: unknown): Step => [
	`GET ${path}`,
	undefined,
	status,
	part,
];

/** One case for each field of `changes`: the body with that field changed. */
export function changed(request: string, body: object, changes: Record<string, unknown>) {
	return Object.entries(changes).map(([field, value]): [string, unknown, string] => [
		request,
		{ ...body, [field]: value },
		field,
	]);
}

/** Sends the requests one after the other and compares each answer. */
export async function follow(
	service: SimulatedService,
	steps: Step[],
	check: (request: string, answer: Answer) => void = () => undefined,
): Promise<void> {
	let id = '';
	let cursor = '';
	for (const [template, body, status, part] of steps) {
		const request = template.replace('{id}', id).replace('{cursor}', encodeURIComponent(cursor));
		const isPlain = typeof body === 'object' && !(body instanceof FormData);
		const sent = isPlain ? JSON.stringify(body).replace('{id}', id) : body;
		const answer = await ask(service, request, sent);
		expect({ request, ...shown(answer) }).toMatchObject({ request, ...expected(status, part) });
		check(template, answer);
		id = answer.body?.data?.metadata?.conversationId ?? answer.body?.id ?? id;
		cursor = answer.body?.pagination?.cursor ?? '';
	}
}

const shown = ({ status, text, body }: Answer) => ({
	status,
	text,
	body,
	said: (body?.error?.code ?? body?.message) as unknown,
});

function expected(status: number, part: unknown): object {
	if (part === undefined) return { status };
	if (typeof part !== 'string') return { status, body: part };
	return status < 300 ? { status, text: part } : { status, said: part };
}

/** Matches only this value, while other expectations name a part. */
export const exactly = (value: unknown) => ({
	$$typeof: Symbol.for('jest.asymmetricMatcher'),
	asymmetricMatch: (other: unknown) => isDeepStrictEqual(other, value),
	toString: () => 'exactly',
	toAsymmetricMatcher: () => JSON.stringify(value),
});

/** Everything that the service holds, to see that a refused request changed nothing. */
export function held({ store }: SimulatedService): string {
	const plain = [...store.chatbots.values()].map(({ contacts, attributes, ...others }) => ({
		...others,
		contacts: [...contacts],
		attributes: [...attributes],
	}));
	return JSON.stringify(plain);
}
