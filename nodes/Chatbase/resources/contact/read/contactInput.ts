/** Reads what an item wants of a contact, in one phase: nothing of it changes afterwards. */
import type { INodeParameters } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { chatbotField } from '../../../chatbots/chatbots';
import { resolveValue } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import { readJsonObject } from '../../../panel/field';
import { text } from '../../../panel/types';
import { assertNotDeleted } from '../../../sync/records';
import { clean, normalizeEmail } from '../../../values/clean';
import { isEmptyCell } from '../../../values/json';
import { giveWay } from '../../../values/list';
import type { TextFormat } from '../../../values/textFormat';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { readAttributesIfAny } from '../../customAttribute/attributes';
import {
	idColumnOption,
	readWriteSettings,
	textFormatOption,
	type WriteOperation,
} from '../panel/options';
import { attributeEntries, bareName, type Entry, isAttribute } from '../plan/values';
import type { ContactInput, ContactKey, WriteSettings } from '../plan/wantedContact';
import { readAdditionalFields, readExtraFields } from './additionalFields';
import {
	columnNamesOf,
	type ColumnPlan,
	type InputTable,
	isBlankRow,
	mapRow,
	planColumns,
	tableOf,
} from './columns';
import { readValues, type ValueNote } from './fieldValues';
import {
	assertIdColumn,
	assertRight,
	isUsableId,
	notInTool,
	unknownGuard,
} from './wrongInput';

/** What an operation that writes contacts reads of an item. */
export interface ContactParams {
	readonly input: ContactInput;
	readonly settings: WriteSettings;
	/** What the columns are for, in automatic mapping. */
	readonly plan?: ColumnPlan;
	readonly notes: readonly ValueNote[];
	/** Columns that would clear a value if they were empty, but that the item lacks. */
	readonly lacking: readonly string[];
}

/** An item in which every cell is blank. It is skipped. */
export interface BlankItem {
	readonly input?: undefined;
	readonly settings: WriteSettings;
}

/** The item that is read, and for which operation. */
interface ItemReading {
	readonly item: InputItem;
	readonly api: ApiClient;
	readonly operation: WriteOperation;
}

/** What automatic mapping knows of the input. */
interface Columns {
	readonly plan: ColumnPlan;
	/** The attributes of the chatbot; undefined if the service can't list them. */
	readonly attributes?: Attributes;
}

/** Contact Fields of an item, not yet checked. */
interface ContactFields {
	readonly entries: readonly Entry[];
	/** Why an expression failed, if one did. The others are still read, so that the item is known by its ID. */
	readonly failure?: unknown;
	/** In automatic mapping. */
	readonly columns?: Columns;
	readonly lacking: readonly string[];
}

/** Like `readContactInput`, for an operation that skips blank items. */
export async function readContactOrBlank(
	item: InputItem,
	api: ApiClient,
	operation: 'create' | 'upsert',
): Promise<ContactParams | BlankItem> {
	const reading = { item, api, operation };
	const fields = await readContactFields(reading);
	if (isBlank(item, fields)) return { settings: settingsOf(reading).settings };
	return await readItem(reading, fields);
}

/**
 * Reads an item, and the attributes of its chatbot if the item needs them. Names the item after its contact before anything
 * else can fail, so that no other item matches the same contact.
 */
export async function readContactInput(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const reading = { item, api, operation };
	return await readItem(reading, await readContactFields(reading));
}

async function readContactFields(reading: ItemReading): Promise<ContactFields> {
	const { item } = reading;
	const mode = item.rawParameter('contactFields.mappingMode');
	if (mode === 'autoMapInputData') return await readColumns(reading);
	return readMapper(item);
}

/** Whether no cell of the item has a value, and no field names a contact all the same. A model has no items. */
function isBlank(item: InputItem, { entries }: ContactFields): boolean {
	if (item.isTool || !isBlankRow(item.json, tableIn(item))) return false;

	const values = new Map([...entries, ...extraFieldsOf(item)]);
	return ['external_id', 'email'].every((name) => isEmptyCell(values.get(name)));
}

async function readItem(
	reading: ItemReading,
	{ entries, failure, columns, lacking }: ContactFields,
): Promise<ContactParams> {
	const { item, operation } = reading;
	const mappedKey = nameAfter(reading, entries);
	const extra = extraFieldsOf(item);
	const overrides = extra.length > 0;
	const key = overrides ? nameAfter(reading, [...entries, ...extra]) : mappedKey;
	if (operation !== 'update') assertNotDeleted(item, 'contact');
	if (failure !== undefined) throw failure;

	const { settings, textFormat } = settingsOf(reading);
	const { emptyValues } = settings;
	const additional = readAdditionalFields(item, extra);
	const mentions = { settings, entries, additional };
	const attributes = await readAttributesFor(reading, mentions, columns);
	assertGuardsKnown(item, settings, attributes);

	const { plan } = columns ?? {};
	const rules = { emptyValues, textFormat, attributes, columnOf: plan?.columnOf };
	const { problems, notes, ...wanted } = readValues(entries, additional, rules);

	const input = { index: item.index, key, settings, attributes, ...wanted };
	assertRight(item, operation, { input, plan, problems });
	return {
		input,
		settings,
		plan,
		notes,
		lacking: emptyValues === 'clear' ? lacking : [],
	};
}

