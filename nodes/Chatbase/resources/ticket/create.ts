import type { IDataObject } from 'n8n-workflow';

import { withSentence } from '../../api/errors';
import type { ApiClient } from '../../api/client';
import { createdSince, lookUntil, resultOf } from '../../api/unknownOutcome';
import { additionalFieldsField, operation, writeNotice } from '../../fields/define';
import { optionalField, requiredField } from '../../fields/field';
import { chatbotField } from '../../fields/locators';
import { textUpTo } from '../../fields/values';
import { isObject } from '../../values/object';
import {
	assignmentIn,
	clearable,
	emailType,
	readTicket,
	ticketPages,
	ticketsPath,
} from './tickets';

const mayExist =
	'The ticket may exist. Before you run again, look for its subject and customer with Get Many or in the helpdesk.';

const subject = requiredField('subject', 'Subject', textUpTo(500), {
	description: 'Subject of the ticket. Permanent once the ticket exists.',
	placeholder: 'e.g. Refund for order 1001',
});
const description = requiredField('description', 'Description', textUpTo(10_000), {
	description:
		'What the customer wants. It becomes the first message, as if the customer had written it.',
	typeOptions: { rows: 4 },
});
const customerEmail = requiredField('customerEmail', 'Customer Email', emailType, {
	description: 'Email of the customer. An unknown customer is added to the helpdesk.',
	placeholder: 'e.g. jane@example.com',
});
const customerName = optionalField(
	'additionalFields.customerName',
	'Customer Name',
	clearable(textUpTo(255), ''),
	{ description: 'Name for a customer that the helpdesk does not know yet' },
);
const assignment = assignmentIn('additionalFields');

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create ticket',
	description: 'Open a ticket in the helpdesk for a customer. Needs a plan with API access.',
	request: { method: 'POST', path: ticketsPath, resource: 'agentTickets' },
	fields: [
		chatbotField,
		writeNotice,
		subject,
		description,
		customerEmail,
		additionalFieldsField([...assignment.fields, customerName]),
	],

	read(item) {
		const { teamId, ...assigned } = assignment.read(item);
		const name = customerName.read(item);
		return {
			chatbotId: chatbotField.read(item),
			subject: subject.read(item),
			description: description.read(item),
			customer: { email: customerEmail.read(item), ...(name && { name }) },
			assignment: { ...assigned, ...(teamId !== null && { teamId }) },
		};
	},

	// A ticket that is looked up could be that of an equal item.
	sequenceKeys: ({ chatbotId, subject, customer }) => [
		JSON.stringify([chatbotId, subject.trim(), customer.email]).toLowerCase(),
	],

	async send({ item, params: { chatbotId, assignment, ...content }, api }) {
		const startedAt = performance.now();
		const response = await api.send({
			...item.request,
			params: { chatbotId },
			body: { ...content, ...assignment },
		});
		const answered = await api.state.memoize(`tickets of ${chatbotId}`, async () => new Set());
		const find = () => findCreated(api, chatbotId, content, startedAt, answered);
		const ticket =
			resultOf(api, response, (body) => ('ticketNumber' in body ? body : undefined)) ??
			(await lookUntil(api, find, Boolean, mayExist));
		if (!ticket) throw withSentence(api.failure(response), mayExist);
		answered.add(ticket.ticketNumber);
		return [ticket];
	},
});

/** @param answered numbers of tickets that belong to other items */
async function findCreated(
	api: ApiClient,
	chatbotId: string,
	content: { subject: string; description: string; customer: { email: string } },
	startedAt: number,
	answered: Set<unknown>,
): Promise<IDataObject | undefined> {
	const pages = ticketPages(api, chatbotId, { sortBy: 'createdAt', order: 'desc' });
	for await (const { ticketNumber, subject, customer } of createdSince(pages, startedAt, true)) {
		const email = isObject(customer) ? customer.email : undefined;
		const isAlike = isSame(subject, content.subject) && isSame(email, content.customer.email);
		if (!isAlike || answered.has(ticketNumber)) continue;
		const ticket = await readTicket(api, { chatbotId, ticketNumber: String(ticketNumber) });
		if (isSame(ticket.description, content.description)) return ticket;
	}
	return undefined;
}

function isSame(one: unknown, other: string): boolean {
	return String(one).trim().toLowerCase() === other.trim().toLowerCase();
}
