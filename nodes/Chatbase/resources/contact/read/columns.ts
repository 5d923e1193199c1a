/** Which columns of the input fill which field or attribute. */
import type { IDataObject } from 'n8n-workflow';

import { clean } from '../../../values/clean';
import { asObjects, isBlank, isEmpty, isEmptyCell, isObject } from '../../../values/json';
import { type AttributeNames, baseFields } from '../panel/mapper';
import {
	accountsNames,
	attributePrefix,
	contactEntries,
	type ContactValues,
	type Entry,
	isAttribute,
	isSameValue,
} from '../plan/values';

/** The columns that automatic mapping knows by the names of fields and attributes. */
export interface ColumnNames {
	/** Fields and attributes, in the order in which their values are sent. */
	targets: readonly string[];
	/** The field or attribute that a column fills, if any. */
	targetOf(column: string): string | undefined;
}

/** What the whole input has. Its items can lack some of it, since nodes for spreadsheets drop empty cells. */
export interface InputTable {
	/** Names of columns, in the order in which they first appear. */
	readonly columns: readonly string[];
	/** Columns with the payment accounts of a contact, as Get Many returns them. */
	readonly accounts: readonly string[];
	/** Numbers of the items in which every cell is blank. */
	readonly blankRows: ReadonlySet<number>;
	/** Whether all rows are blank. */
	readonly isBlank: boolean;
}

/** A field or attribute, and the columns that fill it. */
interface Fill {
	readonly target: string;
	/** One column of each list counts in an item. First and last name are two lists, whose values are joined. */
	readonly parts: ReadonlyArray<readonly string[]>;
	readonly isJoined: boolean;
}

/**
 * What each column of the input fills. This is decided once for the whole input, so that all items are read in the same way.
 */
export interface ColumnPlan {
	/** All columns of the input. */
	readonly columns: readonly string[];
	/** The columns that have the External ID. */
	readonly idColumns: readonly string[];
	/** What is filled, in the order in which the values are sent. */
	readonly fills: readonly Fill[];
	/** Columns that no field or attribute has. */
	readonly unknown: readonly string[];
	/** Columns whose field another column fills. */
	readonly outranked: readonly string[];
	/** Columns with the ID of a contact in Chatbase. It is no External ID, though it may be meant as one. */
	readonly internalIds: readonly string[];
	/** Attributes in `custom_attributes` that the chatbot lacks. */
	readonly unknownAttributes: readonly string[];
}

/** The columns of an item that automatic mapping does not send. */
export interface UnsentColumns {
	readonly unknown: readonly string[];
	/** The outranked columns that have a value. */
	readonly outranked: readonly string[];
}

/** Columns with different values for one field. Neither of them has a better name. */
export interface Rival {
	readonly target: string;
	readonly columns: readonly string[];
}

/** What automatic mapping does with an item. */
export interface MappedRow {
	/** Values by field or attribute. */
	readonly entries: readonly Entry[];
	/** Fields and attributes whose columns other items have, and this one lacks. */
	readonly lacking: readonly string[];
	readonly unsent: UnsentColumns;
	/** The item fails because of them. */
	readonly rivals: readonly Rival[];
}

type Targets = Map<string, string | undefined>;

/** Columns of returned contacts that are neither sent nor named as not sent, in any spelling. */
const recordColumns = ['_sync', 'id', 'created_at', 'updated_at'];
const foldedRecordColumns = new Set(recordColumns.map(foldName));

/** Fields by name, by label, and by other common names. */
const foldedFields: Targets = new Map([
	...baseFields.map(({ id }) => [foldName(id), id] as const),
	...baseFields.map(({ id, displayName }) => [foldName(displayName), id] as const),
	['phone', 'phonenumber'],
]);

/** Name is joined from these, if no column has the full name. */
const nameParts: readonly [first: string, last: string] = ['first name', 'last name'];

