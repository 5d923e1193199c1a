import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type CursorPage, cursorPages, type PagedList } from '../../api/paginate';

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
