/** The service with some of everything in it, and a plain HTTP client. */
import { startService, type SimulatedService } from '../../../service';
import { orderTemplate } from '../../../service/core/demoData';

export const contacts = '/chatbots/bot/contacts';
export const agent = '/agents/bot';
export const sources = `${agent}/sources`;

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
	store.addConversation('bot', {
		id: 'c1',
		createdAt: '2026-07-18T12:00:00.000Z',
		userId: 'me',
		messages: [
			{ role: 'user', content: 'Hello' },
			{
				role: 'assistant',
				content: 'Hi',
				parts: [
					{ type: 'text', text: 'Hi' },
					{ type: 'tool-call', toolCallId: 'call', toolName: 'lookupOrder' },
				],
			},
		],
	});
	store.addConversation('bot', { id: 'c2', createdAt: '2026-07-19T12:00:00.000Z', userId: 'u' });
	store.addChatbot({ id: 'old' });
	const lastMessageAt = clock.iso();
	store.addConversation('old', { id: 'timeless', createdAt: 'never', lastMessageAt });
	store.addLead('bot', { name: 'Ada', conversationId: 'c2' });
	const createdAt = '2026-07-01T00:00:00.000Z';
	store.addSource('bot', { id: 's1', type: 'file', name: 'Prices', createdAt });
	store.addSource('bot', { id: 's0', type: 'notionPage', name: 'Wiki', createdAt });
	store.addSource('bot', { id: 's2', name: 'Opening hours', size: 5 });
	store.addTicket('bot', { priority: 'high', createdAt });
	store.chatbot('bot').agent.whatsapp.accounts.push(...orderTemplate.accounts);
}

/** A service for all tests of a suite, furnished anew before each. */
export function useService() {
	const bed = {} as { service: SimulatedService };
	beforeAll(async () => void (bed.service = await startService()));
	beforeEach(() => furnish(bed.service));
	afterAll(async () => await bed.service.close());
	return bed;
}

/** Sends a request such as `GET /get-chatbots` with the key of the service, and reads the answer as it arrives. */
export async function ask(
	service: SimulatedService,
	request: string,
	body?: unknown,
	headers?: Record<string, string>,
) {
	const [method, path] = request.split(' ');
	const base = /^\/(agents|health)/.test(path) ? `${service.origin}/api/v2` : service.baseUrl;
	const isSent = body !== undefined && !(body instanceof FormData);
	const response = await fetch(base + path, {
		method,
		headers: {
			authorization: `Bearer ${service.apiKey}`,
			...(isSent && { 'content-type': 'application/json' }),
			...headers,
		},
		// A string is sent unchanged, so a test can send invalid JSON.
		body: isSent && typeof body !== 'string' ? JSON.stringify(body) : (body as FormData),
	});
	const chunks: Uint8Array[] = [];
	const pieces = response.body as unknown as AsyncIterable<Uint8Array>;
	for await (const piece of pieces) chunks.push(piece);
	const text = Buffer.concat(chunks).toString();
	const isJson = response.headers.get('content-type')?.startsWith('application/json');
	return {
		chunks,
		body: isJson ? JSON.parse(text) : undefined,
		answer: `${response.status} ${text}`,
	};
}

/** A form with texts and files. Those without a value are left out. */
export function form(parts: Record<string, string | File | undefined>): FormData {
	const data = new FormData();
	for (const [name, value] of Object.entries(parts)) if (value) data.append(name, value);
	return data;
}

/** A file of so many bytes. */
export const file = (name: string, bytes = 8) => new File(['x'.repeat(bytes)], name);

/** Everything that the service holds, to see that a refused request changed nothing. */
export function held({ store }: SimulatedService): string {
	return JSON.stringify([...store.chatbots.values()], (_name, value: unknown) =>
		typeof value === 'object' && value !== null && Symbol.iterator in value
			? [...(value as [])]
			: value,
	);
}
