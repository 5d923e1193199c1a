/** Reads what an item wants of a contact, in one phase: nothing of it changes afterwards. */
import type { INodeParameters } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { resolveValue } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import { itemRanges } from '../../../execution/results';
import { assertPathSegment, readAs, readJsonObject } from '../../../panel/field';
import { describeValue, isJson, text } from '../../../panel/types';
import { assertNotDeleted } from '../../../sync/ownOutput';
import { hasInexactNumber, isBlank, isEmpty, plainJson } from '../../../values/json';
import { isPathSegment } from '../../../values/pathSegment';
import {
	type Attributes,
	convert,
	type Converted,
} from '../../customAttribute/attributeTypes';
import { labelOf } from '../panel/mapper';
import { idColumnOption, readWriteSettings, type WriteOperation } from '../panel/options';
import type { ContactInput, ContactKey, WriteSettings } from '../plan/contactInput';
import { normalizeEmail } from '../plan/contactRecord';
import {
	accountsNames,
	attributeEntries,
	bareName,
	type Entry,
	isAttribute,
	noValues,
	type Values,
} from '../plan/values';
import { readAdditionalFields, readableExtraFields } from './additionalFields';
import { type ChatbotAttributes, readChatbotAttributes } from './chatbotAttributes';
import { cleaned, hasApostrophe } from './cleaning';
import {
	columnNamesOf,
	type ColumnUses,
	columnUsesOf,
	type InputTable,
	isBlankRow,
	isEmptyCell,
	mapColumns,
	missingIn,
	tableOf,
	type UnsentColumns,
} from './columns';
import {
	assertIdColumn,
	assertMentions,
	assertNamed,
	assertNoRivals,
	assertNotTool,
	blankInput,
	blankRowsOfList,
} from './refusals';

/** What an operation that writes contacts reads of an item. */
export interface ContactParams {
	readonly input: ContactInput;
	readonly settings: WriteSettings;
	/** In automatic mapping. */
	readonly unsent?: UnsentColumns;
	/** Values from which an apostrophe was taken away. */
	readonly apostrophes: readonly Entry[];
	/** Names of what would be cleared if the item had an empty cell for it. */
	readonly uncleared: readonly string[];
}

/** The stored value of the mapper. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates. */
interface MapperValue {
	mappingMode?: 'defineBelow' | 'autoMapInputData';
	/** Values by field, with unresolved expressions. */
	value?: INodeParameters | null;
}

/** Contact Fields of an item, not yet checked. */
interface ContactFields {
	readonly entries: readonly Entry[];
	readonly unsent?: UnsentColumns;
}

/** A row of the input in which every cell is blank. It is skipped. */
export interface BlankRow {
	readonly input?: undefined;
	readonly settings: WriteSettings;
}

/** Like `readContactInput`, for an operation that skips blank rows. */
export async function readContactRow(
	item: InputItem,
	api: ApiClient,
	operation: 'create' | 'upsert',
): Promise<ContactParams | BlankRow> {
	if (!isBlankInAutomaticMapping(item)) {
		return await readContactInput(item, api, operation);
	}
	if (tableIn(item).isBlank) throw blankInput(item);
	return { settings: settingsOf(item, operation) };
}

/**
 * Reads an item, and the attributes of its chatbot if the item needs them. Sets `item.identity` even if the rest is invalid,
 * so that no other item matches the same contact.
 */
export async function readContactInput(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const isUpdate = operation === 'update';
	const fields = readFields(item, operation);
	identify(item, fields.entries.map(cleaned));
	assertReadable(item, operation, fields);

	const settings = settingsOf(item, operation);
	const additional = readAdditionalFields(item);
	const needsAttributes = mentionsAttributes(settings, fields, additional);
	const chatbot = needsAttributes
		? await readChatbotAttributes(api, settings.chatbotId)
		: undefined;
	assertGuardsExist(item, settings, chatbot?.attributes);

	const uses = fields.isAutomatic
		? await readUses(item, api, settings.chatbotId, operation)
		: undefined;
	const mapped = uses ? mapInput(item, uses, isUpdate) : fields;
	const read = readValues(item, mapped.entries.map(cleaned), { settings, chatbot });
	const values = withAdditional(item, read.values, additional);
	const input = inputOf(item, settings, { ...read, values }, chatbot?.attributes);

	const apostrophes = mapped.entries.filter(hasApostrophe);
	const uncleared =
		uses && settings.emptyValues === 'clear'
			? missingIn(item.json, uses, tableIn(item).columns)
			: [];
	const params = { input, settings, unsent: mapped.unsent, apostrophes, uncleared };
	if (isUpdate) assertMentions(item, params);
	else
		assertNamed(item, operation, { input, table: uses && { ...tableIn(item), ...uses } });
	return params;
}

