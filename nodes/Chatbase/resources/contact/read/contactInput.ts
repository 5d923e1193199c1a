/** Reads what an item wants of a contact, in one phase: nothing of it changes afterwards. */
import type { INodeParameters } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { resolveValue } from '../../../execution/context';
import type { Failure } from '../../../api/failure';
import { refusedInput } from '../../../execution/inputProblems';
import type { InputItem } from '../../../execution/item';
import { itemRanges } from '../../../execution/results';
import { readJsonObject } from '../../../panel/field';
import { text } from '../../../panel/types';
import { assertNotDeleted } from '../../../sync/ownOutput';
import { isPathSegment } from '../../../values/pathSegment';
import { idColumnOption, readWriteSettings, type WriteOperation } from '../panel/options';
import type { ContactInput, ContactKey, WriteSettings } from '../plan/contactInput';
import { normalizeEmail } from '../plan/contactRecord';
import { attributeEntries, type Entry, isAttribute, type Values } from '../plan/values';
import { readAdditionalFields, readableExtraFields } from './additionalFields';
import { readChatbotAttributes } from './chatbotAttributes';
import { cleaned, hasApostrophe } from './cleaning';
import {
	columnNamesOf,
	type ColumnPlan,
	type InputTable,
	isBlankRow,
	type MappedRow,
	mapRow,
	planColumns,
	tableOf,
	type UnsentColumns,
} from './columns';
import { isEmptyIn, readValues } from './fieldValues';
import {
	assertGuardsExist,
	assertIdColumn,
	blankInput,
	blankRowsOfList,
	lackOf,
	notInTool,
	rivalsProblem,
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

/** A row of the input in which every cell is blank. It is skipped. */
export interface BlankRow {
	readonly input?: undefined;
	readonly settings: WriteSettings;
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
	/** Why an expression failed, if one did. The others are read, so that the item is known by its ID. */
	readonly failure?: unknown;
	/** In automatic mapping. */
	readonly mapped?: MappedRow;
	readonly plan?: ColumnPlan;
}

/** Like `readContactInput`, for an operation that skips blank rows. */
export async function readContactRow(
	item: InputItem,
	api: ApiClient,
	operation: 'create' | 'upsert',
): Promise<ContactParams | BlankRow> {
	const isBlank = isBlankRow(item.json) && isAutomatic(item) && !item.isTool;
	if (!isBlank) return await readContactInput(item, api, operation);

	if (tableIn(item).isBlank) throw blankInput(item);
	const { settings } = settingsOf(item, operation);
	return { settings };
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
	let isRead = false;
	try {
		const params = await readItem(item, api, operation);
		isRead = true;
		return params;
	} finally {
		if (!isRead) nameAfter(item, readableValues(item, operation));
	}
}

async function readItem(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const { settings } = settingsOf(item, operation);
	const fields = isAutomatic(item)
		? await readColumns(item, api, operation)
		: readMapper(item);
	const entries = fields.entries.map(cleaned);

	// Errors from here on name the contact.
	nameAfter(item, new Map(entries));
	if (operation !== 'update') assertNotDeleted(item, 'contact');
	if (fields.failure !== undefined) throw fields.failure;

	const additional = readAdditionalFields(item);
	const needsAttributes =
		isAutomatic(item) || mentionsAttributes(settings, entries, additional);
	const attributes = needsAttributes
		? (await readChatbotAttributes(api, settings.chatbotId)).attributes
		: undefined;
	if (attributes && settings.onlyIfEmpty.length > 0) {
		assertGuardsExist(item, settings.onlyIfEmpty, attributes);
	}

	const rules = { emptyValues: settings.emptyValues, attributes };
	const { problems, ...wanted } = readValues(entries, additional, rules);
	const key = nameAfter(item, wanted.values);
	const input = { index: item.index, key, settings, attributes, ...wanted };

	const { mapped, plan } = fields;
	const missing = lackOf(item, operation, { input, problems, plan });
	const rivals = (mapped?.rivals ?? []).map(rivalsProblem);
	const all = [...rivals, ...missing, ...problems.values()];
	if (all.length > 0) throw refusedInput(item, all);

	return {
		input,
		settings,
		unsent: mapped?.unsent,
		apostrophes: fields.entries.filter(hasApostrophe),
		uncleared: settings.emptyValues === 'clear' ? (mapped?.lacking ?? []) : [],
	};
}

/** What the columns of an item have for the fields of a contact and the attributes of its chatbot. */
async function readColumns(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactFields> {
	if (item.isTool) throw notInTool(item);
	if (operation === 'mirror' && isBlankRow(item.json)) throw blankRowOfList(item);

	const { settings, idColumn } = settingsOf(item, operation);
	const { chatbotId } = settings;
	const { names } = await readChatbotAttributes(api, chatbotId);
	const plan = await api.state.lookups.once(
		`columns for ${JSON.stringify([chatbotId, idColumn])}`,
		async () => {
			const isUpdate = operation === 'update';
			return planColumns(names, tableIn(item), { idColumn, isUpdate });
		},
	);

	const mapped = mapRow(item.json, plan);
	return { entries: mapped.entries, mapped, plan };
}

/** Resolves as many expressions as possible, so that the item is known by its ID even if one fails. */
function readMapper(item: InputItem): ContactFields {
	const entries: Entry[] = [];
	let failure: unknown;

	for (const [name, stored] of Object.entries(mapperOf(item).value ?? {})) {
		try {
			const resolved = resolveValue(item, stored);
			if (name !== 'custom_attributes') {
				entries.push([name, resolved]);
				continue;
			}
			// The field for all attributes.
			const attributes = readJsonObject(item, resolved, 'Custom Attributes');
			entries.push(...attributeEntries(attributes));
		} catch (error) {
			failure ??= error;
		}
	}
	return { entries, failure };
}

function mapperOf(item: InputItem): MapperValue {
	return (item.rawParameter('contactFields') ?? {}) as MapperValue;
}

function isAutomatic(item: InputItem): boolean {
	return mapperOf(item).mappingMode === 'autoMapInputData';
}

interface ReadSettings {
	readonly settings: WriteSettings;
	/** The column that has the External ID, if it was chosen. */
	readonly idColumn?: string;
}

function settingsOf(item: InputItem, operation: WriteOperation): ReadSettings {
	return item.context.readSettings('settings', () => ({
		settings: readWriteSettings(item, operation),
		idColumn: readIdColumn(item, operation),
	}));
}

/** It counts for automatic mapping, except in Update, which chooses its contact above the mapper. */
function readIdColumn(item: InputItem, operation: WriteOperation): string | undefined {
	if (operation === 'update' || !isAutomatic(item)) return undefined;
	const idColumn = idColumnOption.read(item);
	if (idColumn !== undefined) assertIdColumn(item, idColumn, tableIn(item).columns);
	return idColumn;
}

/** The columns of all items, found once a run. */
function tableIn({ context }: InputItem): InputTable {
	return context.readSettings('columns of the input', () =>
		tableOf(context.items.map(({ json }) => json ?? {})),
	);
}

/** Most rows of items that an error names. */
const maxRows = 20;

/** Names all blank rows, which are found once a run. */
function blankRowOfList(item: InputItem): Failure {
	const { isBlank, blankRows } = tableIn(item);
	if (isBlank) return blankInput(item);
	const named = () => itemRanges(blankRows, maxRows);
	return blankRowsOfList(item, item.context.readSettings('blank rows', named));
}

/** Names the item after its contact, in errors and for the other items. */
function nameAfter(item: InputItem, values: Values): ContactKey {
	const id = text.read(values.get('external_id'));
	const key = {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(values.get('email')),
	};
	item.identity = key;
	if (key.id !== undefined) item.name = `Contact ${key.id}`;
	return key;
}

const fieldNames = columnNamesOf([]);

/** What the item has for the fields of a contact, as far as it can be read without its chatbot. */
function readableValues(item: InputItem, operation: WriteOperation): Values {
	const extra = Object.entries(readableExtraFields(item));
	if (!isAutomatic(item)) {
		return new Map([...readMapper(item).entries.map(cleaned), ...extra]);
	}

	const plan = item.context.readSettings('columns of fields', () => {
		const options = {
			idColumn: readableIdColumn(item, operation),
			isUpdate: operation === 'update',
		};
		return planColumns(fieldNames, tableIn(item), options);
	});
	return new Map([...mapRow(item.json, plan).entries.map(cleaned), ...extra]);
}

function readableIdColumn(
	item: InputItem,
	operation: WriteOperation,
): string | undefined {
	try {
		return readIdColumn(item, operation);
	} catch {
		return undefined;
	}
}

/** Whether the item needs to know the attributes of its chatbot. Those that are mapped and empty are not mentioned. */
function mentionsAttributes(
	{ emptyValues, onlyIfEmpty }: WriteSettings,
	entries: readonly Entry[],
	additional: readonly Entry[],
): boolean {
	const isMentioned = ([name, value]: Entry) =>
		isAttribute(name) && (emptyValues === 'clear' || !isEmptyIn(name, value));
	const named = [...onlyIfEmpty, ...additional.map(([name]) => name)];
	return named.some(isAttribute) || entries.some(isMentioned);
}
