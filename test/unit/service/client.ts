/** The service with some of everything in it, and a plain HTTP client that follows steps. */
import { startService, type ServiceOptions, type SimulatedService } from '../../service';
import { orderTemplate } from '../../service/demoData';

/**
 * A request with its body, and what is expected of the answer: the status, and a part of the body.
 * A text is the message or code of an error, else the whole answer. In a request `{id}` and
 * `{cursor}` are those of the answers before.
 */
export type Step = [request: string, body: unknown, status: number, part?: unknown];

/** A chatbot with two of nearly everything. */
export function furnish({ store, clock, reset }: SimulatedService): void {
	reset();
	clock.set('2026-07-20T12:00:00.000Z');
	store.addChatbot({ id: 'bot', name: 'Bot' });
	store.addAttributes('bot', { text: 'text', number: 'number', boolean: 'boolean', date: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	const custom_attributes = { text: 'before', old: 'kept' };
	store.addContact('bot', { external_id: 'a', email: 'ada@example.com', custom_attributes });
	store.addContact('bot', { external_id: 'b', email: 'b@example.com' });
	store.addConversation('bot', { id: 'c1', createdAt: '2026-07-18T12:00:00.000Z', userId: 'me' });
	store.addConversation('bot', {
		id: 'c2',
		createdAt: '2026-07-19T12:00:00.000Z',
		source: 'WhatsApp',
		status: 'ended',
		userId: 'u',
		messages: [{ role: 'user', content: 'A refund?' }],
	});
	store.addLead('bot', { name: 'Ada', conversationId: 'c2' });
	const createdAt = '2026-07-01T00:00:00.000Z';
	store.addSource('bot', { id: 's1', type: 'file', name: 'Prices', createdAt });
	store.addSource('bot', { id: 's0', type: 'notionPage', name: 'Wiki', createdAt });
	store.addSource('bot', { id: 's2', name: 'Opening hours', size: 5 });
	store.addTicket('bot', { priority: 'high', createdAt });
	store.chatbot('bot').agent.whatsapp.accounts.push(...orderTemplate.accounts);
}

/** A service for all tests of a suite, furnished anew before each. */
export function useService(options?: ServiceOptions) {
	const bed = {} as { service: SimulatedService };
	beforeAll(async () => void (bed.service = await startService(options)));
	beforeEach(() => furnish(bed.service));
	afterAll(async () => await bed.service.close());
	return bed;
}

/** Sends a request such as `GET /get-chatbots` with the key of the service. */
async function send(
	service: SimulatedService,
	request: string,
	body?: unknown,
	headers?: Record<string, string>,
): Promise<Response> {
	const [method, path] = request.split(' ');
	const base = /^\/(agents|health)/.test(path) ? `${service.origin}/api/v2` : service.baseUrl;
	const isJson = body !== undefined && !(body instanceof FormData);
	return await fetch(base + path, {
		method,
		redirect: 'manual',
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			...(isJson && { 'content-type': 'application/json' }),
			...headers,
		},
		// A string is sent unchanged, so a test can send invalid JSON.
		body: isJson && typeof body !== 'string' ? JSON.stringify(body) : (body as FormData),
	});
}

/** Sends a request and reads the whole answer; the body is undefined when it isn't JSON. */
export async function ask(...request: Parameters<typeof send>) {
	const response = await send(...request);
	const text = await response.text();
	const body = parsed(text);
	const said = (body?.error?.code ?? body?.message) as unknown;
	return { status: response.status, headers: response.headers, text, body, said };
}

function parsed(text: string): ReturnType<typeof JSON.parse> {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
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

/** A form with a file of so many bytes, and texts. */
export function form(
	texts: Record<string, string>,
	fileName?: string,
	bytes = 8,
	part = 'file',
): FormData {
	const data = new FormData();
	for (const [name, value] of Object.entries(texts)) data.append(name, value);
	if (fileName !== undefined) data.append(part, new Blob(['x'.repeat(bytes)]), fileName);
	return data;
}

/** A request without a body. */
export const get = (path: string, status: number, part?: unknown): Step => [
	`GET ${path}`,
	undefined,
	status,
	part,
];

/** Sends the requests one after the other and compares each answer. A refusal changes nothing. */
export async function follow(service: SimulatedService, steps: Step[]): Promise<void> {
	let id = '';
	let cursor = '';
	for (const [template, body, status, part] of steps) {
		const request = template.replace('{id}', id).replace('{cursor}', encodeURIComponent(cursor));
		const before = held(service);
		const answer = await ask(service, request, body);
		const changed = status >= 400 && held(service) !== before;
		const wanted = { request, changed: false, ...expected(status, part) };
		expect({ request, changed, ...answer }).toMatchObject(wanted);
		id = answer.body?.data?.metadata?.conversationId ?? answer.body?.id ?? id;
		cursor = answer.body?.pagination?.cursor ?? '';
	}
}

function expected(status: number, part: unknown): object {
	if (part === undefined) return { status };
	if (typeof part !== 'string') return { status, body: part };
	return status < 300 ? { status, text: part } : { status, said: part };
}

/** Everything that the service holds, to see that a refused request changed nothing. */
export function held({ store }: SimulatedService): string {
	return JSON.stringify([...store.chatbots.values()], (_name, value: unknown) =>
		typeof value === 'object' && value !== null && Symbol.iterator in value
			? [...(value as [])]
			: value,
	);
}
