/** Which column of the input fills which field or attribute. */
import type { IDataObject } from 'n8n-workflow';

import { clean } from '../../../values/clean';
import {
	asObjects,
	isBlank,
	isEmpty,
	isEmptyCell,
	isObject,
	ownValue,
} from '../../../values/json';
import { addTo } from '../../../values/list';
import { baseFields } from '../panel/mapper';
import {
	accountsNames,
	attributeEntries,
	attributePrefix,
	bareName,
	type Entry,
	isAttribute,
} from '../plan/values';

/** What the whole input has. Its items can lack some of it, since nodes for spreadsheets drop empty cells. */
export interface InputTable {
	/** Names of columns, in the order in which they first appear. */
	readonly columns: readonly string[];
	/** The columns that have a value in any item. */
	readonly filled: ReadonlySet<string>;
	/** Columns with the payment accounts of a contact, as Get Many returns them. */
	readonly accounts: readonly string[];
	/** Attributes in `custom_attributes`, as Get Many returns them, such as `custom_attributes.plan`. */
	readonly nested: ReadonlySet<string>;
}

/** A custom attribute, as far as columns are about it. */
interface KnownAttribute {
	readonly name: string;
	readonly label?: string;
	readonly archived?: boolean;
}

/** A field or attribute that a column can fill. */
interface Target {
	/** The name among the values of a contact, such as `custom_attributes.plan`. */
	readonly key: string;
	readonly name: string;
	readonly label?: string;
}

/** The fields of a contact and the attributes of its chatbot, and which of them a column fills. */
export interface ColumnNames {
	/** In the order in which their values are sent. */
	readonly targets: readonly Target[];
	/** The field or attribute that a column fills, if any. */
	targetOf(column: string): string | undefined;
}

/** What each column fills. This is decided once for the whole input, so that all items are read in the same way. */
export interface ColumnPlan {
	/** All columns of the input. */
	readonly columns: readonly string[];
	/** The column of each field and attribute, in the order in which the values are sent. */
	readonly columnOf: ReadonlyMap<string, string>;
	/** Fields that no column fills. */
	readonly unfilled: readonly string[];
	/** Columns that no field or attribute has. */
	readonly unsent: readonly string[];
	/** Columns whose field another column fills. */
	readonly outranked: readonly string[];
	/** The column with the External ID, if any item has a value there. */
	readonly idColumn?: string;
	/** The column with the External ID, if it fills nothing else. */
	readonly idOnly?: string;
	/** Columns of attributes that the chatbot lacks. They count as dropped. */
	readonly lost: readonly string[];
}

/** What automatic mapping finds in an item. */
export interface MappedRow {
	/** Values by field or attribute. */
	readonly entries: readonly Entry[];
	/** Columns that the item lacks, although other items have them. */
	readonly lacking: readonly string[];
}

type Keys = Map<string, string | undefined>;

/**
 * Columns that say something about a row or a record, not about a customer: they are neither sent nor named. Google Sheets
 * adds `row_number`.
 */
const recordColumns = ['_sync', 'created_at', 'id', 'row_number', 'updated_at'];
const foldedRecordColumns = new Set(recordColumns.map(foldName));

/** Fields by name, by label, and by the usual short name. */
const foldedFields: Keys = new Map([
	...baseFields.map(({ id }) => [foldName(id), id] as const),
	...baseFields.map(({ id, displayName }) => [foldName(displayName), id] as const),
	['phone', 'phonenumber'],
]);

/** A name in the form for comparisons that ignore case, what is cleaned, spaces, `_`, `-` and `.`. */
export function foldName(name: string): string {
	return clean(name)
		.toLowerCase()
		.replace(/[\s_.\-\u2011]/g, '');
}

/**
 * Finds what a column fills. The first match counts: the exact name of a field, the exact name of an attribute, a folded
 * field, a folded name or label of an attribute. Archived attributes come last: what is for them is not sent, and named.
 */
