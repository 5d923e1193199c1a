import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { resolveValue } from '../../execution/expression';
import { readAs, readJsonObject } from '../../panel/field';
import { describeValue, isJson, text } from '../../panel/types';
import { isEmpty, isObject, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
import type { Attributes, AttributeType } from '../customAttribute/attributes';
import { convert, readAttributes } from '../customAttribute/attributes';
import type { Entry, WantedContact } from './difference';
import { attributePrefix, bareName, isAttribute } from './difference';
import type { WriteSettings } from './fields';
import { baseFields } from './mappedFields';

const baseLabels = new Map(baseFields.map(({ id, displayName }) => [id, displayName]));

/** Columns that are never an attribute of the same name. */
const recordFields = new Set([...baseLabels.keys(), '_sync', 'id', 'created_at', 'updated_at']);

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** Resolves as many values as possible, so that the identity is known even if an expression fails. */
export function resolveMapper(item: InputItem) {
	const stored = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const isAutomatic = stored.mappingMode === 'autoMapInputData';
	let failure: unknown;
	const resolve = ([id, value]: Entry): Entry[] => {
		try {
			return [[id, resolveValue(item, value)]];
		} catch (error) {
			failure ??= error;
			return [];
		}
	};
	const values = isAutomatic
		? item.json
		: (Object.fromEntries(Object.entries(stored.value ?? {}).flatMap(resolve)) as IDataObject);
	return { values, failure, isAutomatic, schema: stored.schema ?? [] };
}

/** Adds the values of Contact Fields. */
export async function addMappedFields(
	item: InputItem,
	api: ApiClient,
	{ values, isAutomatic, schema }: ReturnType<typeof resolveMapper>,
	wanted: WantedContact,
	{ chatbotId, emptyValues }: WriteSettings,
	isUpdate: boolean,
) {
	if (isAutomatic && item.isTool) {
		throw item.error(
			'Automatic mapping does not work in a tool',
			'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
		);
	}
	const types =
		isAutomatic && schema.length === 0
			? typesOf(await readAttributes(api, chatbotId))
			: item.context.readSettings('attribute types', () => storedTypes(schema));
	const isReadable = !schema.some(({ id }) => id === 'custom_attributes');
	const entries = isAutomatic
		? columnEntries(values, types, isUpdate)
		: mappedEntries(item, values);
	for (const [name, value] of entries) {
		const type = types.get(name);
		if (isMissing(name, value)) {
			if (emptyValues === 'clear' && name !== 'external_id') wanted.values.set(name, null);
		} else if (!isAttribute(name)) {
			wanted.values.set(name, readField(item, name, value));
		} else if (isAutomatic && isReadable && !type) {
			wanted.unknown.set(name, value);
		} else {
			wanted.values.set(name, readAttribute(item, name, value, type));
			if (type) wanted.types.set(name, type);
		}
	}
}

type AttributeTypes = WantedContact['types'];

function typesOf(attributes: Attributes): AttributeTypes {
	const active = [...attributes.values()].filter(({ archived }) => !archived);
	return new Map(active.map(({ name, type }) => [attributePrefix + name, type]));
}

const attributeTypes: Record<string, AttributeType> = {
	number: 'number',
	boolean: 'boolean',
	dateTime: 'date',
};

/** The attributes in the stored schema. Boolean ones have options; a handwritten schema may use the type `boolean`. */
function storedTypes(schema: ResourceMapperField[]): AttributeTypes {
	const typeOf = ({ type, options }: ResourceMapperField) =>
		options?.length ? 'boolean' : (attributeTypes[type ?? ''] ?? 'text');
	const attributes = schema.filter(({ id }) => isAttribute(id));
	return new Map(attributes.map((field) => [field.id, typeOf(field)]));
}

function namedAttributes(attributes: IDataObject): Entry[] {
	return Object.entries(attributes).map(([name, value]) => [attributePrefix + name, value]);
}

/** The field `custom_attributes` has all attributes, as JSON. */
function mappedEntries(item: InputItem, values: IDataObject): Entry[] {
	return Object.entries(values).flatMap(([id, value]) =>
		id === 'custom_attributes'
			? namedAttributes(readJsonObject(item, value, 'Custom Attributes'))
			: [[id, value]],
	);
}

/** An attribute is in a column of its full name, or in `custom_attributes`, or in a column of its bare name. */
function columnEntries(columns: IDataObject, types: AttributeTypes, isUpdate: boolean): Entry[] {
	const entries: Entry[] = [];
	for (const { id } of baseFields) {
		const isOwnId = id === 'external_id' && isUpdate;
		if (!isOwnId && id in columns) entries.push([id, columns[id]]);
	}
	const nested = isObject(columns.custom_attributes) ? columns.custom_attributes : {};
	for (const full of types.keys()) {
		const name = bareName(full);
		if (Object.hasOwn(columns, full)) entries.push([full, columns[full]]);
		else if (Object.hasOwn(nested, name)) entries.push([full, nested[name]]);
		else if (Object.hasOwn(columns, name) && !recordFields.has(name)) {
			entries.push([full, columns[name]]);
		}
	}
	const others = namedAttributes(nested).filter(([full]) => !types.has(full));
	return [...entries, ...others.filter(([, value]) => !isEmptyCell(value))];
}

function readField(item: InputItem, name: string, value: unknown): string {
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong ? 'A number with so many digits may have changed. Pass it as text.' : '';
	return readAs(item, value, text, baseLabels.get(name) ?? name, rule);
}

function readAttribute(item: InputItem, name: string, value: unknown, type?: AttributeType) {
	const converted = type ? convert(value, type) : asJson(value);
	if ('value' in converted) return converted.value;
	throw item.error(
		"A value doesn't fit its custom attribute",
		`"${bareName(name)}" is ${describeValue(value)} and must be ${converted.expected}.`,
	);
}

/** An ID of spaces is rejected later. If it counted as missing, the email would be matched. */
function isMissing(name: string, value: unknown): boolean {
	return name === 'external_id' ? isEmpty(value) : isEmptyCell(value);
}

/** Empty cells of spreadsheets may have spaces. */
function isEmptyCell(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}

function asJson(value: unknown): ReturnType<typeof convert> {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plainJson(value) };
}
