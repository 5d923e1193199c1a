/** The contract: each endpoint answers what its schema says, and refuses what schema or data forbid. */
import type { z } from 'zod';

import { contract, contractV2, illegalities } from '../../../service';
import { endpointOf } from '../../../service/core/endpoint';
import { endpoints } from '../../../service/v1/endpoints';
import { endpoints as endpointsV2 } from '../../../service/v2/contract';
import { agent, ask, contacts, file, form, held, sources, useService } from './client';

const bed = useService();

type Asked = [request: string, body: unknown];
type Legal = [...Asked, reply: z.ZodType];

const attributes = '/chatbots/bot/custom-attributes';
const conversations = `${agent}/conversations`;
const tickets = `${agent}/helpdesk/tickets`;
const chatbotId = 'bot';
const account = { label: 'A', payment_id: 'p', payment_email: 'p@example.com' };
const contact = { payment_accounts: [account], custom_attributes: { number: 1 } };
const link = { type: 'link', url: 'http://a.example', linkType: 'crawl' };
const assigneeEmail = 'ADA@team.example';
const customer = { email: 'jane@x.example' };
const ticket = { subject: 'A', description: 'B', customer, statusCategory: 'new', assigneeEmail };
const values = { shop: 'Shop', first_name: 'Ada', day: 'Monday' };
const template = { name: 'appointment_reminder', variables: { header: values, body: values } };
const hello = { to: '+49 151 2345678', template };
const answer = { type: 'reply', content: 'A', authorEmail: assigneeEmail };
const nothing = undefined;
const one = contract;
const two = contractV2;
const list = two.listReply;