/** What other programs call a field. The first one that the input has counts, unless a column has a name of the field. */
const otherNames: Array<[target: string, names: readonly string[]]> = [
	['name', ['Full Name', 'Display Name']],
	[nameParts[0], ['First Name', 'Given Name']],
	[nameParts[1], ['Last Name', 'Family Name']],
	['email', ['Email Address', 'User Email', 'E-mail 1 - Value']],
	['phonenumber', ['Mobile', 'Mobile Phone', 'Phone 1 - Value']],
];

/** A name in the form for comparisons that ignore case, what is cleaned, spaces, `_`, `-` and `.`. */
export function foldName(name: string): string {
	return clean(name)
		.toLowerCase()
		.replace(/[\s_.\-\u2011]/g, '');
}

/**
 * Finds what a column fills. The first match counts: the exact name of a field, the exact name of an attribute, a folded
 * field, a folded name or label of an attribute.
 */
export function columnNamesOf(attributes: AttributeNames[]): ColumnNames {
	const keyOf = ({ name }: AttributeNames) => attributePrefix + name;
	const targets = [...baseFields.map(({ id }) => id), ...attributes.map(keyOf)];

	// If two names are equal, the last one counts.
	const exact: Targets = new Map<string, string | undefined>([
		...attributes.map((each) => [each.name, keyOf(each)] as const),
		...targets.map((target) => [target, target] as const),
		...recordColumns.map((name) => [name, undefined] as const),
	]);
	const folded: Targets = new Map([
		...foldedTargets(attributes.map((each) => [each.label ?? '', keyOf(each)])),
		...foldedTargets(attributes.map((each) => [each.name, keyOf(each)])),
		...foldedFields,
		['', undefined],
	]);

	return {
		targets,
		targetOf: (column) =>
			exact.has(column) ? exact.get(column) : folded.get(foldName(column)),
	};
}

/** If several attributes have the same folded name, it stands for none of them. */
function foldedTargets(names: Array<[name: string, target: string]>): Targets {
	const targets: Targets = new Map();
	for (const [name, target] of names) {
		const folded = foldName(name);
		targets.set(folded, targets.has(folded) ? undefined : target);
	}
	return targets;
}

export function tableOf(rows: readonly IDataObject[]): InputTable {
	const columns = new Set<string>();
	const blankRows = new Set<number>();

	rows.forEach((row, index) => {
		for (const column of columnsIn(row)) columns.add(column);
		if (Object.values(row).every(isBlank)) blankRows.add(index);
	});
	return {
		columns: [...columns],
		accounts: accountsNames.filter((name) => columns.has(name) && haveLists(rows, name)),
		blankRows,
		isBlank: blankRows.size === rows.length,
	};
}

/** Whether each item has a list of objects in a column, or nothing. */
function haveLists(rows: readonly IDataObject[], column: string): boolean {
	const values = rows.map((row) => row[column]).filter((value) => !isEmpty(value));
	return values.length > 0 && values.every((value) => asObjects(value) !== undefined);
}

/** Whether a row has attributes in `custom_attributes`, or none there. If that is text, it is a column like any other. */
function nestsAttributes({ custom_attributes: nested }: IDataObject): boolean {
	return isObject(nested) || nested === null || nested === '';
}

function columnsIn(row: IDataObject): string[] {
	if (!nestsAttributes(row)) return Object.keys(row);
	return contactEntries(row).map(([name]) => name);
}

/** The cells of a row, with the attributes in `custom_attributes` as columns. */
interface RowCells {
	/** Values by column. */
	readonly cells: ContactValues;
	/** Attributes with one value in a column such as `custom_attributes.plan`, and another one in `custom_attributes`. */
	readonly doubled: readonly Rival[];
}

function cellsOf(row: IDataObject): RowCells {
	if (!nestsAttributes(row)) return { cells: new Map(Object.entries(row)), doubled: [] };

	const cells = new Map<string, unknown>();
	const doubled: Rival[] = [];
	for (const [name, value] of contactEntries(row)) {
		// An empty value says nothing.
		const held = cells.get(name);
		if (isEmptyCell(held)) cells.set(name, value);
		else if (!isEmptyCell(value) && !isSameValue(value, held)) {
			doubled.push({ target: name, columns: [name, 'custom_attributes'] });
		}
	}
	return { cells, doubled };
}

