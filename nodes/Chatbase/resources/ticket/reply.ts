import { withSentence } from '../../api/errors';
import { resultOf } from '../../api/unknownOutcome';
import { operation, toolNotice } from '../../fields/define';
import { requiredField } from '../../fields/field';
import { chatbotField } from '../../fields/locators';
import { textUpTo } from '../../fields/values';
import { member, readTicketName, sequenceKeyOf, ticketNumberField, ticketPath } from './tickets';

const message = requiredField('message', 'Message', textUpTo(10_000), {
	description:
		'What the customer receives. Markdown works, HTML is removed. A success means that Chatbase has recorded it; it does not say whether it was delivered.',
	typeOptions: { rows: 4 },
});
const author = requiredField('author', ...member('Author', 'author', 'This person replies.'));

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
		message,
		author,
	],

	read: (item) => ({
		name: readTicketName(item),
		body: {
			type: 'reply',
			content: message.read(item),
			...author.read(item),
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
