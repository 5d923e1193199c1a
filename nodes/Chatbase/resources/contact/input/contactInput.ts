import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import { resolveValue } from '../../../execution/expression';
import type { InputItem } from '../../../execution/item';
import { describeValue } from '../../../fields/describe';
import { text } from '../../../fields/values';
import { assertPathSegment, isJson, readJsonObject } from '../../../fields/read';
import { hasInexactNumber } from '../../../values/number';
import { isObject } from '../../../values/object';
import type { Attribute, AttributeType, Converted } from '../../customAttribute/attribute';
import { attributePrefix, convert } from '../../customAttribute/attribute';
import type { WantedContact } from '../plan/change';
import { addAdditionalFields } from './additionalFields';
import { baseFields } from './baseFields';

const baseLabels = new Map(baseFields.map(({ id, displayName }) => [id, displayName]));

/** Columns that mean something else than an attribute of the same name. */
const recordFields = new Set([...baseLabels.keys(), '_sync', 'id', 'created_at', 'updated_at']);

/** What the mapper stores. n8n's own conversion is left out: that of 2.41 turns blanks into 0 and moves dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field; expressions are not resolved yet. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** The contact that an item describes. */
export interface ContactInput {
	/** Whether the attributes of the chatbot have to be read first to understand the item. */
	needsSchema: boolean;
	/**
	 * Brings every value into the type of its field.
	 *
	 * @param schema the attributes of the chatbot; not used unless `needsSchema`
	 * @throws NodeOperationError that names the field whose value does not fit
	 */
	toWanted(schema: Attribute[]): WantedContact;
}

/**
 * Reads the contact that an item describes from the mapper and from Additional Fields.
 *
 * @param item the item
 * @param isUpdate whether an existing contact is chosen by another field, so that automatic mapping
 *   leaves its External ID alone
 * @param clearsEmpty whether a mapped field that is empty clears the value of the contact
 */
export function readContactInput(
	item: InputItem,
	isUpdate: boolean,
	clearsEmpty: boolean,
): ContactInput {
	const mapper = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const additional = item.collection('additionalFields');
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	if (isAutomatic && item.isTool) {
		throw item.refusal(
			'Contact Fields cannot be mapped automatically in a tool',
			'An agent passes no input items: choose Map Each Column Manually.',
		);
	}
	const schema = mapper.schema ?? [];
	const isSchemaStored = schema.length > 0;
	const isReadable = !schema.some(({ id }) => id === 'custom_attributes');
	const reader = new ValueReader(item, clearsEmpty);
	return {
		needsSchema: isAutomatic && !isSchemaStored,
		toWanted(current) {
			const wanted: WantedContact = {
				fields: new Map(),
				attributes: new Map(),
				unknown: new Map(),
			};
			if (isAutomatic) {
				const attributes = isSchemaStored
					? storedAttributes(schema)
					: current.filter(({ archived }) => !archived);
				reader.mapInput(wanted, item.json, attributes, isUpdate, isReadable);
			} else {
				reader.mapFields(wanted, mapper.value ?? {}, storedAttributes(schema));
			}
			addAdditionalFields(item, wanted, additional);
			checkId(item, wanted);
			return wanted;
		},
	};
}

/**
 * Brings the External ID into the form of text, whichever field it came from.
 *
 * @throws NodeOperationError when no path could name a contact with it
 */
