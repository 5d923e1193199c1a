import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ContactFilter } from '../../contacts/filter';
import { matchesFilter } from '../../contacts/filter';
import { maxConcurrencyOption, readLimit } from '../../fields/paging';
import { describe, readId, readWholeNumber, refuse } from '../../fields/read';
import { readInstant } from '../../fields/time';
import type { ItemContext, SingleOperation } from '../../transport/operation';
import { isToolCall } from '../../transport/run';
import type { ListQuery, ListResult } from './readList';
import { readContactList } from './readList';
import { largestPage, smallestPage } from './requests';

/**
 * How many output items the node makes of one input item. The engine of n8n 2.41 overflows its stack
 * somewhat above 120,000.
 */
const mostItems = 100_000;

const textFilters = {
	email: 'Email',
	externalId: 'External ID',
	name: 'Name',
	phonenumber: 'Phone Number',
};
const timeFilters = { createdAfter: 'Created After', updatedAfter: 'Updated After' };

export const getAllContacts: SingleOperation<ListQuery> = {
	read(context) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const filter = readFilter(context);
		const hasFilter = Object.keys(filter).length > 0;
		const fitting = Math.min(Math.max(limit, smallestPage), largestPage);
		return {
			chatbotId,
			limit,
			perPage: readWholeNumber(
				context,
				options.pageSize ?? (hasFilter ? largestPage : fitting),
				'Page Size',
				smallestPage,
				largestPage,
			),
			startPage: readWholeNumber(context, options.startPage ?? 1, 'Start Page', 1),
			isWanted: hasFilter ? (contact) => matchesFilter(contact, filter) : undefined,
		};
	},

	async send({ context, task, service }) {
		const checkLength = (length: number) => {
			if (!task.isWanted && Math.min(length, task.limit) > mostItems)
				throw tooMany(context, length);
		};
		const result = await readContactList(service, { ...task, checkLength });
		if (!result.complete) throw incomplete(context, result);
		if (result.contacts.length > mostItems) throw tooMany(context, result.contacts.length);
		return result.contacts;
	},
};

function readFilter(context: ItemContext): ContactFilter {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const filter: ContactFilter = {};
	for (const [name, label] of Object.entries({ ...textFilters, ...timeFilters })) {
		if (!(name in filters)) continue;
		const value: unknown = filters[name];
		if (value === '' || value === null || value === undefined) {
			// Models fill in a blank for what they do not need; from anybody else it means missing data.
			if (isToolCall(context)) continue;
			throw refuse(
				context,
				`The filter ${label} is empty`,
				'An empty filter would let every contact pass. Enter a value or remove the filter.',
			);
		}
		if (name in timeFilters) {
			const instant = readInstant(value, context.getTimezone());
			if (instant === undefined) {
				throw refuse(
					context,
					`The filter ${label} is not a date`,
					`It is ${describe(value)}. Enter a date such as 2026-09-01 or 2026-09-01T08:30:00.`,
				);
			}
			filter[name as keyof typeof timeFilters] = instant;
		} else {
			if (typeof value === 'object') {
				throw refuse(
					context,
					`The filter ${label} is not text`,
					`It is ${describe(value)}. Enter one value.`,
				);
			}
			filter[name as keyof typeof textFilters] = String(value);
		}
	}
	return filter;
}

function tooMany(context: ItemContext, count: number) {
	return new NodeOperationError(context.getNode(), 'The list is too long for one input item', {
		description: `It has ${count} contacts, and n8n can take about ${mostItems} from one item. Turn Return All off, set Limit to ${mostItems} and Page Size to ${largestPage}, and let several input items read on with Start Page 1, ${mostItems / largestPage + 1}, ${(2 * mostItems) / largestPage + 1} and so on; or use a filter.`,
		itemIndex: context.getItemIndex(),
	});
}

function incomplete(context: ItemContext, { read, expected }: ListResult) {
	return new NodeOperationError(
		context.getNode(),
		'The contact list could not be read completely',
		{
			description: `The node read ${read} of ${expected} contacts, in the last of three tries. The list kept changing, or its pages do not match its total. Nothing was passed on, so that no later step takes a part for the whole. Run the node again at a quieter time.`,
			itemIndex: context.getItemIndex(),
		},
	);
}

const show = { resource: ['contact'], operation: ['getAll'] };

export const contactGetAllFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description:
			'The API cannot filter, so the node reads the pages (up to 1000 contacts each) and passes on what matches',
		displayOptions: { show },
		options: [
			{
				displayName: 'Created After',
				name: 'createdAfter',
				type: 'dateTime',
				default: '',
				description:
					'Only contacts created at or after this time, in the time zone of the workflow',
			},
			{
				displayName: 'Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. nathan@example.com',
				default: '',
				description: 'Only contacts with this e-mail address, upper and lower case alike',
			},
			{
				displayName: 'External ID',
				name: 'externalId',
				type: 'string',
				placeholder: 'e.g. customer-1001',
				default: '',
				description:
					'Only the contact with exactly this ID; the operation Get finds it with one request',
			},
			{
				displayName: 'Name Contains',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Smith',
				default: '',
				description: 'Only contacts whose name contains this text, upper and lower case alike',
			},
			{
				displayName: 'Phone Number',
				name: 'phonenumber',
				type: 'string',
				placeholder: 'e.g. +1 555 0100',
				default: '',
				description: 'Only contacts with this number; spaces, dashes and the like do not count',
			},
			{
				displayName: 'Updated After',
				name: 'updatedAfter',
				type: 'dateTime',
				default: '',
				description:
					'Only contacts changed at or after this time, in the time zone of the workflow',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show },
		options: [
			maxConcurrencyOption,
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: smallestPage, maxValue: largestPage },
				default: 1000,
				description:
					'Contacts a request, 10 to 1000. Without this option it is 1000, or as many as the limit needs.',
			},
			{
				displayName: 'Start Page',
				name: 'startPage',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 1,
				description:
					'Page to begin with, counted in pages of Page Size. Lets several input items share a very long list.',
			},
		],
	},
];
