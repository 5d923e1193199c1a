/** Why an item can't be read, and the words for it. */
import type { NodeOperationError } from 'n8n-workflow';

import { hasExpression } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import { isObject } from '../../../values/json';
import { abbreviate, firstOf } from '../../../values/list';
import { baseFields, labelOf } from '../panel/mapper';
import type { WriteOperation } from '../panel/options';
import type { ContactInput } from '../plan/contactInput';
import { bareName, isAttribute } from '../plan/values';
import {
	type ColumnUses,
	columnsNamed,
	type InputTable,
	isExactName,
	type Rival,
	type UnsentColumns,
} from './columns';

interface ReadItem {
	readonly input: ContactInput;
	/** In automatic mapping. */
	readonly unsent?: UnsentColumns;
}

interface NamedItem {
	readonly input: ContactInput;
	/** In automatic mapping. */
	readonly table?: Pick<InputTable, 'columns'> & Pick<ColumnUses, 'idColumns'>;
}

export function assertNotTool(item: InputItem): void {
	if (!item.isTool) return;
	throw item.error(
		'Automatic mapping does not work in a tool',
		'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
	);
}

export function assertNoRivals(item: InputItem, [rival]: readonly Rival[]): void {
	if (!rival) return;

	const { target, columns } = rival;
	const names = columns.map((column) => `"${abbreviate(column)}"`).join(' and ');
	const name = isAttribute(target) ? bareName(target) : target;
	const label = labelOf(target) ?? `"${name}"`;
	const isExact = columns.some((column) => isExactName(column, target));
	const advice = isExact
		? 'Remove one of them.'
		: `Remove one of them, or name the right one exactly "${name}".`;
	throw item.error(
		'Two columns have values for one field',
		`${names} both mean ${label}. ${advice}`,
	);
}

export function blankInput(item: InputItem): NodeOperationError {
	return item.error(
		'The input has only blank rows',
		'No item has a value. Check the node before. If it returns an empty item, turn off its Always Output Data.',
	);
}

/** A mirror skips no row, since it could be a contact whose values were lost. */
export function blankRowsOfList(item: InputItem, blankRows: string): NodeOperationError {
	return item.error(
		'The input has blank rows',
		`Every cell is blank in ${blankRows}. Mirror needs an External ID in every item. Remove blank rows with a Filter node, or turn off Always Output Data in the node before if it returns an empty item.`,
	);
}

/** Refuses a column that no item has: it would be empty everywhere. */
export function assertIdColumn(
	item: InputItem,
	idColumn: string,
	columns: readonly string[],
): void {
	if (columnsNamed(columns, idColumn).length > 0) return;
	throw item.error(
		'External ID Column is not in the input',
		`No item has "${abbreviate(idColumn)}". ${columnsOf(columns)} Enter one of these names in Options.`,
	);
}

/** Such as: The columns are Customer ID, Full Name, Email. */
function columnsOf(columns: readonly string[]): string {
	if (columns.length === 0) return 'The input has no columns.';
	return `The columns of the input are ${firstOf(columns)}.`;
}

export function assertMentions(item: InputItem, { input, unsent }: ReadItem): void {
	if (input.values.size > 0 || input.notSent.size > 0) return;
	const advice = unsent
		? columnAdvice(['name', 'email', 'phonenumber'])
		: 'Map at least one field with a value.';
	throw item.error(
		'Contact Fields has nothing to update',
		`${advice} To clear empty fields, set Empty Values to Clear.`,
	);
}

export function assertNamed(
	item: InputItem,
	operation: WriteOperation,
	{ input, table }: NamedItem,
): void {
	const { id, email } = input.key;
	const isUpsert = operation === 'upsert';
	if (id !== undefined || (isUpsert && email !== undefined)) return;

	const advice = table && idColumnAdvice(table, isUpsert);
	if (operation === 'mirror') {
		const nextStep =
			'Mirror compares your complete list, so every item needs an External ID. Turn off Always Output Data in the node before if it returns an empty item.';
		throw item.error('External ID is empty', [nextStep, advice].join(' ').trim());
	}

	const whatToMap = isUpsert
		? 'The node finds contacts by External ID, or by Email if an item has no ID. Map at least one of them.'
		: 'Map External ID to the ID that the contact has in your own system.';
	throw item.error(
		'External ID is empty',
		advice ?? `${emptyExpression(item)}${whatToMap}`,
	);
}

/** Names the column with the ID, or all columns if none has it. */
function idColumnAdvice(
	{ columns, idColumns }: NonNullable<NamedItem['table']>,
	isUpsert: boolean,
): string {
	if (idColumns.length > 0) {
		const names = firstOf(idColumns, (column) => `"${column}"`);
		const other = isUpsert ? ', or give the item an email' : '';
		return `The column ${names} is empty in this item. Fill it in${other}.`;
	}

	const fields = isUpsert ? ['external_id', 'email'] : ['external_id'];
	const option =
		'If another column has the ID, enter its name in Options → External ID Column.';
	return `${columnAdvice(fields)} ${columnsOf(columns)} ${option}`;
}

function emptyExpression(item: InputItem): string {
	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	return isUnset ? 'The expression in External ID returned nothing. ' : '';
}

/** Such as: Name a column external_id or External ID. */
function columnAdvice(fields: string[]): string {
	const names = baseFields
		.filter(({ id }) => fields.includes(id))
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}
