import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { cursorPages, type PagedList } from '../Chatbase/api/paginate';
import { contactPages } from '../Chatbase/resources/contact/contactList';
import { searchPath } from '../Chatbase/resources/conversation/conversations';
import { conversationList } from '../Chatbase/resources/conversation/getAll';
import { leadList } from '../Chatbase/resources/lead/getAll';
import { ticketPages } from '../Chatbase/resources/ticket/tickets';
import type { NonEmpty } from '../Chatbase/values/list';
import { readTimestamp } from '../Chatbase/values/time';
import { day, type StateMachine } from './state';
import { listStates } from './listState';
import { oneAfterAnother, type Rating, withRating } from './ratedList';
import { ratedDays, ratedStates } from './ratedState';
import { memoryDays, searchStates } from './searchState';

export interface ListSettings {
	chatbotId: string;
	/** Contacts per request. */
	pageSize: number;
	/** Sources of conversations in alphabetical order, with commas between them; undefined for all. */
	filteredSources?: string;
	/** The ratings of answers to look for. */
	ratings: readonly Rating[];
}

export interface TriggerEvent {
	description: string;
	/** What a poll costs, and how a loop is avoided. */
	notice?: string;
	records: string;
	/** The names of its filters. */
	filters?: string[];
	/** Whether it finds conversations by the rating of an answer, which has no time. */
	isByRating?: boolean;
	/** How many days to look back. A first poll uses the first entry. Test data tries one entry after the other. */
	lookBack: NonEmpty<number>;
	/** Whether the newest records come first, so that only those are read. */
	isNewestFirst?: boolean;
	/** What is saved between polls, and how a poll compares with it. */
	states: StateMachine;
	/**
	 * Whether the first poll asks for the chatbot, since a search of one that doesn't exist finds nothing. The response
	 * also tells the service's time, by which the search begins.
	 */
	asksForChatbot?: boolean;
	/** Opens the list of the records that may have changed since a time, in milliseconds since 1970. */
	open(api: ApiClient, settings: ListSettings, since: number): PagedList<IDataObject>;
	/**
	 * The field with the time at which the event happened to a record, and another field that is used if the first one is
	 * empty.
	 */
	timeFields: [string, string?];
	/** Whether the event happened to a record with this time, in milliseconds. True if absent. */
	hasHappened?(record: IDataObject, time: number): boolean;
}

/** Whether a ticket was changed after it was created. The two times of a new one are less than a second apart. */
const isTicketUpdate = (created: unknown, time: number) =>
	time - (readTimestamp(created) ?? -Infinity) >= 1000;

/** The times of contacts are whole seconds, and a creation can end in the second after the one in which it began. */
const isContactUpdate = (created: unknown, time: number) =>
	secondsOf(time) - secondsOf(readTimestamp(created) ?? -Infinity) > 1;

const secondsOf = (time: number) => Math.floor(time / 1000);

/** Reads all contacts in each pass, because the API neither filters nor sorts them. */
const contactEvent = {
	notice: 'Each poll reads the whole contact list: one request per 1,000 contacts.',
	records: 'contacts',
	filters: ['customAttributes', 'hasEmail'],
	lookBack: [Infinity],
	states: listStates,
	open: (api, { chatbotId, pageSize }) =>
		contactPages(api, { chatbotId, perPage: pageSize }),
} satisfies Partial<TriggerEvent>;

const contactChanged = {
	...contactEvent,
	notice: `${contactEvent.notice} If the workflow updates contacts of the same chatbot, use Create or Update to avoid a loop.`,
	// A contact that was never updated may have no `updated_at`.
	timeFields: ['updated_at', 'created_at'],
} satisfies Partial<TriggerEvent>;

/**
 * An event of a list with a filter by day. The list begins a day earlier, because the service's time zone for days is not
 * documented.
 */
const dayEvent = (listOf: typeof leadList) =>
	({
		lookBack: [2, 60, Infinity],
		states: listStates,
		open(api, { chatbotId, filteredSources }, since) {
			const startDate =
				since > day ? new Date(since - day).toISOString().slice(0, 10) : undefined;
			return listOf(api, { chatbotId, size: 100, startDate, filteredSources });
		},
		timeFields: ['created_at'],
	}) satisfies Partial<TriggerEvent>;