/** A legal request of each kind, and what it answers. */
const legal = {
	chat: ['POST /chat', { chatbotId, messages: [{ role: 'user', content: 'Hi' }] }, one.chatReply],
	settings: ['POST /update-chatbot-settings', { chatbotId, styles: {} }, one.messageReply],
	contacts: [`GET ${contacts}`, nothing, one.contactListReply],
	contact: [`GET ${contacts}/a`, nothing, one.contactReply],
	updateContact: [`PATCH ${contacts}/a`, { data: contact }, one.contactReply],
	deleteContact: [`DELETE ${contacts}/a`, nothing, one.contactReply],
	createContacts: [`POST ${contacts}`, { users: [{ external_id: 'n' }] }, one.contactCreateReply],
	attributes: [`GET ${attributes}`, nothing, one.customAttributeListReply],
	attribute: [`POST ${attributes}`, { name: 'Size_2-b', type: 'number' }, one.customAttributeReply],
	relabel: [`PUT ${attributes}/text`, { label: 'A' }, one.customAttributeReply],
	chatbots: ['GET /get-chatbots', nothing, one.chatbotListReplyOfClients],
	createChatbot: ['POST /create-chatbot', { chatbotName: 'Abc' }, one.chatbotIdReply],
	retrain: ['POST /update-chatbot-data', { chatbotId, chatbotName: 'Abc' }, one.chatbotIdReply],
	deleteChatbot: ['DELETE /delete-chatbot?chatbotId=bot', nothing, one.messageReply],
	log: ['GET /get-conversations?chatbotId=bot', nothing, one.conversationListReplyOfClients],
	leads: ['GET /get-leads?chatbotId=bot', nothing, one.leadListReply],
	icon: ['POST /upload-chatbot-icon', image('chatbotIconFile'), one.messageReply],
	noIcon: ['DELETE /delete-chatbot-icon?chatbotId=bot', nothing, one.messageReply],
	picture: ['POST /upload-chatbot-profile-picture', image('profilePictureFile'), one.messageReply],
	noPicture: ['DELETE /delete-chatbot-profile-picture?chatbotId=bot', nothing, one.messageReply],

	agents: ['GET /agents', nothing, list(two.agent)],
	agent: [`GET ${agent}`, nothing, two.agent],
	createAgent: ['POST /agents', { name: 'A', url: 'https://example.com' }, two.newAgent],
	updateAgent: [`PUT ${agent}`, { name: 'A' }, two.success],
	autoRetrain: [`PUT ${agent}/auto-retrain`, { enabled: true }, two.success],
	clone: [`POST ${agent}/clone`, nothing, two.newAgent],
	export: [
		`GET ${conversations}/export?startDate=2026-07-02`,
		nothing,
		list(two.exportConversation.required()),
	],
	search: [`GET ${conversations}/search`, nothing, list(two.foundConversation)],
	user: [`GET ${agent}/users/me/conversations`, nothing, list(two.userConversation)],
	pause: [`PATCH ${conversations}/c1`, { paused: true }, two.stateReply],
	rate: [`PATCH ${conversations}/c1/messages/c1-2/feedback`, { feedback: null }, two.feedbackReply],
	message: [`POST ${agent}/chat`, { message: 'Hi', stream: false }, two.chatReply],
	toolResult: [
		`POST ${conversations}/c1/tool-result`,
		{ toolCallId: 'call', output: { status: 'sent' } },
		two.toolResultReply,
	],
	summary: [`GET ${sources}/summary`, nothing, two.sourceSummary],
	sources: [`GET ${sources}`, nothing, list(two.source)],
	text: [`POST ${sources}`, { type: 'text', name: 'A', content: 'Käse' }, two.source],
	qna: [`POST ${sources}`, { type: 'qna', name: 'Q', questions: ['?'], answer: 'A' }, two.source],
	link: [`POST ${sources}`, link, two.source],
	file: [`POST ${sources}`, form({ name: 'A', file: file('a.PDF') }), two.source],
	source: [`GET ${sources}/s2`, nothing, two.source],
	updateText: [`PUT ${sources}/s2`, { content: 'New' }, two.source],
	updateFile: [`PUT ${sources}/s1`, form({ name: 'A' }), two.source],
	deleteSource: [`DELETE ${sources}/s2`, nothing, two.deletedSource],
	statuses: [`GET ${agent}/helpdesk/ticket-statuses`, nothing, two.ticketStatus.array().length(6)],
	teams: [`GET ${agent}/helpdesk/teams`, nothing, two.team.array().length(2)],
	tickets: [`GET ${tickets}`, nothing, list(two.listedTicket)],
	createTicket: [`POST ${tickets}`, ticket, two.ticket],
	searchTickets: [`POST ${tickets}/search`, { query: 'A' }, list(two.listedTicket)],
	ticket: [`GET ${tickets}/1`, nothing, two.ticket],
	updateTicket: [`PATCH ${tickets}/1`, { priority: 'low' }, two.ticket],
	ticketMessages: [`GET ${tickets}/1/messages?types=event`, nothing, list(two.ticketMessage)],
	reply: [`POST ${tickets}/1/messages`, answer, two.createdTicketMessage],
	templates: [`GET ${agent}/whatsapp/templates`, nothing, two.templatesReply],
	send: [`POST ${agent}/whatsapp/messages/template`, hello, two.whatsappSent],
} satisfies Record<string, Legal>;

/** What to change in the body of a legal request, one at a time: values at dotted paths (of its data, if it has any). */
type Changes = Record<string, unknown>;

/** What to change elsewhere in a legal request, one at a time. */
interface OtherChanges {
	query?: Record<string, string | string[]>;
	/** Other ends of the path. */
	ends?: string[];
	/** Texts in the place of the body. */
	bodies?: string[];
}

type Rows<Changed> = Array<[request: Name, changes: Changed, answer?: string]>;
type Name = keyof typeof legal;

const megabyte = 1024 * 1024;
const unknown = '00000000-0000-4000-8000-000000000000';
const a = (length: number) => 'a'.repeat(length);

