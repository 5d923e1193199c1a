/** Reads what an item wants of a contact, in one phase: nothing of it changes afterwards. */
import type { INodeParameters } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { type Failure, failureOf } from '../../../api/failure';
import { resolveValue } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import { itemRanges } from '../../../execution/results';
import { readJsonObject } from '../../../panel/field';
import { text } from '../../../panel/types';
import { assertNotDeleted } from '../../../sync/records';
import { normalizeEmail } from '../../../values/clean';
import { isEmptyCell } from '../../../values/json';
import { isPathSegment } from '../../../values/text';
import type { TextFormat } from '../../../values/textFormat';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { readAttributesIfAny } from '../../customAttribute/attributes';
import {
	idColumnOption,
	readWriteSettings,
	textFormatOption,
	type WriteOperation,
} from '../panel/options';
import {
	attributeEntries,
	bareName,
	type ContactValues,
	type Entry,
	isAttribute,
} from '../plan/values';
import type { ContactKey, WriteSettings } from '../plan/wantedContact';
import { readableExtraFields, readAdditionalFields } from './additionalFields';
import {
	columnNamesOf,
	columnOf,
	type ColumnPlan,
	type InputTable,
	type MappedRow,
	mapRow,
	planColumns,
	tableOf,
} from './columns';
import type { BlankRow, ContactParams } from './contactParams';
import { cleanEntries, readValues } from './fieldValues';
import {
	assertIdColumn,
	assertRight,
	blankInput,
	blankRowsOfList,
	notInTool,
	unknownGuard,
} from './wrongInput';

/** Contact Fields of an item, not yet checked. */
interface ContactFields {
	readonly entries: readonly Entry[];
	/** Why an expression failed, if one did. The others are still read, so that the item is known by its ID. */
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
	const isBlank = isAutomatic(item) && !item.isTool && isBlankRow(item);
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
	try {
		return await readItem(item, api, operation);
	} catch (error) {
		nameAfter(item, readableValues(item, operation));
		throw failureOf(error);
	}
}

async function readItem(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const { settings, textFormat } = settingsOf(item, operation);
	item.identity = { chatbotId: settings.chatbotId };
	const fields = isAutomatic(item)
		? await readColumns(item, api, operation)
		: readMapper(item);
	const { entries, notes: removals } = cleanEntries(fields.entries);

	// Errors from here on name the contact.
	nameAfter(item, new Map(entries));
	if (operation !== 'update') assertNotDeleted(item, 'contact');
	if (fields.failure !== undefined) throw fields.failure;

	const { mapped, plan } = fields;
	const additional = readAdditionalFields(item);
	const mentions = { settings, entries, additional, isAutomatic: plan !== undefined };
	const attributes = await readNeededAttributes(item, api, mentions);
	const { problems, notes, ...wanted } = readValues(entries, additional, {
		emptyValues: settings.emptyValues,
		textFormat,
		attributes,
		columnOf: (name) => plan && columnOf(item.json, plan, name),
	});

	const key = nameAfter(item, wanted.values);
	const input = { index: item.index, key, settings, attributes, ...wanted };
	const { rivals = [], lacking = [] } = mapped ?? {};
	assertRight(item, operation, { input, plan, rivals, problems });

	// Nothing clears an External ID.
	const mayBeCleared = (name: string) =>
		name !== 'external_id' && !wanted.values.has(name);
	return {
		input,
		settings,
		plan,
		unsent: mapped?.unsent,
		notes: [...removals, ...notes],
		uncleared: settings.emptyValues === 'clear' ? lacking.filter(mayBeCleared) : [],
	};
}

