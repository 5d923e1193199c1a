import type { IDataObject } from 'n8n-workflow';

import { isBlank, isEmpty, isObject } from '../../../values/json';
import { addTo } from '../../../values/list';
import { type AttributeNames, baseFields } from '../panel/mapper';
import { isSameValue } from '../plan/sameValue';
import {
	accountsNames,
	attributePrefix,
	contactEntries,
	type Entry,
	isAttribute,
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
	/** Numbers of the items in which every cell is blank. */
	readonly blankRows: readonly number[];
	/** Whether all of them are blank. */
	readonly isBlank: boolean;
}

/** Names of what a column fills, or why it fills nothing. */
export type ColumnUse = readonly string[] | 'outranked' | 'unknown';

/** What the columns of the input are for. The whole input decides, so that each item is read alike. */
export interface ColumnUses {
	/** Fields and attributes, in the order in which their values are sent. */
	readonly targets: readonly string[];
	/** Columns of the input that have the External ID. */
	readonly idColumns: readonly string[];
	useOf(column: string): ColumnUse;
}

interface Column {
	name: string;
	value: unknown;
}

/** The columns of an item that automatic mapping does not send. */
export interface UnsentColumns {
	/** Columns that no field or attribute has. */
	readonly unknown: readonly string[];
	/** Columns with a value whose field another column fills. */
	readonly outranked: readonly string[];
}

/** Columns with different values for one field, of which none is the right one. */
export interface Rival {
	readonly target: string;
	readonly columns: readonly string[];
}

/** What automatic mapping does with the columns of an item. */
export interface MappedColumns {
	/** Values by field or attribute. */
	entries: Entry[];
	unknown: string[];
	outranked: string[];
	/** They fail the item. */
	rivals: Rival[];
}

type Targets = Map<string, string | undefined>;

/** Columns of returned contacts that are neither sent nor named as not sent, in any spelling. */
const recordColumns = ['_sync', 'id', 'created_at', 'updated_at'];
const foldedRecordColumns = new Set(recordColumns.map(foldName));

/** Fields by name and label, and by what people call them beside that. */
const foldedFields: Targets = new Map([
	...baseFields.map(({ id }) => [foldName(id), id] as const),
	...baseFields.map(({ id, displayName }) => [foldName(displayName), id] as const),
	['phone', 'phonenumber'],
]);

/** Name is joined of these, if no column has it whole. */
const nameParts = ['first name', 'last name'];

/** What other programs call a field. The first one that the input has counts, unless a column has a name of the field. */
const otherNames: Array<[target: string, names: readonly string[]]> = [
	['name', ['Full Name', 'Display Name']],
	[nameParts[0], ['First Name', 'Given Name']],
	[nameParts[1], ['Last Name', 'Family Name']],
	['email', ['Email Address', 'User Email', 'E-mail 1 - Value']],
	['phonenumber', ['Mobile', 'Mobile Phone', 'Phone 1 - Value']],
];

/** A name without what people write differently, such as letter case, and without what nobody sees. */
export function foldName(name: string): string {
	return name
		.normalize('NFC')
		.toLowerCase()
		.replace(/[\s_.\-\u2011\p{Cf}]/gu, '');
}

/** Empty cells of spreadsheets may have spaces. */
export function isEmptyCell(value: unknown): boolean {
	return isEmpty(typeof value === 'string' ? value.trim() : value);
}

/** A column belongs to the first of: exact field, exact attribute, folded field, folded name or label of an attribute. */
export function columnNamesOf(attributes: AttributeNames[]): ColumnNames {
	const keys = attributes.map(({ name }) => attributePrefix + name);
	const targets = [...baseFields.map(({ id }) => id), ...keys];

	// Of equal names, the last one counts.
	const known: Targets = new Map<string, string | undefined>([
		...attributes.map(({ name }, at) => [name, keys[at]] as const),
		...targets.map((target) => [target, target] as const),
		...recordColumns.map((name) => [name, undefined] as const),
	]);
	const folded: Targets = new Map([
		...foldedTargets(attributes.map(({ label = '' }, at) => [label, keys[at]])),
		...foldedTargets(attributes.map(({ name }, at) => [name, keys[at]])),
		...foldedFields,
		['', undefined],
	]);

	return {
		targets,
		targetOf(column) {
			// Items mostly have the same columns.
			if (!known.has(column)) known.set(column, folded.get(foldName(column)));
			return known.get(column);
		},
	};
}

