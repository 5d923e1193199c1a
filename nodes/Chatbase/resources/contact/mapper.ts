import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { resolveValue } from '../../execution/expression';
import { readAs, readJsonObject } from '../../panel/field';
import { describeValue, isJson, text } from '../../panel/types';
import { isEmpty, plainJson } from '../../values/json';
import { hasInexactNumber } from '../../values/number';
import { convert, readAttributes, type AttributeType } from '../customAttribute/attributes';
import { attributeNamesIn } from './attributeTitle';
import {
	type ColumnNames,
	columnNamesOf,
	isEmptyCell,
	type MappedColumns,
	mapColumns,
} from './columns';
import {
	attributePrefix,
	bareName,
	type Entry,
	isAttribute,
	type WantedContact,
} from './contactValues';
import type { WriteSettings } from './fields';
import { baseFields } from './mappedFields';

const baseLabels = new Map(baseFields.map(({ id, displayName }) => [id, displayName]));

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** The custom attributes to which Contact Fields can refer. */
export interface KnownAttributes {
	/** By name with prefix. */
	types: WantedContact['types'];
	columns: ColumnNames;
	/** Whether the chatbot has no others. The panel may have been unable to read them. */
	areAll: boolean;
}

/** The values of Contact Fields. */
export interface MappedFields {
	/** By field or attribute. As many as possible, so that the identity is known even if an expression fails. */
	values: Entry[];
	/** Why an expression failed, if one did. */
	failure?: unknown;
	/** In automatic mapping. */
	columns?: MappedColumns;
}

/** Before the attributes of the chatbot are known. */
export const noAttributes: KnownAttributes = {
	types: new Map(),
	columns: columnNamesOf([]),
	areAll: true,
};

function storedMapper(item: InputItem): MapperValue {
	return (item.rawParameter('contactFields') ?? {}) as MapperValue;
}

export function isAutomatic(item: InputItem): boolean {
	return storedMapper(item).mappingMode === 'autoMapInputData';
}

/** Whether columns can't be mapped without the attributes of the chatbot, since n8n has stored none with the workflow. */
export function needsAttributes(item: InputItem): boolean {
	return isAutomatic(item) && (storedMapper(item).schema ?? []).length === 0;
}

/** The attributes that n8n has stored with the workflow. */
export function storedAttributes(item: InputItem): KnownAttributes {
	if (needsAttributes(item)) return noAttributes;
	return item.context.readSettings('attributes of Contact Fields', () => {
		const { schema = [] } = storedMapper(item);
		const attributes = schema.filter(({ id }) => isAttribute(id));
		return {
			types: new Map(attributes.map((field) => [field.id, storedType(field)])),
			columns: columnNamesOf(attributes.map(attributeNamesIn)),
			areAll: !schema.some(({ id }) => id === 'custom_attributes'),
		};
	});
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
			columns: columnNamesOf(active),
			areAll: true,
		};
	});
}

export function resolveMapper(
	item: InputItem,
	{ columns: names }: KnownAttributes,
	isUpdate: boolean,
): MappedFields {
	if (isAutomatic(item)) {
		const columns = mapColumns(item.json, names, isUpdate);
		return { values: columns.entries, columns };
	}

	const mapped: MappedFields = { values: [] };
	for (const [name, value] of Object.entries(storedMapper(item).value ?? {})) {
		try {
			mapped.values.push([name, resolveValue(item, value)]);
		} catch (error) {
			mapped.failure ??= error;
		}
	}
	return mapped;
}

interface MappingSettings extends Pick<WriteSettings, 'emptyValues'> {
	mapped: MappedFields;
	known: KnownAttributes;
}

/** Adds the values of Contact Fields. */
export function addMappedFields(
	item: InputItem,
	wanted: WantedContact,
	{ mapped, known, emptyValues }: MappingSettings,
) {
	for (const [name, value] of withJsonAttributes(item, mapped)) {
		const type = known.types.get(name);
		if (isMissing(name, value)) {
			if (emptyValues === 'clear' && name !== 'external_id') wanted.values.set(name, null);
		} else if (!isAttribute(name)) {
			wanted.values.set(name, readField(item, name, value));
		} else if (mapped.columns && known.areAll && !type) {
			wanted.unknown.set(name, value);
		} else {
			wanted.values.set(name, readAttribute(item, name, value, type));
			if (type) wanted.types.set(name, type);
		}
	}
}

/** The mapped field `custom_attributes` has all attributes, as JSON. */
function withJsonAttributes(item: InputItem, { values, columns }: MappedFields): Entry[] {
	if (columns) return values;
	return values.flatMap(([id, value]) =>
		id === 'custom_attributes'
			? namedAttributes(readJsonObject(item, value, 'Custom Attributes'))
			: [[id, value]],
	);
}

function namedAttributes(attributes: IDataObject): Entry[] {
	return Object.entries(attributes).map(([name, value]) => [attributePrefix + name, value]);
}

function readField(item: InputItem, name: string, value: unknown): string {
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong ? 'A number with so many digits may have changed. Pass it as text.' : '';
	return readAs(item, value, { ...text, rule }, baseLabels.get(name) ?? name);
}

function readAttribute(
	item: InputItem,
	name: string,
	value: unknown,
	type: AttributeType | undefined,
): unknown {
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

function asJson(value: unknown): ReturnType<typeof convert> {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plainJson(value) };
}
