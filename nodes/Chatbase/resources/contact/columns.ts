import type { IDataObject } from 'n8n-workflow';

import { isEmpty, isObject } from '../../values/json';
import { addTo } from '../../values/list';
import { attributePrefix, type Entry } from './contactValues';
import { type AttributeNames, baseFields } from './mappedFields';

/** How well a column fits. Of several columns for one field, the lowest number is sent. */
enum Fit {
	/** A field, or an attribute with its prefix. */
	Full,
	/** A key of the column `custom_attributes`, as contacts are returned. */
	Nested,
	/** The name of an attribute without its prefix. */
	Bare,
	/** A name that people write otherwise, such as "Phone-Number". */
	Folded,
}

/** The field or attribute that a column fills. */
interface Match {
	target: string;
	fit: Fit;
}

/** The columns that automatic mapping knows. */
export interface ColumnNames {
	/** Fields and attributes, in the order in which their values are sent. */
	targets: readonly string[];
	/** Undefined for a column that is neither a field nor an attribute. */
	matchOf(column: string): Match | undefined;
}

interface Column {
	name: string;
	value: unknown;
	fit: Fit;
}

/** What automatic mapping does with the columns of an item. */
export interface MappedColumns {
	/** Values by field or attribute. */
	entries: Entry[];
	/** Columns that no field or attribute has. */
	unknown: string[];
	/** Columns with a value whose field another column fills by its exact name. */
	outranked: string[];
	/** Columns with values for one field, none of which has its exact name. The first one is among the entries. */
	rivals: Array<{ target: string; columns: string[] }>;
}

/** Columns of returned contacts that are neither sent nor named as not sent, in any spelling. */
const recordColumns = ['_sync', 'id', 'created_at', 'updated_at'];
const foldedRecordColumns = new Set(recordColumns.map(foldName));

/** Fields by name and label, and by what people call them beside that. */
const foldedFields = new Map([
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
	const exact = new Map<string, Match>([
		...attributes.map(
			({ name }, at) => [name, { target: keys[at], fit: Fit.Bare }] as const,
		),
		...targets.map((target) => [target, { target, fit: Fit.Full }] as const),
	]);
	const folded = new Map([
		...unambiguous(attributes.map(({ label = '' }, at) => [label, keys[at]])),
		...unambiguous(attributes.map(({ name }, at) => [name, keys[at]])),
		...foldedFields,
	]);

	const find = (column: string): Match | undefined => {
		if (recordColumns.includes(column)) return undefined;

		const target = folded.get(foldName(column));
		return (
			exact.get(column) ?? (target === undefined ? target : { target, fit: Fit.Folded })
		);
	};

	/** Items mostly have the same columns. */
	const found = new Map<string, Match | undefined>();
	return {
		targets,
		matchOf(column) {
			if (!found.has(column)) found.set(column, find(column));
			return found.get(column);
		},
	};
}

/** Targets by folded name. A name that several of them have means none of them. */
function unambiguous(
	names: Array<[name: string, target: string]>,
): Array<[string, string]> {
	const byName = new Map<string, string[]>();
	for (const [name, target] of names) addTo(byName, foldName(name), target);
	byName.delete('');

	const single = [...byName].filter(([, targets]) => targets.length === 1);
	return single.map(([name, [target]]) => [name, target]);
}

/** @param isUpdate whether the contact is chosen elsewhere, so that its ID in a column is no new one */
export function mapColumns(
	columns: IDataObject,
	names: ColumnNames,
	isUpdate: boolean,
): MappedColumns {
	const mapped: MappedColumns = { entries: [], unknown: [], outranked: [], rivals: [] };
	const byTarget = new Map<string, Column[]>();
	for (const [name, value] of Object.entries(columns)) {
		if (name === 'custom_attributes' && (isObject(value) || isEmpty(value))) continue;
		const match = names.matchOf(name);
		if (match) addTo(byTarget, match.target, { name, value, fit: match.fit });
		else if (!foldedRecordColumns.has(foldName(name))) mapped.unknown.push(name);
	}

	const others = addNested(columns.custom_attributes, names, byTarget);
	if (isUpdate) byTarget.delete('external_id');

	for (const target of names.targets) {
		const candidates = byTarget.get(target);
		if (candidates) chooseColumn(target, candidates, mapped);
	}
	mapped.entries.push(...others);
	return mapped;
}

/** @returns values of attributes that the chatbot lacks */
function addNested(
	attributes: unknown,
	names: ColumnNames,
	byTarget: Map<string, Column[]>,
): Entry[] {
	const others: Entry[] = [];
	for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
		const target = attributePrefix + name;
		const isKnown = names.matchOf(target)?.fit === Fit.Full;
		if (isKnown) addTo(byTarget, target, { name: target, value, fit: Fit.Nested });
		else if (!isEmptyCell(value)) others.push([target, value]);
	}
	return others;
}

function chooseColumn(target: string, candidates: Column[], mapped: MappedColumns) {
	candidates.sort((one, other) => one.fit - other.fit);
	const [best] = candidates;
	const filled = candidates.filter(({ value }) => !isEmptyCell(value));
	const isExact = best.fit !== Fit.Folded;
	const chosen = isExact ? best : (filled[0] ?? best);
	mapped.entries.push([target, chosen.value]);

	const others = filled.filter((column) => column !== chosen).map(({ name }) => name);
	if (isExact) mapped.outranked.push(...others);
	else if (others.length > 0)
		mapped.rivals.push({ target, columns: [chosen.name, ...others] });
}
