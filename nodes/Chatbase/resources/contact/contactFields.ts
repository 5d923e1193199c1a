import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { Attribute, AttributeType, Converted } from '../../contacts/attributes';
import { attributePrefix, convert } from '../../contacts/attributes';
import type { WantedContact } from '../../contacts/change';
import { resolveValue } from '../../fields/expression';
import { describe, isJson, readJsonObject, refuse } from '../../fields/read';
import type { ItemContext } from '../../transport/operation';
import { isToolCall } from '../../transport/run';
import { isObject, ownValue } from '../../values/object';
import { addAdditionalFields } from './additionalFields';
import { baseFields } from './baseFields';

const baseLabels = new Map(baseFields.map(({ id, displayName }) => [id, displayName]));

/** Columns that mean something else than an attribute of the same name. */
const recordFields = new Set([...baseLabels.keys(), '_sync', 'id', 'created_at', 'updated_at']);

/** What the mapper stores. n8n's own conversion is left out: it turns blanks into 0 and moves dates. */
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
 * @param context the item
 * @param isUpdate whether an existing contact is chosen by another field, so that automatic mapping
 *   leaves its External ID alone
 * @param clearsEmpty whether a mapped field that is empty clears the value of the contact
 */
export function readContactInput(
	context: ItemContext,
	isUpdate: boolean,
	clearsEmpty: boolean,
): ContactInput {
	const raw = { rawExpressions: true };
	const mapper = context.getNodeParameter('contactFields', {}, raw) as MapperValue;
	const additional = context.getNodeParameter('additionalFields', {}) as IDataObject;
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	if (isAutomatic && isToolCall(context)) {
		throw refuse(
			context,
			'Contact Fields cannot be mapped automatically in a tool',
			'An agent passes no input items: choose Map Each Column Manually.',
		);
	}
	const schema = mapper.schema ?? [];
	const stored = storedAttributes(schema);
	const isSchemaStored = schema.length > 0;
	const isReadable = !schema.some(({ id }) => id === 'custom_attributes');
	const reader = new ValueReader(context, clearsEmpty);
	return {
		needsSchema: isAutomatic && !isSchemaStored,
		toWanted(current) {
			const wanted: WantedContact = { fields: new Map(), attributes: new Map(), unknown: [] };
			if (isAutomatic) {
				const attributes = isSchemaStored ? stored : current.filter(({ archived }) => !archived);
				const { json } = context.getInputData();
				reader.mapInput(wanted, json, attributes, isUpdate, isReadable);
			} else {
				reader.mapFields(wanted, mapper.value ?? {}, stored);
			}
			addAdditionalFields(context, wanted, additional);
			return wanted;
		},
	};
}

/**
 * The attributes in the schema that the mapper has stored with the workflow. Boolean ones have options;
 * a schema that was written by hand may call them `boolean`.
 */
function storedAttributes(schema: ResourceMapperField[]): Attribute[] {
	const types: Record<string, AttributeType> = {
		number: 'number',
		boolean: 'boolean',
		dateTime: 'date',
	};
	return schema
		.filter(({ id }) => id.startsWith(attributePrefix))
		.map(({ id, displayName, type, options }) => ({
			name: id.slice(attributePrefix.length),
			label: displayName,
			type: options?.length ? 'boolean' : (types[type ?? ''] ?? 'text'),
			archived: false,
		}));
}

/** Takes values from a mapper or an input item into a wanted contact. */
class ValueReader {
	constructor(
		private readonly context: ItemContext,
		private readonly clearsEmpty: boolean,
	) {}

	/** Takes what was mapped by hand. */
	mapFields(wanted: WantedContact, values: INodeParameters, stored: Attribute[]) {
		const byName = new Map(stored.map((attribute) => [attribute.name, attribute]));
		for (const [id, held] of Object.entries(values)) {
			const value = resolveValue(this.context, held);
			if (id.startsWith(attributePrefix)) {
				const name = id.slice(attributePrefix.length);
				this.addAttribute(wanted, byName.get(name) ?? { name, type: undefined }, value);
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
			const sources: Array<[IDataObject, string]> = [
				[input, attributePrefix + attribute.name],
				[nested, attribute.name],
				...(recordFields.has(attribute.name)
					? []
					: [[input, attribute.name] as [IDataObject, string]]),
			];
			const source = sources.find(([record, key]) => Object.hasOwn(record, key));
			if (source) this.addAttribute(wanted, attribute, ownValue(...source));
		}
		const known = new Set(attributes.map(({ name }) => name));
		for (const [name, value] of Object.entries(nested)) {
			if (known.has(name) || isEmpty(value)) continue;
			if (isReadable) wanted.unknown.push(attributePrefix + name);
			else this.addAttribute(wanted, { name }, value);
		}
	}

	private addField(wanted: WantedContact, id: string, value: unknown) {
		const label = baseLabels.get(id) ?? id;
		if (isEmpty(value)) {
			if (this.clearsEmpty && id !== 'external_id') wanted.fields.set(id, null);
			return;
		}
		if (typeof value !== 'string' && !(typeof value === 'number' && Number.isFinite(value))) {
			throw refuse(this.context, `${label} is not text`, `It is ${describe(value)}.`);
		}
		wanted.fields.set(id, String(value));
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
		const converted = type ? convert(value, type) : asItIs(value);
		if ('expected' in converted) {
			throw refuse(
				this.context,
				'A custom attribute has a value of the wrong type',
				`"${name}" needs ${converted.expected}, but is ${describe(value)}.`,
			);
		}
		wanted.attributes.set(name, converted.value);
	}

	private addObject(wanted: WantedContact, value: unknown) {
		const attributes = readJsonObject(this.context, value, 'Custom Attributes');
		for (const [name, attribute] of Object.entries(attributes)) {
			this.addAttribute(wanted, { name }, attribute);
		}
	}
}

/** A value for an attribute whose type is not known. */
function asItIs(value: unknown): Converted {
	return isJson(value) ? { value } : { expected: 'a value that JSON can hold' };
}

function isEmpty(value: unknown): boolean {
	return value === '' || value === null || value === undefined;
}
