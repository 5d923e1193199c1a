/** The contract: each endpoint answers what its schema says, and refuses what its schema forbids. */
import type { z } from 'zod';

import { contract, contractV2, illegalities } from '../../service';
import { endpointOf, endpoints } from '../../service/endpoints';
import { endpoints as endpointsV2 } from '../../service/v2/contract';
import { ask, form, held, useService } from './client';

const bed = useService();

const contacts = '/chatbots/bot/contacts';
const attributes = '/chatbots/bot/custom-attributes';
const agent = '/agents/bot';
const exported = `${agent}/conversations/export`;
const search = `${agent}/conversations/search`;
const sources = `${agent}/sources`;
const tickets = `${agent}/helpdesk/tickets`;
const sent = `${agent}/whatsapp/messages/template`;
const unknown = '00000000-0000-4000-8000-000000000000';
const a = (length: number) => 'a'.repeat(length);
const users = (count: number) => Array(count).fill({ external_id: 'n' });
const chatbotId = 'bot';
const message = { role: 'user', content: 'Hi' };
const chat = { chatbotId, messages: [message] };
const text = { type: 'text', name: 'A', content: 'Käse' };
const qna = { type: 'qna', name: 'Q', questions: ['Who?'], answer: 'We' };
const link = { type: 'link', url: 'https://shop.example/faq', linkType: 'crawl' };
const ticket = { subject: 'Refund', description: 'Please', customer: { email: 'jane@x.example' } };
const reply = { type: 'reply', content: 'Sent', authorEmail: 'ADA@team.example' };
const values = { shop: 'Shop', first_name: 'Ada', day: 'Monday' };
const variables = { header: { shop: values.shop }, body: { ...values } };
const hello = { to: '+49 151 2345678', template: { name: 'appointment_reminder', variables } };
const account = { label: 'A', payment_id: 'p', payment_email: 'p@example.com' };
const contact = { data: { payment_accounts: [account], custom_attributes: { number: 1 } } };
const created = { users: users(1) };
const settings = { chatbotId, styles: {} };
const attribute = { name: 'Shoe-Size_2', type: 'number' };
const say = { message: 'Hi', stream: false };
const icon = (part: string) => form({ chatbotId }, 'a.png', 3, part);

/** A legal request, and what it answers. */
type Row = [request: string, body: unknown, reply: z.ZodType];
const { listReply } = contractV2;
const nothing = undefined;

