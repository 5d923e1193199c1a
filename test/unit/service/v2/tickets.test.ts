/** Tickets: what may be written, who is assigned, and the list by a key that moves. */
import { contractV2 } from '../../../service';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
	v2.service.clock.set('2026-07-20T12:00:00Z');
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const tickets = `${agent}/helpdesk/tickets`;
const unknown = '00000000-0000-4000-8000-000000000000';
const fresh = {
	subject: 'Refund',
	description: 'I want a refund',
	customer: { email: 'jane@example.com', name: 'Jane' },
};
const helpdesk = () => v2.store.chatbot('bot').agent;
const get = async (path = '') => await v2.ask('GET', tickets + path);
const create = async (fields: object = {}) =>
	await v2.ask('POST', tickets, { ...fresh, ...fields });
const patch = async (fields: object, number = 1) =>
	await v2.ask('PATCH', `${tickets}/${number}`, fields);
const reply = async (fields: object = {}) =>
	await v2.ask('POST', `${tickets}/1/messages`, {
		type: 'reply',
		content: 'Sent **today**',
		authorEmail: 'ADA@team.example',
		...fields,
	});

it('names its statuses and teams, one default each', async () => {
	const statuses = (await v2.ask('GET', `${agent}/helpdesk/ticket-statuses`)).body;
	expect(contractV2.ticketStatus.array().parse(statuses)).toHaveLength(6);
	const teams = (await v2.ask('GET', `${agent}/helpdesk/teams`)).body;
	expect(contractV2.team.array().parse(teams)).toMatchObject([
		{ name: 'Support', isDefault: true, memberCount: 2 },
		{ name: 'Billing', isDefault: false, memberCount: 1 },
	]);
});

it('can be switched off, of which an agent that does not exist says nothing', async () => {
	v2.set({ helpdesk: 'off' });
	expect(errorOf(await get())).toEqual([403, 'HELPDESK_NOT_ENABLED']);
	expect((await v2.ask('GET', '/agents/x/helpdesk/tickets')).status).toBe(404);
	expect((await v2.ask('GET', agent)).status).toBe(200);
});

describe('creating', () => {
	it('makes a new ticket of nobody, with the description as the first message', async () => {
		const { status, body } = await create();
		expect(status).toBe(201);
		expect(contractV2.ticket.parse(body)).toMatchObject({
			ticketNumber: 1,
			statusCategory: 'new',
			assigneeId: null,
			priority: 'none',
			channel: 'api',
			customer: { name: 'Jane' },
		});
		const { data } = (await get('/1/messages')).body;
		expect(contractV2.ticketMessage.array().parse(data)).toMatchObject([
			{ type: 'reply', sender: { type: 'customer' }, contentText: 'I want a refund' },
		]);
	});

	it('knows a customer by the address, and keeps the name', async () => {
		const first = (await create()).body.customer;
		expect((await create({ customer: { ...fresh.customer, name: 'J' } })).body.customer).toEqual(
			first,
		);
	});

	it('assigns as asked, else by the team', async () => {
		const [support, billing] = helpdesk().teams;
		const [ada, grace] = support.members;
		const assignees = [
			{ assigneeEmail: 'GRACE@team.example' },
			{ assigneeId: ada.id },
			{ teamId: billing.id },
			{ teamId: billing.id, assigneeId: null },
		];
		const assigned = [];
		for (const fields of assignees) assigned.push((await create(fields)).body.assigneeId);
		expect(assigned).toEqual([grace.id, ada.id, grace.id, null]);
	});

	it.each([
		{ subject: '' },
		{ subject: 'a'.repeat(501) },
		{ description: 'a'.repeat(10_001) },
		{ customer: { email: 'jane' } },
		{ customer: { name: 'Jane' } },
		{ statusId: unknown, statusCategory: 'new' },
		{ assigneeId: null, assigneeEmail: 'ada@team.example' },
		{ statusId: 'new' },
		{ teamId: null },
		{ priority: 'top' },
		{ tags: [] },
	])('refuses what the contract forbids, case %#', async (fields) => {
		expect(errorOf(await create(fields))).toEqual([400, 'VALIDATION_INVALID_BODY']);
	});

	it.each([422, 400, 404] as const)('for nobody we know: %d', async (ticketCreateUnknown) => {
		v2.set({ ticketCreateUnknown });
		expect(errorOf(await create({ assigneeEmail: 'x@team.example' }))).toEqual([
			ticketCreateUnknown,
			'TICKET_TEAM_MEMBER_NOT_FOUND',
		]);
		expect(errorOf(await create({ teamId: unknown }))).toEqual([
			ticketCreateUnknown,
			'TICKET_TEAM_NOT_FOUND',
		]);
		expect(errorOf(await create({ statusId: unknown }))).toEqual([422, 'TICKET_INVALID_STATUS']);
		expect(helpdesk().tickets).toEqual([]);
	});
});

