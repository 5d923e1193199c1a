/** The faults of a request, their places, and the right outcome of each combination. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Outcome } from '../../../nodes/Chatbase/api/errorTexts';
import type { ApiResource } from '../../../nodes/Chatbase/api/resources';
import type { Fault, RecordedRequest, SimulatedService } from '../../service';
import { chatbotId, contactId, mapped } from '../parameters';
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
	| 'read'
	| 'page'
	| 'patch'
	| 'delete'
	| 'create'
	| 'createSource'
	| 'chat'
	| 'newTicket'
	| 'ticket';

/** What the work behind one request ends with. */
interface Ending {
	/** All its requests: the first one, look-ups and repetitions. */
	requests: number;
	/** What the error text is for; undefined when the work succeeds. */
	outcome?: Outcome;
}

/** The ending when the fault strikes once, and when it strikes every request. */
interface Endings {
	once: Ending;
	always: Ending;
}

const done = (requests: number): Ending => ({ requests });
const failed = (outcome: Outcome, requests: number): Ending => ({ requests, outcome });

/** Timeout option of the user in fast time: ten seconds for a stall, else more than any response takes. */
export const timeouts = { short: 10_000, long: 60_000 };
/** Looked up with pauses that double, from a second on, until the timeout has passed. */
const lookUps = (timeout: number) => Math.ceil(Math.log2(timeout / 1000 + 1)) + 1;

/** The same for the kinds that set, read or delete. */
const repeatable = (endings: Endings) => ({
	read: endings,
	page: endings,
	patch: endings,
	delete: endings,
});

const everyKind = (endings: Endings): Record<Kind, Endings> => ({
	...repeatable(endings),
	create: endings,
	createSource: endings,
	chat: endings,
	newTicket: endings,
	ticket: endings,
});

/** The service asks to wait, and says how long or leaves it to the node. */
const told = everyKind({ once: done(2), always: failed('429', 3) });
const untold = everyKind({ once: done(2), always: failed('429', 8) });

/** Never sent again. */
const final = (outcome: Outcome): Endings => ({
	once: failed(outcome, 1),
	always: failed(outcome, 1),
});

/** The service did nothing, which only looking shows: a contact is sent once more then, the others never. */
function ignored(outcome: Outcome, timeout = timeouts.long): Record<Kind, Endings> {
	// The look-up fails after four tries.
	const always = failed(outcome, 1 + 4);
	const ticket = { once: failed(outcome, 1 + lookUps(timeout)), always };
	return {
		...repeatable({ once: done(2), always: failed(outcome, 4) }),
		create: { once: done(1 + lookUps(timeout) + 1), always },
		// Looked up after a look at the chatbot.
		createSource: { once: failed(outcome, 1 + 1 + lookUps(timeout)), always },
		chat: final(outcome),
		newTicket: ticket,
		ticket,
	};
}

