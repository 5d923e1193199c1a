import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages, type PagedList } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import {
	type Field,
	type FieldLook,
	optionalField,
	readAs,
	requiredField,
	type Shown,
} from '../../panel/field';
import {
	choicesOn,
	type ListSearch,
	locator,
	matching,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { type Simplified, simplifyField, toolOutputFields } from '../../panel/output';
import { oneOf, text, type ValueType, wholeNumber } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import { asObjects, isBlank } from '../../values/json';
import { bodyIf, type FindBody } from '../../api/response';

export const ticketsPath = '/agents/{chatbotId}/helpdesk/tickets';
export const ticketPath = `${ticketsPath}/{ticketNumber}`;

/** Tickets or messages a page, at most (reference of version 2). */
export const maxTicketsPerPage = 100;

/** The fields of a ticket that an agent needs. Lists lack the description. */
export const simplifiedTicket: Simplified = [
	'ticketNumber',
	'subject',
	'description',
	'statusCategory',
	'priority',
	'assigneeId',
	'teamId',
	'customer.name',
	'customer.email',
	'updatedAt',
];

/** The fields of a ticket beside its number (reference of version 2). */
const ticketFieldNames = [
	'assigneeId',
	'channel',
	'conversationId',
	'createdAt',
	'customer',
	'description',
	'lastMessageAt',
	'metadata',
	'priority',
	'statusCategory',
	'statusId',
	'subject',
	'teamId',
	'updatedAt',
];

/** @param added further fields of the record */
export function ticketOutputFieldsWith(...added: string[]): Shown[] {
	return [
		simplifyField,
		...toolOutputFields(
			'Subject, description, status, priority, assignee, team and customer',
			[...ticketFieldNames, ...added],
		),
	];
}

export const ticketOutputFields = ticketOutputFieldsWith();

type TicketName = Record<'chatbotId' | 'ticketNumber', string>;

export function ticketPages(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
): PagedList<IDataObject> {
	return cursorPages(api, {
		path: ticketsPath,
		resource: 'agentTickets',
		params: { chatbotId },
		query: { limit: maxTicketsPerPage, ...query },
		keyOf: ({ ticketNumber }) => ticketNumber,
	});
}

/** Reads a ticket as a whole. Lists lack the description. */
export async function readTicket(api: ApiClient, name: TicketName): Promise<IDataObject> {
	const response = await api.send({
		method: 'GET',
		path: ticketPath,
		resource: 'agentTicket',
		params: name,
	});
	return api.expectBody(response, ticketIn(name.ticketNumber));
}

export function ticketIn(ticketNumber: string): FindBody {
	return bodyIf((body) => String(body.ticketNumber) === ticketNumber);
}

/** Lists tickets. The last updated ones come first. */
const searchTickets: ListSearch = async function (filter, paginationToken) {
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

/** The field for the number of a ticket. It reads what identifies the ticket: its number and its chatbot. */
export const ticketField = {
	...ticketNumber,
	read: (item: InputItem): TicketName => ({
		chatbotId: chatbotField.read(item),
		ticketNumber: String(ticketNumber.read(item)),
	}),
};

const searchTeams = helpdeskSearch('teams', ({ name }) => String(name));
const searchTicketStatuses = helpdeskSearch(
	'ticket-statuses',
	({ internalLabel, externalLabel, category }) => {
		const label = String(internalLabel || externalLabel);
		const isCategory = valueOf(label) === category;
		if (isCategory) return label;
		return `${label} (${String(category)})`;
	},
);

/** A search in a list of the helpdesk. The API returns these records without an envelope. */
function helpdeskSearch(
	what: string,
	nameOf: (record: IDataObject) => string,
): ListSearch {
	return async function (filter) {
		const chatbotId = requireChatbot(this);
		const api = await panelClient(this);
		const response = await api.send({
			method: 'GET',
			path: `/agents/{chatbotId}/helpdesk/${what}`,
			resource: 'agentTickets',
			params: { chatbotId },
		});

		const records = response.outcome ? undefined : asObjects(response.body);
		if (!records) throw api.failure(response);

		const choices = records.map((record) => ({
			name: nameOf(record),
			value: String(record.id),
		}));
		return matching(choices, filter);
	};
}

export const teamLocator = locator({ searchTeams }, 'a team', {
	placeholder: 'e.g. 7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f',
	hint: 'Tickets have it as teamId',
});

/** The kinds of status (reference of version 2). A helpdesk can have several statuses of a kind. */
export const statusCategories = [
	'Cancelled',
	'Closed',
	'New',
	'On Customer',
	'On Hold',
	'On You',
];
export const priorities = ['High', 'Low', 'None', 'Normal', 'Urgent'];

/** Choices whose values are those of the API, such as `on_you` for "On You". */
export function choices(names: string[]): INodePropertyOptions[] {
	return names.map((name) => ({ name, value: valueOf(name) }));
}

function valueOf(name: string): string {
	return name.toLowerCase().replaceAll(' ', '_');
}

function textLike(expected: string, form: RegExp): ValueType<string> {
	return { expected, read: (value) => form.exec(text.read(value)?.trim() ?? '')?.[0] };
}

export const idType = textLike('an ID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
export const emailType = textLike(
	'an email',
	/^[^\s@,;<>]+@[^\s@,;<>.]+(\.+[^\s@,;<>.]+)+$/,
);

/** Reads a value. Its form decides under which name the API gets it, such as an email or an ID. */
function namedByForm(forms: Record<string, ValueType>) {
	return (value: unknown): IDataObject | undefined => {
		for (const [name, form] of Object.entries(forms)) {
			const accepted = form.read(value);
			if (accepted !== undefined) return { [name]: accepted as string };
		}
		return undefined;
	};
}

/** Reads a value, and puts it under the name that the API has for it. */
function named(name: string, type: ValueType): ValueType<IDataObject> {
	return { ...type, read: namedByForm({ [name]: type }) };
}

const statusCategoryValues = statusCategories.map(valueOf);
const statusType: ValueType<IDataObject> = {
	expected: 'a category or an ID',
	rule: `Choose one From List, or enter an ID or one of ${statusCategoryValues.join(', ')}.`,
	read: namedByForm({ statusCategory: oneOf(...statusCategoryValues), statusId: idType }),
};

export function memberType(role: 'assignee' | 'author'): ValueType<IDataObject> {
	return {
		expected: 'an email or an ID',
		rule: 'Enter the email of a team member, or an ID that tickets have as assigneeId.',
		read: namedByForm({ [`${role}Email`]: emailType, [`${role}Id`]: idType }),
	};
}

/** The API has no list of team members. */
export const memberLook = (more: string): FieldLook => ({
	description: `Email of a team member, or an ID that tickets have as assigneeId. ${more}`,
	placeholder: 'e.g. ada@example.com',
});

/** A field that is sent only if it was added. Its type decides what null and empty text mean. */
function addedField(
	path: string,
	label: string,
	type: ValueType<IDataObject>,
	look: FieldLook,
): Field<IDataObject | undefined> {
	const field = optionalField(path, label, type, look);
	const read = (item: InputItem) => {
		const value = item.parameter(path);
		// A model fills in every field of a tool.
		const isAbsent = value === undefined || (item.isTool && isBlank(value));
		if (isAbsent) return undefined;
		return readAs(item, value, type, label);
	};
	return { ...field, read };
}

/** A type that reads empty text and null as `cleared`. */
export function clearable<Value>(
	type: ValueType<Value>,
	cleared: Value,
): ValueType<Value> {
	const isEmpty = (value: unknown) => isBlank(value) && !Array.isArray(value);
	return { ...type, read: (value) => (isEmpty(value) ? cleared : type.read(value)) };
}

interface Assignment {
	fields: Field[];
	/** What a request sends. Empty if no field was added. */
	read(item: InputItem): IDataObject;
}

export function assignmentIn(
	collection: 'additionalFields' | 'updateFields',
): Assignment {
	const status = addedField(`${collection}.status`, 'Status', statusType, {
		description: 'Status of the ticket. A category sets its default status.',
		...locator({ searchTicketStatuses }, 'a status', {
			displayName: 'Category or ID',
			placeholder: 'e.g. on_you',
			hint: 'new, on_you, on_customer, on_hold, closed, cancelled, or the ID of a status',
		}),
	});

	const assignee = addedField(
		`${collection}.assignee`,
		'Assignee',
		clearable<IDataObject>(memberType('assignee'), { assigneeId: null }),
		memberLook('If empty, nobody is assigned.'),
	);

	const teamType = clearable<IDataObject>(named('teamId', idType), { teamId: null });
	const team = addedField(`${collection}.team`, 'Team', teamType, {
		description: 'Team of the ticket. In an update, an empty value clears the team.',
		...teamLocator,
	});

	const priorityType = oneOf(...priorities.map(valueOf));
	const namedPriority = named('priority', priorityType);
	const priority = addedField(`${collection}.priority`, 'Priority', namedPriority, {
		description: 'Priority of the ticket',
		type: 'options',
		default: 'normal',
		options: choices(priorities),
	});

	const fields = [status, assignee, team, priority];
	const read = (item: InputItem): IDataObject =>
		Object.assign({}, ...fields.map((field) => field.read(item)));
	return { fields, read };
}