/** Conversations of all channels that were active since a time, the last active ones first. */
function searchedPages(
	api: ApiClient,
	{ chatbotId }: ListSettings,
	{ filter, since }: { filter: IDataObject; since: number },
): PagedList<IDataObject> {
	const updatedAfter = since > 0 ? new Date(since).toISOString() : undefined;
	return cursorPages(api, {
		path: searchPath,
		resource: 'agent',
		params: { chatbotId },
		query: { limit: 25, ...filter, updatedAfter },
	});
}

/** An event of conversations of all channels, by their last activity. */
const searchEvent = (filter: IDataObject) =>
	({
		records: 'conversations',
		lookBack: [memoryDays],
		isNewestFirst: true,
		states: searchStates,
		asksForChatbot: true,
		open: (api, settings, since) => searchedPages(api, settings, { filter, since }),
		timeFields: ['updatedAt'],
	}) satisfies Partial<TriggerEvent>;

/** An event of tickets, by one of their times. If a ticket changes while tickets are read, the next pass has it. */
const ticketEvent = (sortBy: 'createdAt' | 'updatedAt') =>
	({
		records: 'tickets',
		lookBack: [0],
		isNewestFirst: true,
		states: listStates,
		open: (api, { chatbotId }) => ticketPages(api, chatbotId, { sortBy, order: 'desc' }),
		timeFields: [sortBy],
	}) satisfies Partial<TriggerEvent>;

const ticketChanged = {
	...ticketEvent('updatedAt'),
	notice:
		'Replies and updates by the workflow are changes, too. To avoid a loop, check the status of the ticket first.',
};

/** Every event, in the order of the panel. Fields, settings and requests are derived from these entries. */
export const events: Record<string, TriggerEvent> = {
	answerRated: {
		description:
			'An answer of the chatbot was rated, in any channel. May need a higher plan.',
		notice:
			'Each poll searches the rated conversations of the last 30 days: one request per 25 of them.',
		records: 'conversations',
		isByRating: true,
		lookBack: [ratedDays],
		states: ratedStates,
		asksForChatbot: true,
		open: (api, settings, since) =>
			oneAfterAnother(
				settings.ratings.map((rating) =>
					withRating(
						rating,
						searchedPages(api, settings, { filter: { feedback: rating }, since }),
					),
				),
			),
		timeFields: ['updatedAt'],
	},
	contactCreated: {
		...contactEvent,
		description: 'A contact was added to the chatbot',
		timeFields: ['created_at'],
	},
	contactCreatedOrUpdated: {
		...contactChanged,
		description: 'A contact was added or changed',
	},
	contactUpdated: {
		...contactChanged,
		description: 'A contact was changed after it was added',
		hasHappened: ({ created_at }, time) => isContactUpdate(created_at, time),
	},
	conversationEnded: {
		...searchEvent({}),
		description: 'A conversation ended, in any channel. May need a higher plan.',
		hasHappened: ({ status }) => status === 'ended',
	},
	conversationEscalated: {
		...searchEvent({ escalated: true }),
		description:
			'The chatbot handed a conversation to a person, in any channel. May need a higher plan.',
	},
	conversationStarted: {
		...dayEvent(conversationList),
		description: 'A visitor started a conversation with the chatbot',
		records: 'conversations',
		filters: ['sources', 'otherSources'],
	},
	leadCreated: {
		...dayEvent(leadList),
		description:
			'A visitor left a name, email or phone number in the lead form of the chatbot',
		records: 'leads',
		filters: ['hasEmail'],
	},
	ticketCreated: {
		...ticketEvent('createdAt'),
		description: 'A ticket was added to the helpdesk. May need a higher plan.',
	},
	ticketCreatedOrUpdated: {
		...ticketChanged,
		description: 'A ticket was added or changed. May need a higher plan.',
	},
	ticketUpdated: {
		...ticketChanged,
		description: 'A ticket was changed after it was added. May need a higher plan.',
		hasHappened: ({ createdAt }, time) => isTicketUpdate(createdAt, time),
	},
};
