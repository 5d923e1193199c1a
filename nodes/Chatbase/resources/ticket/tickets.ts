import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type CursorPage, cursorPages, type PagedList } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { requiredField } from '../../panel/field';
import {
	choicesOn,
	type ListSearch,
	locator,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { wholeNumber } from '../../panel/types';
import { chatbotField } from '../chatbot/chatbots';

export const ticketsPath = '/agents/{chatbotId}/helpdesk/tickets';
export const ticketPath = `${ticketsPath}/{ticketNumber}`;

/** Tickets or messages a page, at most (reference of version 2, 2.3). */
export const maxPageSize = 100;

export type TicketName = Record<'chatbotId' | 'ticketNumber', string>;

export function ticketPages(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
): PagedList<IDataObject, CursorPage> {
	return cursorPages(api, {
		path: ticketsPath,
		resource: 'agentTickets',
		params: { chatbotId },
		query: { limit: maxPageSize, ...query },
		keyOf: ({ ticketNumber }) => ticketNumber,
	});
}

/** Reads a ticket as a whole. Lists lack the description. */
export async function readTicket(api: ApiClient, name: TicketName): Promise<IDataObject> {
	const endpoint = { method: 'GET', path: ticketPath, resource: 'agentTicket' } as const;
	const response = await api.send({ ...endpoint, params: name });
	return api.expectBody(response, ticketIn(name.ticketNumber));
}

type FindTicket = (body: IDataObject) => IDataObject | undefined;

export function ticketIn(ticketNumber: string): FindTicket {
	return (body) => (String(body.ticketNumber) === ticketNumber ? body : undefined);
}

/** Those that were last updated come first. */
export const searchTickets: ListSearch = async function (filter, paginationToken) {
	const query = { sortBy: 'updatedAt', order: 'desc' };
	const list = ticketPages(await panelClient(this), requireChatbot(this), query);
	const choiceOf = ({ ticketNumber, subject }: IDataObject) => ({
		name: `${String(subject || 'No subject')} (${String(ticketNumber)})`,
		value: String(ticketNumber),
	});
	return await choicesOn(list, paginationToken, choiceOf, filter);
};

const ticketNumber = requiredField(
	'ticketNumber',
	'Ticket Number',
	wholeNumber(1, 2_147_483_647),
	{
		description: 'The ticket to work with',
		...locator({ searchTickets }, 'a ticket', {
			displayName: 'Number',
			placeholder: 'e.g. 42',
			hint: 'Create, Get Many and Search return it',
		}),
		typeOptions: undefined,
	},
);

/** The field for the number of a ticket. Reads what names the ticket: its number and its chatbot. */
export const ticketField = {
	...ticketNumber,
	read: (item: InputItem): TicketName => ({
		chatbotId: chatbotField.read(item),
		ticketNumber: String(ticketNumber.read(item)),
	}),
};