function checkId(item: InputItem, { fields }: WantedContact) {
	if (!fields.has('external_id')) return;
	const held = fields.get('external_id');
	const id = text.read(held);
	if (id === undefined) {
		throw item.refusal(
			'External ID is not text',
			`It is ${describeValue(held)}. Every contact needs one; write very long numbers as text.`,
		);
	}
	if (id.trim() === '') {
		throw item.refusal(
			'External ID is empty',
			'It holds nothing but blanks. Map it to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	fields.set('external_id', id);
}

const storedBySchema = new WeakMap<ResourceMapperField[], Attribute[]>();

/**
 * The attributes in the schema that the mapper has stored with the workflow. Boolean ones have options;
 * a schema that was written by hand may call them `boolean`.
 */
function storedAttributes(schema: ResourceMapperField[]): Attribute[] {
	const known = storedBySchema.get(schema);
	if (known) return known;
	const types: Record<string, AttributeType> = {
		number: 'number',
		boolean: 'boolean',
		dateTime: 'date',
	};
	const attributes = schema
		.filter(({ id }) => id.startsWith(attributePrefix))
		.map(({ id, displayName, type, options }): Attribute => ({
			name: id.slice(attributePrefix.length),
			label: displayName,
			type: options?.length ? 'boolean' : (types[type ?? ''] ?? 'text'),
			archived: false,
		}));
	storedBySchema.set(schema, attributes);
	return attributes;
}

/** Takes values from a mapper or an input item into a wanted contact. */
class ValueReader {
	constructor(
		private readonly item: InputItem,
		private readonly clearsEmpty: boolean,
	) {}

	/** Takes what was mapped by hand. */
	mapFields(wanted: WantedContact, values: INodeParameters, stored: Attribute[]) {
		for (const [id, held] of Object.entries(values)) {
			const value = resolveValue(this.item, held);
			if (id.startsWith(attributePrefix)) {
				const name = id.slice(attributePrefix.length);
				const type = stored.find((attribute) => attribute.name === name)?.type;
				this.addAttribute(wanted, { name, type }, value);
			} else if (id === 'custom_attributes') {
				this.addObject(wanted, value);
			} else {
				this.addField(wanted, id, value);
			}
		}
	}

	/**
	 * Takes what an input item has under the names of fields and attributes; other columns are left.
	 *
	 * @param isReadable whether `attributes` are all that the chatbot has; else every one is taken as it is
	 */
	mapInput(
		wanted: WantedContact,
		input: IDataObject,
		attributes: Attribute[],
		isUpdate: boolean,
		isReadable: boolean,
	) {
		for (const { id } of baseFields) {
			const isOwnId = id === 'external_id' && isUpdate;
			if (!isOwnId && id in input) this.addField(wanted, id, input[id]);
		}
		const nested = isObject(input.custom_attributes) ? input.custom_attributes : {};
		for (const attribute of attributes) {
			const { name } = attribute;
			const prefixed = attributePrefix + name;
			if (Object.hasOwn(input, prefixed)) {
				this.addAttribute(wanted, attribute, input[prefixed]);
			} else if (Object.hasOwn(nested, name)) {
				this.addAttribute(wanted, attribute, nested[name]);
			} else if (!recordFields.has(name) && Object.hasOwn(input, name)) {
				this.addAttribute(wanted, attribute, input[name]);
			}
		}
		for (const [name, value] of Object.entries(nested)) {
			if (isEmpty(value) || attributes.some((attribute) => attribute.name === name)) continue;
			if (isReadable) wanted.unknown.set(name, value);
			else this.addAttribute(wanted, { name }, value);
		}
	}

	private addField(wanted: WantedContact, id: string, value: unknown) {
		if (isEmpty(value)) {
			if (this.clearsEmpty && id !== 'external_id') wanted.fields.set(id, null);
			return;
		}
		const read = text.read(value);
		if (read === undefined) {
			const label = baseLabels.get(id) ?? id;
			const isLong = typeof value === 'number' && Number.isFinite(value);
			throw this.item.refusal(
				`${label} is not text`,
				`It is ${describeValue(value)}.${isLong ? ' A number of so many digits has changed on its way: pass it as text.' : ''}`,
			);
		}
		wanted.fields.set(id, read);
	}

	private addAttribute(
		wanted: WantedContact,
		{ name, type }: { name: string; type?: AttributeType },
		value: unknown,
	) {
		if (isEmpty(value)) {
			if (this.clearsEmpty) wanted.attributes.set(name, null);
			return;
		}
		const converted = type ? convert(value, type) : asJson(value);
		if ('expected' in converted) {
			throw this.item.refusal(
				'A custom attribute has a value of the wrong type',
				`"${name}" needs ${converted.expected}, but is ${describeValue(value)}.`,
			);
		}
		wanted.attributes.set(name, converted.value);
	}

	private addObject(wanted: WantedContact, value: unknown) {
		const attributes = readJsonObject(this.item, value, 'Custom Attributes');
		for (const [name, attribute] of Object.entries(attributes)) {
			this.addAttribute(wanted, { name }, attribute);
		}
	}
}

/** A value for an attribute whose type is not known, as it goes out: a date, for example, as text. */
function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text where a number has so many digits' };
	return {
		value: typeof value === 'object' ? (JSON.parse(JSON.stringify(value)) as unknown) : value,
	};
}

function isEmpty(value: unknown): boolean {
	return value === '' || value === null || value === undefined;
}
