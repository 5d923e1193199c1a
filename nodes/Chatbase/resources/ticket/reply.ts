import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { cursorPages } from '../../api/paginate';
import { createdSince, lookUntil, resultOf } from '../../api/unknownOutcome';
import { operation, toolNotice } from '../../fields/define';
import { requiredField } from '../../fields/field';
import { chatbotField } from '../../fields/locators';
import { textUpTo } from '../../fields/values';
import { isObject } from '../../values/object';
import { withoutTags } from '../conversation/transcript';
import type { TicketName } from './tickets';
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
		const startedAt = performance.now();
		const response = await api.send({ ...item.request, params: name, body });
		const unknown = `The reply may have reached the customer. Look for it with Get and Include Messages in ticket ${name.ticketNumber}.`;
		const answered = await api.state.memoize(sequenceKeyOf(name), async () => new Set());
		const find = () => findSent(api, name, body.content, startedAt, answered);
		const sent =
			resultOf(api, response, (found) => ('id' in found ? found : undefined)) ??
			(await lookUntil(api, find, Boolean, unknown));
		if (!sent) throw withSentence(api.failure(response), unknown);
		answered.add(sent.id);
		return [sent];
	},
});

/** @param answered IDs of replies that belong to other items */
async function findSent(
	api: ApiClient,
	name: TicketName,
	content: string,
	startedAt: number,
	answered: Set<unknown>,
): Promise<IDataObject | undefined> {
	const list = cursorPages(api, {
		path: reply.request.path,
		resource: 'agentTicket',
		params: name,
		query: { order: 'desc', types: 'reply' },
	});
	for await (const found of createdSince(list, startedAt, true)) {
		const isOurs = isObject(found.sender) && found.sender.type === 'agent';
		const isAlike = withoutTags(found.contentText) === withoutTags(content);
		if (isOurs && isAlike && !answered.has(found.id)) return found;
	}
	return undefined;
}
