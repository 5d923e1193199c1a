import type { IDataObject } from 'n8n-workflow';

import { withSentence } from '../../api/errors';
import type { ApiClient } from '../../api/client';
import { createdSince, lookUntil, resultOf } from '../../api/unknownOutcome';
import { additionalFieldsField, operation, optionsField, textField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readAs, readId, readRequired, textUpTo } from '../../fields/values';
import { isObject } from '../../values/object';
import { isBlank } from '../../values/scalar';
import {
	assignmentFields,
	emailType,
	readAssignment,
	readTicket,
	ticketPages,
	ticketsPath,
} from './tickets';

const mayExist =
	'The ticket may exist. Before you run again, look for its subject and customer with Get Many or in the helpdesk.';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create ticket',
	description: 'Open a ticket in the helpdesk for a customer. Needs a plan with API access.',
	request: { method: 'POST', path: ticketsPath, resource: 'agentTickets' },
	fields: [
		chatbotField,
		textField('Subject', 'subject', 'Subject of the ticket. Permanent once the ticket exists.', {
			required: true,
			placeholder: 'e.g. Refund for order 1001',
		}),
		textField(
			'Description',
			'description',
			'What the customer wants. It becomes the first message, as if the customer had written it.',
			{ required: true, typeOptions: { rows: 4 } },
		),
		textField(
			'Customer Email',
			'customerEmail',
			'Email of the customer. An unknown customer is added to the helpdesk.',
			{ required: true, placeholder: 'e.g. jane@example.com' },
		),
		additionalFieldsField([
			...assignmentFields,
			textField(
				'Customer Name',
				'customerName',
				'Name for a customer that the helpdesk does not know yet',
			),
		]),
		optionsField([maxConcurrencyOption]),
	],

	read(item) {
		const name = item.parameter('additionalFields.customerName');
		const { teamId, ...assignment } = readAssignment(item, 'additionalFields');
		return {
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			subject: readRequired(item, 'subject', textUpTo(500), 'Subject'),
			description: readRequired(item, 'description', textUpTo(10_000), 'Description'),
			customer: {
				email: readRequired(item, 'customerEmail', emailType, 'Customer Email'),
				...(!isBlank(name) && { name: readAs(item, name, textUpTo(255), 'Customer Name') }),
			},
			assignment: { ...assignment, ...(teamId !== null && { teamId }) },
		};
	},

	// A ticket that is looked up could be that of an equal item.
	sequenceKeys: ({ chatbotId, subject, customer }) => [
		JSON.stringify([chatbotId, subject.trim(), customer.email]).toLowerCase(),
	],

	async send({ item, params: { chatbotId, assignment, ...content }, api }) {
		const startedAt = Date.now();
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
