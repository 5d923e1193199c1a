import type { IDataObject } from 'n8n-workflow';

import { optionalField, requiredField, writtenByModel } from '../../panel/field';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { upToLimit } from '../../execution/lists';
import { textUpTo, wholeNumber } from '../../panel/types';
import { asObjects, isObject } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { simplifiedTicket, ticketOutputFields, ticketsPath } from './tickets';

/** How many tickets a search returns, at most. A search has no pages (reference of version 2). */
const maxFound = 50;

const query = requiredField('query', 'Query', textUpTo(512), {
	description: 'Words to find in the messages of tickets',
	placeholder: 'e.g. refund',
});
const limit = optionalField('limit', 'Limit', wholeNumber(1, maxFound), {
	description: 'Max number of results to return',
	default: 50,
});

export const search = operation({
	value: 'search',
	description:
		'Find tickets by words in their messages, best matches first. May need a higher plan.',
	request: { method: 'POST', path: `${ticketsPath}/search`, resource: 'agentTickets' },
	fields: [chatbotField, ...writtenByModel(query), limit, ...ticketOutputFields],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		body: { query: query.read(item).trim(), limit: limit.read(item) ?? maxFound },
		output: readOutput(item, simplifiedTicket),
	}),

	async send({ item, params, api }) {
		const { chatbotId, body, output } = params;
		const response = await api.send({
			...item.request,
			params: { chatbotId },
			body,
			repeatable: 'reads',
		});
		const tickets = api.expectBody(response, ({ data }) => asObjects(data));
		const { pagination } = response.body as IDataObject;
		const hasMore = isObject(pagination) && pagination.hasMore;

		if (hasMore && body.limit === maxFound) {
			item.context.warn(
				'The search has more results than one search returns. Add words to Query.',
			);
		}
		const total = hasMore ? undefined : tickets.length;
		return upToLimit(item, tickets.map(output), body.limit, total);
	},
});
