/** A service that the node can't handle: the probe says where. */
import type { QuestionName } from '../../probe/questions';
import { statusOf } from '../../probe/report';
import { caseRuns } from '../propertyRuns';
import type { FaultCondition, PlannedFault, SimulatedService } from '../../service';
import {
	chatbotId,
	everyPart,
	partsFor,
	probe,
	probeOf,
	questionsWith,
	rowOf,
	scene,
} from './scene';

const contacts = `/chatbots/${chatbotId}/contacts`;
const oneContact = /\/contacts\/./;
const html = '<html><body>Not here</body></html>';

const page = (data: object[], total = data.length) => ({
	message: 'Success',
	data,
	total,
	pages: { page: 1, per_page: 1000, total_pages: 1 },
});
const contact = { id: 'a', external_id: 'a', created_at: 1, updated_at: 1 };

/** The first page of a thousand contacts, which the probe looks at most closely. */
const firstPage: FaultCondition = {
	path: contacts,
	matches: ({ query }) => query.per_page === '1000' && query.page === '1',
};

type Data = { data?: Record<string, unknown> };
const changes = (field: string): FaultCondition => ({
	method: 'PATCH',
	matches: ({ body }) => field in ((body as Data).data ?? {}),
});
const chats = (isStreamed: boolean): FaultCondition => ({
	path: '/chat',
	matches: ({ body }) => ((body as { stream?: boolean }).stream === true) === isStreamed,
});

const agentPath = `/agents/${chatbotId}`;
const agentWith = (fields: object): PlannedFault => ({
	when: { path: agentPath },
	fault: { kind: 'otherShape', body: { id: chatbotId, ...fields } },
});

