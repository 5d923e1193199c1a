import type { IDataObject, INodeParameters, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { isPathSegment } from '../../api/address';
import { readDryRun } from '../../execution/dryRun';
import { resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { readMarksMissing } from '../../fields/notFound';
import {
	assertPathSegment,
	commaSeparated,
	describeValue,
	hasValue,
	isJson,
	readAs,
	readChoice,
	readId,
	readJsonObject,
	text,
} from '../../fields/values';
import { unnamedError } from '../../sync/fullRun';
import { isObject, ownValue } from '../../values/object';
import { hasInexactNumber, isBlank, isEmpty } from '../../values/scalar';
import type { Attribute, AttributeType } from '../customAttribute/attributes';
import {
	attributePrefix,
	convert,
	readAttributes,
	readAttributesIfAny,
} from '../customAttribute/attributes';
import { normalizeEmail } from './contact';
import type { ChangeRules, WantedContact } from './difference';
import { baseFields } from './fields';
import type { MatchBy } from './match';

const baseLabels = new Map(baseFields.map(({ id, displayName }) => [id, displayName]));

/** Columns that are never an attribute of the same name. */
const recordFields = new Set([...baseLabels.keys(), '_sync', 'id', 'created_at', 'updated_at']);

/** Fields that can be empty. Payment accounts have one of two names, depending on the service. */
const clearableFields = new Set([
	...[...baseLabels.keys()].filter((id) => id !== 'external_id'),
	'payment_accounts',
	'stripe_accounts',
]);

export function readChosenContact(item: InputItem) {
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		contactId: readId(item, 'contactId', 'Contact'),
		marksMissing: readMarksMissing(item),
	};
}

export interface WriteSettings extends ChangeRules {
	chatbotId: string;
	matchBy: MatchBy;
	onDroppedFields: 'warn' | 'error' | 'ignore';
	dryRun: boolean;
}

export interface ContactParams {
	settings: WriteSettings;
	wanted: WantedContact;
}

type WriteOperation = 'create' | 'mirror' | 'update' | 'upsert';

/** Sets `item.identity` even if the rest is invalid, so that no other item matches the same contact. */
export async function readContactItem(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const mapper = (item.rawParameter('contactFields') ?? {}) as MapperValue;
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const mapped = isAutomatic ? { values: item.json, failures: [] } : resolveAll(item, mapper.value);
	item.identity = readIdentity(item, mapped.values);
	if (item.identity.id !== undefined) item.name = `Contact ${item.identity.id}`;
	if (operation === 'mirror' && item.identity.id === undefined) {
		throw unnamedError(item, 'External ID');
	}
	if (mapped.failures.length > 0) throw mapped.failures[0];

	const settings = item.context.readSettings('settings', () => readWriteSettings(item, operation));
	await assertAttributesExist(item, api, settings);
	if (isAutomatic && item.isTool) {
		throw item.error(
			'Automatic mapping does not work in a tool',
			'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
		);
	}
	const wanted: WantedContact = { fields: new Map(), attributes: new Map(), unknown: new Map() };
	const emptyValues = item.context.readSettings('emptyValues', () => readEmptyValues(item));
	const reader = new FieldReader(item, wanted, emptyValues === 'clear');
	const schema = mapper.schema ?? [];
	if (isAutomatic) {
		const attributes =
			schema.length > 0
				? storedAttributes(schema)
				: (await readAttributes(api, settings.chatbotId)).filter(({ archived }) => !archived);
		const isReadable = !schema.some(({ id }) => id === 'custom_attributes');
		reader.readColumns(mapped.values, attributes, operation === 'update', isReadable);
	} else {
		reader.readMapped(mapped.values, storedAttributes(schema));
	}
	const hasJson = addAdditionalFields(item, wanted);
	assertValidId(item, wanted);
	if (hasJson && operation !== 'create') {
		wanted.schema = await readAttributesIfAny(api, settings.chatbotId);
		setUnknownAside(wanted);
	}
	const { fields } = wanted;
	// The ID in an update is a new one for the chosen contact.
	if (operation !== 'update') {
		item.identity = identityIn(fields.get('external_id'), fields.get('email'));
	}
	return { settings, wanted };
}

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
	schema?: ResourceMapperField[];
}

/** Resolves as many values as possible, so that the identity is known even if an expression fails. */
function resolveAll(item: InputItem, stored: INodeParameters | null | undefined) {
	const failures: unknown[] = [];
	const values = Object.entries(stored ?? {}).flatMap(([id, value]) => {
		try {
			return [[id, resolveValue(item, value)]];
		} catch (error) {
			failures.push(error);
			return [];
		}
	});
	return { values: Object.fromEntries(values) as IDataObject, failures };
}