export function columnNamesOf(attributes: readonly KnownAttribute[]): ColumnNames {
	const fields = baseFields.map(({ id, displayName }): Target => {
		return { key: id, name: id, label: displayName };
	});
	const active = attributes.filter(({ archived }) => !archived).map(targetOfAttribute);
	const archived = attributes.filter((one) => one.archived).map(targetOfAttribute);
	const targets = [...fields, ...active];

	// If two names are equal, the last one counts.
	const exact: Keys = new Map<string, string | undefined>([
		...recordColumns.map((name) => [name, undefined] as const),
		...active.map(({ name, key }) => [name, key] as const),
		...targets.map(({ key }) => [key, key] as const),
	]);
	const folded: Keys = new Map([...foldedKeys(active), ...foldedFields, ['', undefined]]);
	const exactArchived: Keys = new Map(archived.map(({ key }) => [key, key]));
	const foldedArchived = foldedKeys(archived);

	return {
		targets: [...targets, ...archived],

		targetOf(column) {
			if (exact.has(column)) return exact.get(column);

			const name = foldName(column);
			if (folded.has(name)) return folded.get(name);
			return exactArchived.get(column) ?? foldedArchived.get(name);
		},
	};
}

function targetOfAttribute({ name, label }: KnownAttribute): Target {
	return { key: attributePrefix + name, name, label };
}

/** Attributes by folded name, and by folded label if no name is equal. */
function foldedKeys(targets: readonly Target[]): Keys {
	return new Map([
		...unambiguous(targets, ({ label }) => label ?? ''),
		...unambiguous(targets, ({ name }) => name),
	]);
}

/** If several attributes have the same folded name, it stands for none of them. */
function unambiguous(
	targets: readonly Target[],
	nameOf: (target: Target) => string,
): Keys {
	const keys: Keys = new Map();
	for (const target of targets) {
		const name = foldName(nameOf(target));
		keys.set(name, keys.has(name) ? undefined : target.key);
	}
	return keys;
}

export function tableOf(rows: readonly IDataObject[]): InputTable {
	const columns = new Set<string>();
	const filled = new Set<string>();
	const nested = new Set<string>();

	for (const row of rows) {
		const hasNested = nestsAttributes(row);
		for (const name of Object.keys(row)) {
			if (filled.has(name) || (hasNested && name === 'custom_attributes')) continue;
			columns.add(name);
			if (!isEmptyCell(row[name])) filled.add(name);
		}
		if (hasNested) {
			attributeEntries(row.custom_attributes).forEach(([name]) => nested.add(name));
		}
	}
	const accounts = accountsNames.filter(
		(name) => filled.has(name) && haveLists(rows, name),
	);
	return { columns: [...columns], filled, accounts, nested };
}

/** Whether each item has a list of objects in a column, or nothing. */
function haveLists(rows: readonly IDataObject[], column: string): boolean {
	return rows.every(({ [column]: value }) => isEmpty(value) || asObjects(value));
}

/** Whether a row has attributes in `custom_attributes`, or none there. If that is text, it is a column like any other. */
function nestsAttributes({ custom_attributes: nested }: IDataObject): boolean {
	return isObject(nested) || nested === null || nested === '';
}

/**
 * Whether the input has columns, and no cell of this item has a value. *Extract from File* drops empty cells, so a blank row
 * has none. Google Sheets numbers blank rows, too.
 */
export function isBlankRow(row: IDataObject, { columns }: InputTable): boolean {
	const isCell = (name: string) => name !== 'row_number';
	const isFilled = (name: string) => isCell(name) && !isBlank(row[name]);
	return columns.some(isCell) && !Object.keys(row).some(isFilled);
}

interface PlanOptions {
	/** The column that has the External ID, if the user has chosen one. */
	readonly idColumn?: string;
	/** Whether the contact is chosen above the mapper. Then an ID in a column is not a new ID for the contact. */
	readonly isUpdate?: boolean;
}