const cases: Array<[string, PlannedFault, QuestionName]> = [
	[
		'a list without a total',
		{ when: firstPage, fault: { kind: 'otherShape', body: { data: [contact] } } },
		'contactList',
	],
	[
		'a list in another place',
		{ when: firstPage, fault: { kind: 'otherShape', body: { contacts: [contact] } } },
		'contactList',
	],
	[
		'a total that does not count',
		{ when: firstPage, fault: { kind: 'otherShape', body: page([contact], 5) } },
		'contactTotal',
	],
	[
		'contacts that share an ID',
		{
			when: firstPage,
			fault: { kind: 'otherShape', body: page([contact, { ...contact, external_id: 'b' }]) },
		},
		'contactId',
	],
	[
		'contacts without an ID',
		{ when: firstPage, fault: { kind: 'otherShape', body: page([{ external_id: 'a' }]) } },
		'contactId',
	],
	[
		'External IDs that are numbers',
		{
			when: firstPage,
			fault: { kind: 'otherShape', body: page([{ ...contact, external_id: 5 }]) },
		},
		'externalIds',
	],
	[
		'External IDs that are shared',
		{
			when: firstPage,
			fault: { kind: 'otherShape', body: page([contact, { ...contact, id: 'b' }]) },
		},
		'externalIds',
	],
	[
		'times as text',
		{
			when: firstPage,
			fault: { kind: 'otherShape', body: page([{ ...contact, created_at: 'yesterday' }]) },
		},
		'timestampUnit',
	],
	[
		'pages of ten that are shorter',
		{
			when: {
				path: contacts,
				matches: ({ query }) => query.per_page === '10' && query.page === '1',
			},
			fault: { kind: 'otherShape', body: page([contact], 30) },
		},
		'perPageLimits',
	],
	[
		'an error after the last page',
		{
			when: { path: contacts, matches: ({ query }) => query.page === '2' },
			fault: { kind: 'status', status: 500 },
		},
		'pageBeyondEnd',
	],
	[
		'a 404 of HTML for a contact',
		{
			when: { method: 'GET', path: oneContact },
			fault: { kind: 'status', status: 404, body: html },
		},
		'notFoundMessage',
	],
	[
		'403 for a wrong key',
		{
			when: {
				path: contacts,
				matches: ({ status, headers }) =>
					status === undefined && !headers.authorization?.includes('cfcfa8b0'),
			},
			fault: { kind: 'status', status: 403 },
		},
		'wrongKey',
	],
	[
		'HTML in place of chatbots',
		{ when: { path: '/get-chatbots' }, fault: { kind: 'status', status: 200, body: html } },
		'chatbotListShape',
	],
	[
		'chatbots that are elsewhere',
		{ when: { path: '/get-chatbots' }, fault: { kind: 'redirect', location: '/elsewhere' } },
		'chatbotListShape',
	],
	[
		'conversations in another place',
		{ when: { path: '/get-conversations' }, fault: { kind: 'otherShape', body: { list: [] } } },
		'conversationList',
	],
	[
		'conversations whose times are numbers',
		{
			when: { path: '/get-conversations' },
			fault: { kind: 'otherShape', body: { data: [{ id: 'a', created_at: 5 }] } },
		},
		'conversationTimes',
	],
	[
		'pages of a hundred that are refused',
		{
			when: { path: '/get-leads', matches: ({ query }) => query.size === '100' },
			fault: { kind: 'status', status: 400 },
		},
		'leadPage',
	],
	[
		'leads in another place',
		{ when: { path: '/get-leads' }, fault: { kind: 'otherShape', body: { leads: [] } } },
		'leadsShape',
	],
	[
		'created contacts that do not come back',
		{
			when: { method: 'POST', path: contacts },
			fault: { kind: 'otherShape', body: { message: 'Success' }, handled: true },
		},
		'createReply',
	],
	[
		'an update that answers no contact',
		{
			when: changes('name'),
			fault: { kind: 'otherShape', body: { message: 'Success' }, handled: true },
		},
		'updateReply',
	],
	[
		'an update that answers the contact as it was',
		{ when: changes('name'), fault: { kind: 'otherShape', body: { data: contact } } },
		'updateReply',
	],
	[
		'an update that takes away what it does not mention',
		{ when: changes('name'), fault: { kind: 'otherShape', body: { data: contact } } },
		'omittedFields',
	],
	[
		'an update after which the contact is older',
		{ when: changes('name'), fault: { kind: 'otherShape', body: { data: contact } } },
		'updatedAt',
	],
	[
		'two contacts with one External ID',
		{
			when: changes('external_id'),
			fault: { kind: 'otherShape', body: { data: contact } },
		},
		'externalIdUnique',
	],
	[
		'a taken address that is refused as wrong',
		{ when: changes('email'), fault: { kind: 'status', status: 400 } },
		'emailUnique',
	],
	[
		'a phone number in a form of its own',
		{
			when: changes('phonenumber'),
			fault: { kind: 'otherShape', body: { data: { ...contact, phonenumber: '202-5550147' } } },
		},
		'phoneForm',
	],
	[
		'a taken phone number that is refused as wrong',
		{ when: { ...changes('phonenumber'), nth: 2 }, fault: { kind: 'status', status: 400 } },
		'phoneUnique',
	],
	[
		'a second deletion that succeeds',
		{
			when: { method: 'DELETE', path: oneContact, nth: 2 },
			fault: { kind: 'otherShape', body: { message: 'Success' } },
		},
		'secondDelete',
	],
	[
		'a custom attribute that is made twice',
		{
			when: {
				method: 'POST',
				path: /custom-attributes/,
				nth: 3,
			},
			fault: { kind: 'otherShape', body: { message: 'Success' } },
		},
		'duplicateAttribute',
	],
	[
		'a chat without text',
		{ when: chats(false), fault: { kind: 'otherShape', body: { answer: 'Hi' } } },
		'chatResponse',
	],
	[
		'a streamed answer in JSON without text',
		{ when: chats(true), fault: { kind: 'otherShape', body: { answer: 'Hi' } } },
		'streamFraming',
	],
	[
		'comments among the events of version 2',
		{
			when: { ...chats(true), path: /\/agents\/[^/]+\/chat$/ },
			fault: { kind: 'status', status: 200, body: ': wait\n\ndata: {"type":"finish"}\n\n' },
		},
		'v2StreamFraming',
	],
	[
		'events that hold objects',
		{
			when: chats(true),
			fault: { kind: 'status', status: 200, body: 'data: {"delta":"Hi"}\n\ndata: [DONE]\n\n' },
		},
		'streamEventData',
	],
	[
		'events without an end',
		{ when: chats(true), fault: { kind: 'status', status: 200, body: 'data: Hi\n\n' } },
		'streamEnd',
	],
	[
		'a stream that breaks',
		{ when: chats(true), fault: { kind: 'streamBreak', afterBytes: 20 } },
		'streamEnd',
	],
	['a chatbot without credits', agentWith({ creditsUsed: 'many' }), 'v2Credits'],
	['a chatbot without instructions by channel', agentWith({}), 'v2ChannelInstructions'],
	[
		'countries with their names',
		agentWith({ blockedCountries: ['Antarctica'] }),
		'v2BlockedCountries',
	],
	[
		'a search for ratings that finds a conversation without one',
		{
			when: { path: `${agentPath}/conversations/search` },
			fault: {
				kind: 'otherShape',
				body: { data: [{ id: 'unrated' }], pagination: { cursor: null, hasMore: false } },
			},
		},
		'v2FeedbackFilter',
	],
	[
		'a tool call that is unknown in another way',
		{
			when: { path: /\/tool-result$/ },
			fault: { kind: 'status', status: 404, body: { error: { code: 'NOT_FOUND' } } },
		},
		'v2UnknownToolCall',
	],
];

let service: SimulatedService;
beforeEach(async () => {
	service = await scene();
	service.store.addConversation(chatbotId, {
		id: 'unrated',
		messages: [{ role: 'assistant', content: 'Hello', feedback: null }],
	});
});
afterEach(async () => await service.close());

it.each(caseRuns(cases, 3))('%s', async (_name, planned, question) => {
	service.faults.add(planned);
	const result = await probe(service, partsFor(question));
	expect(rowOf(result, question)).toMatchObject({ verdict: 'DIFFERS' });
	expect(statusOf(result)).toBe(1);
});

it('leaves a question open when it gets no answer', async () => {
	service.faults.add({ when: { path: '/get-leads' }, fault: { kind: 'resetBefore' } });
	const result = await probe(service, ['read']);
	expect(rowOf(result, 'leadsShape')).toMatchObject({
		came: 'no response',
		verdict: 'not found out',
	});
	expect(statusOf(result)).toBe(0);
});

it('finds no difference when the service has only the seven endpoints', async () => {
	const result = await probeOf({ behaviour: { endpoints: 'contract' } }, everyPart);
	expect(questionsWith(result, 'DIFFERS')).toEqual([]);
	expect(rowOf(result, 'createReply').came).toBe('contacts cannot be created');
});