const rows: Row[] = [
	['POST /chat', chat, contract.chatReply],
	['POST /update-chatbot-settings', settings, contract.messageReply],
	[`GET ${contacts}`, nothing, contract.contactListReply],
	[`GET ${contacts}/a`, nothing, contract.contactReply],
	[`PATCH ${contacts}/a`, contact, contract.contactReply],
	[`DELETE ${contacts}/a`, nothing, contract.contactReply],
	[`POST ${attributes}`, attribute, contract.customAttributeReply],
	[`POST ${contacts}`, created, contract.contactCreateReply],
	[`GET ${attributes}`, nothing, contract.customAttributeListReply],
	[`PUT ${attributes}/text`, { label: 'A' }, contract.customAttributeReply],
	['GET /get-chatbots', nothing, contract.chatbotListReplyOfClients],
	['POST /create-chatbot', { chatbotName: 'Abc' }, contract.chatbotIdReply],
	['POST /update-chatbot-data', { chatbotId, chatbotName: 'Abc' }, contract.chatbotIdReply],
	['DELETE /delete-chatbot?chatbotId=bot', nothing, contract.messageReply],
	['GET /get-conversations?chatbotId=bot', nothing, contract.conversationListReplyOfClients],
	['GET /get-leads?chatbotId=bot', nothing, contract.leadListReply],
	['POST /upload-chatbot-icon', icon('chatbotIconFile'), contract.messageReply],
	['DELETE /delete-chatbot-icon?chatbotId=bot', nothing, contract.messageReply],
	['POST /upload-chatbot-profile-picture', icon('profilePictureFile'), contract.messageReply],
	['DELETE /delete-chatbot-profile-picture?chatbotId=bot', nothing, contract.messageReply],

	['GET /agents', nothing, listReply(contractV2.agent)],
	[`GET ${agent}`, nothing, contractV2.agent],
	[`PUT ${agent}`, { name: 'A' }, contractV2.agent],
	[`POST ${agent}/clone`, nothing, contractV2.clonedAgent],
	[`GET ${exported}`, nothing, listReply(contractV2.exportConversation.required())],
	[`GET ${search}`, nothing, listReply(contractV2.foundConversation)],
	[`GET ${agent}/users/me/conversations`, nothing, listReply(contractV2.userConversation)],
	[`PATCH ${agent}/conversations/c1`, { paused: true }, contractV2.stateReply],
	[`POST ${agent}/chat`, say, contractV2.chatReply],
	[`GET ${sources}`, nothing, listReply(contractV2.source)],
	[`POST ${sources}`, text, contractV2.source],
	[`POST ${sources}`, qna, contractV2.source],
	[`POST ${sources}`, link, contractV2.source],
	[`POST ${sources}`, form({ name: 'A' }, 'a.PDF'), contractV2.source],
	[`GET ${sources}/s2`, nothing, contractV2.source],
	[`PUT ${sources}/s2`, { content: 'New' }, contractV2.source],
	[`PUT ${sources}/s1`, form({ name: 'A' }), contractV2.source],
	[`DELETE ${sources}/s2`, nothing, contractV2.deletedSource],
	[`GET ${agent}/helpdesk/ticket-statuses`, nothing, contractV2.ticketStatus.array().length(6)],
	[`GET ${agent}/helpdesk/teams`, nothing, contractV2.team.array().length(2)],
	[`GET ${tickets}`, nothing, listReply(contractV2.listedTicket)],
	[`POST ${tickets}`, ticket, contractV2.ticket],
	[`POST ${tickets}/search`, { query: 'A' }, listReply(contractV2.listedTicket)],
	[`GET ${tickets}/1`, nothing, contractV2.ticket],
	[`PATCH ${tickets}/1`, { priority: 'low' }, contractV2.ticket],
	[`GET ${tickets}/1/messages?types=event`, nothing, listReply(contractV2.ticketMessage)],
	[`POST ${tickets}/1/messages`, reply, contractV2.createdTicketMessage],
	[`GET ${agent}/whatsapp/templates`, nothing, contractV2.templatesReply],
	[`POST ${sent}`, hello, contractV2.whatsappSent],
];