/** Reads the columns of an item for the fields of a contact and the attributes of its chatbot. */
async function readColumns(reading: ItemReading): Promise<ContactFields> {
	const { item, api, operation } = reading;
	if (item.isTool) throw notInTool(item);

	const chatbotId = chatbotIdOf(item);
	const { idColumn } = idColumnOf(reading);
	const columns = await api.state.once(
		`columns for ${JSON.stringify([chatbotId, idColumn])}`,
		async (): Promise<Columns> => {
			// The table takes about as long as the service, so it is made meanwhile, after a pause for n8n.
			const [attributes, table] = await Promise.all([
				readAttributesIfAny(api, chatbotId),
				giveWay().then(() => tableIn(item)),
			]);

			const names = columnNamesOf([...(attributes?.values() ?? [])]);
			const isUpdate = operation === 'update';
			const plan = planColumns(names, table, { idColumn, isUpdate });
			return { plan, attributes };
		},
	);
	return { ...mapRow(item.json, columns.plan), columns };
}

function chatbotIdOf(item: InputItem): string {
	const read = () => ({ chatbotId: chatbotField.read(item) });
	return item.context.readSettings('chatbot', read).chatbotId;
}

function extraFieldsOf(item: InputItem): readonly Entry[] {
	return item.context.readSettings('extra fields', () => readExtraFields(item));
}

/**
 * Resolves as many expressions as possible, so that the item is known by its ID even if one fails. One that returns undefined
 * mentions nothing. n8n's conversion is not used: that of 2.41 turns spaces into 0 and shifts dates.
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
	const mentioned = entries.filter(([, value]) => value !== undefined);
	return { entries: mentioned, failure, lacking: [] };
}

interface ReadSettings {
	readonly settings: WriteSettings;
	readonly textFormat: TextFormat;
}

function settingsOf({ item, operation }: ItemReading): ReadSettings {
	return item.context.readSettings('settings', () => ({
		settings: readWriteSettings(item, operation),
		textFormat: textFormatOption.read(item),
	}));
}

/**
 * The chosen column for the External ID, except in Update, where the contact is chosen above the mapper. With manual mapping,
 * n8n hides the option and removes its value.
 */
function idColumnOf({ item, operation }: ItemReading): { idColumn?: string } {
	if (operation === 'update') return {};

	return item.context.readSettings('column of the ID', () => {
		const idColumn = idColumnOption.read(item);
		if (idColumn !== undefined) assertIdColumn(item, idColumn, tableIn(item).columns);
		return { idColumn };
	});
}

/** The columns of all items, found once a run. */
function tableIn({ context }: InputItem): InputTable {
	return context.readSettings('columns of the input', () =>
		tableOf(context.items.map(({ json }) => json ?? {})),
	);
}

/** Names the item after its contact, in errors and for the other items. Update names it after the chosen one. */
function nameAfter(
	{ item, operation }: ItemReading,
	entries: readonly Entry[],
): ContactKey {
	const key = keyOf(entries);
	if (operation === 'update') return key;

	const { id, email } = key;
	item.identity = { chatbotId: chatbotIdOf(item), id, email };
	if (id !== undefined) item.name = `Contact ${clean(id)}`;
	return key;
}

/** What names the contact. Of several values for one field, the last one counts. */
function keyOf(entries: readonly Entry[]): ContactKey {
	const valueOf = (wanted: string) => entries.findLast(([name]) => name === wanted)?.[1];
	const id = text.read(valueOf('external_id'));
	return {
		id: id !== undefined && isUsableId(id) ? id : undefined,
		email: normalizeEmail(valueOf('email')),
	};
}

interface Mentions {
	readonly settings: WriteSettings;
	readonly entries: readonly Entry[];
	/** The values of Additional Fields. */
	readonly additional: readonly Entry[];
}

/** The attributes of the chatbot, if the item mentions any. In automatic mapping, any column may be one. */
async function readAttributesFor(
	{ api }: ItemReading,
	mentions: Mentions,
	columns: Columns | undefined,
): Promise<Attributes | undefined> {
	if (columns) return columns.attributes;
	if (!mentionsAttributes(mentions)) return undefined;
	return await readAttributesIfAny(api, mentions.settings.chatbotId);
}

function assertGuardsKnown(
	item: InputItem,
	{ onlyIfEmpty }: WriteSettings,
	attributes: Attributes | undefined,
): void {
	const unknown = onlyIfEmpty.find(
		(name) => isAttribute(name) && attributes?.has(bareName(name)) === false,
	);
	if (unknown !== undefined) throw unknownGuard(item, unknown);
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
