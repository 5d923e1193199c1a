/** The faults of a request, their places, and the right outcome of each combination. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FailureKind } from '../../../nodes/Chatbase/api/errorTexts';
import type { ApiResource } from '../../../nodes/Chatbase/api/subjects';
import type { Fault, RecordedRequest, SimulatedService } from '../../../service';
import type { InputItem } from '../harness';
import { chatbotId, contactId, mapped } from '../parameters';
import { itemWithFile } from '../source/world';
import { byId } from '../testbed';

/** A date half a minute from now, in whole seconds as HTTP has it. */
const inHalfAMinute = () => new Date(Math.ceil(Date.now() / 1000 + 30) * 1000).toUTCString();

/** @param elsewhere address on another origin */
const makeFaults = (elsewhere: string) =>
	({
		'429 with seconds': { kind: 'status', status: 429, headers: { 'Retry-After': '30' } },
		'429 with a date': {
			kind: 'status',
			status: 429,
			headers: {
				// Computed again each time the fault happens.
				get 'Retry-After'() {
					return inHalfAMinute();
				},
			},
		},
		'429 without a header': { kind: 'status', status: 429 },
		'500': { kind: 'status', status: 500 },
		'502 with HTML': { kind: 'status', status: 502, body: '<html><h1>Bad Gateway</h1></html>' },
		'503': { kind: 'status', status: 503 },
		'reset before the request': { kind: 'resetBefore' },
		'reset after the request': { kind: 'resetAfter' },
		'reset within the body': { kind: 'resetMidBody' },
		'cut JSON': { kind: 'cutJson' },
		'JSON of another shape': { kind: 'otherShape', body: { status: 'ok', items: [] } },
		'an empty body': { kind: 'empty' },
		'a redirect to another origin': { kind: 'redirect', location: elsewhere },
		'a stall beyond the timeout': { kind: 'stall' },
	}) satisfies Record<string, Fault>;

export type FaultName = keyof ReturnType<typeof makeFaults>;

/** Kinds of requests that react to faults in different ways. */
type Kind =
	'read' | 'page' | 'patch' | 'delete' | 'create' | 'createSource' | 'upload' | 'chat' | 'ticket';

/** What the work behind one request ends with. */
interface Ending {
	/** All its requests: the first one, look-ups and repetitions. */
	requests: number;
	/** What the error text is for; undefined when the work succeeds. */
	outcome?: FailureKind;
}

/** The ending when the fault strikes once, and when it strikes every request. */
interface Endings {
	once: Ending;
	always: Ending;
}

/** A file that is uploaded ends as any other source, unless something else is stated for it. */
type OfKinds = Record<Exclude<Kind, 'upload'>, Endings> & { upload?: Endings };

const done = (requests: number): Ending => ({ requests });
const failed = (outcome: FailureKind, requests: number): Ending => ({ requests, outcome });

/** Timeout option of the user in fast time: ten seconds for a stall, else more than any response takes. */
export const timeouts = { short: 10_000, long: 60_000 };
/** Looked up with pauses that double, from a second on, until the timeout has passed. */
const lookUps = (timeout: number) => Math.ceil(Math.log2(timeout / 1000 + 1)) + 1;

/** A source that may exist is not looked up. Only the chatbot is, since a service may answer 500 for an unknown one. */
const notLookedUp = (outcome: FailureKind) => failed(outcome, 1 + 1);

/** The same for the kinds that set, read or delete. */
const repeatable = (endings: Endings) => ({
	read: endings,
	page: endings,
	patch: endings,
	delete: endings,
});

const everyKind = (endings: Endings): OfKinds => ({
	...repeatable(endings),
	create: endings,
	createSource: endings,
	chat: endings,
	ticket: endings,
});

/** The service asks to wait, and says how long or leaves it to the node: a minute in all, for uploads ten. */
const told = {
	...everyKind({ once: done(2), always: failed('429', 3) }),
	upload: { once: done(2), always: failed('429', 21) },
};
const untold = {
	...everyKind({ once: done(2), always: failed('429', 8) }),
	upload: { once: done(2), always: failed('429', 11) },
};

/** Never sent again. */
const final = (outcome: FailureKind): Endings => ({
	once: failed(outcome, 1),
	always: failed(outcome, 1),
});

