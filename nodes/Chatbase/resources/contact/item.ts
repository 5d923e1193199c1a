import type { IDataObject } from 'n8n-workflow';

import { isPathSegment } from '../../api/request';
import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { InputItem } from '../../execution/item';
import { hasExpression, resolveValue } from '../../execution/expression';
import type { ReadyItem, Run } from '../../execution/run';
import { assertPathSegment, readAs, readJsonObject } from '../../panel/field';
import { describeValue, text } from '../../panel/types';
import { unnamedError } from '../../sync/completeList';
import { firstOf } from '../../values/list';
import { isBlank, isObject, ownValue, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
import { abbreviate } from '../../values/text';
import { readAttributesIfAny } from '../customAttribute/attributes';
import { normalizeEmail } from './contact';
import { attributePrefix, bareName, isAttribute, type WantedContact } from './contactValues';
import { columnNamesOf, type MappedColumns } from './columns';
import { clearFields, readWriteSettings, type WriteOperation, type WriteSettings } from './fields';
import { baseFields } from './mappedFields';
import {
	addMappedFields,
	isAutomatic,
	type KnownAttributes,
	needsAttributes,
	noAttributes,
	readKnownAttributes,
	resolveMapper,
	storedAttributes,
} from './mapper';

export interface ContactParams {
	settings: WriteSettings;
	wanted: WantedContact;
	/** In automatic mapping. */
	columns?: MappedColumns;
	/** Why the item fails after it was compared with the others, since its attributes could not be checked. */
	failure?: unknown;
}

/**
 * Reads an item without a request. Sets `item.identity` even if the rest is invalid, so that no other item matches the same
 * contact.
 */
export function readContactItem(item: InputItem, operation: WriteOperation): ContactParams {
	return readWith(item, operation, storedAttributes(item));
}

/** Adds what only the service knows, after all items were read. Throws if the item does not fit the chatbot. */
export async function completeContactItem<Params extends ContactParams>(
	{ item, params, api }: ReadyItem<Params>,
	operation: WriteOperation,
): Promise<Params> {
	const { chatbotId } = params.settings;
	const complete = needsAttributes(item)
		? { ...params, ...readWith(item, operation, await readKnownAttributes(api, chatbotId)) }
		: params;

	if (operation === 'create') return complete;
	const check = checkAttributes(item, api, complete);
	if (operation === 'update') await check;
	else await check.catch((error: unknown) => Object.assign(complete, { failure: error }));
	return complete;
}

/** @param known if automatic mapping still lacks the attributes, only what is wrong with any attributes is refused */
function readWith(
	item: InputItem,
	operation: WriteOperation,
	known: KnownAttributes,
): ContactParams {
	const isUpdate = operation === 'update';
	const isFinal = known !== noAttributes;
	const mapped = resolveMapper(item, known, isUpdate);
	const { columns } = mapped;
	item.identity = readIdentity(item, Object.fromEntries(mapped.values) as IDataObject);
	if (item.identity.id !== undefined) item.name = `Contact ${item.identity.id}`;

	assertSupported(item);
	if (isFinal && columns) assertOneColumnEach(item, columns);
	if (operation === 'mirror' && item.identity.id === undefined) {
		const error = unnamedError(item, 'External ID');
		throw columns ? withSentence(error, columnAdvice(['external_id'])) : error;
	}
	if (mapped.failure !== undefined) throw mapped.failure;

	const settings = item.context.readSettings('settings', () => readWriteSettings(item, operation));
	const wanted: WantedContact = { values: new Map(), unknown: new Map(), types: new Map() };
	addMappedFields(item, wanted, { mapped, known, emptyValues: settings.emptyValues });
	addAdditionalFields(item, wanted);
	assertValidId(item, wanted);
	if (isUpdate) {
		if (isFinal) assertMentions(item, wanted);
		return { settings, wanted, columns };
	}

	// The ID in an update is a new one for the chosen contact.
	item.identity = identityIn(wanted.values.get('external_id'), wanted.values.get('email'));
	assertNamed(item, operation, columns);
	return { settings, wanted, columns };
}

function assertSupported(item: InputItem) {
	if (!item.isTool || !isAutomatic(item)) return;
	throw item.error(
		'Automatic mapping does not work in a tool',
		'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
	);
}

function assertOneColumnEach(item: InputItem, { rivals: [rival] }: MappedColumns) {
	if (!rival) return;
	const names = rival.columns.map((name) => `"${abbreviate(name)}"`).join(' and ');
	const { target } = rival;
	const name = isAttribute(target) ? bareName(target) : target;
	const label = baseFields.find(({ id }) => id === target)?.displayName ?? `"${name}"`;
	throw item.error(
		'Two columns have values for one field',
		`${names} both mean ${label}. Remove one of them, or name the right one exactly "${name}".`,
	);
}

function assertMentions(item: InputItem, { values, unknown }: WantedContact) {
	if (values.size + unknown.size > 0) return;
	const nextStep = isAutomatic(item)
		? `${columnAdvice(['name', 'email', 'phonenumber'])} To clear empty fields, set Empty Values to Clear.`
		: 'Map at least one field with a value. To clear empty fields, set Empty Values to Clear.';
	throw item.error('Contact Fields has nothing to update', nextStep);
}

/**
 * Sets apart attributes that the chatbot lacks or has archived, with which the contact would differ in every run. Throws if
 * Set Only If Empty has an unknown attribute, which would protect nothing.
 */
async function checkAttributes(
	item: InputItem,
	api: ApiClient,
	{ settings: { chatbotId, onlyIfEmpty }, wanted }: ContactParams,
) {
	const { values, unknown, types } = wanted;
	const guarded = onlyIfEmpty.filter(isAttribute);
	const mentioned = [...values].filter(([name]) => isAttribute(name));
	if (guarded.length + mentioned.length === 0) return;

	const schema = await readAttributesIfAny(api, chatbotId);
	if (!schema) return;
	wanted.schema = schema;

	const typo = guarded.find((name) => !schema.has(bareName(name)));
	if (typo !== undefined) {
		throw item.error(
			'Set Only If Empty has an unknown custom attribute',
			schema.size > 0
				? `The chatbot has no "${typo}". Use the exact name of the attribute, not its label.`
				: 'The chatbot has no custom attributes. Create them first with Custom Attribute: Create.',
		);
	}

	for (const [name, value] of mentioned) {
		const attribute = schema.get(bareName(name));
		if (attribute) types.set(name, attribute.type);
		if (attribute?.archived === false) continue;
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
	const id = readAs(item, values.get('external_id'), { ...text, rule }, 'External ID');
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	values.set('external_id', id);
}

function assertNamed(
	item: InputItem,
	operation: WriteOperation,
	columns: MappedColumns | undefined,
) {
	const { id, email } = item.identity;
	const isUpsert = operation === 'upsert';
	if (id !== undefined || (isUpsert && email !== undefined)) return;

	if (columns) throw unnamedRowError(item, isUpsert);
	const nextStep = isUpsert
		? 'The node finds contacts by External ID, or by Email if an item has no ID. Map at least one of them.'
		: 'Map External ID to the ID that the contact has in your own system.';
	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	const reason = isUnset ? 'The expression in External ID returned nothing. ' : '';
	throw item.error('External ID is empty', reason + nextStep);
}

/** Says which columns automatic mapping takes for the ID. */
function unnamedRowError(item: InputItem, isUpsert: boolean) {
	const { matchOf } = columnNamesOf([]);
	const column = Object.keys(item.json).find((name) => matchOf(name)?.target === 'external_id');
	const reason = column === undefined ? '' : `The column "${abbreviate(column)}" is empty. `;
	const fields = isUpsert ? ['external_id', 'email'] : ['external_id'];
	return item.error('External ID is empty', reason + columnAdvice(fields));
}

/** Such as: Name a column external_id or External ID. */
function columnAdvice(fields: string[]): string {
	const names = baseFields
		.filter(({ id }) => fields.includes(id))
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}

/** A service takes other values, too, though they are probably wrong. */
const usual: Array<[field: string, form: RegExp, otherwise: string]> = [
	['email', /^\s*$|^[^\s@]+@[^\s@]+$/, 'Email is not an email address'],
	['external_id', /^$|^\S(.*\S)?$/s, 'External ID has spaces around it'],
];

export function warnOfInput(run: Run<ContactParams>) {
	warnOfColumns(run);
	const { items, context } = run;
	for (const [field, form, otherwise] of usual) {
		const places = items.flatMap(({ item, params }) => {
			const value = String(params.wanted.values.get(field) ?? '');
			return form.test(value) ? [] : `"${abbreviate(value)}" (item ${item.index})`;
		});
		if (places.length === 0) continue;
		context.warn(`${otherwise}: ${firstOf(places)}. The value is used as it is. Check the input.`);
	}
}

/** Names each column that automatic mapping does not send. */
function warnOfColumns({ items, context }: Run<ContactParams>) {
	const unknown = new Set<string>();
	const outranked = new Set<string>();
	for (const { params } of items) {
		params.columns?.unknown.forEach((name) => unknown.add(name));
		params.columns?.outranked.forEach((name) => outranked.add(name));
	}

	if (unknown.size > 0) {
		const reason = 'No contact field or custom attribute has these names.';
		context.warn(`Not sent: ${countedOf([...unknown])}. ${reason}`);
	}
	if (outranked.size > 0) {
		const reason = 'Another column with the exact name fills the same field.';
		context.warn(`Not sent: ${countedOf([...outranked])}. ${reason}`);
	}
}

const maxColumns = 10;

/** The first names, and how many others there are. Quotes show spaces around a name, and an empty one. */
function countedOf(names: string[]): string {
	const others = names.length - maxColumns;
	const shown = names
		.slice(0, maxColumns)
		.map((name) => (/^\S(.*\S)?$/s.test(name) ? abbreviate(name) : `"${abbreviate(name)}"`))
		.join(', ');
	return others > 0 ? `${shown} and ${others} more` : shown;
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