/** Reads the columns of an item for the fields of a contact and the attributes of its chatbot. */
async function readColumns(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactFields> {
	if (item.isTool) throw notInTool(item);
	if (operation === 'mirror' && isBlankRow(item)) throw blankRowOfList(item);

	const { settings, idColumn } = settingsOf(item, operation);
	const { chatbotId } = settings;
	const plan = await api.state.once(
		`columns for ${JSON.stringify([chatbotId, idColumn])}`,
		async () => {
			const attributes = await readAttributesIfAny(api, chatbotId);
			const active = [...(attributes?.values() ?? [])].filter((one) => !one.archived);
			const isUpdate = operation === 'update';
			return planColumns(columnNamesOf(active), tableIn(item), { idColumn, isUpdate });
		},
	);

	const mapped = mapRow(item.json, plan);
	return { entries: mapped.entries, mapped, plan };
}

/**
 * Resolves as many expressions as possible, so that the item is known by its ID even if one fails. n8n's conversion is not
 * used: that of 2.41 turns spaces into 0 and shifts dates.
 */
function readMapper(item: InputItem): ContactFields {
	const values = item.rawParameter('contactFields.value') as INodeParameters | null;
	const entries: Entry[] = [];
	let failure: unknown;

	for (const [name, stored] of Object.entries(values ?? {})) {
		try {
			const resolved = resolveValue(item, stored);
			if (name !== 'custom_attributes') {
				entries.push([name, resolved]);
				continue;
			}
			// This is the field for all attributes.
			const attributes = readJsonObject(item, resolved, 'Custom Attributes');
			entries.push(...attributeEntries(attributes));
		} catch (error) {
			failure ??= error;
		}
	}
	return { entries, failure };
}

function isAutomatic(item: InputItem): boolean {
	return item.rawParameter('contactFields.mappingMode') === 'autoMapInputData';
}

interface ReadSettings {
	readonly settings: WriteSettings;
	readonly textFormat: TextFormat;
	/** The column that has the External ID, if the user has chosen one. */
	readonly idColumn?: string;
}

function settingsOf(item: InputItem, operation: WriteOperation): ReadSettings {
	return item.context.readSettings('settings', () => ({
		settings: readWriteSettings(item, operation),
		textFormat: textFormatOption.read(item),
		idColumn: readIdColumn(item, operation),
	}));
}

/**
 * The chosen column for the External ID, except in Update, where the contact is chosen above the mapper. With manual mapping,
 * n8n hides the option and removes its value.
 */
function readIdColumn(item: InputItem, operation: WriteOperation): string | undefined {
	if (operation === 'update') return undefined;
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

function isBlankRow(item: InputItem): boolean {
	return tableIn(item).blankRows.has(item.index);
}

/** How many rows of items an error names. */
const maxRows = 20;

/** Names all blank rows, which are found once a run. */
function blankRowOfList(item: InputItem): Failure {
	const { isBlank, blankRows } = tableIn(item);
	if (isBlank) return blankInput(item);
	const named = () => itemRanges([...blankRows], maxRows);
	return blankRowsOfList(item, item.context.readSettings('blank rows', named));
}

/** Names the item after its contact, in errors and for the other items. */
function nameAfter(item: InputItem, values: ContactValues): ContactKey {
	const id = text.read(values.get('external_id'));
	const key = {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(values.get('email')),
	};
	item.identity = { ...item.identity, ...key };
	if (key.id !== undefined) item.name = `Contact ${key.id}`;
	return key;
}

const fieldNames = columnNamesOf([]);

/** What the item has for the fields of a contact, as far as it can be read without its chatbot. */
function readableValues(item: InputItem, operation: WriteOperation): ContactValues {
	const found = isAutomatic(item) ? readFieldColumns(item, operation) : readMapper(item);
	const { entries } = cleanEntries(found.entries);
	return new Map([...entries, ...Object.entries(readableExtraFields(item))]);
}

function readFieldColumns(item: InputItem, operation: WriteOperation): MappedRow {
	const plan = item.context.readSettings('columns of fields', () => {
		const idColumn = readableIdColumn(item, operation);
		const isUpdate = operation === 'update';
		return planColumns(fieldNames, tableIn(item), { idColumn, isUpdate });
	});
	return mapRow(item.json, plan);
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

interface Mentions {
	readonly settings: WriteSettings;
	readonly entries: readonly Entry[];
	/** The values of Additional Fields. */
	readonly additional: readonly Entry[];
	/** Any column may be an attribute. */
	readonly isAutomatic: boolean;
}

/** The attributes of the chatbot, if the item mentions any. */
async function readNeededAttributes(
	item: InputItem,
	api: ApiClient,
	mentions: Mentions,
): Promise<Attributes | undefined> {
	const mayHaveAny = mentions.isAutomatic || mentionsAttributes(mentions);
	if (!mayHaveAny) return undefined;

	const { chatbotId, onlyIfEmpty } = mentions.settings;
	const attributes = await readAttributesIfAny(api, chatbotId);
	const unknown = onlyIfEmpty.find(
		(name) => isAttribute(name) && attributes?.has(bareName(name)) === false,
	);
	if (unknown !== undefined) throw unknownGuard(item, unknown);
	return attributes;
}

/** Whether the item names an attribute. One that is mapped and empty is not mentioned. */
function mentionsAttributes({ settings, entries, additional }: Mentions): boolean {
	const { emptyValues, onlyIfEmpty } = settings;
	const mapped = entries.filter(
		([, value]) => emptyValues === 'clear' || !isEmptyCell(value),
	);
	const names = [...mapped, ...additional].map(([name]) => name);
	return [...onlyIfEmpty, ...names].some(isAttribute);
}