/** The service did it, and the answer is lost or can't be read: the first look-up finds it. */
function found(chat: Endings, repeated: Endings, always: Ending): Record<Kind, Endings> {
	return {
		...repeatable(repeated),
		create: { once: done(1 + 1), always },
		createSource: { once: done(1 + 2), always },
		chat,
		// Found in the list, then read as a whole.
		newTicket: { once: done(1 + 2), always },
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
function misunderstood(): Record<Kind, Endings> {
	const after = (looks: number): Endings => ({
		once: failed('unexpectedResponse', 1 + looks),
		always: failed('unexpectedResponse', 1 + 1),
	});
	return {
		...repeatable(unreadable),
		create: after(1),
		createSource: after(2),
		chat: unreadable,
		newTicket: after(lookUps(timeouts.long)),
		ticket: after(lookUps(timeouts.long)),
	};
}

export const outcomes: Record<FaultName, Record<Kind, Endings>> = {
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
	input: IDataObject[];
	subject: ApiResource;
	/** The requests that the job makes when all is well. */
	steps: [first: Step, middle: Step, last: Step];
	/** Whether each step belongs to a different item; otherwise an early step decides about later ones. */
	apart: boolean;
	/** Whether each step follows from the one before it, so that none comes after a failure. */
	isChain?: boolean;
	/** Whether each contact, or the conversation, is as before or as wanted, and nothing else has changed. */
	isWhole: (service: SimulatedService) => boolean;
	/** Whether everything is as wanted. */
	isDone: (service: SimulatedService) => boolean;
}

const ids = ['a', 'b', 'c'];
const input = ids.map((id) => ({ id }));

const three = (step: (id: string) => Step): Job['steps'] => [step('a'), step('b'), step('c')];
const onContact = (kind: Kind, method: string) =>
	three((id) => ({
		kind,
		matches: (request) => request.method === method && request.path.endsWith(`/contacts/${id}`),
	}));

const namesOf = ({ store }: SimulatedService, chatbot = 'bot') =>
	[...store.chatbot(chatbot).contacts].map(({ external_id, name }) => `${external_id}: ${name}`);
const same = (one: string[], other: string[]) => one.join() === other.join();

const untouched = (service: SimulatedService) =>
	same(namesOf(service).slice(0, 3), ['a: Old a', 'b: Old b', 'c: Old c']);
const nameIn = (service: SimulatedService, id: string) => service.store.contact('bot', id)?.name;
const turnsOf = ({ store }: SimulatedService, id: string) =>
	store
		.chatbot('bot')
		.conversations.filter((conversation) => conversation.id === id)
		.flatMap(({ messages }) => messages.filter(({ role }) => role === 'user')).length;
const inOwnBot = ({ store }: SimulatedService, id: string) =>
	[...store.chatbot(`bot-${id}`).contacts].length;

const statusesIn = ({ store }: SimulatedService) =>
	store.chatbot('bot-b').conversations.map(({ status }) => status);
const sourcesIn = ({ store }: SimulatedService, bot: string) => store.chatbot(bot).agent.sources;
const newSources = (service: SimulatedService, id: string) =>
	sourcesIn(service, `bot-${id}`).filter(({ name }) => name === `New ${id}`).length;
const ticketsOf = ({ store }: SimulatedService, chatbot = 'bot') =>
	store.chatbot(chatbot).agent.tickets;
const numberOfId = '={{ "abc".indexOf($json.id) + 1 }}';
/** A cursor of the service holds how many pages came before. */
const pagesBefore = (cursor?: string | string[]): number =>
	cursor === undefined
		? 0
		: (JSON.parse(Buffer.from(String(cursor), 'base64').toString()) as { n: number }).n;

export const jobs = {
	'read one': {
		parameters: { resource: 'contact', operation: 'get', chatbotId, contactId },
		input,
		subject: 'contact',
		steps: onContact('read', 'GET'),
		apart: true,
		isWhole: untouched,
		isDone: untouched,
	},
	'paged list': {
		parameters: {
			resource: 'contact',
			operation: 'getAll',
			chatbotId,
			returnAll: true,
			options: { pageSize: 10 },
		},
		input: [{ id: 'list' }],
		subject: 'contact',
		steps: [1, 2, 3].map((page) => ({
			kind: 'page',
			matches: ({ query }: RecordedRequest) => query.page === String(page),
		})) as Job['steps'],
		apart: false,
		isWhole: untouched,
		isDone: untouched,
	},
	'list by cursor': {
		parameters: {
			resource: 'conversation',
			operation: 'export',
			chatbotId: byId('bot-a'),
			returnAll: true,
		},
		input: [{ id: 'list' }],
		subject: 'agentConversations',
		steps: [0, 1, 2].map((page) => ({
			kind: 'page',
			matches: ({ query }: RecordedRequest) => pagesBefore(query.cursor) === page,
		})) as Job['steps'],
		apart: false,
		isChain: true,
		isWhole: untouched,
		isDone: untouched,
	},
	'PATCH of version 2': {
		parameters: {
			resource: 'conversation',
			operation: 'pause',
			chatbotId: byId('bot-b'),
			conversationId: '={{ $json.id }}',
		},
		input,
		subject: 'agentConversation',
		steps: three((id) => ({
			kind: 'patch',
			matches: ({ path }) => path === `/agents/bot-b/conversations/${id}`,
		})),
		apart: true,
		isWhole: (service) =>
			statusesIn(service).every((status) => ['ongoing', 'paused'].includes(status)),
		isDone: (service) => same(statusesIn(service), ['paused', 'paused', 'paused']),
	},
	PATCH: {
		parameters: {
			resource: 'contact',
			operation: 'update',
			chatbotId,
			contactId,
			...mapped({ name: '=New {{ $json.id }}' }),
		},
		input,
		subject: 'contact',
		steps: onContact('patch', 'PATCH'),
		apart: true,
		isWhole: (service) =>
			ids.every((id) => [`Old ${id}`, `New ${id}`].includes(nameIn(service, id) ?? '')),
		isDone: (service) => ids.every((id) => nameIn(service, id) === `New ${id}`),
	},
	DELETE: {
		parameters: { resource: 'contact', operation: 'delete', chatbotId, contactId },
		input,
		subject: 'contact',
		steps: onContact('delete', 'DELETE'),
		apart: true,
		isWhole: (service) =>
			ids.every((id) => [undefined, `Old ${id}`].includes(nameIn(service, id) ?? undefined)),
		isDone: (service) => ids.every((id) => service.store.contact('bot', id) === undefined),
	},
	create: {
		// Each item has a different chatbot, because the contacts of one chatbot are sent with one request.
		parameters: {
			resource: 'contact',
			operation: 'create',
			chatbotId: byId('=bot-{{ $json.id }}'),
			...mapped({ external_id: '={{ $json.id }}', name: '=New {{ $json.id }}' }),
		},
		input,
		subject: 'contact',
		steps: three((id) => ({
			kind: 'create',
			matches: ({ method, path }) => method === 'POST' && path === `/chatbots/bot-${id}/contacts`,
		})),
		apart: true,
		isWhole: (service) => untouched(service) && ids.every((id) => inOwnBot(service, id) <= 1),
		isDone: (service) => ids.every((id) => inOwnBot(service, id) === 1),
	},
	chat: {
		parameters: {
			resource: 'chat',
			operation: 'send',
			chatbotId,
			message: '=Hello from {{ $json.id }}',
			conversationId: '={{ $json.id }}',
		},
		input,
		subject: 'chat',
		steps: three((id) => ({
			kind: 'chat',
			matches: ({ body }) => (body as { conversationId?: string }).conversationId === id,
		})),
		apart: true,
		isWhole: (service) => ids.every((id) => turnsOf(service, id) <= 1),
		isDone: (service) => ids.every((id) => turnsOf(service, id) === 1),
	},
	'chat with memory': {
		parameters: {
			resource: 'chat',
			operation: 'sendWithMemory',
			chatbotId,
			message: '=Hello from {{ $json.id }}',
			conversation: 'id',
			conversationId: '={{ $json.id }}',
		},
		input,
		subject: 'agentChat',
		steps: three((id) => ({
			kind: 'chat',
			matches: ({ body }) => (body as { conversationId?: string }).conversationId === id,
		})),
		apart: true,
		isWhole: (service) => ids.every((id) => turnsOf(service, id) <= 1),
		isDone: (service) => ids.every((id) => turnsOf(service, id) === 1),
	},
	'PUT of a source': {
		parameters: {
			resource: 'source',
			operation: 'update',
			chatbotId: byId('bot-c'),
			sourceId: byId('={{ $json.id }}'),
			updateFields: { content: '=New {{ $json.id }}' },
		},
		input,
		subject: 'agentSource',
		steps: three((id) => ({
			kind: 'patch',
			matches: ({ path }) => path === `/agents/bot-c/sources/${id}`,
		})),
		apart: true,
		isWhole: (service) => sourcesIn(service, 'bot-c').length === 3,
		isDone: (service) =>
			same(
				sourcesIn(service, 'bot-c').map(({ taught }) => (taught as IDataObject).content as string),
				ids.map((id) => `New ${id}`),
			),
	},
	'create a source': {
		parameters: {
			resource: 'source',
			operation: 'create',
			chatbotId: byId('=bot-{{ $json.id }}'),
			name: '=New {{ $json.id }}',
			content: 'Words',
		},
		input,
		subject: 'agentSources',
		steps: three((id) => ({
			kind: 'createSource',
			matches: ({ method, path }) => method === 'POST' && path === `/agents/bot-${id}/sources`,
		})),
		apart: true,
		isWhole: (service) => ids.every((id) => newSources(service, id) <= 1),
		isDone: (service) => ids.every((id) => newSources(service, id) === 1),
	},
	'new ticket': {
		parameters: {
			resource: 'ticket',
			operation: 'create',
			chatbotId: byId('=bot-{{ $json.id }}'),
			subject: 'Refund',
			description: 'I want a refund',
			customerEmail: 'jane@example.com',
		},
		input,
		subject: 'agentTickets',
		steps: three((id) => ({
			kind: 'newTicket',
			matches: ({ method, path }) =>
				method === 'POST' && path === `/agents/bot-${id}/helpdesk/tickets`,
		})),
		apart: true,
		isWhole: (service) => ids.every((id) => ticketsOf(service, `bot-${id}`).length <= 1),
		isDone: (service) => ids.every((id) => ticketsOf(service, `bot-${id}`).length === 1),
	},
	'PATCH of a ticket': {
		parameters: {
			resource: 'ticket',
			operation: 'update',
			chatbotId,
			ticketNumber: numberOfId,
			updateFields: { priority: 'high' },
		},
		input,
		subject: 'agentTicket',
		steps: three((id) => ({
			kind: 'ticket',
			matches: ({ method, path }) =>
				method === 'PATCH' && path.endsWith(`/tickets/${ids.indexOf(id) + 1}`),
		})),
		apart: true,
		isWhole: (service) =>
			ticketsOf(service).every(({ priority }) => ['none', 'high'].includes(priority)),
		isDone: (service) => ticketsOf(service).every(({ priority }) => priority === 'high'),
	},
	reply: {
		parameters: {
			resource: 'ticket',
			operation: 'reply',
			chatbotId,
			ticketNumber: numberOfId,
			message: '=Hello {{ $json.id }}',
			author: 'ada@team.example',
		},
		input,
		subject: 'agentTicket',
		steps: three((id) => ({
			kind: 'ticket',
			matches: ({ method, path }) =>
				method === 'POST' && path.endsWith(`/tickets/${ids.indexOf(id) + 1}/messages`),
		})),
		apart: true,
		isWhole: (service) => ticketsOf(service).every(({ messages }) => messages.length <= 1),
		isDone: (service) => ticketsOf(service).every(({ messages }) => messages.length === 1),
	},
	'upsert plan': {
		parameters: {
			resource: 'contact',
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
		},
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
			nameIn(service, 'a') === 'Old a' &&
			['Old b', 'New b'].includes(nameIn(service, 'b') ?? '') &&
			namesOf(service).filter((name) => name === 'new: New').length <= 1,
		isDone: (service) =>
			nameIn(service, 'b') === 'New b' &&
			namesOf(service).filter((name) => name === 'new: New').length === 1,
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
	outcome?: Outcome;
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
	const { requests, outcome } =
		outcomes[fault][job.steps[index].kind][place === 'all' ? 'always' : 'once'];
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
	for (let index = 0; index < 27; index++) {
		store.addContact('bot', { external_id: `other-${index}` });
	}
}