function settingsOf(item: InputItem, operation: WriteOperation): WriteSettings {
	return item.context.readSettings('settings', () => readWriteSettings(item, operation));
}

function isBlankInAutomaticMapping(item: InputItem): boolean {
	return !item.isTool && isAutomatic(item) && isBlankRow(item.json);
}

/** Names all blank rows, once a run. */
function blankRowsIn(item: InputItem): string {
	const { blankRows } = tableIn(item);
	return item.context.readSettings('blank rows', () => itemRanges(blankRows, maxRows));
}

/** Most rows of items that an error names. */
const maxRows = 20;

/** Contact Fields as far as they can be read without the attributes of the chatbot. */
interface ReadableFields extends ContactFields {
	readonly isAutomatic: boolean;
	/** Why an expression failed, if one did. */
	readonly failure?: unknown;
}

function readFields(item: InputItem, operation: WriteOperation): ReadableFields {
	if (isAutomatic(item)) return { ...readColumns(item, operation), isAutomatic: true };
	return { ...resolveFields(item, mapperOf(item).value), isAutomatic: false };
}

function mapperOf(item: InputItem): MapperValue {
	return (item.rawParameter('contactFields') ?? {}) as MapperValue;
}

function isAutomatic(item: InputItem): boolean {
	return mapperOf(item).mappingMode === 'autoMapInputData';
}

/** The columns of all items, found once a run. */
function tableIn({ context }: InputItem): InputTable {
	return context.readSettings('columns of the input', () =>
		tableOf(context.items.map(({ json }) => json ?? {})),
	);
}

function assertReadable(
	item: InputItem,
	operation: WriteOperation,
	{ isAutomatic, failure }: ReadableFields,
): void {
	if (isAutomatic) assertNotTool(item);
	if (operation !== 'update') assertNotDeleted(item, 'contact');
	if (operation === 'mirror' && isBlankInAutomaticMapping(item)) {
		if (tableIn(item).isBlank) throw blankInput(item);
		throw blankRowsOfList(item, blankRowsIn(item));
	}
	if (failure !== undefined) throw failure;
}

/** Whether the item needs to know the attributes of its chatbot. Those that are mapped and empty are not mentioned. */
function mentionsAttributes(
	{ emptyValues, onlyIfEmpty }: WriteSettings,
	{ entries, isAutomatic }: ReadableFields,
	additional: readonly Entry[],
): boolean {
	if (isAutomatic || onlyIfEmpty.some(isAttribute)) return true;

	const isMentioned = ([name, value]: Entry) =>
		isAttribute(name) && (emptyValues === 'clear' || !isEmptyIn(name, value));
	return entries.some(isMentioned) || additional.some(([name]) => isAttribute(name));
}

/** As far as the item can be read. */
function identify(item: InputItem, entries: readonly Entry[]): void {
	const extra = Object.entries(readableExtraFields(item));
	const key = keyIn(new Map([...entries, ...extra]));
	item.identity = { ...key };
	if (key.id !== undefined) item.name = `Contact ${key.id}`;
}

function keyIn(values: Values): ContactKey {
	const id = text.read(values.get('external_id'));
	return {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(values.get('email')),
	};
}

const fieldNames = columnNamesOf([]);

/** What the input has for the fields of a contact, if no attribute takes its columns. */
function readColumns(
	item: InputItem,
	operation: WriteOperation,
): ContactFields & { failure?: unknown } {
	const isUpdate = operation === 'update';
	const { columns } = tableIn(item);
	try {
		const uses = item.context.readSettings('columns of fields', () => {
			const idColumn = readIdColumn(item, operation);
			return columnUsesOf(fieldNames, columns, idColumn);
		});
		return { entries: mapColumns(item.json, uses, isUpdate).entries };
	} catch (failure) {
		const uses = columnUsesOf(fieldNames, columns);
		return { entries: mapColumns(item.json, uses, isUpdate).entries, failure };
	}
}

/** Update chooses its contact above the mapper. */
function readIdColumn(item: InputItem, operation: WriteOperation): string | undefined {
	if (operation === 'update') return undefined;
	const idColumn = idColumnOption.read(item);
	if (idColumn !== undefined) assertIdColumn(item, idColumn, tableIn(item).columns);
	return idColumn;
}

/** What the columns of the input are for, with the attributes of a chatbot. Decided once a run. */
async function readUses(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	operation: WriteOperation,
): Promise<ColumnUses> {
	const { names } = await readChatbotAttributes(api, chatbotId);
	const idColumn = readIdColumn(item, operation);
	const key = `columns for ${JSON.stringify([chatbotId, idColumn])}`;
	return await api.state.memoize(key, async () =>
		columnUsesOf(names, tableIn(item).columns, idColumn),
	);
}

