import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../Chatbase/api/client';
import { cursorPages, type PagedList } from '../Chatbase/api/paginate';
import { contactPages } from '../Chatbase/resources/contact/list';
import { searchPath } from '../Chatbase/resources/conversation/conversations';
import { conversationList as conversationsOf } from '../Chatbase/resources/conversation/getAll';
import { leadList as leadsOf } from '../Chatbase/resources/lead/getAll';
import { ticketPages } from '../Chatbase/resources/ticket/tickets';
import { day, memoryDays } from './state';

export interface ListSettings {
	chatbotId: string;
	/** Contacts per request. */
	pageSize: number;
	/** Sources of conversations, with commas between them; undefined for all. */
	filteredSources?: string;
}

export interface EventList {
	/** Days to look back. A first poll uses the first entry, Test data one after the other. */
	lookBack: number[];
	/** Whether the newest records come first, so that only those are read. */
	isNewestFirst?: true;
	/** Whether changes appear late and without their time, so that reported records are remembered. */
	isSearch?: true;
	/** Opens the list of the records that may have changed since a time, in milliseconds since 1970. */
	open(api: ApiClient, settings: ListSettings, since: number): PagedList<IDataObject>;
}

/** Reads all contacts in each pass, because the API neither filters nor sorts them. */
export const contactList: EventList = {
	lookBack: [Infinity],
	open: (api, { chatbotId, pageSize }) => contactPages(api, chatbotId, pageSize),
};

/** A list by day. Begins a day earlier, because the service's time zone for days is not documented. */
const dayList = (listOf: typeof leadsOf): EventList => ({
	lookBack: [2, 60, Infinity],
	open(api, { chatbotId, filteredSources }, since) {
		const startDate = since > day ? new Date(since - day).toISOString().slice(0, 10) : undefined;
		return listOf(api, { chatbotId, size: 100, startDate, filteredSources });
	},
});

export const conversationList = dayList(conversationsOf);
export const leadList = dayList(leadsOf);

/** Tickets by one of their times. One that changes while they are read is in the next pass. */
export function ticketList(sortBy: 'createdAt' | 'updatedAt'): EventList {
	return {
		lookBack: [0],
		isNewestFirst: true,
		open: (api, { chatbotId }) => ticketPages(api, chatbotId, { sortBy, order: 'desc' }),
	};
}

/** Conversations of all channels by their last activity. */
export function conversationSearch(filter: IDataObject = {}): EventList {
	return {
		lookBack: [memoryDays],
		isNewestFirst: true,
		isSearch: true,
		open(api, { chatbotId }, since) {
			const updatedAfter = since > 0 ? new Date(since).toISOString() : undefined;
			const list = { path: searchPath, resource: 'agent', params: { chatbotId } } as const;
			return cursorPages(api, { ...list, query: { limit: 25, ...filter, updatedAfter } });
		},
	};
}
