import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { textField } from '../../fields/define';
import { teamLocator, ticketStatusField } from '../../fields/locators';
import type { ValueType } from '../../fields/values';
import { oneOf, readAs, readId, readRequired, text, wholeNumber } from '../../fields/values';
import { isBlank } from '../../values/scalar';

export const ticketsPath = '/agents/{chatbotId}/helpdesk/tickets';
export const ticketPath = `${ticketsPath}/{ticketNumber}`;

/** Tickets or messages a page, at most (reference of version 2, 2.3). */
export const maxPageSize = 100;

export const ticketNumberField = textField(
	'Ticket Number',
	'ticketNumber',
	'Number of the ticket. Create, Get Many and Search return it.',
	{ required: true, placeholder: 'e.g. 42' },
);

export type TicketName = Record<'chatbotId' | 'ticketNumber', string>;

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

export function ticketPages(api: ApiClient, chatbotId: string, query: IDataObject) {
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
	return api.expectBody(await api.send({ ...endpoint, params: name }), ticketIn(name.ticketNumber));
}

export function ticketIn(ticketNumber: string) {
	return (body: IDataObject) => (String(body.ticketNumber) === ticketNumber ? body : undefined);
}

/** The kinds of status (reference of version 2, 7). A helpdesk can have several statuses of a kind. */
export const statusCategories = ['Cancelled', 'Closed', 'New', 'On Customer', 'On Hold', 'On You'];
export const priorities = ['High', 'Low', 'None', 'Normal', 'Urgent'];

/** Choices with the values of the API, as in `on_you` for "On You". */
export function choices(names: string[]) {
	return names.map((name) => ({ name, value: valueOf(name) }));
}

function valueOf(name: string): string {
	return name.toLowerCase().replaceAll(' ', '_');
}

function textLike(expected: string, form: RegExp): ValueType<string> {
	return { expected, read: (value) => form.exec(text.read(value)?.trim() ?? '')?.[0] };
}

export const idType = textLike('an ID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
export const emailType = textLike('an email', /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/);

const statusType: ValueType<IDataObject> = {
	expected: 'a category or an ID',
	rule: `Choose one From List, or enter an ID or one of ${statusCategories.map(valueOf).join(', ')}.`,
	read(value) {
		const statusCategory = statusCategories.map(valueOf).find((category) => category === value);
		if (statusCategory) return { statusCategory };
		const statusId = idType.read(value);
		return statusId === undefined ? undefined : { statusId };
	},
};

/** A team member, under the name that the API has for an ID or for an email. */
export function memberType(role: 'assignee' | 'author'): ValueType<IDataObject> {
	return {
		expected: 'an email or an ID',
		rule: 'Enter the email of a team member, or an ID that tickets have as assigneeId.',
		read(value) {
			const [email, id] = [emailType.read(value), idType.read(value)];
			if (email !== undefined) return { [`${role}Email`]: email };
			return id === undefined ? undefined : { [`${role}Id`]: id };
		},
	};
}

/** The API has no list of team members. */
export function memberField(displayName: string, name: string, more: string): INodeProperties {
	const description = `Email of a team member, or an ID that tickets have as assigneeId. ${more}`;
	return textField(displayName, name, description, { placeholder: 'e.g. ada@example.com' });
}

export const assignmentFields: INodeProperties[] = [
	ticketStatusField,
	memberField('Assignee', 'assignee', 'If empty, nobody is assigned.'),
	teamLocator('team', 'Team of the ticket. When a ticket is updated, an empty team clears it.'),
	{
		displayName: 'Priority',
		name: 'priority',
		type: 'options',
		default: 'normal',
		description: 'Priority of the ticket',
		options: choices(priorities),
	},
];

/** Reads the fields that were added. An empty assignee or team is null, which clears it. */
export function readAssignment(item: InputItem, path: string): IDataObject {
	const read = <Value>(name: string, label: string, type: ValueType<Value>, canClear = false) => {
		const value = item.parameter(`${path}.${name}`);
		// A model fills in every field of a tool.
		if (value === undefined || (item.isTool && isBlank(value))) return undefined;
		const clears = canClear && isBlank(value) && !Array.isArray(value);
		return clears ? null : readAs(item, value, type, label);
	};
	const assignee = read('assignee', 'Assignee', memberType('assignee'), true);
	const teamId = read('team', 'Team', idType, true);
	const priority = read('priority', 'Priority', oneOf(...priorities.map(valueOf)));
	return {
		...read('status', 'Status', statusType),
		...(assignee === null ? { assigneeId: null } : assignee),
		...(teamId !== undefined && { teamId }),
		...(priority !== undefined && { priority }),
	};
}
