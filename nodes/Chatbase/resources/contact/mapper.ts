import type { INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { readAs, readJsonObject } from '../../panel/field';
import { describeValue, isJson, text } from '../../panel/types';
import { isEmpty, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
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
	type MappedColumns,
} from './columns';
import {
	attributePrefix,
	bareName,
	type Entry,
	isAttribute,
	type WantedContact,
} from './contactValues';
import type { WriteSettings } from './fields';
import { attributeNamesIn, baseFields } from './mappedFields';

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** The custom attributes to which automatic mapping can refer. */
export interface KnownAttributes {
	/** By name with prefix. */
	types: WantedContact['types'];
	names: ColumnNames;
	/** Whether the chatbot has no others. The panel may have been unable to read them. */
	areAll: boolean;
}

/** Contact Fields of an item. */
export interface ContactFields {
	/** By field or attribute. As many as possible, so that the identity is known even if an expression fails. */
	values: Entry[];
	/** Of attributes, by name with prefix. */
	types: WantedContact['types'];
	/** Why an expression failed, if one did. */
	failure?: unknown;
	/** In automatic mapping. */
	columns?: MappedColumns;
	/** Whether an attribute without a type is one that the chatbot lacks. */
	areAllTyped: boolean;
	/** Whether columns can't be mapped without the attributes of the chatbot, since n8n has stored none with the workflow. */
	lacksAttributes: boolean;
}

/** @param attributes those that the chatbot has now, if they were read */
export function readContactFields(
	item: InputItem,
	isUpdate: boolean,
	attributes?: KnownAttributes,
): ContactFields {
	const stored = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const { mappingMode, schema = [] } = stored;
	if (mappingMode !== 'autoMapInputData') return resolveFields(item, stored);

	const known =
		attributes ?? item.context.readSettings('columns', () => storedAttributes(schema));
	const columns = mapColumns(item.json, known.names, isUpdate);
	return {
		values: columns.entries,
		types: known.types,
		columns,
		areAllTyped: known.areAll,
		lacksAttributes: schema.length === 0 && !attributes,
	};
}

function resolveFields(
	item: InputItem,
	{ value, schema = [] }: MapperValue,
): ContactFields {
	const values: Entry[] = [];
	let failure: unknown;

	for (const [name, stored] of Object.entries(value ?? {})) {
		try {
			values.push([name, resolveValue(item, stored)]);
		} catch (error) {
			failure ??= error;
		}
	}
	return {
		values,
		types: typesIn(schema),
		failure,
		areAllTyped: false,
		lacksAttributes: false,
	};
}

/** The attributes that n8n has stored with the workflow. */
function storedAttributes(schema: ResourceMapperField[]): KnownAttributes {
	const attributes = schema.filter(({ id }) => isAttribute(id));
	return {
		types: typesIn(schema),
		names: columnNamesOf(attributes.map(attributeNamesIn)),
		areAll: !schema.some(({ id }) => id === 'custom_attributes'),
	};
}

function typesIn(schema: ResourceMapperField[]): WantedContact['types'] {
	const attributes = schema.filter(({ id }) => isAttribute(id));
	return new Map(attributes.map((field) => [field.id, storedType(field)]));
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
			areAll: true,
		};
	});
}

/** Checks and converts the values of Contact Fields. */
export function wantedOf(
	item: InputItem,
	{ values, columns, types, areAllTyped }: ContactFields,
	emptyValues: WriteSettings['emptyValues'],
): WantedContact {
	const wanted: WantedContact = {
		values: new Map(),
		unknown: new Map(),
		types: new Map(),
	};

	for (const [name, value] of columns ? values : withJsonAttributes(item, values)) {
		const type = types.get(name);
		if (isMissing(name, value)) {
			if (emptyValues === 'clear' && name !== 'external_id')
				wanted.values.set(name, null);
		} else if (!isAttribute(name)) {
			wanted.values.set(name, readField(item, name, value));
		} else if (areAllTyped && !type) {
			wanted.unknown.set(name, value);
		} else {
			wanted.values.set(name, readAttribute(item, [name, value], type));
			if (type) wanted.types.set(name, type);
		}
	}
	return wanted;
}

/** The mapped field `custom_attributes` has all attributes, as JSON. */
function withJsonAttributes(item: InputItem, values: Entry[]): Entry[] {
	return values.flatMap(([id, value]) => {
		if (id !== 'custom_attributes') return [[id, value]];

		const attributes = readJsonObject(item, value, 'Custom Attributes');
		return Object.entries(attributes).map(([name, own]): Entry => [
			attributePrefix + name,
			own,
		]);
	});
}

/** An ID of spaces is rejected later. If it counted as missing, the email would be matched. */
function isMissing(name: string, value: unknown): boolean {
	return name === 'external_id' ? isEmpty(value) : isEmptyCell(value);
}

function readField(item: InputItem, name: string, value: unknown): string {
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong
		? 'A number with so many digits may have changed. Pass it as text.'
		: '';
	const label = baseFields.find(({ id }) => id === name)?.displayName ?? name;
	return readAs(item, value, { ...text, rule }, label);
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
