import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { SingleOperation } from '../../execution/operation';
import { assertWithinOutputLimit, outputLimit } from '../../execution/outputLimit';
import { filtersField, optionsField } from '../../fields/collections';
import { readFilter } from '../../fields/filters';
import { truncationNotice } from '../../fields/listEnd';
import { moment, readAs, text, wholeNumber } from '../../fields/values';
import { maxConcurrencyOption, pageSizeOption, readLimit } from '../../fields/paging';
import { readId } from '../../fields/read';
import type { ContactFilter } from './plan/filter';
import { matchesFilter } from './plan/filter';
import type { ListQuery } from './requests/list';
import { incompleteListText, readContactList } from './requests/list';
import { maxPageSize, minPageSize } from './requests/paths';

/** Reads the contact list of a chatbot, and returns it completely or not at all. */
export const getAllContacts: SingleOperation<ListQuery> = {
	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const options = item.collection('options');
		const limit = readLimit(item);
		const filter = readContactFilter(item);
		const hasFilter = Object.values(filter).some((value) => value !== undefined);
		const fitting = Math.min(Math.max(limit, minPageSize), maxPageSize);
		return {
			chatbotId,
			limit,
			perPage: readAs(
				item,
				options.pageSize ?? (hasFilter ? maxPageSize : fitting),
				wholeNumber(minPageSize, maxPageSize),
				'Page Size',
			),
			startPage: readAs(item, options.startPage ?? 1, wholeNumber(1), 'Start Page'),
			isWanted: hasFilter ? (contact) => matchesFilter(contact, filter) : undefined,
		};
	},

	async send({ item, params, api }) {
		const checkLength = (length: number) => {
			if (!params.isWanted) assertWithinOutputLimit(item, Math.min(length, params.limit), nextStep);
		};
		const result = await readContactList(api, { ...params, checkLength });
		if (result.complete) {
			const total = params.isWanted ? undefined : result.expected;
			return [
				...result.contacts,
				...truncationNotice(item, result.contacts.length, params.limit, total),
			];
		}
		throw item.failure('The contact list could not be read completely', incompleteListText(result));
	},
};

function readContactFilter(item: InputItem): ContactFilter {
	const filters = item.collection('filters');
	const since = moment(item.timeZone);
	const phonenumber = readFilter(item, filters, 'phonenumber', 'Phone Number', text);
	if (phonenumber !== undefined && !/\d/.test(phonenumber)) {
		throw item.refusal(
			'The filter Phone Number has no digit',
			`It is "${phonenumber}". Numbers are compared by their digits, so it would match every contact without a number.`,
		);
	}
	return {
		email: readFilter(item, filters, 'email', 'Email', text),
		externalId: readFilter(item, filters, 'externalId', 'External ID', text),
		name: readFilter(item, filters, 'name', 'Name Contains', text),
		phonenumber,
		createdAfter: readFilter(item, filters, 'createdAfter', 'Created After', since),
		updatedAfter: readFilter(item, filters, 'updatedAfter', 'Updated After', since),
	};
}

const pages = outputLimit / maxPageSize;
const nextStep = `Turn Return All off, set Limit to ${outputLimit} and Page Size to ${maxPageSize}, and let several input items read on with Start Page 1, ${pages + 1}, ${2 * pages + 1} and so on; or use a filter.`;

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
			minPageSize,
			maxPageSize,
			maxPageSize,
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
