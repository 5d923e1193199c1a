import type { InputItem } from '../../execution/item';
import { assertWithinOutputLimit, outputLimit, upToLimit } from '../../execution/lists';
import { filtersField, optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { pageSizeOption, paging } from '../../panel/paging';
import { type Field, optionalField } from '../../panel/field';
import { filterField, sinceFilter } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { text, wholeNumber } from '../../panel/types';
import { countFormat } from '../../values/json';
import { readTimestamp } from '../../values/time';
import { chatbotField } from '../../chatbots/chatbots';
import { contactsPath } from './contact';
import { assertComplete, maxPageSize, minPageSize, readContactList } from './contactList';
import { type Contact, externalIdOf, fold } from './plan/contactRecord';

const pagesOfLimit = outputLimit / maxPageSize;
const tooLongNextStep = `Use a filter. Or turn off Return All, set Limit to ${countFormat.format(outputLimit)} and Page Size to ${countFormat.format(maxPageSize)}, and use one input item for each Start Page: 1, ${pagesOfLimit + 1}, ${2 * pagesOfLimit + 1} and so on.`;

const pageSizeField = pageSizeOption(
	'Contacts',
	minPageSize,
	maxPageSize,
	'The default is 1,000, or Limit if that is lower',
);

const startPage = optionalField('options.startPage', 'Start Page', wholeNumber(1), {
	description: 'Page to start from. Use it to read a very long list in parts.',
});
const example = 'e.g. 2026-07-01T08:30:00';
const createdFilter = sinceFilter(['Created After', example], 'contacts created');
const updatedFilter = sinceFilter(['Updated After', example], 'contacts changed');
const emailFilter = filterField('email', 'Email', text, {
	placeholder: 'e.g. nathan@example.com',
	description: 'Only contacts with this email (case-insensitive)',
});
const externalIdFilter = filterField('externalId', 'External ID', text, {
	placeholder: 'e.g. customer-1001',
	description:
		'Only the contact with exactly this ID. The operation Get finds it with one request.',
});
const nameFilter = filterField('name', 'Name Contains', text, {
	placeholder: 'e.g. Smith',
	description: 'Only contacts whose name contains this text (case-insensitive)',
});
const phoneFilter = filterField('phonenumber', 'Phone Number', text, {
	placeholder: 'e.g. +1 555 0100',
	description: 'Only contacts with this number. The filter compares digits only.',
});

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'Read the whole contact list, or the contacts that match filters',
	request: { method: 'GET', path: contactsPath, resource: 'contacts' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		...paging.fields,
		filtersField(
			[
				createdFilter,
				emailFilter,
				externalIdFilter,
				nameFilter,
				phoneFilter,
				updatedFilter,
			],
			'The API cannot filter, so the node reads the list and returns the contacts that match',
		),
		optionsField([maxConcurrencyOption, pageSizeField, startPage]),
	],

	read(item) {
		const limit = paging.read(item);
		const isWanted = readContactFilter(item);
		const fitting = Math.min(Math.max(limit, minPageSize), maxPageSize);
		return {
			chatbotId: chatbotField.read(item),
			limit,
			perPage: pageSizeField.read(item) ?? (isWanted ? maxPageSize : fitting),
			startPage: startPage.read(item) ?? 1,
			isWanted,
		};
	},

	async send({ item, params, api }) {
		const { isWanted, limit } = params;
		const checkLength = (length: number) => {
			if (!isWanted)
				assertWithinOutputLimit(item, Math.min(length, limit), tooLongNextStep);
		};
		const list = await readContactList(api, { ...params, checkLength });
		assertComplete(item, list);
		const total = isWanted ? undefined : list.expected;
		return upToLimit(item, list.contacts, limit, total);
	},
});

type Test = (contact: Contact) => boolean;

/** @returns undefined if no filter was added; a contact without the filtered value never matches */
function readContactFilter(item: InputItem): Test | undefined {
	const tests: Test[] = [];
	const addTest = <Value>(
		filter: Field<Value | undefined>,
		matches: (contact: Contact, value: Value) => boolean,
	) => {
		const value = filter.read(item);
		if (value !== undefined) tests.push((contact) => matches(contact, value));
	};

	addTest(emailFilter, ({ email }, value) => fold(email) === fold(value));
	addTest(externalIdFilter, (contact, value) => externalIdOf(contact) === value);
	addTest(nameFilter, ({ name }, value) => fold(name).includes(fold(value)));
	addTest(
		phoneFilter,
		({ phonenumber }, value) => phoneDigitsOf(phonenumber) === phoneDigitsOf(value),
	);
	addTest(createdFilter, ({ created_at }, value) => isSince(created_at, value));
	addTest(updatedFilter, ({ updated_at }, value) => isSince(updated_at, value));

	const phone = phoneFilter.read(item);
	if (phone !== undefined && phoneDigitsOf(phone) === '') {
		throw item.error(
			'The filter Phone Number has no digit',
			`It is "${phone}". Only digits are compared, so it would match every contact without a number.`,
		);
	}

	if (tests.length === 0) return undefined;
	return (contact) => tests.every((test) => test(contact));
}

/** The service keeps whole seconds, so a fraction of the filter's second counts as its start. */
function isSince(timestamp: unknown, earliest: number): boolean {
	const second = Math.floor(earliest / 1000) * 1000;
	return (readTimestamp(timestamp) ?? -Infinity) >= second;
}

function phoneDigitsOf(value: unknown): string {
	return String(value ?? '').replace(/\D/g, '');
}
