import { createOnce } from '../../api/unknownOutcome';
import { additionalFieldsField } from '../../panel/collections';
import { optionalField, requiredField } from '../../panel/field';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { textUpTo } from '../../panel/types';
import { isObject } from '../../values/json';
import { chatbotField } from '../chatbot/chatbotField';
import { assignmentIn, clearable, emailType } from './assignment';
import { readTicket, ticketPages, ticketsPath } from './tickets';

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
const nameType = clearable(textUpTo(255), '');
const customerName = optionalField('additionalFields.customerName', 'Customer Name', nameType, {
	description: 'Name for a customer that the helpdesk does not know yet',
});
const assignment = assignmentIn('additionalFields');

export const create = operation({
	value: 'create',
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
		const ticket = await createOnce(api, {
			request: { ...item.request, params: { chatbotId }, body: { ...content, ...assignment } },
			key: 'ticketNumber',
			list: ticketPages(api, chatbotId, { sortBy: 'createdAt', order: 'desc' }),
			async recordFor({ ticketNumber, subject, customer }) {
				const email = isObject(customer) ? customer.email : undefined;
				const isAlike = isSame(subject, content.subject) && isSame(email, content.customer.email);
				if (!isAlike) return undefined;
				const found = await readTicket(api, { chatbotId, ticketNumber: String(ticketNumber) });
				return isSame(found.description, content.description) ? found : undefined;
			},
			unknown:
				'The ticket may exist. Before you run again, look for its subject and customer with Get Many or in the helpdesk.',
		});
		return [ticket];
	},
});

function isSame(one: unknown, other: string): boolean {
	return String(one).trim().toLowerCase() === other.trim().toLowerCase();
}
