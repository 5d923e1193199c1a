import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import { version2 } from '../../api/versions';
import type { InputItem } from '../../execution/item';
import { readId, readRequired, wholeNumber } from '../../fields/values';

export const ticketsPath = '/agents/{chatbotId}/helpdesk/tickets';
export const ticketPath = `${ticketsPath}/{ticketNumber}`;

/** Tickets or messages a page, at most (reference of version 2, 2.3). */
export const maxPageSize = 100;

export const ticketNumberField: INodeProperties = {
	displayName: 'Ticket Number',
	name: 'ticketNumber',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 42',
	description: 'Number of the ticket. Create, Get Many and Search return it.',
};

export interface TicketName {
	chatbotId: string;
	ticketNumber: string;
}

export function readTicketName(item: InputItem): TicketName {
	const number = wholeNumber(1, 2_147_483_647);
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		ticketNumber: String(readRequired(item, 'ticketNumber', number, 'Ticket Number')),
	};
}

/** Writes to one ticket are sent in the order of the items. */
export function sequenceKeyOf(name: TicketName): string {
	return JSON.stringify(name);
}

/** A list of tickets, for one walk. */
export function ticketPages(api: ApiClient, chatbotId: string, query: IDataObject) {
	const path = fillPath(ticketsPath, { chatbotId });
	const keyOf = ({ ticketNumber }: IDataObject) => ticketNumber;
	return cursorPages(api, { path, resource: 'agentTickets', query, keyOf });
}

/** Reads a ticket as a whole. Lists lack the description. */
export async function readTicket(api: ApiClient, name: TicketName): Promise<IDataObject> {
	const path = fillPath(ticketPath, { ...name });
	const request = { method: 'GET', path, resource: 'agentTicket', version: version2 } as const;
	return api.expectBody(await api.send(request), ticketIn(name.ticketNumber));
}

/** Finds the ticket with a number in a response. */
export function ticketIn(ticketNumber: string) {
	return (body: IDataObject) => (String(body.ticketNumber) === ticketNumber ? body : undefined);
}
