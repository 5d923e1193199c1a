/** Why an item can't be read, and the words for it. */
import type { Failure } from '../../../api/failure';
import { hasExpression } from '../../../execution/context';
import { type InputProblem, refusedInput } from '../../../execution/inputProblems';
import type { InputItem } from '../../../execution/item';
import { invalidId } from '../../../panel/field';
import { describeValue, text } from '../../../panel/types';
import { isBlank, isObject } from '../../../values/json';
import { firstOf, isNonEmpty } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import type { TextFormat } from '../../../values/textFormat';
import type { ExpectedForm } from '../../customAttribute/attributeTypes';
import { baseFields, contactFieldLabel } from '../panel/mapper';
import { nameOfFormat, textFormatOption, type WriteOperation } from '../panel/options';
import { bareName, isAttribute } from '../plan/values';
import type { ContactInput } from '../plan/wantedContact';
import {
	type ColumnPlan,
	columnsNamed,
	foldName,
	isExactName,
	type Rival,
} from './columns';

export function notInTool(item: InputItem): Failure {
	return item.error(
		'Automatic mapping does not work in a tool',
		'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
	);
}

function rivalsProblem({ target, columns }: Rival): InputProblem {
	const names = columns.map((column) => `"${abbreviate(column)}"`).join(' and ');
	const name = isAttribute(target) ? bareName(target) : target;
	const label = contactFieldLabel(target) ?? `"${name}"`;
	const isExact = columns.some((column) => isExactName(column, target));
	const other = isExact ? '' : `, or name the right one exactly "${name}"`;
	return {
		title: 'Two columns have values for one field',
		nextStep: `${names} both mean ${label}. Remove one of them${other}.`,
	};
}

export function blankInput(item: InputItem): Failure {
	return item.error(
		'The input has only blank rows',
		'No item has a value. Check the node before. If it returns an empty item, turn off its Always Output Data.',
	);
}

/** A mirror skips no row, since it could be a contact whose values were lost. */
export function blankRowsOfList(item: InputItem, blankRows: string): Failure {
	return item.error(
		'The input has blank rows',
		`Every cell is blank in ${blankRows}. Mirror needs an External ID in every item. Remove blank rows with a Filter node, or turn off Always Output Data in the node before if it returns an empty item.`,
	);
}

/** Refuses a chosen column that no item has. Every item would be without an ID. */
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

/** A sentence such as: The columns are Customer ID, Full Name, Email. Only some are named, so likely IDs come first. */
function columnsOf(columns: readonly string[]): string {
	if (columns.length === 0) return 'The input has no columns.';

	const isLikely = (column: string) => foldName(column).endsWith('id');
	const likely = columns.filter(isLikely);
	const others = columns.filter((column) => !isLikely(column));
	return `The columns of the input are ${firstOf([...likely, ...others])}.`;
}

/** For a custom attribute in Set Only If Empty that the chatbot lacks, since it would protect nothing. */
export function unknownGuard(item: InputItem, typo: string): Failure {
	return item.error(
		'Set Only If Empty has an unknown custom attribute',
		`The chatbot has no "${typo}". Use the exact name of the attribute, not its label.`,
	);
}

const blankId: InputProblem = {
	title: 'External ID is empty',
	nextStep:
		'It has only spaces. Map External ID to the ID that the contact has in your own system.',
};

/** The problem of an ID that can't be part of a path. */
export function wrongId(shown: ShownField, value: unknown): InputProblem {
	const id = text.read(value);
	if (id === undefined) return notText(shown, value);
	return isBlank(id) ? blankId : invalidId(id, shown.label);
}

/** A field or attribute as people know it. */
export interface ShownField {
	readonly label: string;
	/** The column that fills it in automatic mapping, if that has another name. */
	readonly column?: string;
}

function withColumn(label: string, { column }: ShownField): string {
	if (column === undefined) return label;
	return `${label} (column "${abbreviate(column)}")`;
}

const longNumberRule = ' A number with so many digits may have changed. Pass it as text.';

export function notText(shown: ShownField, value: unknown): InputProblem {
	const described = describeValue(value);
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong ? longNumberRule : '';
	const { expected } = text;
	const field = withColumn(shown.label, shown);
	return {
		title: `${shown.label} is not ${expected}`,
		nextStep: `It is ${described}.${rule}`,
		fact: `${field} is ${described} and must be ${expected}.${rule}`,
		value: { field, one: expected, many: expected, shown: described },
	};
}

interface WrongAttribute {
	readonly value: unknown;
	readonly expected: ExpectedForm;
	/** The formats with which the value could be read. */
	readonly formats: readonly TextFormat[];
}

export function wrongAttribute(
	shown: ShownField,
	{ value, expected, formats }: WrongAttribute,
): InputProblem {
	const { form, one, many } = expected;
	const fact = `${withColumn(`"${shown.label}"`, shown)} is ${describeValue(value)} and must be ${form}.`;
	const isPlain = typeof value === 'string' || typeof value === 'number';
	const option = textFormatOption.property.displayName;
	const choices = formats.map(nameOfFormat);

	return {
		title: "A value doesn't fit its custom attribute",
		nextStep: fact,
		fact,
		value: {
			field: withColumn(shown.label, shown),
			one,
			many,
			shown: isPlain ? String(value) : describeValue(value),
			remedy: choices.length > 0 ? { option, choices } : undefined,
		},
	};
}

