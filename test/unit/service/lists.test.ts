/** Conversations and leads: pages without a total, days, and the shapes that were reported. */
import type { Behaviour, SimulatedService } from '../../service';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

const set = (behaviour: Partial<Behaviour>) => Object.assign(service.behaviour, behaviour);
const identifiers = (list: Array<{ id: string }>) => list.map(({ id }) => id);

describe.each(['/get-conversations', '/get-leads'])('%s', (path) => {
	it.each([
		'page=0',
		'page=x',
		'size=0',
		'size=1001',
		'startDate=2025-1-1',
		'endDate=2025-02-30',
		'startDate=2025-01-01T00:00:00Z',
	])('refuses %s', async (query) => {
		expect((await ask('GET', `${path}?chatbotId=${chatbotId}&${query}`)).status).toBe(400);
	});

	it('needs a chatbot that exists', async () => {
		expect((await ask('GET', path)).status).toBe(400);
		expect((await ask('GET', `${path}?chatbotId=x`)).status).toBe(404);
	});
});

describe('conversations', () => {
	const list = async (query = '') =>
		(await ask('GET', `/get-conversations?chatbotId=${chatbotId}${query}`)).body.data;

	function addDays() {
		for (const day of [1, 2, 3]) {
			service.store.addConversation(chatbotId, {
				id: `c${day}`,
				createdAt: `2025-01-0${day}T12:00:00.000Z`,
				lastMessageAt: `2025-01-0${4 - day}T12:00:00.000Z`,
				source: ['API', 'Widget or Iframe', 'WhatsApp'][day - 1],
			});
		}
	}

	it('have 10 to 100 on a page', async () => {
		for (let index = 0; index < 105; index++) service.store.addConversation(chatbotId);
		expect(await list()).toHaveLength(10);
		expect(await list('&size=100&page=2')).toHaveLength(5);
		expect(await list('&size=100&page=3')).toEqual([]);
		set({ sizeAboveMaximum: 'clamp' });
		expect(await list('&size=500')).toHaveLength(100);
	});

	it.each([
		['inclusive', ['c2', 'c1']],
		['exclusive', ['c1']],
	] as const)('up to a day: %s', async (endDate, expected) => {
		addDays();
		set({ endDate });
		expect(identifiers(await list('&startDate=2025-01-01&endDate=2025-01-02'))).toEqual(expected);
	});

	it('are ordered by start or last message, in both directions', async () => {
		addDays();
		set({ conversationDate: 'lastMessage' });
		expect(identifiers(await list('&startDate=2025-01-03'))).toEqual(['c1']);
		set({ listOrder: 'oldestFirst' });
		expect(identifiers(await list())).toEqual(['c3', 'c2', 'c1']);
	});

	it('are filtered by source', async () => {
		addDays();
		const query = `&filteredSources=${encodeURIComponent('API, Widget or Iframe')}`;
		const sources = async () => (await list(query)).map(({ source }: { source: string }) => source);
		expect(await sources()).toEqual(['website', 'api']);
		set({ conversationSource: 'titleCase' });
		expect(await sources()).toEqual(['Widget or Iframe', 'API']);
	});

	it.each(['updated_at', 'last_message_at'] as const)(
		'state their last message as %s',
		async (field) => {
			addDays();
			set({ conversationTimeField: field });
			const [conversation] = await list();
			expect(conversation[field]).toBe('2025-01-01T12:00:00.000Z');
		},
	);
});

describe('a page that is shorter than requested', () => {
	it.each([
		['/get-conversations', () => service.store.addConversation(chatbotId)],
		['/get-leads', () => service.store.addLead(chatbotId)],
	] as const)('is not the last page of %s', async (path, add) => {
		for (let index = 0; index < 120; index++) add();
		set({
			conversationSize: { standard: 10, maximum: 50 },
			leadSize: { standard: 10, maximum: 50 },
			sizeAboveMaximum: 'clamp',
			leadsShape: 'data',
		});
		const lengths = [];
		for (const page of [1, 2, 3, 4]) {
			const { body } = await ask('GET', `${path}?chatbotId=${chatbotId}&size=100&page=${page}`);
			lengths.push(body.data.length);
		}
		expect(lengths).toEqual([50, 50, 20, 0]);
	});
});

describe('the fields that clients read', () => {
	const conversation = async () =>
		(await ask('GET', `/get-conversations?chatbotId=${chatbotId}`)).body.data[0];

	beforeEach(() => {
		const { id } = service.store.addConversation(chatbotId, {
			messages: [
				{ role: 'user', content: 'Hi' },
				{ role: 'assistant', content: 'Hello' },
			],
		});
		service.store.addLead(chatbotId, { name: 'Ada', phone: '1', conversationId: id });
	});

	it('are in the response', async () => {
		set({ conversationExtras: 'returned' });
		expect(await conversation()).toMatchObject({
			form_submission: { name: 'Ada', phone: '1' },
			messages: [
				{ createdAt: expect.any(String) },
				{ createdAt: expect.any(String), score: expect.any(Number), source: expect.any(String) },
			],
		});
	});

	it('are missing when the service follows the reference', async () => {
		set({ conversationExtras: 'none' });
		const record = await conversation();
		expect(record).not.toHaveProperty('form_submission');
		expect(Object.keys(record.messages[1])).toEqual(['role', 'content', 'type']);
	});
});

describe('leads', () => {
	const leads = async () => (await ask('GET', `/get-leads?chatbotId=${chatbotId}`)).body;

	it.each([
		['collectedCustomers', (list: unknown) => ({ collectedCustomers: list })],
		['collectedCustomers.data', (list: unknown) => ({ collectedCustomers: { data: list } })],
		['data', (list: unknown) => ({ data: list })],
	] as const)('in the shape %s', async (leadsShape, wrapped) => {
		set({ leadsShape });
		service.store.addLead(chatbotId, { name: 'Ada', createdAt: '2025-01-01T00:00:00.000Z' });
		expect(await leads()).toEqual(
			wrapped([
				{
					id: '1',
					chatbot_id: chatbotId,
					name: 'Ada',
					email: null,
					phone: null,
					created_at: '2025-01-01T00:00:00.000Z',
				},
			]),
		);
	});

	it('have a numeric ID when switched', async () => {
		set({ leadId: 'integer', leadsShape: 'collectedCustomers' });
		service.store.addLead(chatbotId);
		expect((await leads()).collectedCustomers).toMatchObject([{ id: 1 }]);
	});

	it.each([
		['named', [{ conversationId: 'c' }, {}]],
		['absent', [{}, {}]],
	] as const)('name their conversation %s', async (leadConversation, expected) => {
		set({ leadConversation, leadsShape: 'data', listOrder: 'oldestFirst' });
		service.store.addLead(chatbotId, { conversationId: 'c' });
		service.store.addLead(chatbotId);
		const { data } = await leads();
		const named = data.map((lead: object) =>
			'conversationId' in lead ? { conversationId: lead.conversationId } : {},
		);
		expect(named).toEqual(expected);
	});
});
