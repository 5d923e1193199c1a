/** What the service refuses beyond its schemas, and keeps as it was, where no test of the node would notice it. */
import { contract, illegalities } from '../../service';
import { ask, follow, form, get, useService, type Step } from './client';

const bed = useService();

const contacts = '/chatbots/bot/contacts';
const agent = '/agents/bot';
const exported = `${agent}/conversations/export`;
const search = `${agent}/conversations/search`;
const sources = `${agent}/sources`;
const tickets = `${agent}/helpdesk/tickets`;
const unknown = '00000000-0000-4000-8000-000000000000';
const named = (...ids: string[]) => ids.map((id) => ({ external_id: id }));
const ticket = { subject: 'Refund', description: 'Please', customer: { email: 'jane@x.example' } };
const reply = { type: 'reply', content: 'Sent', authorEmail: 'ada@team.example' };
const post = (path: string, body: unknown, status: number, code?: string): Step => [
	`POST ${path}`,
	body,
	status,
	code,
];
const settings = (styles: object) =>
	post('/update-chatbot-settings', { chatbotId: 'bot', styles }, 202);
const upload = (name: string, bytes: number, texts: Record<string, string> = { name: 'A' }) =>
	post(sources, form(texts, name, bytes), 400, 'VALIDATION_INVALID_BODY');
const image = (part: string, bytes: number) =>
	post('/upload-chatbot-icon', form({ chatbotId: 'bot' }, 'a.png', bytes, part), 400);
const newTicket = (more: object, status: number, code?: string) =>
	post(tickets, { ...ticket, ...more }, status, code);
const answer = (more: object, code: string) =>
	post(`${tickets}/1/messages`, { ...reply, ...more }, 422, code);
const values = { shop: 'Shop', first_name: 'Ada', day: 'Monday' };
const template = (change: object, status: number, code: string) => {
	const variables = { header: values, body: values };
	const { to = '+49 151 2345678', from, ...more } = change as Record<string, unknown>;
	const body = { to, from, template: { name: 'appointment_reminder', variables, ...more } };
	return post(`${agent}/whatsapp/messages/template`, body, status, code);
};

const promises: Record<string, Step[]> = {
	'a page is as long as asked for': [
		[`POST ${contacts}`, { users: named(...'cdefghijklm') }, 200],
		get(`${contacts}?per_page=10`, 200, { data: named(...'abcdefghij'), total: 13 }),
		get(`${contacts}?per_page=10&page=2`, 200, { data: named(...'klm') }),
		get(`${exported}?limit=1`, 200, { data: [{ id: 'c2' }], pagination: { total: 2 } }),
		get(`${exported}?limit=1&cursor={cursor}`, 200, {
			data: [{ id: 'c1' }],
			pagination: { cursor: null, hasMore: false },
		}),
	],
	'a blank External ID names no contact': [
		get(`${contacts}/`, 404, 'Not found'),
		[`DELETE ${contacts}/`, undefined, 404, 'Not found'],
		[`PATCH ${contacts}/`, { data: {} }, 404, 'Not found'],
	],
	'broken JSON is refused': [
		[`PATCH ${contacts}/a`, '{broken', 400],
		[`POST ${agent}/chat`, '{', 400, 'VALIDATION_INVALID_JSON'],
	],
	'settings keep what they do not name, also within an object': [
		settings({ theme: 'dark', buttonColor: '#fff' }),
		settings({ theme: 'light' }),
		get('/get-chatbots', 200, {
			chatbots: { data: [{ name: 'Bot', styles: { theme: 'light', button_color: '#fff' } }] },
		}),
	],
	'a file has a name, content, a known type and at most 20 MB': [
		upload('a.txt', 8, {}),
		upload('a.odt', 8),
		upload('a.txt', 0),
		upload('a.txt', 20 * 1024 * 1024 + 1),
		[`POST ${sources}`, form({ name: 'A' }), 400, 'VALIDATION_INVALID_BODY'],
		[`PUT ${sources}/s2`, form({}, 'a.txt'), 404, 'RESOURCE_NOT_FOUND'],
		[`PUT ${sources}/s1`, { name: 'C' }, 400, 'VALIDATION_INVALID_BODY'],
	],
	'an image has its own part, content, and less than 1 MB': [
		image('file', 3),
		image('chatbotIconFile', 0),
		image('chatbotIconFile', 1024 * 1024),
	],
	'a cursor belongs to its query, and a range has its start first': [
		get(`${search}?limit=1`, 200),
		get(`${search}?limit=1&source=API&cursor={cursor}`, 400, 'VALIDATION_CURSOR_QUERY_MISMATCH'),
		get(
			`${exported}?startDate=2026-07-02&endDate=2026-07-01`,
			400,
			'VALIDATION_INVALID_DATE_RANGE',
		),
	],
	'a ticket has a known status, assignee and author, and one of each': [
		newTicket({ statusId: unknown }, 422, 'TICKET_INVALID_STATUS'),
		newTicket({ assigneeEmail: 'x@team.example' }, 422, 'TICKET_TEAM_MEMBER_NOT_FOUND'),
		answer({ authorEmail: 'x@team.example' }, 'TEAM_MEMBER_NOT_FOUND'),
		answer({ content: '<br>' }, 'MESSAGE_CONTENT_NOT_RENDERABLE'),
		newTicket({ statusId: unknown, statusCategory: 'new' }, 400),
		newTicket({ assigneeId: null, assigneeEmail: 'ada@team.example' }, 400),
		get(`${tickets}/0`, 400, 'VALIDATION_INVALID_BODY'),
		get(`${tickets}/2147483648`, 400, 'VALIDATION_INVALID_BODY'),
	],
	'a template has a number to go to, one to come from, and all its values': [
		template({ to: '12' }, 422, 'RECIPIENT_INVALID'),
		template({ from: '+1' }, 404, 'PHONE_NUMBER_NOT_FOUND'),
		template({ name: 'none' }, 404, 'TEMPLATE_NOT_FOUND'),
		template({ variables: { header: values } }, 422, 'MISSING_TEMPLATE_VARIABLES'),
		template(
			{ variables: { header: values, body: { ...values, day: 'a\nb' } } },
			422,
			'INVALID_TEMPLATE_VARIABLES',
		),
	],
};

it.each(Object.entries(promises))(
	'%s',
	async (_promise, steps) => await follow(bed.service, steps),
);

it('knows the models of the documents', () => {
	const { chatModels, earlierChatModels, settingsModels } = contract;
	// The counts of the document: they differ if a value is lost.
	expect([chatModels, settingsModels, earlierChatModels].map((list) => new Set(list).size)).toEqual(
		[31, 38, 21],
	);
});

it('tells legal requests from others', async () => {
	await ask(bed.service, `PATCH ${contacts}/`, { data: {} });
	await ask(bed.service, `GET ${exported}?limit=21&page=1`);
	expect(illegalities(bed.service.requests)).toEqual([
		'PATCH /chatbots/bot/contacts/: no such endpoint',
		'GET /agents/bot/conversations/export: limit: Must be at most 20',
		'GET /agents/bot/conversations/export: page: Unknown field',
	]);
});