/** Decides once for all items what each column is for. */
export function planColumns(
	names: ColumnNames,
	table: InputTable,
	{ idColumn, isUpdate = false }: PlanOptions = {},
): ColumnPlan {
	const { targets, targetOf } = names;
	const { columns, filled, nested } = table;
	const chosen = idColumn === undefined ? undefined : columnNamed(columns, idColumn);
	const { candidates, unknown } = sortColumns(names, table);
	if (isUpdate) candidates.delete('external_id');

	const columnOf = new Map<string, string>();
	const outranked: string[] = [];
	for (const target of [...targets, ...accountsNames.map(asTarget)]) {
		const { key } = target;
		const ranked = bestFirst(candidates.get(key) ?? [], target, filled);
		const isChosen = key === 'external_id' && chosen !== undefined;
		const [best, ...others] = isChosen ? [chosen, ...ranked] : ranked;

		if (best !== undefined) columnOf.set(key, best);
		else if (nested.has(key)) columnOf.set(key, key);
		outranked.push(...others.filter((column) => column !== chosen));
	}

	const others = unknown.filter((column) => column !== chosen && !isOfRecord(column));
	const nestedUnknown = [...nested].filter((name) => targetOf(name) === undefined);
	const isSentToo = [...columnOf].some(
		([key, column]) => key !== 'external_id' && column === chosen,
	);
	const idSource = columnOf.get('external_id');
	return {
		columns,
		columnOf,
		unfilled: baseFields.map(({ id }) => id).filter((id) => !columnOf.has(id)),
		unsent: others.filter((column) => !isAttribute(column)),
		outranked,
		idColumn: idSource !== undefined && filled.has(idSource) ? idSource : undefined,
		idOnly: isSentToo ? undefined : idSource,
		lost: [...new Set([...others.filter(isAttribute), ...nestedUnknown])],
	};
}

interface SortedColumns {
	/** The columns by what they could fill. */
	readonly candidates: Map<string, string[]>;
	/** Columns that could fill nothing. */
	readonly unknown: readonly string[];
}

function sortColumns(
	{ targetOf }: ColumnNames,
	{ columns, accounts }: InputTable,
): SortedColumns {
	const candidates = new Map<string, string[]>();
	const unknown: string[] = [];
	for (const column of columns) {
		const target = accounts.includes(column) ? column : targetOf(column);
		if (target !== undefined) addTo(candidates, target, column);
		else unknown.push(column);
	}
	return { candidates, unknown };
}

const asTarget = (name: string): Target => ({ key: name, name });

function isOfRecord(column: string): boolean {
	return foldedRecordColumns.has(foldName(column));
}

/**
 * Sorts the columns of one field: those with a value in any item, then the exact name, then the exact label, then by code
 * units, so that the order of the keys in an item decides nothing.
 */
function bestFirst(
	columns: readonly string[],
	{ key, name, label }: Target,
	filled: ReadonlySet<string>,
): string[] {
	if (columns.length < 2) return [...columns];

	const rankOf = (column: string) => {
		const flaws = [
			!filled.has(column),
			column !== key && column !== name,
			column !== label,
		];
		return flaws.map(Number).join('') + column;
	};
	return [...columns].sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1));
}

/** The column with exactly this name. If there is none, the first one with another spelling of it. */
export function columnNamed(
	columns: readonly string[],
	name: string,
): string | undefined {
	if (columns.includes(name)) return name;
	const [first] = columns.filter((column) => foldName(column) === foldName(name)).sort();
	return first;
}

const noAttributes: IDataObject = {};

/** Takes from an item what each field and attribute gets. */
export function mapRow(row: IDataObject, { columnOf, lost }: ColumnPlan): MappedRow {
	const nested = isObject(row.custom_attributes) ? row.custom_attributes : noAttributes;
	const entries: Entry[] = [];
	const lacking: string[] = [];

	for (const [target, column] of columnOf) {
		const value = cellOf({ row, nested }, column, target);
		if (value !== undefined) entries.push([target, value]);
		else if (column !== target || !isAttribute(target)) lacking.push(column);
	}

	// Attributes that the chatbot lacks are dropped later. An empty value for one changes nothing.
	for (const name of lost) {
		const value = cellOf({ row, nested }, name, name);
		if (!isEmptyCell(value)) entries.push([name, value]);
	}
	return { entries, lacking };
}

interface Cells {
	readonly row: IDataObject;
	/** Its attributes in `custom_attributes`. */
	readonly nested: IDataObject;
}

/** The value in a column. If it is empty, the attribute of the same name in `custom_attributes` counts. */
function cellOf({ row, nested }: Cells, column: string, target: string): unknown {
	const value = ownValue(row, column);
	if (!isAttribute(target) || !isEmptyCell(value)) return value;

	const held = ownValue(nested, bareName(target));
	return held === undefined ? value : held;
}