/** Illegal values of a field of a legal request, or of its query. */
const illegal: Array<[request: string, body: unknown, field: string, ...values: unknown[]]> = [
	['POST /chat', chat, 'chatbotId', '', undefined],
	['POST /chat', chat, 'messages', 'Hi', undefined],
	['POST /chat', chat, 'messages.0.role', 'system'],
	['POST /chat', chat, 'messages.0.content', undefined, 1],
	['POST /chat', chat, 'messages.0.id', 1],
	['POST /chat', chat, 'model', 'auto'],
	['POST /chat', chat, 'temperature', 1.1, -0.1],
	['POST /chat', chat, 'stream', 'true'],
	['POST /chat', chat, 'chatId', 'bot'],
	['POST /update-chatbot-settings', settings, 'name', null],
	['POST /update-chatbot-settings', settings, 'visibility', 'hidden'],
	['POST /update-chatbot-settings', settings, 'domains', 'example.com'],
	['POST /update-chatbot-settings', settings, 'ipLimit', 1.5],
	['POST /update-chatbot-settings', settings, 'model', 'gpt-4o'],
	['POST /update-chatbot-settings', settings, 'temp', 1.01],
	['POST /update-chatbot-settings', settings, 'temperature', 1],
	['POST /update-chatbot-settings', settings, 'styles.theme', 'blue'],
	['POST /update-chatbot-settings', settings, 'styles.buttonColor', 'red'],
	['POST /update-chatbot-settings', settings, 'styles.font', 'Arial'],
	[`GET ${contacts}`, nothing, 'per_page', '9', '1001', '10.5'],
	[`GET ${contacts}`, nothing, 'page', '0', '2'],
	[`PATCH ${contacts}/a`, contact, 'data.name', 5],
	[`PATCH ${contacts}/a`, contact, 'data.external_id', null, ''],
	[`PATCH ${contacts}/a`, contact, 'data.payment_accounts', {}],
	[`PATCH ${contacts}/a`, contact, 'data.payment_accounts.0', { label: 'A' }],
	[`PATCH ${contacts}/a`, contact, 'data.custom_attributes.text', 5],
	[`PATCH ${contacts}/a`, contact, 'data.custom_attributes.number', '12'],
	[`PATCH ${contacts}/a`, contact, 'data.custom_attributes.boolean', 'yes'],
	[`PATCH ${contacts}/a`, contact, 'data.custom_attributes.date', 'soon'],
	[`PATCH ${contacts}/a`, contact, 'data.custom_attributes.old', 'new'],
	[`POST ${attributes}`, attribute, 'name', '1st', 'a b', 'a\n', undefined],
	[`POST ${attributes}`, attribute, 'type', 'list'],
	[`POST ${attributes}`, attribute, 'archived', 'no'],
	[`POST ${attributes}`, attribute, 'color', 'red'],
	[`POST ${contacts}`, created, 'users', [], users(1001)],
	[`POST ${contacts}`, created, 'users.0.external_id', undefined, ''],
	[`POST ${contacts}`, created, 'users.0.name', 1],
	[`PUT ${attributes}/text`, { label: 'A' }, 'type', 'number'],
	[`PUT ${attributes}/text`, { label: 'A' }, 'archived', null],
	['POST /create-chatbot', { chatbotName: 'Abc' }, 'chatbotName', 'Ab'],
	['POST /update-chatbot-data', { chatbotId, chatbotName: 'Abc' }, 'chatbotName', 'Ab'],
	['DELETE /delete-chatbot', nothing, 'chatbotId', ''],
	['GET /get-conversations?chatbotId=bot', nothing, 'page', '0'],
	['GET /get-conversations?chatbotId=bot', nothing, 'size', '101'],
	['GET /get-conversations?chatbotId=bot', nothing, 'startDate', '2025-1-1'],
	['GET /get-conversations?chatbotId=bot', nothing, 'endDate', '2025-02-30'],
	['GET /get-leads', nothing, 'chatbotId', ''],
	['GET /agents', nothing, 'limit', '101'],
	[`PUT ${agent}`, { name: 'A' }, 'name', ''],
	[`PUT ${agent}`, { name: 'A' }, 'model', 'gpt-5'],
	[`GET ${exported}`, nothing, 'limit', '21', '0'],
	[`GET ${exported}`, nothing, 'page', '1'],
	[`GET ${exported}`, nothing, 'cursor', 'none'],
	[`GET ${exported}`, nothing, 'startDate', '2026-7-1'],
	[`GET ${exported}`, nothing, 'endDate', '2026-07-01T00:00:00'],
	[`GET ${exported}`, nothing, 'include', 'all'],
	[`GET ${exported}`, nothing, 'source', 'Widget'],
	[`GET ${search}`, nothing, 'limit', '26'],
	[`GET ${search}`, nothing, 'escalated', 'false'],
	[`GET ${search}`, nothing, 'activityState', 'open'],
	[`GET ${search}`, nothing, 'endDate', '2025-06-30'],
	[`PATCH ${agent}/conversations/c1`, { paused: true }, 'paused', undefined],
	[`PATCH ${agent}/conversations/c1`, { paused: true }, 'status', 'paused'],
	[`POST ${agent}/chat`, say, 'message', '', undefined],
	[`POST ${agent}/chat`, say, 'userId', 'a b', a(129)],
	[`POST ${agent}/chat`, say, 'conversationId', 1],
	[`POST ${agent}/chat`, say, 'stream', 'false'],
	[`POST ${agent}/chat`, say, 'model', 'gpt-5'],
	[`GET ${sources}`, nothing, 'limit', '101'],
	[`GET ${sources}`, nothing, 'type', 'pdf'],
	[`POST ${sources}`, text, 'name', a(101), ''],
	[`POST ${sources}`, text, 'content', a(1_048_577), ''],
	[`POST ${sources}`, text, 'size', 1],
	[`POST ${sources}`, qna, 'questions', [], Array(51).fill('Who?')],
	[`POST ${sources}`, qna, 'answer', ''],
	[`POST ${sources}`, link, 'url', 'faq'],
	[`POST ${sources}`, link, 'linkType', 'page'],
	[`PUT ${sources}/s2`, { content: 'New' }, 'answer', 'A'],
	[`PUT ${sources}/s2`, { content: 'New' }, 'type', 'text'],
	[`PUT ${sources}/s2`, { content: 'New' }, 'content', ''],
	[`GET ${tickets}`, nothing, 'createdAfter', '2026-07-02'],
	[`GET ${tickets}`, nothing, 'status', 'open'],
	[`GET ${tickets}`, nothing, 'sortBy', 'priority'],
	[`GET ${tickets}`, nothing, 'limit', '101'],
	[`POST ${tickets}`, ticket, 'subject', '', a(501)],
	[`POST ${tickets}`, ticket, 'description', '', a(10_001)],
	[`POST ${tickets}`, ticket, 'customer', { name: 'Jane' }, { email: 'jane' }],
	[`POST ${tickets}`, ticket, 'priority', 'top'],
	[`POST ${tickets}`, ticket, 'tags', []],
	[`POST ${tickets}/search`, { query: 'A' }, 'limit', 51],
	[`PATCH ${tickets}/1`, { priority: 'low' }, 'subject', 'New'],
	[`GET ${tickets}/1/messages?types=event`, nothing, 'types', 'sms'],
	[`GET ${tickets}/1/messages?types=event`, nothing, 'limit', '101'],
	[`POST ${tickets}/1/messages`, reply, 'content', a(10_001), ' '],
	[`POST ${tickets}/1/messages`, reply, 'type', 'note'],
	[`POST ${tickets}/1/messages`, reply, 'authorEmail', undefined],
	[`POST ${tickets}/1/messages`, reply, 'authorId', unknown],
	[`POST ${sent}`, hello, 'to', ''],
	[`POST ${sent}`, hello, 'template.language', ''],
];

