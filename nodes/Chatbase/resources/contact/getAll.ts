import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { ContactFilter } from '../../contacts/filter';
import { matchesFilter } from '../../contacts/filter';
import { filtersField, optionsField } from '../../fields/collections';
import { readFilter } from '../../fields/filters';
import { moment, readAs, text, wholeNumber } from '../../fields/kinds';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import { mostItems, tooManyItems } from '../../transport/ceiling';
import type { ItemContext, SingleOperation } from '../../transport/operation';
import type { ListQuery, ListResult } from './readList';
import { readContactList } from './readList';
import { largestPage, smallestPage } from './requests';

/** Reads the contact list of a chatbot, and returns it completely or not at all. */
export const getAllContacts: SingleOperation<ListQuery> = {
	read(context) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const options = context.getNodeParameter('options', {}) as IDataObject;
		const limit = readLimit(context);
		const filter = readContactFilter(context);
		const hasFilter = Object.values(filter).some((value) => value !== undefined);
		const fitting = Math.min(Math.max(limit, smallestPage), largestPage);
		return {
			chatbotId,
			limit,
			perPage: readAs(
				context,
				options.pageSize ?? (hasFilter ? largestPage : fitting),
				wholeNumber(smallestPage, largestPage),
				'Page Size',
			),
			startPage: readAs(context, options.startPage ?? 1, wholeNumber(1), 'Start Page'),
			isWanted: hasFilter ? (contact) => matchesFilter(contact, filter) : undefined,
		};
	},

	async send({ context, task, service }) {
		const checkLength = (length: number) => {
			if (!task.isWanted && Math.min(length, task.limit) > mostItems) throw tooMany(context);
		};
		const result = await readContactList(service, { ...task, checkLength });
		if (!result.complete) throw incomplete(context, result);
		return result.contacts;
	},
};

function readContactFilter(context: ItemContext): ContactFilter {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const since = moment(context.getTimezone());
	return {
		email: readFilter(context, filters, 'email', 'Email', text),
		externalId: readFilter(context, filters, 'externalId', 'External ID', text),
		name: readFilter(context, filters, 'name', 'Name Contains', text),
		phonenumber: readFilter(context, filters, 'phonenumber', 'Phone Number', text),
		createdAfter: readFilter(context, filters, 'createdAfter', 'Created After', since),
		updatedAfter: readFilter(context, filters, 'updatedAfter', 'Updated After', since),
	};
}

function tooMany(context: ItemContext) {
	const pages = mostItems / largestPage;
	return tooManyItems(
		context,
		`Turn Return All off, set Limit to ${mostItems} and Page Size to ${largestPage}, and let several input items read on with Start Page 1, ${pages + 1}, ${2 * pages + 1} and so on; or use a filter.`,
	);
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
		...filtersField(show, [
			{
				displayName: 'Created After',
				name: 'createdAfter',
				type: 'dateTime',
				default: '',
				placeholder: 'e.g. 2026-07-01T08:30:00',
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
				placeholder: 'e.g. 2026-07-01T08:30:00',
				description:
					'Only contacts changed at or after this time, in the time zone of the workflow',
			},
		]),
		description:
			'The API cannot filter, so the node reads the pages (up to 1000 contacts each) and passes on what matches',
	},
	optionsField(show, [
		maxConcurrencyOption,
		pageSizeOption(
			'Contacts',
			smallestPage,
			largestPage,
			largestPage,
			'Without this option it is 1000, or as many as the limit needs',
		),
		{
			displayName: 'Start Page',
			name: 'startPage',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 1,
			description:
				'Page to begin with, counted in pages of Page Size. Lets several input items share a very long list.',
		},
	]),
];
