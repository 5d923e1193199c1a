/** The jobs that faults strike, and the state that each starts from. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ApiResource } from '../../../nodes/Chatbase/api/subjects';
import type { RecordedRequest, SimulatedService } from '../../../service';
import type { InputItem } from '../harness';
import { chatbotId } from '../parameters';
import { itemWithFile } from '../source/world';
import { byId } from '../testbed';
import type { Kind } from './outcomes';

/** One of the requests that a job makes. */
export interface Step {
	kind: Kind;
	matches: (request: RecordedRequest) => boolean;
	/** How many of the other two steps the job makes although this one fails, and the numbers of the items that fail. */
	ifFails: { otherSteps: number; items: number[] };
}

export interface Job {
	parameters: INodeParameters;
	input: InputItem[];
	subject: ApiResource;
	/** The requests that the job makes when all is well. */
	steps: [first: Step, middle: Step, last: Step];
	/** Whether what the job changes is as before or as wanted, and nothing else has changed. */
	isWhole: (service: SimulatedService) => boolean;
	/** Whether everything is as wanted. */
	isDone: (service: SimulatedService) => boolean;
}

const ids = ['a', 'b', 'c'];
const input = ids.map((id) => ({ id }));

const contactsOf = ({ store }: SimulatedService, chatbot = 'bot') => [
	...store.chatbot(chatbot).contacts,
];
const nameIn = (service: SimulatedService, id: string) => service.store.contact('bot', id)?.name;
/** Contacts that no job changes. */
const bystanders = 27;
const isUndisturbed = (service: SimulatedService) =>
	contactsOf(service).filter(({ name }) => name === null).length === bystanders;
const untouched = (service: SimulatedService) =>
	isUndisturbed(service) && ids.every((id) => nameIn(service, id) === `Old ${id}`);

const parametersOf = (name: string, parameters: INodeParameters): INodeParameters => {
	const [resource, operation] = name.split(' ');
	return { resource, operation, chatbotId, ...parameters };
};

/**
 * A job that reads a list of three pages for one item.
 * @param stepsIfFails for each page, how many others are read although it fails
 */
const list = (
	operation: string,
	parameters: INodeParameters,
	subject: ApiResource,
	isPage: (number: number, query: RecordedRequest['query']) => boolean,
	stepsIfFails: number[],
): Job => ({
	parameters: parametersOf(operation, { ...parameters, returnAll: true }),
	input: [{ id: 'list' }],
	subject,
	steps: [1, 2, 3].map((number) => ({
		kind: 'page',
		matches: ({ query }: RecordedRequest) => isPage(number, query),
		ifFails: { otherSteps: stepsIfFails[number - 1], items: [0] },
	})) as Job['steps'],
	isWhole: untouched,
	isDone: untouched,
});

/** A job with one request for each of three items. */
interface Each {
	kind: Kind;
	/** Resource and operation. */
	operation: string;
	parameters: INodeParameters;
	subject: ApiResource;
	/** Method and path of the request of an item. */
	request: (id: string) => string;
	/** The conversation that the item continues, where all items have one path. */
	isConversation?: boolean;
	input?: InputItem[];
	/** How things stand for an item. */
	state: (service: SimulatedService, id: string) => unknown;
	before: (id: string) => unknown;
	wanted: (id: string) => unknown;
}

const each = (job: Each): Job => {
	const { kind, operation, request, isConversation, state, before, wanted } = job;
	const isOf = (id: string, { method, path, body }: RecordedRequest) =>
		`${method} ${path}` === request(id) &&
		(!isConversation || (body as { conversationId?: string }).conversationId === id);
	const step = (id: string, item: number): Step => ({
		kind,
		matches: (one) => isOf(id, one),
		ifFails: { otherSteps: 2, items: [item] },
	});
	return {
		input: job.input ?? input,
		subject: job.subject,
		parameters: parametersOf(operation, job.parameters),
		steps: [step('a', 0), step('b', 1), step('c', 2)],
		isWhole: (service) =>
			isUndisturbed(service) &&
			ids.every((id) => [before(id), wanted(id)].includes(state(service, id))),
		isDone: (service) => ids.every((id) => state(service, id) === wanted(id)),
	};
};

/** Something that is not there before the job, and then once. */
const added = { before: () => 0, wanted: () => 1 };
const saidIn = ({ store }: SimulatedService, id: string) =>
	store
		.chatbot('bot')
		.conversations.filter((conversation) => conversation.id === id)
		.flatMap(({ messages }) => messages.filter(({ role }) => role === 'user')).length;
const sourcesIn = ({ store }: SimulatedService, bot: string) => store.chatbot(bot).agent.sources;
const ticketsIn = ({ store }: SimulatedService, bot = 'bot') => store.chatbot(bot).agent.tickets;
const ticketOf = (service: SimulatedService, id: string) => ticketsIn(service)[ids.indexOf(id)];
const numberOf = (id: string) => ids.indexOf(id) + 1;
const ticketNumber = '={{ "abc".indexOf($json.id) + 1 }}';
const ownBot = byId('=bot-{{ $json.id }}');
const message = '=Hello from {{ $json.id }}';
const name = '=New {{ $json.id }}';

