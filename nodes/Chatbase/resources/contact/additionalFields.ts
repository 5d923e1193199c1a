import type { IDataObject } from 'n8n-workflow';

import { attributePrefix } from '../../contacts/attributes';
import type { WantedContact } from '../../contacts/change';
import { commaSeparated, isBlank, isGiven, readAs, text } from '../../fields/kinds';
import { readJsonObject, refuse } from '../../fields/read';
import type { ItemContext } from '../../transport/operation';
import { isObject } from '../../values/object';
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
 * @param context the item
 * @param wanted what the contact should hold by its other fields
 * @param additional what the collection holds
 * @throws NodeOperationError that names the field whose value does not fit
 */
export function addAdditionalFields(
	context: ItemContext,
	{ fields, attributes }: WantedContact,
	additional: IDataObject,
) {
	if ('paymentAccounts' in additional) {
		fields.set('payment_accounts', readPaymentAccounts(context, additional.paymentAccounts));
	}
	const json = (name: string, label: string) =>
		Object.entries(readJsonObject(context, additional[name], label));
	for (const [name, value] of json('customAttributesJson', 'Custom Attributes JSON')) {
		attributes.set(name, value);
	}
	for (const [name, value] of json('extraFieldsJson', 'Extra Fields JSON')) {
		if (name !== 'custom_attributes' || !isObject(value)) fields.set(name, value);
		else Object.entries(value).forEach(([attribute, held]) => attributes.set(attribute, held));
	}
	for (const name of readClearedFields(context, additional.clearFields)) {
		if (name.startsWith(attributePrefix)) attributes.set(name.slice(attributePrefix.length), null);
		else fields.set(name, null);
	}
}

/**
 * Whether the chatbot has an attribute that is to be cleared is not asked: a contact without it is as
 * wanted, and knowing it would take a request for the attributes in every run.
 */
function readClearedFields(context: ItemContext, value: unknown): string[] {
	if (!isGiven(context, value)) return [];
	const names = readAs(context, value, commaSeparated, clearFieldsLabel);
	const other = names.find((name) => !name.startsWith(attributePrefix) && !clearable.has(name));
	if (other === undefined) return names;
	throw refuse(
		context,
		`${clearFieldsLabel} holds a field that cannot be cleared`,
		`"${other}" is none of ${[...clearable].join(', ')}. A custom attribute is named with its prefix, such as custom_attributes.plan. Any other field can be set to null in Extra Fields JSON.`,
	);
}

function readPaymentAccounts(context: ItemContext, value: unknown): IDataObject[] {
	const rows = isObject(value) && Array.isArray(value.accounts) ? value.accounts : [];
	const read = (held: unknown, label: string) =>
		readAs(context, held, text, `${label} of a payment account`);
	return rows.filter(isObject).map(({ label, paymentId, paymentEmail }) => ({
		...(label !== undefined && label !== null && { label: read(label, 'Label') }),
		...(!isBlank(paymentId) && { payment_id: read(paymentId, 'Payment ID') }),
		...(!isBlank(paymentEmail) && { payment_email: read(paymentEmail, 'Payment Email') }),
	}));
}