interface PlanOptions {
	/** The column that has the External ID, if the user has chosen one. */
	readonly idColumn?: string;
	/** Whether the contact is chosen above the mapper. Then an ID in a column is not a new ID for the contact. */
	readonly isUpdate?: boolean;
}

/** Decides once for all items what each column is for. */
export function planColumns(
	{ targets, targetOf }: ColumnNames,
	{ columns, accounts }: Pick<InputTable, 'columns' | 'accounts'>,
	{ idColumn, isUpdate = false }: PlanOptions = {},
): ColumnPlan {
	const others = otherUses(targetOf, columns);
	const idColumns = idColumn === undefined ? [] : columnsNamed(columns, idColumn);

	const usesOf = (column: string): string[] => {
		const target = accounts.includes(column) ? column : targetOf(column);
		const use = target ?? others.get(column) ?? useOfOther(column);
		if (idColumns.includes(column)) {
			const isSentTwice = use !== 'external_id' && !reasons.has(use);
			if (isSentTwice) return ['external_id', use];
			return ['external_id'];
		}
		const isReplaced = use === 'external_id' && idColumn !== undefined;
		return [isReplaced ? 'outranked' : use];
	};

	const uses = new Map(columns.map((column) => [column, usesOf(column)]));
	const columnsFor = (use: string) => {
		if (isUpdate && ['external_id', 'internalId'].includes(use)) return [];
		return columns.filter((column) => uses.get(column)?.includes(use));
	};

	return {
		columns,
		idColumns: columnsFor('external_id'),
		fills: [...targets, ...accountsNames].flatMap((target) =>
			fillsOf(target, columnsFor),
		),
		unknown: columnsFor('unknown'),
		outranked: columnsFor('outranked'),
		internalIds: columnsFor('internalId'),
		unknownAttributes: columnsFor('unknownAttribute'),
	};
}

/** Columns with exactly this name. If there is none, columns with another spelling of it. */
export function columnsNamed(
	columns: readonly string[],
	name: string,
): readonly string[] {
	if (columns.includes(name)) return [name];
	return columns.filter((column) => foldName(column) === foldName(name));
}

/** Reasons why a column fills no field and no attribute. */
const reasons = new Set([
	'unknown',
	'outranked',
	'internalId',
	'unknownAttribute',
	'unsaid',
]);

/** Why a column fills nothing, if it has no name of a field or attribute. */
function useOfOther(column: string): string {
	if (isAttribute(column)) return 'unknownAttribute';
	if (!foldedRecordColumns.has(foldName(column))) return 'unknown';
	return foldName(column) === 'id' ? 'internalId' : 'unsaid';
}

/** What the columns fill that have another name of a field. */
function otherUses(
	targetOf: ColumnNames['targetOf'],
	columns: readonly string[],
): ReadonlyMap<string, string> {
	const filled = new Set(columns.map(targetOf));
	const free = columns.filter((column) => targetOf(column) === undefined);
	const uses = new Map<string, string>();

	for (const [target, names] of otherNames) {
		for (const name of names) {
			const found = free.filter((column) => foldName(column) === foldName(name));
			if (found.length === 0) continue;

			const hasFullName = nameParts.includes(target) && filled.has('name');
			const isFilled = hasFullName || filled.has(target);
			found.forEach((column) => uses.set(column, isFilled ? 'outranked' : target));
			if (!isFilled) filled.add(target);
		}
	}
	return uses;
}

/** The entry for a field or attribute, or none if no column fills it. */
function fillsOf(target: string, columnsFor: (use: string) => string[]): Fill[] {
	const own = columnsFor(target);
	if (own.length > 0) return [{ target, parts: [own], isJoined: false }];
	if (target !== 'name') return [];

	const parts = nameParts.map(columnsFor).filter((columns) => columns.length > 0);
	if (parts.length === 0) return [];
	return [{ target, parts, isJoined: true }];
}