/** Changes that make a request illegal. By default the answer is 400 and names what was changed. */
const illegal: Rows<Changes> = [
	['chat', { chatbotId: ['', nothing], messages: ['Hi', nothing], model: 'auto', chatId: 'bot' }],
	['chat', { 'messages.0.role': 'system', 'messages.0.content': [nothing, 1], 'messages.0.id': 1 }],
	['chat', { temperature: [1.1, -0.1], stream: 'true' }],
	['settings', { name: null, visibility: 'hidden', domains: 'example.com', ipLimit: 1.5 }],
	['settings', { model: 'gpt-4o', temp: 1.01, temperature: 1, 'styles.theme': 'blue' }],
	['settings', { 'styles.buttonColor': 'red', 'styles.font': 'Arial' }],
	['updateContact', { name: 5, external_id: [null, ''], payment_accounts: {} }],
	['createContacts', { users: [[], Array(1001).fill({ external_id: 'n' })], 'users.0.name': 1 }],
	['createContacts', { 'users.0.external_id': [nothing, ''] }],
	['attribute', { name: ['1st', 'a b', 'a\n', nothing] }],
	['attribute', { type: 'list', archived: 'no', color: 'red' }],
	['relabel', { type: 'number', archived: null }],
	['createChatbot', { chatbotName: 'Ab' }],
	['retrain', { chatbotName: 'Ab' }],
	['icon', { chatbotIconFile: [nothing, file('a.png', 0)], profilePictureFile: file('a.png') }],

	['updateAgent', { name: '', model: 'gpt-5' }],
	['pause', { paused: nothing, status: 'paused' }],
	['rate', { feedback: [nothing, 'none', 'Positive', true], score: 1 }],
	['message', { message: '', userId: ['a b', a(129)], conversationId: 1, stream: 'false' }],
	['message', { model: 'gpt-5' }],
	['toolResult', { toolCallId: ['', nothing], output: [nothing, a(20 * 1024)], name: 'A' }],
	['text', { name: [a(101), ''], content: [a(megabyte + 1), ''], size: 1 }],
	['qna', { questions: [[], Array(51).fill('Who?')], answer: '' }],
	['link', { url: 'faq', linkType: 'page' }],
	['file', { name: nothing, file: [nothing, file('a.odt'), file('a.txt', 0)] }],
	['file', { file: file('a.txt', 20 * megabyte + 1) }],
	['createTicket', { subject: ['', a(501)], description: ['', a(10_001)], priority: 'top' }],
	['createTicket', { customer: [{ name: 'Jane' }, { email: 'jane' }], tags: [[]] }],
	['createTicket', { statusId: unknown, assigneeId: null }],
	['searchTickets', { limit: 51 }],
	['updateTicket', { subject: 'New' }],
	['reply', { content: [a(10_001), ' '], type: 'note', authorEmail: nothing, authorId: unknown }],
	['send', { to: '', 'template.language': '' }],
];

const illegalElsewhere: Rows<OtherChanges> = [
	['contacts', { query: { per_page: ['9', '1001', '10.5'], page: '0' } }],
	['contact', { ends: ['/'] }, '404 Not found'],
	['updateContact', { ends: ['/'] }, '404 Not found'],
	['deleteContact', { ends: ['/'] }, '404 Not found'],
	['deleteChatbot', { query: { chatbotId: '' } }],
	['log', { query: { page: '0', startDate: '2025-1-1', endDate: '2025-02-30' } }],
	['leads', { query: { chatbotId: '' } }],
	['agents', { query: { limit: '101' } }],
	['clone', { ends: ['/none'] }, '404 NOT_FOUND'],
	['export', { query: { limit: ['21', '0'], page: '1', include: 'all', source: 'Widget' } }],
	['export', { query: { startDate: '2026-7-1', endDate: '2026-07-01T00:00:00' } }],
	['search', { query: { limit: '26', escalated: 'false', activityState: 'open' } }],
	['sources', { query: { limit: '101', type: 'pdf' } }],
	[
		'tickets',
		{ query: { createdAfter: '2026-07-02', status: 'open', sortBy: 'priority', limit: '101' } },
	],
	['ticketMessages', { query: { types: 'sms', limit: '101' } }],
];