/** The service did nothing, which only looking shows: a contact is sent once more then, the others never. */
function ignored(outcome: FailureKind, timeout = timeouts.long): OfKinds {
	// The look-up fails after four tries.
	const always = failed(outcome, 1 + 4);
	const ticket = { once: failed(outcome, 1 + lookUps(timeout)), always };
	return {
		...repeatable({ once: done(2), always: failed(outcome, 4) }),
		create: { once: done(1 + lookUps(timeout) + 1), always },
		createSource: { once: notLookedUp(outcome), always },
		chat: final(outcome),
		ticket,
	};
}

/** The service did it, and the answer is lost or can't be read: the first look-up finds it. */
function found(chat: Endings, repeated: Endings, always: Ending): OfKinds {
	return {
		...repeatable(repeated),
		create: { once: done(1 + 1), always },
		createSource: { once: notLookedUp(always.outcome!), always },
		chat,
		ticket: { once: done(1 + 1), always },
	};
}
const lost = found(
	final('broken'),
	{ once: done(2), always: failed('broken', 4) },
	failed('broken', 1 + 4),
);
const unreadable = final('unexpectedResponse');
const cut = found(unreadable, unreadable, failed('unexpectedResponse', 1 + 1));

/** The service answers something else, and did nothing: looked up in vain. */
function misunderstood(): OfKinds {
	const after = (looks: number): Endings => ({
		once: failed('unexpectedResponse', 1 + looks),
		always: failed('unexpectedResponse', 1 + 1),
	});
	return {
		...repeatable(unreadable),
		create: after(1),
		createSource: { ...after(1), once: notLookedUp('unexpectedResponse') },
		chat: unreadable,
		ticket: after(lookUps(timeouts.long)),
	};
}

export const outcomes: Record<FaultName, OfKinds> = {
	'429 with seconds': told,
	'429 with a date': told,
	'429 without a header': untold,
	'500': ignored('5xx'),
	'502 with HTML': ignored('5xx'),
	'503': ignored('5xx'),
	'reset before the request': ignored('broken'),
	'reset after the request': lost,
	'reset within the body': lost,
	'cut JSON': cut,
	'JSON of another shape': misunderstood(),
	'an empty body': misunderstood(),
	'a redirect to another origin': everyKind(final('redirect')),
	'a stall beyond the timeout': ignored('timeout', timeouts.short),
};

/** One of the requests that a job makes. */
interface Step {
	kind: Kind;
	matches: (request: RecordedRequest) => boolean;
}

