import type { IDataObject } from 'n8n-workflow';

import { resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { readAs, readJsonObject } from '../../panel/field';
import { describeValue, text } from '../../panel/types';
import { isBlank, isObject, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
import { attributePrefix, type Entry, type Values } from './contactValues';
import { clearFields } from './fields';

/** Adds the values of Additional Fields, which override those of Contact Fields. */
export function addAdditionalFields(item: InputItem, values: Values): void {
	if (Object.keys(item.collection('additionalFields')).length === 0) return;

	const accounts = readPaymentAccounts(item);
	if (accounts) values.set('payment_accounts', accounts);

	const json = readMentioned(item, 'customAttributesJson', 'Custom Attributes JSON');
	for (const [name, value] of readMentioned(
		item,
		'extraFieldsJson',
		'Extra Fields JSON',
	)) {
		if (name !== 'custom_attributes') {
			values.set(name, value);
		} else if (isObject(value)) {
			json.push(...Object.entries(value));
		} else {
			throw item.error(
				'custom_attributes in Extra Fields JSON is not an object',
				`It is ${describeValue(value)}. Use one name and value for each attribute. null clears an attribute.`,
			);
		}
	}

	json.forEach(([name, value]) => values.set(attributePrefix + name, value));
	clearFields.read(item).forEach((name) => values.set(name, null));
}

/** Extra Fields JSON, though another field may be unreadable. */
export function readableExtraFields(item: InputItem): Values {
	const stored = item.rawParameter('additionalFields.extraFieldsJson');
	if (stored === undefined) return new Map();

	try {
		const json = readJsonObject(item, resolveValue(item, stored), 'Extra Fields JSON');
		return new Map(Object.entries(json));
	} catch {
		// `addAdditionalFields` fails later with the error for this.
		return new Map();
	}
}

/** The values in a JSON field. An expression that returns undefined sets nothing. */
function readMentioned(item: InputItem, name: string, label: string): Entry[] {
	const record = readJsonObject(item, item.parameter(`additionalFields.${name}`), label);
	const entries = Object.entries(record).filter(([, value]) => value !== undefined);
	const changed = entries.find(([, value]) => hasInexactNumber(value));
	if (!changed) return entries.map(([key, value]) => [key, plainJson(value)]);
	throw item.error(
		`${label} has a number with too many digits`,
		`"${changed[0]}" may have changed, since a number in JSON has about 15 exact digits. Write it as text, in quotes.`,
	);
}

/** @returns undefined if no account is set; an empty list if the user added the field without accounts */
function readPaymentAccounts(item: InputItem): IDataObject[] | undefined {
	const value = item.parameter('additionalFields.paymentAccounts');
	if (!isObject(value)) return undefined;

	const rows = Array.isArray(value.accounts) ? value.accounts.filter(isObject) : [];
	const read = (cell: unknown, label: string) =>
		readAs(item, cell, text, `${label} of a payment account`);

	const accounts = rows
		.filter((row) => !isBlank(Object.values(row)))
		.map(({ label, paymentId, paymentEmail }) => ({
			...(label !== undefined && label !== null && { label: read(label, 'Label') }),
			...(!isBlank(paymentId) && { payment_id: read(paymentId, 'Payment ID') }),
			...(!isBlank(paymentEmail) && {
				payment_email: read(paymentEmail, 'Payment Email'),
			}),
		}));
	return rows.length > 0 && accounts.length === 0 ? undefined : accounts;
}
