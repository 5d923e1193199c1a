import { withSentence } from '../../api/errors';
import { resultOf } from '../../api/unknownOutcome';
import { operation, optionsField, textField, toolNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readRequired, textUpTo } from '../../fields/values';
import {
	memberField,
	memberType,
	readTicketName,
	sequenceKeyOf,
	ticketNumberField,
	ticketPath,
} from './tickets';

export const reply = operation({
	value: 'reply',
	name: 'Reply',
	action: 'Reply to ticket',
	description: 'Write to the customer of a ticket. Needs a plan with API access.',
	request: { method: 'POST', path: `${ticketPath}/messages`, resource: 'agentTicket' },
	fields: [
		chatbotField,
		toolNotice(
			'The customer receives what the agent writes. Ask for approval first, or limit use in Tool Description.',
		),
		ticketNumberField,
		textField(
			'Message',
			'message',
			'What the customer receives. Markdown works, HTML is removed. A success means that Chatbase has recorded it; it does not say whether it was delivered.',
			{ required: true, typeOptions: { rows: 4 } },
		),
		{ ...memberField('Author', 'author', 'This person replies.'), required: true },
		optionsField([maxConcurrencyOption]),
	],

	read: (item) => ({
		name: readTicketName(item),
		body: {
			type: 'reply',
			content: readRequired(item, 'message', textUpTo(10_000), 'Message'),
			...readRequired(item, 'author', memberType('author'), 'Author'),
		},
	}),

	sequenceKeys: ({ name }) => [sequenceKeyOf(name)],

	async send({ item, params: { name, body }, api }) {
		const response = await api.send({ ...item.request, params: name, body });
		const sent = resultOf(api, response, (message) => ('id' in message ? message : undefined));
		if (sent) return [sent];
		throw withSentence(
			api.failure(response),
			`The reply may have reached the customer. Look for it with Get and Include Messages in ticket ${name.ticketNumber}.`,
		);
	},
});