export function tableOf(rows: readonly IDataObject[]): InputTable {
	const columns = new Set<string>();
	const blankRows: number[] = [];

	rows.forEach((row, index) => {
		for (const column of Object.keys(row)) columns.add(column);
		if (isBlankRow(row)) blankRows.push(index);
	});
	return {
		columns: [...columns],
		blankRows,
		isBlank: blankRows.length === rows.length,
	};
}

export function isBlankRow(row: IDataObject): boolean {
	return Object.values(row).every(isBlank);
}

/** @param idColumn the column that has the External ID, if it was chosen */
export function columnUsesOf(
	{ targets, targetOf }: ColumnNames,
	columns: readonly string[],
	idColumn?: string,
): ColumnUses {
	const others = otherTargets(targetOf, columns);
	const fieldOf = (column: string) => targetOf(column) ?? others.get(column);
	const idColumns =
		idColumn === undefined
			? columns.filter((column) => fieldOf(column) === 'external_id')
			: columnsNamed(columns, idColumn);

	const decide = (column: string): ColumnUse => {
		const target = fieldOf(column);
		if (idColumns.includes(column))
			return [...new Set(['external_id', target ?? []].flat())];
		if (target === 'external_id' && idColumn !== undefined) return 'outranked';
		if (target !== undefined) return target === outrankedTarget ? 'outranked' : [target];
		return 'unknown';
	};

	const uses = new Map<string, ColumnUse>();
	const useOf = (column: string): ColumnUse => {
		const use = uses.get(column) ?? decide(column);
		uses.set(column, use);
		return use;
	};
	return { targets, idColumns, useOf };
}

/** Columns with exactly this name, or else with another spelling of it. */
export function columnsNamed(
	columns: readonly string[],
	name: string,
): readonly string[] {
	if (columns.includes(name)) return [name];
	return columns.filter((column) => foldName(column) === foldName(name));
}

/** In place of a target, for a column whose field another column fills. */
const outrankedTarget = '';

/** Targets of columns that have another name of a field. */
function otherTargets(
	targetOf: ColumnNames['targetOf'],
	columns: readonly string[],
): ReadonlyMap<string, string> {
	const filled = new Set(columns.map(targetOf));
	const free = columns.filter((column) => targetOf(column) === undefined);
	const targets = new Map<string, string>();

	for (const [target, names] of otherNames) {
		for (const name of names) {
			const found = free.filter((column) => foldName(column) === foldName(name));
			if (found.length === 0) continue;

			const isWhole = nameParts.includes(target) && filled.has('name');
			const isFilled = isWhole || filled.has(target);
			found.forEach((column) => targets.set(column, isFilled ? outrankedTarget : target));
			if (!isFilled) filled.add(target);
		}
	}
	return targets;
}

/** A folded name that several attributes have means none of them. */
function foldedTargets(names: Array<[name: string, target: string]>): Targets {
	const targets: Targets = new Map();
	for (const [name, target] of names) {
		const folded = foldName(name);
		targets.set(folded, targets.has(folded) ? undefined : target);
	}
	return targets;
}

/** @param isUpdate whether the contact is chosen elsewhere, so that its ID in a column is no new one */
export function mapColumns(
	columns: IDataObject,
	uses: ColumnUses,
	isUpdate: boolean,
): MappedColumns {
	const { byTarget, others, ids, ...unsent } = sortColumns(columns, uses);
	const mapped: MappedColumns = { entries: [], rivals: [], ...unsent };

	if (isUpdate) byTarget.delete('external_id');
	// The contact's own ID in Chatbase is no External ID, though it may be meant as one.
	else if (!byTarget.get('external_id')?.some(isFilled)) mapped.unknown.push(...ids);

	for (const target of [...uses.targets, ...accountsNames]) {
		const candidates = byTarget.get(target);
		const isJoined = target === 'name' && nameParts.some((part) => byTarget.has(part));
		if (candidates) {
			mapped.entries.push([target, chooseColumn(target, candidates, mapped)]);
		} else if (isJoined) {
			mapped.entries.push([target, joinName(byTarget, mapped)]);
		}
	}
	// What the chatbot lacks is dropped. An empty value of it changes nothing.
	mapped.entries.push(...others.filter(([, value]) => !isEmptyCell(value)));
	return mapped;
}