function mapInput(item: InputItem, uses: ColumnUses, isUpdate: boolean): ContactFields {
	const { entries, unknown, outranked, rivals } = mapColumns(item.json, uses, isUpdate);
	assertNoRivals(item, rivals);
	return { entries, unsent: { unknown, outranked } };
}

/** Resolves as many expressions as possible, so that the identity is known even if one fails. */
function resolveFields(
	item: InputItem,
	fields: MapperValue['value'],
): ContactFields & { failure?: unknown } {
	const entries: Entry[] = [];
	let failure: unknown;

	for (const [name, stored] of Object.entries(fields ?? {})) {
		try {
			const resolved = resolveValue(item, stored);
			if (name === 'custom_attributes') {
				// The field for all attributes.
				const attributes = readJsonObject(item, resolved, 'Custom Attributes');
				entries.push(...attributeEntries(attributes));
			} else {
				entries.push([name, resolved]);
			}
		} catch (error) {
			failure ??= error;
		}
	}
	return { entries, failure };
}

/** Set Only If Empty would protect nothing if it had an unknown attribute. */
function assertGuardsExist(
	item: InputItem,
	{ onlyIfEmpty }: WriteSettings,
	attributes: Attributes | undefined,
): void {
	if (!attributes) return;
	const typo = onlyIfEmpty.find(
		(name) => isAttribute(name) && !attributes.has(bareName(name)),
	);
	if (typo === undefined) return;

	throw item.error(
		'Set Only If Empty has an unknown custom attribute',
		`The chatbot has no "${typo}". Use the exact name of the attribute, not its label.`,
	);
}

interface ReadValues {
	readonly values: Values;
	readonly untouched: ReadonlySet<string>;
}

interface ReadRules {
	settings: WriteSettings;
	chatbot?: ChatbotAttributes;
}

/** Checks and converts the values of Contact Fields. */
function readValues(
	item: InputItem,
	entries: readonly Entry[],
	{ settings, chatbot }: ReadRules,
): ReadValues {
	const values = new Map<string, unknown>();
	const untouched = new Set<string>();

	for (const [name, value] of entries) {
		const isMissing = name === 'external_id' ? isEmpty(value) : isEmptyIn(name, value);
		if (!isMissing) values.set(name, readValue(item, [name, value], chatbot));
		else if (settings.emptyValues === 'ignore') untouched.add(name);
		else if (name !== 'external_id') values.set(name, null);
	}
	return { values, untouched };
}

/** An ID of spaces is rejected later. If it counted as missing, the email would be matched. */
function isEmptyIn(name: string, value: unknown): boolean {
	const isAccounts = accountsNames.includes(name);
	return isEmptyCell(value) || (isAccounts && isBlank(value));
}

function readValue(
	item: InputItem,
	[name, value]: Entry,
	chatbot: ChatbotAttributes | undefined,
): unknown {
	if (accountsNames.includes(name)) return plainJson(value);
	if (!isAttribute(name)) return readField(item, name, value);

	const type = chatbot?.attributes?.get(bareName(name))?.type;
	const converted = type ? convert(value, type) : asJson(value);
	if ('value' in converted) return converted.value;

	throw item.error(
		"A value doesn't fit its custom attribute",
		`"${bareName(name)}" is ${describeValue(value)} and must be ${converted.expected}.`,
	);
}

function readField(item: InputItem, name: string, value: unknown): string {
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong
		? 'A number with so many digits may have changed. Pass it as text.'
		: '';
	return readAs(item, value, { ...text, rule }, labelOf(name) ?? name);
}

function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plainJson(value) };
}

/** With a valid ID, from any field: it must be able to be part of a path. */
function withAdditional(
	item: InputItem,
	values: Values,
	additional: readonly Entry[],
): Values {
	const all = additional.length > 0 ? new Map([...values, ...additional]) : values;
	if (!all.has('external_id')) return all;

	const rule = 'Pass very long numbers as text.';
	const id = readAs(item, all.get('external_id'), { ...text, rule }, 'External ID');
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	return all.get('external_id') === id ? all : new Map([...all, ['external_id', id]]);
}

/** Sets apart attributes that the chatbot lacks or has archived, with which the contact would differ in every run. */
function inputOf(
	{ index }: InputItem,
	settings: WriteSettings,
	{ values: all, untouched }: ReadValues,
	attributes: Attributes | undefined,
): ContactInput {
	const isSendable = ([name]: Entry) =>
		!attributes ||
		!isAttribute(name) ||
		attributes.get(bareName(name))?.archived === false;
	const others = [...all].filter((entry) => !isSendable(entry));

	const notSent = others.length > 0 ? new Map(others) : noValues;
	const values = others.length > 0 ? new Map([...all].filter(isSendable)) : all;
	return { index, key: keyIn(values), settings, values, untouched, notSent, attributes };
}