/** Takes from an item what each field and attribute gets. */
export function mapRow(row: IDataObject, plan: ColumnPlan): MappedRow {
	const { cells, doubled } = cellsOf(row);
	const isPresent = (column: string) => cells.has(column);
	const isFilled = (column: string) => !isEmptyCell(cells.get(column));
	const isFill = ({ target }: Rival) => plan.fills.some((fill) => fill.target === target);

	const entries: Entry[] = [];
	const lacking: string[] = [];
	const rivals = doubled.filter(isFill);
	const outranked = plan.outranked.filter(isFilled);

	for (const { target, parts, isJoined } of plan.fills) {
		const values: unknown[] = [];
		for (const columns of parts) {
			const choice = chooseColumn(target, columns, cells);
			if (!choice) continue;

			const { chosen, rivals: others, outranked: lost } = choice;
			values.push(cells.get(chosen));
			if (others.length > 0) rivals.push({ target, columns: [chosen, ...others] });
			outranked.push(...lost);
		}

		if (values.length === 0) lacking.push(target);
		else entries.push([target, isJoined ? joined(values) : values[0]]);
	}

	// Attributes that the chatbot lacks are dropped later. An empty value for one changes nothing.
	const unknown = plan.unknownAttributes.filter(isFilled);
	unknown.forEach((name) => entries.push([name, cells.get(name)]));

	const hasId = entries.some(
		([target, value]) => target === 'external_id' && !isEmptyCell(value),
	);
	const ids = hasId ? [] : plan.internalIds.filter(isFilled);
	const unsent = { unknown: [...plan.unknown.filter(isPresent), ...ids], outranked };
	return { entries, lacking, unsent, rivals };
}

/** The column whose value counts for a field, and the other columns for that field. */
interface ChosenColumn {
	readonly chosen: string;
	/** Columns with another value and a name that is as good. */
	readonly rivals: readonly string[];
	/** Columns with a value and a worse name. */
	readonly outranked: readonly string[];
}

const none: readonly string[] = [];

/**
 * Chooses the column that counts: exact names before others, and values before empty cells. Undefined if the item has none
 * of the columns.
 */
function chooseColumn(
	target: string,
	columns: readonly string[],
	cells: ContactValues,
): ChosenColumn | undefined {
	const present = columns.filter((column) => cells.has(column));
	const first = present[0];
	if (first === undefined) return undefined;
	if (present.length === 1) return { chosen: first, rivals: none, outranked: none };

	const filled = present.filter((column) => !isEmptyCell(cells.get(column)));
	const exact = present.filter((column) => isExactName(column, target));
	const equals = exact.length > 0 ? exact : present;
	const [best = first] = equals;
	const [chosen = best, ...others] = filled.filter((one) => equals.includes(one));
	return {
		chosen,
		rivals: others.filter((one) => !isSameValue(cells.get(chosen), cells.get(one))),
		outranked: filled.filter((one) => !equals.includes(one)),
	};
}

/** The column of an item from which a field or attribute got its value. */
export function columnOf(
	row: IDataObject,
	{ fills }: ColumnPlan,
	target: string,
): string | undefined {
	const { cells } = cellsOf(row);
	const columns = fills.find((fill) => fill.target === target)?.parts.flat() ?? [];
	return chooseColumn(target, columns, cells)?.chosen;
}

/** Whether a column has the exact name of a field or attribute. */
export function isExactName(column: string, target: string): boolean {
	return column === target || attributePrefix + column === target;
}

/** First and last name as one text, as far as they have values. */
function joined(values: readonly unknown[]): unknown {
	const present = values.filter((value) => !isEmptyCell(value));
	// A value that is no text is refused later, as in a column with the full name.
	const other = present.find((value) => !['string', 'number'].includes(typeof value));
	return other ?? present.map((value) => String(value).trim()).join(' ');
}