/** The columns of an item by what they are for. */
interface SortedColumns {
	byTarget: Map<string, Column[]>;
	/** Attributes that the chatbot lacks. */
	others: Entry[];
	/** Columns with the ID of a contact in Chatbase. */
	ids: string[];
	unknown: string[];
	outranked: string[];
}

function sortColumns(columns: IDataObject, { useOf }: ColumnUses): SortedColumns {
	const byTarget = new Map<string, Column[]>();
	const sorted: SortedColumns = {
		byTarget,
		others: [],
		ids: [],
		unknown: [],
		outranked: [],
	};

	for (const [name, value] of cellsOf(columns)) {
		const column = { name, value };
		const use = isAccounts(name, value) ? [name] : useOf(name);
		if (typeof use !== 'string') {
			use.forEach((target) => addTo(byTarget, target, column));
		} else if (use === 'outranked') {
			if (isFilled(column)) sorted.outranked.push(name);
		} else if (isAttribute(name)) {
			sorted.others.push([name, value]);
		} else if (!foldedRecordColumns.has(foldName(name))) {
			sorted.unknown.push(name);
		} else if (foldName(name) === 'id' && isFilled(column)) {
			sorted.ids.push(name);
		}
	}
	return sorted;
}

/** With attributes as contacts are returned. Text in their place is a column like any other. */
function cellsOf(columns: IDataObject): Entry[] {
	const nested = columns.custom_attributes;
	const isNested = isObject(nested) || isEmpty(nested);
	return isNested ? contactEntries(columns) : Object.entries(columns);
}

/** Fields and attributes whose columns other items have, and this one lacks. */
export function missingIn(
	row: IDataObject,
	{ useOf }: ColumnUses,
	columns: readonly string[],
): readonly string[] {
	const targetsOf = (column: string) => {
		const use = useOf(column);
		if (typeof use === 'string') return [];
		return use.map((target) => (nameParts.includes(target) ? 'name' : target));
	};

	const isPresent = (column: string) => Object.hasOwn(row, column);
	const present = new Set(columns.filter(isPresent).flatMap(targetsOf));
	const all = new Set(columns.flatMap(targetsOf));
	return [...all].filter((target) => target !== 'external_id' && !present.has(target));
}

/** First and last name as one text, as far as they have values. */
function joinName(
	byTarget: ReadonlyMap<string, Column[]>,
	mapped: MappedColumns,
): unknown {
	const values: unknown[] = [];
	for (const part of nameParts) {
		const candidates = byTarget.get(part);
		if (candidates) values.push(chooseColumn('name', candidates, mapped));
	}

	const present = values.filter((value) => !isEmptyCell(value));
	// What is no text is refused later, as in a column with the whole name.
	const other = present.find((value) => !['string', 'number'].includes(typeof value));
	return other ?? present.map((value) => String(value).trim()).join(' ');
}

/** Whether a column has the payment accounts of a contact, as Get Many returns them. */
function isAccounts(name: string, value: unknown): boolean {
	return accountsNames.includes(name) && Array.isArray(value) && value.every(isObject);
}

/** Whether a column has the exact name of a field or attribute. */
export function isExactName(column: string, target: string): boolean {
	return column === target || attributePrefix + column === target;
}

/** Notes the columns whose values are not sent. */
function chooseColumn(
	target: string,
	candidates: Column[],
	mapped: MappedColumns,
): unknown {
	const exact = candidates.filter(({ name }) => isExactName(name, target));
	const equals = exact.length > 0 ? exact : candidates;
	const chosen = equals.find(isFilled) ?? equals[0];

	const others = equals.filter(
		(one) => isFilled(one) && !isSameValue(chosen.value, one.value),
	);
	if (others.length > 0) {
		const columns = [chosen, ...others].map(({ name }) => name);
		mapped.rivals.push({ target, columns });
	}
	const outranked = candidates.filter((one) => !equals.includes(one) && isFilled(one));
	mapped.outranked.push(...outranked.map(({ name }) => name));
	return chosen.value;
}

function isFilled({ value }: Column): boolean {
	return !isEmptyCell(value);
}
