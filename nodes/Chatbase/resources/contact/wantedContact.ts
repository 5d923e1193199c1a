import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { resolveValue } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import { readAs, readJsonObject } from '../../panel/field';
import { describeValue, isJson, text } from '../../panel/types';
import {
	hasInexactNumber,
	isBlank,
	isEmpty,
	isObject,
	objectsIn,
	plainJson,
} from '../../values/json';
import {
	type AttributeType,
	convert,
	type Converted,
	readAttributes,
} from '../customAttribute/attributes';
import {
	type ColumnNames,
	columnNamesOf,
	isEmptyCell,
	mapColumns,
	type UnsentColumns,
} from './columns';
import { attributeNamesIn, labelOf } from './mappedFields';
import {
	attributeEntries,
	attributePrefix,
	bareName,
	type Entry,
	isAttribute,
	type Values,
	type WantedContact,
} from './contactValues';
import { accountFields, clearFields, type WriteSettings } from './fields';

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** By name with prefix. */
type AttributeTypes = ReadonlyMap<string, AttributeType>;

/** The custom attributes that Contact Fields can set. */
export interface KnownAttributes {
	types: AttributeTypes;
	/** For automatic mapping. */
	names: ColumnNames;
}

/** Contact Fields of an item, not yet checked. */
export interface ContactFields {
	/** By field or attribute. As many as possible, so that the identity is known even if an expression fails. */
	values: Entry[];
	types: AttributeTypes;
	/** Why an expression failed, if one did. */
	failure?: unknown;
	/** In automatic mapping. */
	columns?: UnsentColumns;
	/** Whether columns can't be mapped without the attributes of the chatbot, since n8n has stored none with the workflow. */
	lacksAttributes?: boolean;
}

/** @param attributes those that the chatbot has now, if they were read */
export function readContactFields(
	item: InputItem,
	isUpdate: boolean,
	attributes?: KnownAttributes,
): ContactFields {
	const stored = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const { mappingMode, value, schema = [] } = stored;
	const { types, names } =
		attributes ?? item.context.readSettings('mapper', () => storedAttributes(schema));
	if (mappingMode !== 'autoMapInputData') return { ...resolveFields(item, value), types };

	const { entries, unknown, outranked, rivals } = mapColumns(item.json, names, isUpdate);
	const columns = { unknown, outranked, rivals };
	const lacksAttributes = schema.length === 0 && !attributes;
	return { values: entries, types, columns, lacksAttributes };
}

function resolveFields(item: InputItem, fields: MapperValue['value']) {
	const values: Entry[] = [];
	let failure: unknown;

	for (const [name, stored] of Object.entries(fields ?? {})) {
		try {
			const resolved = resolveValue(item, stored);
			if (name === 'custom_attributes') {
				// The field for all attributes.
				const attributes = readJsonObject(item, resolved, 'Custom Attributes');
				values.push(...attributeEntries(attributes));
			} else {
				values.push([name, resolved]);
			}
		} catch (error) {
			failure ??= error;
		}
	}
	return { values, failure };
}

/** The attributes that n8n has stored with the workflow. */
function storedAttributes(schema: ResourceMapperField[]): KnownAttributes {
	const attributes = schema.filter(({ id }) => isAttribute(id));
	return {
		types: new Map(attributes.map((field) => [field.id, storedType(field)])),
		names: columnNamesOf(attributes.map(attributeNamesIn)),
	};
}

const attributeTypes: Record<string, AttributeType> = {
	number: 'number',
	boolean: 'boolean',
	dateTime: 'date',
};

/** Boolean attributes have options; a handwritten schema may use the type `boolean`. */
function storedType({ type, options }: ResourceMapperField): AttributeType {
	return options?.length ? 'boolean' : (attributeTypes[type ?? ''] ?? 'text');
}

/** The attributes that the chatbot has now. */
export async function readKnownAttributes(
	api: ApiClient,
	chatbotId: string,
): Promise<KnownAttributes> {
	return await api.state.memoize(`columns of ${chatbotId}`, async () => {
		const attributes = await readAttributes(api, chatbotId);
		const active = [...attributes.values()].filter(({ archived }) => !archived);
		return {
			types: new Map(active.map(({ name, type }) => [attributePrefix + name, type])),
			names: columnNamesOf(active),
		};
	});
}

/** Checks and converts the values of Contact Fields and Additional Fields. */
export function readWanted(
	item: InputItem,
	fields: ContactFields,
	emptyValues: WriteSettings['emptyValues'],
): WantedContact {
	const values: Values = new Map();
	const untouched = new Set<string>();

	for (const [name, value] of fields.values) {
		const type = fields.types.get(name);
		// An ID of spaces is rejected later. If it counted as missing, the email would be matched.
		if (name === 'external_id' ? isEmpty(value) : isEmptyCell(value)) {
			if (emptyValues === 'ignore') untouched.add(name);
			else if (name !== 'external_id') values.set(name, null);
		} else if (isAttribute(name)) {
			values.set(name, readAttribute(item, [name, value], type));
		} else {
			values.set(name, readField(item, name, value));
		}
	}

	addAdditionalFields(item, values);
	return { values, untouched };
}

function readField(item: InputItem, name: string, value: unknown): string {
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong
		? 'A number with so many digits may have changed. Pass it as text.'
		: '';
	return readAs(item, value, { ...text, rule }, labelOf(name) ?? name);
}

function readAttribute(
	item: InputItem,
	[name, value]: Entry,
	type?: AttributeType,
): unknown {
	const converted = type ? convert(value, type) : asJson(value);
	if ('value' in converted) return converted.value;

	throw item.error(
		"A value doesn't fit its custom attribute",
		`"${bareName(name)}" is ${describeValue(value)} and must be ${converted.expected}.`,
	);
}

function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plainJson(value) };
}

/** Adds the values of Additional Fields, which override those of Contact Fields. */
function addAdditionalFields(item: InputItem, values: Values) {
	if (Object.keys(item.collection('additionalFields')).length === 0) return;

	const accounts = readPaymentAccounts(item);
	if (accounts) values.set('payment_accounts', accounts);

	const attributes = readMentioned(
		item,
		'customAttributesJson',
		'Custom Attributes JSON',
	);
	const { custom_attributes: more, ...extra } = readMentioned(
		item,
		'extraFieldsJson',
		'Extra Fields JSON',
	);
	if (more !== undefined && !isObject(more)) {
		throw item.error(
			'custom_attributes in Extra Fields JSON is not an object',
			`It is ${describeValue(more)}. Use one name and value for each attribute. null clears an attribute.`,
		);
	}

	const entries = [
		...Object.entries(extra),
		...attributeEntries(attributes),
		...attributeEntries(more),
	];
	entries.forEach(([name, value]) => values.set(name, value));
	clearFields.read(item).forEach((name) => values.set(name, null));
}

/** Extra Fields JSON, though another field may be unreadable. */
export function readableExtraFields(item: InputItem): IDataObject {
	const stored = item.rawParameter('additionalFields.extraFieldsJson');
	try {
		return readJsonObject(item, resolveValue(item, stored), 'Extra Fields JSON');
	} catch {
		// `readWanted` fails later with the error for this.
		return {};
	}
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

/** @returns undefined if no account is set: Clear Field Names clears them */
function readPaymentAccounts(item: InputItem): IDataObject[] | undefined {
	const value = item.parameter('additionalFields.paymentAccounts');
	if (!isObject(value)) return undefined;

	const rows = objectsIn(value.accounts);
	const accounts = rows
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