/** Changes that no schema forbids. The probe and the engine suites see further refusals. */
const refused: Rows<Changes> = [
	['updateContact', { 'custom_attributes.text': 5, 'custom_attributes.number': '1' }],
	['updateContact', { 'custom_attributes.boolean': 'yes', 'custom_attributes.date': 'soon' }],
	['icon', { chatbotIconFile: file('a.png', megabyte) }],
	['message', { message: nothing }],
	['updateText', { answer: 'A', type: 'text', content: '' }],
	['send', { to: '12' }, '422 RECIPIENT_INVALID'],
	['send', { from: '+1' }, '404 PHONE_NUMBER_NOT_FOUND'],
	['send', { 'template.name': 'none' }, '404 TEMPLATE_NOT_FOUND'],
	['send', { 'template.variables.body.day': 'a\nb' }, '422 INVALID_TEMPLATE_VARIABLES'],
];

const refusedElsewhere: Rows<OtherChanges> = [
	['export', { query: { cursor: 'none' } }],
	['export', { query: { endDate: '2026-07-01' } }, '400 VALIDATION_INVALID_DATE_RANGE'],
	['message', { bodies: ['{broken'] }, '400 VALIDATION_INVALID_JSON'],
	['updateContact', { bodies: ['{broken'] }, '400 Invalid input parameters'],
	['ticket', { ends: ['/0', '/2147483648'] }, '400 VALIDATION_INVALID_BODY'],
];

it('asks each endpoint', () => {
	const locked = Object.values(endpointsV2).filter(({ path }) => path !== '/health');
	const all = [...Object.values(endpoints), ...locked];
	const asked = Object.values(legal).map(([request]) => {
		const [method, path] = request.split('?')[0].split(' ');
		return endpointOf({ method, path }, all);
	});
	expect(all.filter((endpoint) => !asked.includes(endpoint))).toEqual([]);
});

it('knows the models of the documents', () => {
	const lists = [one.chatModels, one.settingsModels, one.earlierChatModels];
	// The counts of the document: they differ if a value is lost.
	expect(lists.map((list) => new Set(list).size)).toEqual([31, 38, 21]);
});

it.each([
	['/get-chatbots', '', '401 Unauthorized access'],
	['/get-chatbots', 'Bearer other', '401 Unauthorized access'],
	['/agents', '', '401 AUTH_MISSING_API_KEY'],
	['/agents', 'Bearer other', '401 AUTH_INVALID_API_KEY'],
])('%s with the key %j: %s', async (path, authorization, said) => {
	const { answer } = await ask(bed.service, `GET ${path}`, nothing, { authorization });
	expect(answer).toMatch(like(said));
});

it.each(Object.entries<Legal>(legal).map(([name, row]) => [name, ...row] as const))(
	'%s: %s answers by its schema, if the chatbot exists',
	async (_name, request, body, schema) => {
		if (request.includes('/bot')) {
			const isOne = request.includes('/chatbots');
			const before = held(bed.service);
			const refusal = await ask(bed.service, request.replace('/bot', '/other'), body);
			expect(refusal.answer).toMatch(like(isOne ? '404 Chatbot not found' : '404 AGENT_NOT_FOUND'));
			expect((isOne ? one : two).errorReply.safeParse(refusal.body).error).toBeUndefined();
			expect(held(bed.service)).toBe(before);
		}
		const reply = await ask(bed.service, request, body);
		expect(reply.answer).toMatch(/^20[012] /);
		expect(schema.safeParse(reply.body).error).toBeUndefined();
		expect(illegalities(bed.service.requests)).toEqual([]);
	},
);

