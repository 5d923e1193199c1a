import { createdRecord, recordWith } from '../../api/unknownOutcome';
import { requiredField, writtenByModel } from '../../panel/field';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { textUpTo } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import { memberLook, memberType, ticketField, ticketPath } from './tickets';

const message = requiredField('message', 'Message', textUpTo(10_000), {
	description:
		'What the customer receives. Markdown works, HTML is removed. A success means that Chatbase has recorded it, not that the customer has received it.',
	typeOptions: { rows: 4 },
});
const author = requiredField(
	'author',
	'Author',
	memberType('author'),
	memberLook('The reply is from this team member.'),
);

export const reply = operation({
	value: 'reply',
	action: 'Reply to ticket',
	description: 'Write to the customer of a ticket. May need a higher plan.',
	request: { method: 'POST', path: `${ticketPath}/messages`, resource: 'agentTicket' },
	fields: [
		chatbotField,
		toolNotice(
			'The customer receives what the agent writes. To read each reply before it is sent, add a human review step.',
		),
		ticketField,
		...writtenByModel(message),
		author,
	],

	neverTwice: 'send the replies of all items again',

	read: (item) => ({
		name: ticketField.read(item),
		body: { type: 'reply', content: message.read(item), ...author.read(item) },
	}),

	sequenceKeys: ({ name }) => [JSON.stringify(name)],

	async send({ item, params, api }) {
		const { name, body } = params;
		const response = await api.send({ ...item.request, params: name, body });
		const mayHaveArrived = `The reply may have reached the customer. Look for it with Get and Include Messages in ticket ${name.ticketNumber}.`;
		return [
			createdRecord(api, response, { find: recordWith('id'), mayExist: mayHaveArrived }),
		];
	},
});
