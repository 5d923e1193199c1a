import type { IDataObject } from 'n8n-workflow';

import { isEmpty, isObject } from '../../../values/json';
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

/** The columns that automatic mapping knows. */
export interface ColumnNames {
	/** Fields and attributes, in the order in which their values are sent. */
	targets: readonly string[];
	/** The field or attribute that a column fills, if any. */
	targetOf(column: string): string | undefined;
}

interface Column {
	name: string;
	value: unknown;
}

/** The columns of an item that automatic mapping does not send. */
export interface UnsentColumns {
	/** Columns that no field or attribute has. */
	readonly unknown: readonly string[];
	/** Columns with a value whose field another column fills by its exact name. */
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

/** A name without what people write differently: letter case, spaces, `_`, `-` and `.`. */
export function foldName(name: string): string {
	return name
		.normalize('NFC')
		.toLowerCase()
		.replace(/[\s_.-]/g, '');
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
	{ targets, targetOf }: ColumnNames,
	isUpdate: boolean,
): MappedColumns {
	const mapped: MappedColumns = { entries: [], unknown: [], outranked: [], rivals: [] };
	const byTarget = new Map<string, Column[]>();
	const others: Entry[] = [];

	// Attributes as contacts are returned. Text in their place is a column like any other.
	const nested = columns.custom_attributes;
	const isNested = isObject(nested) || isEmpty(nested);
	const entries = isNested ? contactEntries(columns) : Object.entries(columns);

	for (const [name, value] of entries) {
		const target = isAccounts(name, value) ? name : targetOf(name);
		if (target !== undefined) addTo(byTarget, target, { name, value });
		else if (isAttribute(name)) others.push([name, value]);
		else if (!foldedRecordColumns.has(foldName(name))) mapped.unknown.push(name);
	}
	if (isUpdate) byTarget.delete('external_id');

	for (const target of [...targets, ...accountsNames]) {
		const candidates = byTarget.get(target);
		if (candidates) chooseColumn(target, candidates, mapped);
	}
	// What the chatbot lacks is dropped. An empty value of it changes nothing.
	mapped.entries.push(...others.filter(([, value]) => !isEmptyCell(value)));
	return mapped;
}

/** Whether a column has the payment accounts of a contact, as Get Many returns them. */
function isAccounts(name: string, value: unknown): boolean {
	return accountsNames.includes(name) && Array.isArray(value) && value.every(isObject);
}

/** Whether a column has the exact name of a field or attribute. */
export function isExactName(column: string, target: string): boolean {
	return column === target || attributePrefix + column === target;
}

function chooseColumn(target: string, candidates: Column[], mapped: MappedColumns) {
	const exact = candidates.filter(({ name }) => isExactName(name, target));
	const equals = exact.length > 0 ? exact : candidates;
	const chosen = equals.find(isFilled) ?? equals[0];
	mapped.entries.push([target, chosen.value]);

	const others = equals.filter(
		(one) => isFilled(one) && !isSameValue(chosen.value, one.value),
	);
	if (others.length > 0) {
		const columns = [chosen, ...others].map(({ name }) => name);
		mapped.rivals.push({ target, columns });
	}
	const outranked = candidates.filter((one) => !equals.includes(one) && isFilled(one));
	mapped.outranked.push(...outranked.map(({ name }) => name));
}

function isFilled({ value }: Column): boolean {
	return !isEmptyCell(value);
}
