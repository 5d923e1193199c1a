import type { IDataObject } from 'n8n-workflow';

import { filtersField, sortCollection } from '../../panel/collections';
import { paging } from '../../panel/paging';
import { choiceField, readFilledFields } from '../../panel/field';
import { anyOfFilter, filterField, timeRange } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { outputLimit, readComplete, upToLimit } from '../../execution/lists';
import type { ValueType } from '../../panel/types';
import { sortedByTime } from '../../values/time';
import { chatbotField } from '../../chatbots/chatbots';
import {
	choices,
	idType,
	maxTicketsPerPage,
	priorities,
	simplifiedTicket,
	statusCategories,
	teamLocator,
	ticketOutputFields,
	ticketPages,
	ticketsPath,
} from './tickets';

const createdRange = timeRange(
	'tickets created',
	['Created After', 'e.g. 2026-07-01T08:30:00'],
	['Created Before', 'e.g. 2026-07-31T17:00:00'],
);
const channels =
	'API, Center Stage, Email, Facebook Comment, Helpdesk, Iframe, Instagram, Instagram Comment, Messenger, Phone, WhatsApp';

/** A filter whose name is its label in lower case. */
function filterFor(label: string, what: string, values: string[]) {
	const description = `Only tickets with one of these ${what}`;
	return anyOfFilter(label, label.toLowerCase(), description, choices(values));
}

const listFilters = [
	filterFor('Status', 'kinds of status', statusCategories),
	filterFor('Channel', 'channels', channels.split(', ')),
	filterFor('Priority', 'priorities', priorities),
];

const idOrNone: ValueType<string> = {
	expected: 'an ID or none',
	read: (value) => (value === 'none' ? value : idType.read(value)),
};

const assigneeFilter = filterField('assigneeId', 'Assignee ID', idOrNone, {
	description:
		'Only tickets of this team member, by the ID that tickets have as assigneeId. Enter "none" for tickets without an assignee.',
	placeholder: 'e.g. 8b6c5d3e-2f1a-4c7b-9e0d-1a2b3c4d5e6f',
});
const teamFilter = filterField('teamId', 'Team', idOrNone, {
	description:
		'Only tickets of this team. Enter the ID "none" for tickets without a team.',
	...teamLocator,
});
const sortField = choiceField('sort.sortBy', 'Sort By', {
	description: 'Time by which the tickets are sorted',
	choices: {
		createdAt: ['Created'],
		lastMessageAt: ['Last Message'],
		updatedAt: ['Updated'],
	},
	default: 'updatedAt',
});
const orderField = choiceField('sort.order', 'Order', {
	description: 'Whether the newest or the oldest ticket comes first',
	choices: { desc: ['Newest First'], asc: ['Oldest First'] },
});

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'Read the tickets of the helpdesk. May need a higher plan.',
	request: { method: 'GET', path: ticketsPath, resource: 'agentTickets' },
	fields: [
		chatbotField,
		...paging.fields,
		...ticketOutputFields,
		filtersField([...listFilters, ...createdRange.fields, assigneeFilter, teamFilter]),
		sortCollection([sortField, orderField]),
	],

	read(item) {
		return {
			chatbotId: chatbotField.read(item),
			limit: paging.read(item),
			query: {
				...createdRange.read(item),
				...readFilledFields(item, [...listFilters, assigneeFilter, teamFilter]),
				sortBy: sortField.read(item),
				order: orderField.read(item),
			},
			output: readOutput(item, simplifiedTicket),
		};
	},

	async send({ item, params, api }) {
		const { chatbotId, limit, query, output } = params;
		const { sortBy, order } = query;
		const read = async (changes: IDataObject, wanted?: number) => {
			const list = ticketPages(api, chatbotId, { ...query, ...changes });
			return await readComplete(item, 'tickets', list, {
				limit: wanted,
				maximum: outputLimit,
			});
		};

		if (limit === Infinity) {
			// The list is sorted only after it was read. In any other order, a ticket that is updated or added meanwhile would
			// move the others.
			const all = await read({
				sortBy: 'createdAt',
				order: 'desc',
				includeTotal: 'true',
			});
			const timeOf = (ticket: IDataObject) => ticket[sortBy] ?? ticket.createdAt;
			return sortedByTime(all, timeOf, order).map(output);
		}

		const tickets = await read({ limit: Math.min(limit, maxTicketsPerPage) }, limit);
		return upToLimit(item, tickets.map(output), limit);
	},
});