it.each([
	...casesOf(illegal, changedBodies, true),
	...casesOf(illegalElsewhere, changedElsewhere, true),
	...casesOf(refused, changedBodies, false),
	...casesOf(refusedElsewhere, changedElsewhere, false),
])('refuses $name with $field $shown: $said', async ({ asked, said, isIllegal }) => {
	bed.service.behaviour.issues = 'everywhere';
	const before = held(bed.service);
	expect((await ask(bed.service, ...asked)).answer).toMatch(like(said));
	expect(held(bed.service)).toBe(before);
	if (isIllegal) expect(illegalities(bed.service.requests)).toHaveLength(1);
});

/** An answer with this status and these words. */
function like(said: string): RegExp {
	return new RegExp(`^${said.replace(' ', ' .*')}`);
}

/** A request with one change, and how a test names the change. */
interface Changed {
	field: string;
	value?: unknown;
	asked: Asked;
}

/** Each change alone, with the answer that it gets. */
function casesOf<Change>(
	rows: Rows<Change>,
	change: (request: Legal, changes: Change) => Changed[],
	isIllegal: boolean,
) {
	return rows.flatMap(([name, changes, said]) =>
		change(legal[name], changes).map(({ field, value, asked }) => {
			const shown = JSON.stringify(value)?.slice(0, 40);
			return { name, field, shown, said: said ?? `400 ${field}`, isIllegal, asked };
		}),
	);
}

function changedBodies([request, body]: Legal, changes: Changes): Changed[] {
	return valuesIn(changes).map(([field, value]) => {
		return { field, value, asked: [request, withValue(body, field, value)] };
	});
}

function changedElsewhere([request, body]: Legal, changes: OtherChanges): Changed[] {
	const { query = {}, ends = [], bodies = [] } = changes;
	const [path, usual] = request.split('?');
	const withQuery = valuesIn(query).map(([field, value]): Changed => {
		const parameters = new URLSearchParams(usual);
		parameters.set(field, value as string);
		return { field, value, asked: [`${path}?${parameters}`, body] };
	});
	const withEnd = ends.map((end): Changed => {
		return { field: end, asked: [path.replace(/\/[^/]*$/, end), body] };
	});
	const withBody = bodies.map((text): Changed => ({ field: text, asked: [request, text] }));
	return [...withQuery, ...withEnd, ...withBody];
}

/** Fields with one value each; several stand in a list. */
function valuesIn(changes: Record<string, unknown>): Array<[field: string, value: unknown]> {
	return Object.entries(changes).flatMap(([field, values]) =>
		[values].flat().map((value): [string, unknown] => [field, value]),
	);
}

function withValue(body: unknown, path: string, value: unknown): unknown {
	if (body instanceof FormData) return form({ ...Object.fromEntries(body), [path]: value as File });
	const copy = structuredClone(body) as Record<string, never>;
	const names = path.split('.');
	const last = names.pop()!;
	const owner = names.reduce((part, name) => part[name], (copy.data ?? copy) as typeof copy);
	Object.assign(owner, { [last]: value });
	return copy;
}

it('keeps settings that an update does not name, also within an object', async () => {
	for (const styles of [{ theme: 'dark', buttonColor: '#fff' }, { theme: 'light' }]) {
		await ask(bed.service, 'POST /update-chatbot-settings', { chatbotId, styles });
	}
	const styles = { theme: 'light', buttonColor: '#fff' };
	expect(bed.service.store.chatbot('bot').settings).toMatchObject({ name: 'Bot', styles });
});

function image(part: string): FormData {
	return form({ chatbotId, [part]: file('a.png') });
}

it('gives each response of version 2 a request ID, that of an unknown route, too', async () => {
	const { origin, apiKey } = bed.service;
	const headers = { authorization: `Bearer ${apiKey}` };
	for (const path of ['/agents', '/none']) {
		const response = await fetch(`${origin}/api/v2${path}`, { headers });
		expect(response.headers.get('x-request-id')).toMatch(/^fra1::./);
	}
});