interface ReadItem {
	readonly input: ContactInput;
	/** The problems by field or attribute. */
	readonly problems: ReadonlyMap<string, InputProblem>;
	/** What the columns are for, in automatic mapping. */
	readonly plan?: ColumnPlan;
	readonly rivals: readonly Rival[];
}

/** Throws one error for all that is wrong with an item. */
export function assertRight(
	item: InputItem,
	operation: WriteOperation,
	read: ReadItem,
): void {
	const { plan, rivals, problems } = read;
	const missing = lackOf(item, operation, read);
	const all = [...rivals.map(rivalsProblem), ...missing, ...problems.values()];
	if (!isNonEmpty(all)) return;

	const isTold = plan === undefined || missing.length > 0;
	throw refusedInput(item, all, isTold ? undefined : remarkOn(plan, operation));
}

/** The problem of an item that lacks what the operation needs. */
function lackOf(
	item: InputItem,
	operation: WriteOperation,
	{ input, problems, plan }: ReadItem,
): InputProblem[] {
	const { values, notSent, key } = input;
	if (operation === 'update') {
		const isEmpty = values.size === 0 && notSent.size === 0 && problems.size === 0;
		if (!isEmpty) return [];
		return [nothingMapped(plan !== undefined)];
	}

	const isUpsert = operation === 'upsert';
	const isNamed = key.id !== undefined || (isUpsert && key.email !== undefined);
	// A key with a wrong value has its own problem.
	const isWrong = problems.has('external_id') || (isUpsert && problems.has('email'));
	if (isNamed || isWrong) return [];
	return [unnamed(item, operation, plan)];
}

function nothingMapped(isAutomatic: boolean): InputProblem {
	const advice = isAutomatic
		? columnAdvice(['name', 'email', 'phonenumber'])
		: 'Map at least one field with a value.';
	return {
		title: 'Contact Fields has nothing to update',
		nextStep: `${advice} To clear empty fields, set Empty Values to Clear.`,
	};
}

const mapId = 'Map External ID to the ID that the contact has in your own system.';
const mapIdOrEmail = 'Map External ID, or Email to find contacts that exist.';

function unnamed(
	item: InputItem,
	operation: WriteOperation,
	plan?: ColumnPlan,
): InputProblem {
	const title = 'External ID is empty';
	const isUpsert = operation === 'upsert';
	const advice = plan && idColumnAdvice(plan, isUpsert);
	if (operation === 'mirror') {
		const rule =
			'Mirror compares your complete list, so every item needs an External ID. Turn off Always Output Data in the node before if it returns an empty item.';
		return { title, nextStep: [rule, advice].join(' ').trim() };
	}

	if (advice !== undefined) return { title, nextStep: advice };
	const whatToMap = isUpsert ? mapIdOrEmail : mapId;
	return { title, nextStep: `${emptyExpression(item)}${whatToMap}` };
}

/** Names the column with the ID, or all columns if none has it. */
function idColumnAdvice({ columns, idColumns }: ColumnPlan, isUpsert: boolean): string {
	if (idColumns.length > 0) {
		const other = isUpsert ? ', or give the item an email' : '';
		return `${emptyColumns(idColumns)} Fill it in${other}.`;
	}

	const fields = isUpsert ? ['external_id', 'email'] : ['external_id'];
	return `${columnAdvice(fields)} ${columnsOf(columns)} ${idColumnOptionAdvice}`;
}

function emptyColumns(columns: readonly string[]): string {
	return `The column ${firstOf(columns, (column) => `"${column}"`)} is empty.`;
}

const idColumnOptionAdvice =
	'If another column has the ID, enter its name in Options → External ID Column. If your data has no IDs, enter the column of the email.';

/**
 * Where the External ID of a new contact can come from.
 *
 * @param plan what the columns are for, in automatic mapping
 */
export function newContactAdvice(plan?: ColumnPlan): string {
	if (!plan) return 'Map it to External ID.';

	const { columns, idColumns } = plan;
	if (idColumns.length > 0) return `${emptyColumns(idColumns)} Fill it in.`;
	return `${columnsOf(columns)} ${idColumnOptionAdvice}`;
}

/**
 * A remark for items that have only emails: Create or Update could find existing contacts by them, but would fail at the
 * first new contact.
 */
function remarkOn(
	{ columns, idColumns }: ColumnPlan,
	operation: WriteOperation,
): string | undefined {
	if (operation !== 'upsert' || idColumns.length > 0) return undefined;
	return `No column has the External ID, which new contacts need. ${columnsOf(columns)} ${idColumnOptionAdvice}`;
}

function emptyExpression(item: InputItem): string {
	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	return isUnset ? 'The expression in External ID returned nothing. ' : '';
}

/** A sentence such as: Name a column external_id or External ID. */
function columnAdvice(fields: string[]): string {
	const names = baseFields
		.filter(({ id }) => fields.includes(id))
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}