const newSource = {
	kind: 'chat' as const,
	request: (id: string) => `POST /agents/bot-${id}/sources`,
	state: (service: SimulatedService, id: string) =>
		sourcesIn(service, `bot-${id}`).filter((source) => source.name === `New ${id}`).length,
	...added,
};
/** A cursor of the service holds how many pages came before. */
const pagesBefore = (cursor?: string | string[]): number =>
	cursor === undefined
		? 0
		: (JSON.parse(Buffer.from(String(cursor), 'base64').toString()) as { n: number }).n;

export const jobs = {
	'paged list': list(
		'contact getAll',
		{ options: { pageSize: 10 } },
		'contact',
		(number, { page }) => page === String(number),
		// The first page says how many there are. The others are read at the same time.
		[0, 2, 2],
	),
	'list by cursor': list(
		'conversation export',
		{ chatbotId: byId('bot-a') },
		'agentConversations',
		(number, { cursor }) => pagesBefore(cursor) === number - 1,
		// Each page has the cursor of the next one, so none comes after a failure.
		[0, 1, 2],
	),
	'PATCH of version 2': each({
		kind: 'patch',
		operation: 'conversation pause',
		parameters: { chatbotId: byId('bot-b'), conversationId: '={{ $json.id }}' },
		subject: 'agentConversation',
		request: (id) => `PATCH /agents/bot-b/conversations/${id}`,
		state: ({ store }, id) => store.chatbot('bot-b').conversations[ids.indexOf(id)].status,
		before: () => 'ongoing',
		wanted: () => 'paused',
	}),
	chat: each({
		kind: 'chat',
		operation: 'chat send',
		parameters: { message, conversationId: '={{ $json.id }}' },
		subject: 'chat',
		request: () => 'POST /chat',
		isConversation: true,
		state: saidIn,
		...added,
	}),
	'chat with memory': each({
		kind: 'chat',
		operation: 'chat sendWithMemory',
		parameters: { message, conversation: 'id', conversationId: '={{ $json.id }}' },
		subject: 'agentChat',
		request: () => 'POST /agents/bot/chat',
		isConversation: true,
		state: saidIn,
		...added,
	}),
	'PUT of a source': each({
		kind: 'patch',
		operation: 'source update',
		parameters: {
			chatbotId: byId('bot-c'),
			sourceId: byId('={{ $json.id }}'),
			updateFields: { content: name },
		},
		subject: 'agentSource',
		request: (id) => `PUT /agents/bot-c/sources/${id}`,
		state: (service, id) =>
			(sourcesIn(service, 'bot-c')[ids.indexOf(id)].taught as IDataObject).content,
		before: (id) => `Old ${id}`,
		wanted: (id) => `New ${id}`,
	}),
	'create a source': each({
		...newSource,
		operation: 'source create',
		parameters: { chatbotId: ownBot, name, content: 'Words' },
		subject: 'agentSources',
	}),
	'upload a file': each({
		...newSource,
		kind: 'upload',
		operation: 'source create',
		parameters: { chatbotId: ownBot, sourceType: 'file', name },
		input: ids.map((id) => itemWithFile('a.txt', `Words of ${id}`, { id })),
		subject: 'agentFiles',
	}),
	'new ticket': each({
		kind: 'chat',
		operation: 'ticket create',
		parameters: {
			chatbotId: ownBot,
			subject: 'Refund',
			description: 'I want a refund',
			customerEmail: 'jane@example.com',
		},
		subject: 'agentTickets',
		request: (id) => `POST /agents/bot-${id}/helpdesk/tickets`,
		state: (service, id) => ticketsIn(service, `bot-${id}`).length,
		...added,
	}),
	'PATCH of a ticket': each({
		kind: 'ticket',
		operation: 'ticket update',
		parameters: { ticketNumber, updateFields: { priority: 'high' } },
		subject: 'agentTicket',
		request: (id) => `PATCH /agents/bot/helpdesk/tickets/${numberOf(id)}`,
		state: (service, id) => ticketOf(service, id).priority,
		before: () => 'none',
		wanted: () => 'high',
	}),
	reply: each({
		kind: 'chat',
		operation: 'ticket reply',
		parameters: { ticketNumber, message, author: 'ada@team.example' },
		subject: 'agentTicket',
		request: (id) => `POST /agents/bot/helpdesk/tickets/${numberOf(id)}/messages`,
		state: (service, id) => ticketOf(service, id).messages.length,
		...added,
	}),
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

/** Puts the service into the state that every job starts from. */
export function prepare({ store, faults, clearRequests }: SimulatedService): void {
	clearRequests();
	faults.clear();
	store.chatbots.clear();
	store.addChatbot({ id: 'bot' });
	for (const id of ids) {
		store.addChatbot({ id: `bot-${id}` });
		store.addContact('bot', { external_id: id, name: `Old ${id}` });
		store.addConversation('bot', { id });
		store.addTicket('bot');
	}
	for (let index = 0; index < 45; index++) store.addConversation('bot-a');
	for (const id of ids) store.addConversation('bot-b', { id });
	for (const id of ids) store.addSource('bot-c', { id, taught: { content: `Old ${id}` } });
	for (let index = 0; index < bystanders; index++) {
		store.addContact('bot', { external_id: `other-${index}` });
	}
}