describe('the list', () => {
	const numbers = async (query = '') =>
		(await v2.all(`${tickets}?${query}`)).map(({ ticketNumber }) => ticketNumber);

	beforeEach(() => {
		const { statuses, teams } = helpdesk();
		const day = (number: number) => `2026-07-0${number}T00:00:00.000Z`;
		const add = (createdAt: string, fields: object) =>
			v2.store.addTicket('bot', { createdAt, ...fields });
		add(day(1), { updatedAt: day(5), priority: 'high', channel: 'email' });
		add(day(2), { updatedAt: day(4), statusId: statuses[4].id, teamId: teams[0].id });
		add(day(3), { updatedAt: day(4), lastMessageAt: day(9) });
	});

	it('begins with what changed last, and says no more than a list does', async () => {
		expect(await numbers()).toEqual([1, 3, 2]);
		const { data, pagination } = (await get()).body;
		expect(contractV2.listedTicket.array().parse(data)[0]).not.toHaveProperty('description');
		expect(pagination).not.toHaveProperty('total');
	});

	it.each([
		['limit=1&order=asc', [2, 3, 1]],
		['sortBy=createdAt', [3, 2, 1]],
		['sortBy=lastMessageAt', [3, 2, 1]],
		['status=closed,on_hold', [2]],
		['status=new', [1, 3]],
		['channel=email', [1]],
		['priority=high,low', [1]],
		['teamId=none', [1, 3]],
		['assigneeId=none', [1, 3, 2]],
		[`assigneeId=${unknown}`, []],
		['createdAfter=2026-07-02T00:00:00Z', [3, 2]],
		['createdBefore=2026-07-02T00:00:00Z', [1, 2]],
	])('by %s', async (query, expected) => {
		expect(await numbers(query)).toEqual(expected);
	});

	it.each([
		'createdAfter=2026-07-02',
		'status=open',
		'sortBy=priority',
		'limit=101',
		'updatedAfter=2026-07-02T00:00:00Z',
	])('refuses %s', async (query) => {
		expect((await get(`?${query}`)).status).toBe(400);
	});

	it('states a total where it is asked for, or never', async () => {
		expect((await get('?includeTotal=true&limit=1')).body.pagination.total).toBe(3);
		v2.set({ ticketTotal: 'never' });
		expect((await get('?includeTotal=true')).body.pagination).not.toHaveProperty('total');
	});

	it('binds its cursor to the order', async () => {
		const { cursor } = (await get('?limit=1')).body.pagination;
		const next = `cursor=${encodeURIComponent(cursor)}`;
		expect((await get(`?limit=2&${next}`)).body.data).toHaveLength(2);
		expect(errorOf(await get(`?order=asc&${next}`))).toEqual([400, 'VALIDATION_INVALID_BODY']);
	});

	it('can be of a time without priorities', async () => {
		v2.set({ ticketPriority: 'absent' });
		expect((await get()).body.data[0]).not.toHaveProperty('priority');
		expect((await get('/1')).body).not.toHaveProperty('priority');
	});

	it('is searched by words of messages, and says when there is more', async () => {
		await create();
		await create({ description: 'My refund, I want it' });
		const search = async (body: object) => (await v2.ask('POST', `${tickets}/search`, body)).body;
		expect((await search({ query: 'my refund' })).data[0].ticketNumber).toBe(5);
		const short = await search({ query: 'refund', limit: 1 });
		expect(short.data).toHaveLength(1);
		expect(short.pagination).toEqual({ cursor: null, hasMore: true });
		expect((await search({ query: 'x', limit: 51 })).error.code).toBe('VALIDATION_INVALID_BODY');
	});
});

