/** The fields of Additional Fields, which override those of Contact Fields. */
import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import { readAs, readJsonObject } from '../../../panel/field';
import { describeValue, text } from '../../../panel/types';
import {
	hasInexactNumber,
	isBlank,
	isObject,
	objectsIn,
	plainJson,
} from '../../../values/json';
import { accountFields, clearFields } from '../panel/options';
import { attributeEntries, type Entry } from '../plan/values';

/** The values of Extra Fields JSON by name. They can have the External ID and the email by which an item is known. */
export function readExtraFields(item: InputItem): Entry[] {
	const { custom_attributes: attributes, ...fields } = readMentioned(
		item,
		'extraFieldsJson',
		'Extra Fields JSON',
	);
	if (attributes !== undefined && !isObject(attributes)) {
		throw item.error(
			'custom_attributes in Extra Fields JSON is not an object',
			`It is ${describeValue(attributes)}. Use one name and value for each attribute. null clears an attribute.`,
		);
	}
	return [...Object.entries(fields), ...attributeEntries(attributes)];
}

/**
 * Checks what the user has added, and returns it by name. Of several values for one name, the last one counts.
 * @param extra the values of Extra Fields JSON
 */
export function readAdditionalFields(item: InputItem, extra: readonly Entry[]): Entry[] {
	if (Object.keys(item.collection('additionalFields')).length === 0) return [];

	const accounts = readPaymentAccounts(item);
	const attributes = readMentioned(
		item,
		'customAttributesJson',
		'Custom Attributes JSON',
	);
	return [
		...(accounts ? [['payment_accounts', accounts] as Entry] : []),
		...attributeEntries(attributes),
		...extra,
		...clearFields.read(item).map((name): Entry => [name, null]),
	];
}

/** The values in a JSON field. An expression that returns undefined sets nothing. */
function readMentioned(item: InputItem, name: string, label: string): IDataObject {
	const record = readJsonObject(item, item.parameter(`additionalFields.${name}`), label);
	const changed = Object.entries(record).find(([, value]) => hasInexactNumber(value));
	if (!changed) return plainJson(record) as IDataObject;

	throw item.error(
		`${label} has a number with too many digits`,
		`"${changed[0]}" may have changed, since a number in JSON has about 15 exact digits. Write it as text, in quotes.`,
	);
}

/** @returns undefined if no account is set. To clear accounts, users choose them in Clear Field Names. */
function readPaymentAccounts(item: InputItem): IDataObject[] | undefined {
	const value = item.parameter('additionalFields.paymentAccounts');
	if (!isObject(value)) return undefined;

	const accounts = objectsIn(value.accounts)
		.map((row) => readAccount(item, row))
		.filter((account) => Object.keys(account).length > 0);
	return accounts.length > 0 ? accounts : undefined;
}

function readAccount(item: InputItem, row: IDataObject): IDataObject {
	const account: IDataObject = {};
	for (const [key, { property }] of Object.entries(accountFields)) {
		const { name, displayName } = property;
		if (isBlank(row[name])) continue;
		account[key] = readAs(item, row[name], text, `${displayName} of a payment account`);
	}
	return account;
}
