import type { IDataObject } from 'n8n-workflow';

import { isPathSegment } from '../../api/request';
import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { hasExpression, resolveValue } from '../../execution/expression';
import type { Run } from '../../execution/run';
import { assertPathSegment, readAs, readJsonObject } from '../../panel/field';
import { describeValue, text } from '../../panel/types';
import { unnamedError } from '../../sync/mirror';
import { firstOf } from '../../values/list';
import { isBlank, isObject, ownValue, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
import { readAttributesIfAny } from '../customAttribute/attributes';
import { normalizeEmail } from './contact';
import { attributePrefix, bareName, isAttribute, type WantedContact } from './difference';
import { clearFields, readWriteSettings, type WriteOperation, type WriteSettings } from './fields';
import { addMappedFields, resolveMapper } from './mapper';

export interface ContactParams {
	settings: WriteSettings;
	wanted: WantedContact;
	/** Why the item fails after it was compared with the others, since its attributes could not be checked. */
	failure?: unknown;
}

/** Sets `item.identity` even if the rest is invalid, so that no other item matches the same contact. */
export async function readContactItem(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const mapped = resolveMapper(item);
	item.identity = readIdentity(item, mapped.values);
	if (item.identity.id !== undefined) item.name = `Contact ${item.identity.id}`;
	if (operation === 'mirror' && item.identity.id === undefined) {
		throw unnamedError(item, 'External ID');
	}
	if (mapped.failure !== undefined) throw mapped.failure;

	const settings = item.context.readSettings('settings', () => readWriteSettings(item, operation));
	const isUpdate = operation === 'update';
	const wanted: WantedContact = { values: new Map(), unknown: new Map(), types: new Map() };
	await addMappedFields(item, api, mapped, wanted, settings, isUpdate);
	addAdditionalFields(item, wanted);
	assertValidId(item, wanted);
	let failure: unknown;
	if (operation !== 'create') {
		const checked = checkAttributes(item, api, settings, wanted);
		await (isUpdate ? checked : checked.catch((error: unknown) => (failure = error)));
	}
	const { values } = wanted;
	// The ID in an update is a new one for the chosen contact.
	if (!isUpdate) item.identity = identityIn(values.get('external_id'), values.get('email'));
	assertNamed(item, operation);
	return { settings, wanted, failure };
}

/**
 * Sets apart attributes that the chatbot lacks or has archived, with which the contact would differ in every run. Throws if
 * Set Only If Empty has an unknown attribute, which would protect nothing.
 */
async function checkAttributes(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, onlyIfEmpty }: WriteSettings,
	wanted: WantedContact,
) {
	const { values, unknown, types } = wanted;
	const guarded = onlyIfEmpty.filter(isAttribute);
	const set = [...values].filter(([name]) => isAttribute(name));
	if (guarded.length === 0 && set.every(([, value]) => value === null)) return;
	const schema = await readAttributesIfAny(api, chatbotId);
	if (!schema) return;
	wanted.schema = schema;
	const typo = guarded.find((name) => !schema.has(bareName(name)));
	if (typo !== undefined) {
		throw item.error(
			'Set Only If Empty has an unknown custom attribute',
			`The chatbot has no "${typo}". Use the exact name of the attribute, not its label.`,
		);
	}
	for (const [name, value] of set) {
		const attribute = schema.get(bareName(name));
		if (attribute) types.set(name, attribute.type);
		if (value === null || attribute?.archived === false) continue;
		values.delete(name);
		unknown.set(name, value);
	}
}

function readIdentity(item: InputItem, mapped: IDataObject): InputItem['identity'] {
	let extra: IDataObject = {};
	try {
		const json = resolveValue(item, item.rawParameter('additionalFields.extraFieldsJson'));
		extra = readJsonObject(item, json, 'Extra Fields JSON');
	} catch {
		// Reading Extra Fields JSON fails later with the error for this.
	}
	const named = (field: string) => ownValue(extra, field) ?? ownValue(mapped, field);
	return identityIn(named('external_id'), named('email'));
}

function identityIn(externalId: unknown, email: unknown): InputItem['identity'] {
	const id = text.read(externalId);
	return {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(email),
	};
}

/** The ID, from any field, must be able to be part of a path. */
function assertValidId(item: InputItem, { values }: WantedContact) {
	if (!values.has('external_id')) return;
	const rule = 'Pass very long numbers as text.';
	const id = readAs(item, values.get('external_id'), text, 'External ID', rule);
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	values.set('external_id', id);
}

function assertNamed(item: InputItem, operation: WriteOperation) {
	const { id, email } = item.identity;
	const isUpsert = operation === 'upsert';
	if (operation === 'update' || id !== undefined || (isUpsert && email !== undefined)) return;
	const nextStep = isUpsert
		? 'The node finds contacts by External ID, or by Email if an item has no ID. Map at least one of them.'
		: 'Map External ID to the ID that the contact has in your own system.';
	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	const reason = isUnset ? 'The expression in External ID returned nothing. ' : '';
	throw item.error('External ID is empty', reason + nextStep);
}

/** A service takes other values, too, though they are probably wrong. */
const usual: Array<[field: string, form: RegExp, otherwise: string]> = [
	['email', /^\s*$|^[^\s@]+@[^\s@]+$/, 'Email is not an email address'],
	['external_id', /^$|^\S(.*\S)?$/s, 'External ID has spaces around it'],
];

export function warnOfInput({ items, context }: Run<ContactParams>) {
	for (const [field, form, otherwise] of usual) {
		const places = items.flatMap(({ item, params }) => {
			const value = String(params.wanted.values.get(field) ?? '');
			return form.test(value) ? [] : `"${value}" (item ${item.index})`;
		});
		if (places.length === 0) continue;
		context.warn(`${otherwise}: ${firstOf(places)}. The value is used as it is. Check the input.`);
	}
}

function addAdditionalFields(item: InputItem, { values }: WantedContact) {
	if (Object.keys(item.collection('additionalFields')).length === 0) return;
	const accounts = readPaymentAccounts(item);
	if (accounts) values.set('payment_accounts', accounts);
	const json = readMentioned(item, 'customAttributesJson', 'Custom Attributes JSON');
	for (const [name, value] of readMentioned(item, 'extraFieldsJson', 'Extra Fields JSON')) {
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

/** The values in a JSON field. An expression that returns undefined sets nothing. */
function readMentioned(item: InputItem, name: string, label: string): Array<[string, unknown]> {
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
			...(!isBlank(paymentEmail) && { payment_email: read(paymentEmail, 'Payment Email') }),
		}));
	return rows.length > 0 && accounts.length === 0 ? undefined : accounts;
}
