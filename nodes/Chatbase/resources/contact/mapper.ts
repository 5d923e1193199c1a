import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { describeValue, isJson, readAs, readJsonObject, text } from '../../fields/values';
import { isObject, plainJson } from '../../values/object';
import { hasInexactNumber, isEmpty } from '../../values/scalar';
import type { Attribute, AttributeType } from '../customAttribute/attributes';
import {
	attributePrefix,
	bareName,
	convert,
	isAttribute,
	readAttributes,
} from '../customAttribute/attributes';
import type { WantedContact } from './difference';
import { baseFields, emptyValuesOption } from './fields';

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

interface MappedValues {
	/** By field, or by column for automatic mapping. */
	values: IDataObject;
	/** Errors of expressions. */
	failures: unknown[];
	isAutomatic: boolean;
	schema: ResourceMapperField[];
}

/** Resolves as many values as possible, so that the identity is known even if an expression fails. */
export function resolveMapper(item: InputItem): MappedValues {
	const { mappingMode, value, schema } = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const isAutomatic = mappingMode === 'autoMapInputData';
	const failures: unknown[] = [];
	const resolve = () =>
		Object.entries(value ?? {}).flatMap(([id, stored]) => {
			try {
				return [[id, resolveValue(item, stored)]];
			} catch (error) {
				failures.push(error);
				return [];
			}
		});
	const values = isAutomatic ? item.json : (Object.fromEntries(resolve()) as IDataObject);
	return { values, failures, isAutomatic, schema: schema ?? [] };
}

/** Adds the values of Contact Fields. */
export async function addMappedFields(
	item: InputItem,
	api: ApiClient,
	{ values, isAutomatic, schema }: MappedValues,
	wanted: WantedContact,
	{ chatbotId, isUpdate }: { chatbotId: string; isUpdate: boolean },
) {
	if (isAutomatic && item.isTool) {
		throw item.error(
			'Automatic mapping does not work in a tool',
			'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
		);
	}
	const emptyValues = item.context.readSettings('emptyValues', () => emptyValuesOption.read(item));
	const reader = new FieldReader(item, wanted, emptyValues === 'clear');
	if (!isAutomatic) {
		reader.readMapped(values, storedAttributes(schema));
		return;
	}
	const attributes =
		schema.length > 0
			? storedAttributes(schema)
			: (await readAttributes(api, chatbotId)).filter(({ archived }) => !archived);
	const isReadable = !schema.some(({ id }) => id === 'custom_attributes');
	reader.readColumns(values, attributes, isUpdate, isReadable);
}

const attributesBySchema = new WeakMap<ResourceMapperField[], Attribute[]>();

/** The attributes in the stored schema. Boolean ones have options; a handwritten schema may use the type `boolean`. */
function storedAttributes(schema: ResourceMapperField[]): Attribute[] {
	const known = attributesBySchema.get(schema);
	if (known) return known;
	const types: Record<string, AttributeType> = {
		number: 'number',
		boolean: 'boolean',
		dateTime: 'date',
	};
	const attributes = schema
		.filter(({ id }) => isAttribute(id))
		.map(({ id, displayName, type, options }): Attribute => ({
			name: bareName(id),
			label: displayName,
			type: options?.length ? 'boolean' : (types[type ?? ''] ?? 'text'),
			archived: false,
		}));
	attributesBySchema.set(schema, attributes);
	return attributes;
}

class FieldReader {
	constructor(
		private readonly item: InputItem,
		private readonly wanted: WantedContact,
		private readonly clearsEmpty: boolean,
	) {}

	readMapped(values: IDataObject, stored: Attribute[]) {
		for (const [id, value] of Object.entries(values)) {
			if (id === 'custom_attributes') {
				const attributes = readJsonObject(this.item, value, 'Custom Attributes');
				Object.entries(attributes).forEach(([name, entry]) => this.addAttribute(name, entry));
			} else if (isAttribute(id)) {
				const name = bareName(id);
				this.addAttribute(name, value, stored.find((attribute) => attribute.name === name)?.type);
			} else {
				this.addField(id, value);
			}
		}
	}

	/** @param isReadable whether `attributes` has all attributes of the chatbot; otherwise unknown ones are sent too */
	readColumns(
		columns: IDataObject,
		attributes: Attribute[],
		isUpdate: boolean,
		isReadable: boolean,
	) {
		for (const { id } of baseFields) {
			const isOwnId = id === 'external_id' && isUpdate;
			if (!isOwnId && id in columns) this.addField(id, columns[id]);
		}
		const nested = isObject(columns.custom_attributes) ? columns.custom_attributes : {};
		for (const { name, type } of attributes) {
			const full = attributePrefix + name;
			if (Object.hasOwn(columns, full)) this.addAttribute(name, columns[full], type);
			else if (Object.hasOwn(nested, name)) this.addAttribute(name, nested[name], type);
			else if (!recordFields.has(name) && Object.hasOwn(columns, name)) {
				this.addAttribute(name, columns[name], type);
			}
		}
		for (const [name, value] of Object.entries(nested)) {
			if (isEmptyCell(value) || attributes.some((attribute) => attribute.name === name)) continue;
			if (isReadable) this.wanted.unknown.set(attributePrefix + name, value);
			else this.addAttribute(name, value);
		}
	}

	private addField(id: string, value: unknown) {
		const isId = id === 'external_id';
		// An ID of spaces is rejected later. It must not count as missing, or the email would be matched.
		if (isId ? isEmpty(value) : isEmptyCell(value)) {
			if (this.clearsEmpty && !isId) this.wanted.values.set(id, null);
			return;
		}
		const isLong = typeof value === 'number' && Number.isFinite(value);
		const rule = isLong ? 'A number with so many digits may have changed. Pass it as text.' : '';
		const label = baseLabels.get(id) ?? id;
		this.wanted.values.set(id, readAs(this.item, value, text, label, rule));
	}

	private addAttribute(name: string, value: unknown, type?: AttributeType) {
		const full = attributePrefix + name;
		if (isEmptyCell(value)) {
			if (this.clearsEmpty) this.wanted.values.set(full, null);
			return;
		}
		const converted = type ? convert(value, type) : asJson(value);
		if ('expected' in converted) {
			throw this.item.error(
				"A value doesn't fit its custom attribute",
				`"${name}" is ${describeValue(value)} and must be ${converted.expected}.`,
			);
		}
		this.wanted.values.set(full, converted.value);
		if (type) this.wanted.types.set(full, type);
	}
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
