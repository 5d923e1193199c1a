import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { teamLocator, ticketStatusField } from '../../fields/locators';
import type { ValueType } from '../../fields/values';
import { oneOf, readAs, text } from '../../fields/values';
import { isBlank } from '../../values/scalar';

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

export const idType: ValueType<string> = {
	expected: 'an ID',
	read(value) {
		const id = text.read(value)?.trim() ?? '';
		return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id : undefined;
	},
};

export const emailType: ValueType<string> = {
	expected: 'an email',
	read(value) {
		const email = text.read(value)?.trim() ?? '';
		return /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/.test(email) ? email : undefined;
	},
};

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
export function memberField(displayName: string, name: string, more = ''): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: 'e.g. ada@example.com',
		description: `Email of a team member, or an ID that tickets have as assigneeId. ${more}`.trim(),
	};
}

/** Fields of a ticket that can be set when it is created, and changed later. */
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
