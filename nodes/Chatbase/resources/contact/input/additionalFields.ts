import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import { describeValue } from '../../../fields/describe';
import { commaSeparated, isBlank, hasValue, readAs, text } from '../../../fields/values';
import { readJsonObject } from '../../../fields/read';
import { hasInexactNumber } from '../../../values/number';
import { isObject } from '../../../values/object';
import { attributePrefix } from '../../customAttribute/attribute';
import type { WantedContact } from '../plan/change';
import { baseFields } from './baseFields';

const clearFieldsLabel = 'Clear Field Names or IDs';

/** Fields that a contact can be without. Some services call payment accounts by the second name. */
const clearable = new Set([
	...baseFields.map(({ id }) => id).filter((id) => id !== 'external_id'),
	'payment_accounts',
	'stripe_accounts',
]);

/**
 * Adds what stands under Additional Fields, which is sent as it is.
 *
 * @param item the item
 * @param wanted what the contact should hold by its other fields
 * @param additional what the collection holds
 * @throws NodeOperationError that names the field whose value does not fit
 */
export function addAdditionalFields(
	item: InputItem,
	{ fields, attributes }: WantedContact,
	additional: IDataObject,
) {
	const accounts = readPaymentAccounts(item, additional.paymentAccounts);
	if (accounts) fields.set('payment_accounts', accounts);
	for (const [name, value] of mentioned(
		item,
		additional,
		'customAttributesJson',
		'Custom Attributes JSON',
	)) {
		attributes.set(name, value);
	}
	for (const [name, value] of mentioned(item, additional, 'extraFieldsJson', 'Extra Fields JSON')) {
		if (name !== 'custom_attributes') {
			fields.set(name, value);
			continue;
		}
		if (!isObject(value)) {
			throw item.refusal(
				'Extra Fields JSON holds custom attributes that are no object',
				`custom_attributes is ${describeValue(value)}. Name each attribute in it; null clears one.`,
			);
		}
		entriesOf(value).forEach(([attribute, held]) => attributes.set(attribute, held));
	}
	for (const name of readClearedFields(item, additional.clearFields)) {
		if (name.startsWith(attributePrefix)) attributes.set(name.slice(attributePrefix.length), null);
		else fields.set(name, null);
	}
}

/** What a JSON field mentions: an expression that gives undefined mentions nothing. */
function mentioned(
	item: InputItem,
	additional: IDataObject,
	name: string,
	label: string,
): Array<[string, unknown]> {
	const entries = entriesOf(readJsonObject(item, additional[name], label));
	const changed = entries.find(([, value]) => hasInexactNumber(value));
	if (!changed) return entries;
	throw item.refusal(
		`${label} holds a number with too many digits`,
		`"${changed[0]}" has changed on its way, since a number in JSON keeps about 15 digits. Write it as text, in quotes.`,
	);
}

/** Dates and the like become what JSON makes of them, so that they can be compared with what comes back. */
function entriesOf(record: IDataObject): Array<[string, unknown]> {
	return Object.entries(record)
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => [
			name,
			typeof value === 'object' && value !== null
				? (JSON.parse(JSON.stringify(value)) as unknown)
				: value,
		]);
}

/**
 * Reads names of fields that a contact has, from a list or from text with commas.
 *
 * Whether the chatbot has an attribute of the name is not asked: a contact without it is as wanted, and knowing it
 * would take a request for the attributes in every run.
 *
 * @param label display name of the field, for errors
 * @param use what the names are for, for errors
 * @throws NodeOperationError when one of them is none of these
 */
export function readFieldNames(
	item: InputItem,
	value: unknown,
	label: string,
	use: 'cleared' | 'kept',
): string[] {
	if (!hasValue(item, value)) return [];
	const names = readAs(item, value, commaSeparated, label);
	const other = names.find((name) => !name.startsWith(attributePrefix) && !clearable.has(name));
	if (other === undefined) return names;
	throw item.refusal(
		`${label} holds a field that cannot be ${use}`,
		`"${other}" is none of ${[...clearable].join(', ')}. A custom attribute is named with its prefix, such as custom_attributes.plan.`,
	);
}

function readClearedFields(item: InputItem, value: unknown): string[] {
	return readFieldNames(item, value, clearFieldsLabel, 'cleared');
}

/** @returns undefined where nothing is mentioned; an empty list where the user has added the field and no account */
function readPaymentAccounts(item: InputItem, value: unknown): IDataObject[] | undefined {
	if (!isObject(value)) return undefined;
	const rows = Array.isArray(value.accounts) ? value.accounts.filter(isObject) : [];
	const read = (held: unknown, label: string) =>
		readAs(item, held, text, `${label} of a payment account`);
	const accounts = rows
		.filter((row) => Object.values(row).some((held) => !isBlank(held)))
		.map(({ label, paymentId, paymentEmail }) => ({
			...(label !== undefined && label !== null && { label: read(label, 'Label') }),
			...(!isBlank(paymentId) && { payment_id: read(paymentId, 'Payment ID') }),
			...(!isBlank(paymentEmail) && { payment_email: read(paymentEmail, 'Payment Email') }),
		}));
	return rows.length > 0 && accounts.length === 0 ? undefined : accounts;
}