describe('updating', () => {
	beforeEach(async () => void (await create()));

	it('writes what it names, clears with null, and records a change of the status', async () => {
		await patch({ assigneeEmail: 'ada@team.example', teamId: helpdesk().teams[0].id });
		const { body } = await patch({ assigneeId: null, statusCategory: 'closed', teamId: null });
		expect(contractV2.ticket.parse(body)).toMatchObject({
			statusCategory: 'closed',
			assigneeId: null,
			teamId: null,
		});
		const { data } = (await get('/1/messages?types=event')).body;
		expect(contractV2.ticketMessage.array().parse(data)).toMatchObject([
			{ sender: null, metadata: { statusFrom: 'new', statusTo: 'closed' } },
		]);
	});

	it('can fail halfway', async () => {
		v2.set({ ticketUpdate: 'half' });
		expect((await patch({ statusCategory: 'closed', priority: 'high' })).status).toBe(500);
		expect((await get('/1')).body).toMatchObject({ statusCategory: 'closed', priority: 'none' });
	});

	it('checks everything before it writes anything', async () => {
		const answer = await patch({ priority: 'high', assigneeId: unknown });
		expect(errorOf(answer)).toEqual([422, 'TICKET_TEAM_MEMBER_NOT_FOUND']);
		expect((await get('/1')).body.priority).toBe('none');
		expect((await patch({ subject: 'New' })).status).toBe(400);
	});

	it.each([
		[2, 404, 'TICKET_NOT_FOUND'],
		[0, 400, 'VALIDATION_INVALID_BODY'],
		[2_147_483_648, 400, 'VALIDATION_INVALID_BODY'],
	])('of ticket %d: %d', async (number, status, code) => {
		expect(errorOf(await patch({}, number))).toEqual([status, code]);
	});
});

describe('a reply', () => {
	beforeEach(async () => void (await create()));

	it('is recorded as its author wrote it', async () => {
		const { status, body } = await reply();
		expect(status).toBe(201);
		expect(contractV2.createdTicketMessage.parse(body)).toMatchObject({
			type: 'reply',
			sender: { type: 'agent', name: 'Ada' },
			contentText: 'Sent **today**',
		});
		expect((await get('/1')).body).toMatchObject({
			lastMessageAt: '2026-07-20T12:00:00.000Z',
			statusCategory: 'new',
		});
		const latest = (await get('/1/messages?order=desc&limit=1')).body;
		expect(latest.data[0].id).toBe(body.id);
		expect(latest.pagination).toMatchObject({ hasMore: true, total: 2 });
	});

	it.each([
		{ content: ' ' },
		{ content: 'a'.repeat(10_001) },
		{ type: 'note' },
		{ authorEmail: undefined },
		{ authorId: unknown },
	])('is refused, case %#', async (fields) => {
		expect(errorOf(await reply(fields))).toEqual([400, 'VALIDATION_INVALID_BODY']);
	});

	it.each([
		[{ authorEmail: 'x@team.example' }, 'TEAM_MEMBER_NOT_FOUND'],
		[{ content: '<br>' }, 'MESSAGE_CONTENT_NOT_RENDERABLE'],
	])('%j: %s', async (fields, code) => {
		expect(errorOf(await reply(fields))).toEqual([422, code]);
		expect(helpdesk().tickets[0].messages).toHaveLength(1);
	});

	it('needs a person in the linked conversation', async () => {
		const { id } = v2.store.addConversation('bot');
		helpdesk().tickets[0].conversationId = id;
		expect(errorOf(await reply())).toEqual([409, 'CONVERSATION_NOT_TAKEN_OVER']);
		v2.store.chatbot('bot').conversations[0].status = 'taken_over';
		expect((await reply()).status).toBe(201);
		v2.set({ ticketReply: 'notTakenOver' });
		expect((await reply()).status).toBe(409);
	});

	it('can change the status', async () => {
		v2.set({ ticketReplyStatus: 'onCustomer' });
		await reply();
		expect((await get('/1')).body.statusCategory).toBe('on_customer');
	});
});