function readIdentity(item: InputItem, mapped: IDataObject): InputItem['identity'] {
	let extra: IDataObject = {};
	try {
		const additional = item.rawParameter('additionalFields');
		const json = isObject(additional) ? resolveValue(item, additional.extraFieldsJson) : undefined;
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

export function readEmptyValues(item: InputItem): 'ignore' | 'clear' {
	return readChoice(item, 'options.emptyValues', 'Empty Values', ['ignore', 'clear']);
}

function readWriteSettings(item: InputItem, operation: WriteOperation): WriteSettings {
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		matchBy: readChoice<MatchBy>(item, 'matchBy', 'Match Contacts By', [
			'externalId',
			'externalIdThenEmail',
		]),
		mode: readChoice(item, 'options.customAttributesMode', 'Unmapped Custom Attributes', [
			'merge',
			'replace',
		]),
		onlyIfEmpty: readFieldNames(
			item,
			'options.setOnlyIfEmpty',
			'Set Only If Empty: Field Names or IDs',
		).sort(),
		onDroppedFields: readChoice(item, 'options.onDroppedFields', 'If Fields Are Dropped', [
			'warn',
			'error',
			'ignore',
		]),
		dryRun: readDryRun(item, operation === 'mirror' ? 'dryRun' : 'options.dryRun'),
	};
}

/** Throws if Set Only If Empty has an unknown attribute, which would protect nothing. */
async function assertAttributesExist(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, onlyIfEmpty }: WriteSettings,
) {
	const names = onlyIfEmpty.filter((name) => name.startsWith(attributePrefix));
	if (names.length === 0) return;
	const attributes = await readAttributesIfAny(api, chatbotId);
	const known = attributes?.map(({ name }) => attributePrefix + name);
	const unknown = known && names.find((name) => !known.includes(name));
	if (unknown === undefined) return;
	throw item.error(
		'Set Only If Empty has an unknown custom attribute',
		`The chatbot has no "${unknown}". Use the exact name of the attribute, not its label.`,
	);
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
		.filter(({ id }) => id.startsWith(attributePrefix))
		.map(({ id, displayName, type, options }): Attribute => ({
			name: id.slice(attributePrefix.length),
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
			if (id.startsWith(attributePrefix)) {
				const name = id.slice(attributePrefix.length);
				const type = stored.find((attribute) => attribute.name === name)?.type;
				this.addAttribute({ name, type }, value);
			} else if (id === 'custom_attributes') {
				const attributes = readJsonObject(this.item, value, 'Custom Attributes');
				Object.entries(attributes).forEach(([name, held]) => this.addAttribute({ name }, held));
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
		for (const attribute of attributes) {
			const { name } = attribute;
			const full = attributePrefix + name;
			if (Object.hasOwn(columns, full)) this.addAttribute(attribute, columns[full]);
			else if (Object.hasOwn(nested, name)) this.addAttribute(attribute, nested[name]);
			else if (!recordFields.has(name) && Object.hasOwn(columns, name)) {
				this.addAttribute(attribute, columns[name]);
			}
		}
		for (const [name, value] of Object.entries(nested)) {
			if (isEmptyCell(value) || attributes.some((attribute) => attribute.name === name)) continue;
			if (isReadable) this.wanted.unknown.set(name, value);
			else this.addAttribute({ name }, value);
		}
	}

	private addField(id: string, value: unknown) {
		const { fields } = this.wanted;
		const isId = id === 'external_id';
		// An ID of spaces is rejected later. It must not count as missing, or the email would be matched.
		if (isId ? isEmpty(value) : isEmptyCell(value)) {
			if (this.clearsEmpty && !isId) fields.set(id, null);
			return;
		}
		const isLong = typeof value === 'number' && Number.isFinite(value);
		const rule = isLong ? 'A number with so many digits may have changed. Pass it as text.' : '';
		fields.set(id, readAs(this.item, value, text, baseLabels.get(id) ?? id, rule));
	}

	private addAttribute({ name, type }: { name: string; type?: AttributeType }, value: unknown) {
		if (isEmptyCell(value)) {
			if (this.clearsEmpty) this.wanted.attributes.set(name, null);
			return;
		}
		const converted = type ? convert(value, type) : asJson(value);
		if ('expected' in converted) {
			throw this.item.error(
				"A value doesn't fit its custom attribute",
				`"${name}" is ${describeValue(value)} and must be ${converted.expected}.`,
			);
		}
		this.wanted.attributes.set(name, converted.value);
	}
}

/** Empty cells of spreadsheets may have spaces. */
function isEmptyCell(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}

function asJson(value: unknown): ReturnType<typeof convert> {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plain(value) };
}

/** A value in JSON, such as a date as text, so that it can be compared with the response. */
function plain(value: unknown): unknown {
	return typeof value === 'object' && value !== null
		? (JSON.parse(JSON.stringify(value)) as unknown)
		: value;
}

/** The ID, from any field, must be able to be part of a path. */
function assertValidId(item: InputItem, { fields }: WantedContact) {
	if (!fields.has('external_id')) return;
	const rule = 'Pass very long numbers as text.';
	const id = readAs(item, fields.get('external_id'), text, 'External ID', rule);
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	fields.set('external_id', id);
}

/** @returns whether Additional Fields have custom attributes as JSON */
function addAdditionalFields(item: InputItem, { fields, attributes }: WantedContact): boolean {
	if (Object.keys(item.collection('additionalFields')).length === 0) return false;
	const accounts = readPaymentAccounts(item);
	if (accounts) fields.set('payment_accounts', accounts);
	const json = readMentioned(item, 'customAttributesJson', 'Custom Attributes JSON');
	for (const [name, value] of readMentioned(item, 'extraFieldsJson', 'Extra Fields JSON')) {
		if (name !== 'custom_attributes') {
			fields.set(name, value);
		} else if (isObject(value)) {
			json.push(...Object.entries(value));
		} else {
			throw item.error(
				'custom_attributes in Extra Fields JSON is not an object',
				`It is ${describeValue(value)}. Use one name and value for each attribute. null clears an attribute.`,
			);
		}
	}
	json.forEach(([name, value]) => attributes.set(name, value));
	const cleared = readFieldNames(item, 'additionalFields.clearFields', 'Clear Field Names or IDs');
	for (const name of cleared) {
		if (name.startsWith(attributePrefix)) attributes.set(name.slice(attributePrefix.length), null);
		else fields.set(name, null);
	}
	return json.length > 0;
}

/** With attributes that the chatbot lacks, the contact would differ in every run. */
function setUnknownAside({ attributes, unknown, schema }: WantedContact) {
	for (const [name, value] of attributes) {
		if (!schema || schema.some((attribute) => attribute.name === name)) continue;
		attributes.delete(name);
		unknown.set(name, value);
	}
}

/** The values in a JSON field. An expression that returns undefined sets nothing. */
function readMentioned(item: InputItem, name: string, label: string): Array<[string, unknown]> {
	const record = readJsonObject(item, item.parameter(`additionalFields.${name}`), label);
	const entries = Object.entries(record).filter(([, value]) => value !== undefined);
	const changed = entries.find(([, value]) => hasInexactNumber(value));
	if (!changed) return entries.map(([key, value]) => [key, plain(value)]);
	throw item.error(
		`${label} has a number with too many digits`,
		`"${changed[0]}" may have changed, since a number in JSON has about 15 exact digits. Write it as text, in quotes.`,
	);
}

/** Attributes are not checked: clearing an unknown one changes nothing, and a check costs a request in every run. */
function readFieldNames(item: InputItem, path: string, label: string): string[] {
	const value = item.parameter(path);
	const names = hasValue(item, value) ? readAs(item, value, commaSeparated, label) : [];
	const other = names.find(
		(name) => !name.startsWith(attributePrefix) && !clearableFields.has(name),
	);
	if (other === undefined) return names;
	throw item.error(
		'A field name is unknown',
		`${label} has "${other}". Possible names are ${[...clearableFields].join(', ')}. A custom attribute needs its prefix, such as custom_attributes.plan.`,
	);
}

/** @returns undefined if no account is set; an empty list if the user added the field without accounts */
function readPaymentAccounts(item: InputItem): IDataObject[] | undefined {
	const value = item.parameter('additionalFields.paymentAccounts');
	if (!isObject(value)) return undefined;
	const rows = Array.isArray(value.accounts) ? value.accounts.filter(isObject) : [];
	const read = (held: unknown, label: string) =>
		readAs(item, held, text, `${label} of a payment account`);
	const accounts = rows
		.filter((row) => Object.values(row).some((held) => !isBlank(held)))
		.map(({ label, paymentId, paymentEmail }) => ({
			...(label !== undefined && label !== null && { label: read(label, 'Label') }),
			...(!isBlank(paymentId) && { payment_id: read(paymentId, 'Payment ID') }),
			...(!isBlank(paymentEmail) && { payment_email: read(paymentEmail, 'Payment Email') }),
		}));
	return rows.length > 0 && accounts.length === 0 ? undefined : accounts;
}
