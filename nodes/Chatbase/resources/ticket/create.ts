import { createdRecord, recordWith } from '../../api/unknownOutcome';
import { additionalFieldsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { optionalField, requiredField, writtenByModel } from '../../panel/field';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { textUpTo } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import {
	assignmentIn,
	clearable,
	emailType,
	simplifiedTicket,
	ticketOutputFields,
	ticketsPath,
} from './tickets';

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
const customerName = optionalField(
	'additionalFields.customerName',
	'Customer Name',
	nameType,
	{
		description: 'Name for a customer that the helpdesk does not know yet',
	},
);
const assignment = assignmentIn('additionalFields');

const mayExist =
	'The ticket may exist. Before you run again, look for its subject and customer with Get Many or in the helpdesk.';

export const create = operation({
	value: 'create',
	description: 'Open a ticket in the helpdesk for a customer. May need a higher plan.',
	request: { method: 'POST', path: ticketsPath, resource: 'agentTickets' },
	fields: [
		chatbotField,
		writeNotice,
		...writtenByModel(subject),
		...writtenByModel(description),
		customerEmail,
		...ticketOutputFields,
		additionalFieldsField([...assignment.fields, customerName]),
	],

	neverTwice: 'open the tickets of all items again',

	read(item) {
		const { teamId, ...assigned } = assignment.read(item);
		const name = customerName.read(item);
		return {
			chatbotId: chatbotField.read(item),
			body: {
				subject: subject.read(item),
				description: description.read(item),
				customer: { email: customerEmail.read(item), ...(name && { name }) },
				...assigned,
				...(teamId !== null && { teamId }),
			},
			output: readOutput(item, simplifiedTicket),
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, body, output } = params;
		const response = await api.send({ ...item.request, params: { chatbotId }, body });
		const find = recordWith('ticketNumber');
		return [output(createdRecord(api, response, { find, mayExist }))];
	},
});