it('asks each endpoint', () => {
	const locked = Object.values(endpointsV2).filter(({ path }) => path !== '/health');
	const all = [...endpoints, ...locked];
	const asked = rows.map(([request]) => {
		const [method, path] = request.split('?')[0].split(' ');
		return endpointOf({ method, path }, all);
	});
	expect(all.filter((one) => !asked.includes(one))).toEqual([]);
});

it.each(rows)(
	'%s %j: answers by its schema, for the key and a chatbot',
	async (request, body, schema) => {
		const before = held(bed.service);
		const [errors, unlocked, locked, unknownBot] = request.includes(' /agents')
			? [contractV2.errorReply, 'AUTH_MISSING_API_KEY', 'AUTH_INVALID_API_KEY', 'AGENT_NOT_FOUND']
			: [contract.errorReply, 'Unauthorized access', 'Unauthorized access', 'Chatbot not found'];
		const refusal = async (path: string, headers?: Record<string, string>) => {
			const answer = await ask(bed.service, path, body, headers);
			expect(errors.safeParse(answer.body).error).toBeUndefined();
			return [answer.status, answer.said];
		};
		expect(await refusal(request, { authorization: '' })).toEqual([401, unlocked]);
		expect(await refusal(request, { authorization: 'Bearer other' })).toEqual([401, locked]);
		if (request.includes('/bot')) {
			expect(await refusal(request.replace('/bot', '/other'))).toEqual([404, unknownBot]);
		}
		expect(held(bed.service)).toBe(before);

		const answer = await ask(bed.service, request, body);
		expect([200, 201, 202]).toContain(answer.status);
		expect(schema.safeParse(answer.body).error).toBeUndefined();
		expect(illegalities(bed.service.requests.slice(-1))).toEqual([]);
	},
);

/** A query with another value, or a body with another value at a dotted path. */
function changed(request: string, body: unknown, path: string, value: unknown): [string, unknown] {
	if (body === nothing) {
		const sign = request.includes('?') ? '&' : '?';
		return [`${request}${sign}${path}=${String(value)}`, nothing];
	}
	const names = path.split('.');
	const last = names.pop()!;
	const copy = structuredClone(body) as Record<string, never>;
	Object.assign(
		names.reduce((part, name) => part[name], copy),
		{ [last]: value },
	);
	return [request, copy];
}

it.each(
	illegal.flatMap(([request, body, field, ...values]) =>
		values.map((value) => [request, field, value, body] as const),
	),
)('%s refuses %s: %j', async (request, field, value, body) => {
	bed.service.behaviour.issues = 'everywhere';
	const before = held(bed.service);
	const answer = await ask(bed.service, ...changed(request, body, field, value));
	expect([answer.status, answer.text]).toEqual([
		400,
		expect.stringContaining(field.replace('data.', '')),
	]);
	expect(held(bed.service)).toBe(before);
});