interface Job {
	parameters: INodeParameters;
	input: InputItem[];
	subject: ApiResource;
	/** The requests that the job makes when all is well. */
	steps: [first: Step, middle: Step, last: Step];
	/** Whether each step belongs to a different item; otherwise an early step decides about later ones. */
	apart: boolean;
	/** Whether each step follows from the one before it, so that none comes after a failure. */
	isChain?: boolean;
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

/** A job that reads a list of three pages. */
const list = (
	operation: string,
	parameters: INodeParameters,
	subject: ApiResource,
	isPage: (number: number, query: RecordedRequest['query']) => boolean,
): Job => ({
	parameters: parametersOf(operation, { ...parameters, returnAll: true }),
	input: [{ id: 'list' }],
	subject,
	steps: [1, 2, 3].map((number) => ({
		kind: 'page',
		matches: ({ query }: RecordedRequest) => isPage(number, query),
	})) as Job['steps'],
	apart: false,
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
	const step = (id: string): Step => ({ kind, matches: (one) => isOf(id, one) });
	return {
		input: job.input ?? input,
		subject: job.subject,
		parameters: parametersOf(operation, job.parameters),
		steps: [step('a'), step('b'), step('c')],
		apart: true,
		isWhole: (service) =>
			isUndisturbed(service) &&
			ids.every((id) => [before(id), wanted(id)].includes(state(service, id))),
		isDone: (service) => ids.every((id) => state(service, id) === wanted(id)),
	};
};

const onContact = {
	subject: 'contact' as const,
	state: nameIn,
	before: (id: string): unknown => `Old ${id}`,
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
	kind: 'createSource' as const,
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
	'read one': each({
		...onContact,
		kind: 'read',
		operation: 'contact get',
		parameters: { contactId },
		request: (id) => `GET /chatbots/bot/contacts/${id}`,
		wanted: onContact.before,
	}),
	'paged list': list(
		'contact getAll',
		{ options: { pageSize: 10 } },
		'contact',
		(number, { page }) => page === String(number),
	),
	'list by cursor': {
		...list(
			'conversation export',
			{ chatbotId: byId('bot-a') },
			'agentConversations',
			(number, { cursor }) => pagesBefore(cursor) === number - 1,
		),
		isChain: true,
	},
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
	PATCH: each({
		...onContact,
		kind: 'patch',
		operation: 'contact update',
		parameters: { contactId, ...mapped({ name }) },
		request: (id) => `PATCH /chatbots/bot/contacts/${id}`,
		wanted: (id) => `New ${id}`,
	}),
	DELETE: each({
		...onContact,
		kind: 'delete',
		operation: 'contact delete',
		parameters: { contactId },
		request: (id) => `DELETE /chatbots/bot/contacts/${id}`,
		wanted: () => undefined,
	}),
	create: each({
		kind: 'create',
		// Each item has a different chatbot, because the contacts of one chatbot are sent with one request.
		operation: 'contact create',
		parameters: { chatbotId: ownBot, ...mapped({ external_id: '={{ $json.id }}', name }) },
		subject: 'contact',
		request: (id) => `POST /chatbots/bot-${id}/contacts`,
		state: (service, id) => untouched(service) && contactsOf(service, `bot-${id}`).length,
		...added,
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
	'upsert plan': {
		parameters: parametersOf(
			'contact upsert',
			mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
		),
		input: [
			{ id: 'a', name: 'Old a' },
			{ id: 'b', name: 'New b' },
			{ id: 'new', name: 'New' },
		],
		subject: 'contact',
		steps: [
			{ kind: 'page', matches: ({ query }) => query.page === '1' },
			{ kind: 'patch', matches: ({ method }) => method === 'PATCH' },
			{ kind: 'create', matches: ({ method }) => method === 'POST' },
		],
		apart: false,
		isWhole: (service) =>
			isUndisturbed(service) &&
			nameIn(service, 'a') === 'Old a' &&
			['Old b', 'New b'].includes(nameIn(service, 'b') ?? '') &&
			contactsOf(service).filter((contact) => contact.name === 'New').length <= 1,
		isDone: (service) =>
			nameIn(service, 'b') === 'New b' &&
			contactsOf(service).filter((contact) => contact.name === 'New').length === 1,
	},
} satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

/** Where a fault strikes: once at one of the requests, or at every request. */
export const places = ['first', 'middle', 'last', 'all'] as const;

/** The expected result of the whole job. */
export interface Cell {
	fault: FaultName;
	jobName: JobName;
	place: (typeof places)[number];
	job: Job;
	/** The step that the fault strikes once; absent when it strikes every request. */
	struck?: Step;
	/** How many requests the job makes. */
	requests: number;
	/** What the error text is for; undefined when every item succeeds. */
	outcome?: FailureKind;
	/** Numbers of the items that fail. */
	failing: number[];
}

/** All cells: every fault in every place of every job. */
export const cells: Cell[] = (Object.keys(outcomes) as FaultName[]).flatMap((fault) =>
	(Object.keys(jobs) as JobName[]).flatMap((jobName) =>
		places.map((place) => cellOf(fault, jobName, place)),
	),
);

function cellOf(fault: FaultName, jobName: JobName, place: Cell['place']): Cell {
	const job: Job = jobs[jobName];
	const index = place === 'all' ? 0 : places.indexOf(place);
	const { upload, ...further } = outcomes[fault];
	const endings = { ...further, upload: upload ?? further.createSource }[job.steps[index].kind];
	const { requests, outcome } = endings[place === 'all' ? 'always' : 'once'];
	const cell = { fault, jobName, place, job, outcome };
	const everyItem = job.input.map((_, item) => item);
	if (place === 'all') {
		const times = job.apart ? job.steps.length : 1;
		return { ...cell, requests: requests * times, failing: everyItem };
	}
	const isLost = outcome !== undefined && !job.apart && index === 0;
	const others = outcome !== undefined && job.isChain ? index : isLost ? 0 : 2;
	const failing = job.apart || jobName === 'upsert plan' ? [index] : everyItem;
	return {
		...cell,
		struck: job.steps[index],
		// No request follows a failed first one.
		requests: requests + others,
		failing: outcome === undefined ? [] : isLost ? everyItem : failing,
	};
}

/** The faults, with the redirect leading to another origin. */
export function faultsTowards(elsewhere: string): Record<FaultName, Fault> {
	return makeFaults(elsewhere);
}

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
