/** Why an item can't be read, and the words for it. */
import type { Failure } from '../../../api/failure';
import { type InputProblem, refusedInput } from '../../../execution/inputProblems';
import type { InputItem } from '../../../execution/item';
import { invalidId } from '../../../panel/field';
import { describeValue, text } from '../../../panel/types';
import { clean } from '../../../values/clean';
import { firstOf, isNonEmpty } from '../../../values/list';
import { abbreviate, isPathSegment } from '../../../values/text';
import type { TextFormat } from '../../../values/textFormat';
import type { ExpectedForm } from '../../customAttribute/attributeTypes';
import { baseFields } from '../panel/mapper';
import { nameOfFormat, textFormatOption, type WriteOperation } from '../panel/options';
import type { ContactInput } from '../plan/wantedContact';
import { columnNamed, type ColumnPlan, foldName } from './columns';

export function notInTool(item: InputItem): Failure {
	return item.error(
		'Automatic mapping does not work in a tool',
		'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
	);
}

export function onlyBlankItems(item: InputItem): Failure {
	return item.error(
		'All items are blank',
		'No item has a value. Check the node before. If it returns an empty item, turn off its Always Output Data.',
	);
}

/** Refuses a chosen column that no item has. Every item would be without an ID. */
export function assertIdColumn(
	item: InputItem,
	idColumn: string,
	columns: readonly string[],
): void {
	if (columnNamed(columns, idColumn) !== undefined) return;
	throw item.error(
		'External ID Column is not in the input',
		`No item has "${abbreviate(idColumn)}". ${columnsOf(columns)} Enter one of these names in Options.`,
	);
}

/** A sentence such as: The columns are Customer ID, Name, Email. Only some are named, so likely IDs come first. */
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

/** How a spreadsheet shows a long number, such as 4.47911E+11. */
const shortenedNumber = /^\d+([.,]\d+)?E\+\d+$/i;

/** Whether the ID can be part of a path, also after cleaning, and surely is the ID of a customer. */
export function isUsableId(id: string): boolean {
	const cleaned = clean(id);
	const canBeSent = isPathSegment(id) && isPathSegment(cleaned);
	return canBeSent && !shortenedNumber.test(cleaned);
}

/** The problem of an ID that is not usable. */
export function wrongId(shown: ShownField, value: unknown): InputProblem {
	const id = text.read(value);
	if (id === undefined) return notText(shown, value);

	const { label } = shown;
	if (clean(id) === '') {
		const nextStep =
			'It has only spaces or invisible characters. Map External ID to the ID that the contact has in your own system.';
		return { title: `${label} is empty`, nextStep };
	}
	if (!shortenedNumber.test(clean(id))) return invalidId(id, label);
	return {
		title: `${label} has lost digits`,
		nextStep: `A spreadsheet has shortened it to "${abbreviate(id)}". Format the column as text, then export it again.`,
	};
}

/** A field or attribute as people know it. */
export interface ShownField {
	readonly label: string;
	/** The column that fills it in automatic mapping, if that has another name. */
	readonly column?: string;
}

function withColumn({ label, column }: ShownField): string {
	if (column === undefined) return label;
	return `${label} (column "${abbreviate(column)}")`;
}

const longNumberRule = ' A number with so many digits may have changed. Pass it as text.';

export function notText(shown: ShownField, value: unknown): InputProblem {
	const described = describeValue(value);
	const isLong = typeof value === 'number' && Number.isFinite(value);
	const rule = isLong ? longNumberRule : '';
	const { expected } = text;
	const field = withColumn(shown);
	const fact = `${field} is ${described} and must be ${expected}.${rule}`;
	return {
		title: `${shown.label} is not ${expected}`,
		nextStep: shown.column === undefined ? `It is ${described}.${rule}` : fact,
		fact,
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
	const field = withColumn(shown);
	const isPlain = typeof value === 'string' || typeof value === 'number';
	const described =
		typeof value === 'string' ? `"${abbreviate(value)}"` : describeValue(value);
	const fact = `${field} must be ${form}; it is ${described}.`;
	const option = textFormatOption.property.displayName;
	const choices = formats.map(nameOfFormat);

	return {
		title: "A value doesn't fit its custom attribute",
		nextStep: fact,
		fact,
		value: {
			field,
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
}

/** Throws one error for all that is wrong with an item. */
export function assertRight(
	item: InputItem,
	operation: WriteOperation,
	read: ReadItem,
): void {
	const all = [...lackOf(operation, read), ...read.problems.values()];
	if (isNonEmpty(all)) throw refusedInput(item, all);
}

/** The problem of an item that lacks what the operation needs. */
function lackOf(
	operation: WriteOperation,
	{ input, problems, plan }: ReadItem,
): InputProblem[] {
	const { values, notSent, key } = input;
	if (operation === 'update') {
		const isEmpty = values.size === 0 && notSent.size === 0 && problems.size === 0;
		return isEmpty ? [nothingMapped(plan)] : [];
	}

	const isUpsert = operation === 'upsert';
	const isNamed = key.id !== undefined || (isUpsert && key.email !== undefined);
	// A key with a wrong value has its own problem.
	const isWrong = problems.has('external_id') || (isUpsert && problems.has('email'));
	if (isNamed || isWrong) return [];

	const rule = operation === 'mirror' ? `${mirrorRule} ` : '';
	return [{ title: 'External ID is empty', nextStep: rule + emptyIdAdvice(plan) }];
}

const mirrorRule =
	'Mirror compares your complete list, so every item needs an External ID. Remove blank items with a Filter node, or turn off Always Output Data in the node before.';

/**
 * What to do for an empty External ID.
 * @param plan what the columns are for, in automatic mapping
 */
export function emptyIdAdvice(plan?: ColumnPlan): string {
	if (!plan) {
		return 'Map External ID to the ID that the contact has in your own system. If it has none, map the email to External ID, too.';
	}
	if (plan.idColumn !== undefined) {
		return `Column "${abbreviate(plan.idColumn)}" has no value there: enter the missing IDs, or leave these items out.`;
	}
	return `${columnsOf(plan.columns)} Set External ID Column to the column that identifies a customer. The email's column works, too, but fills Email only if it is named Email.`;
}

function nothingMapped(plan?: ColumnPlan): InputProblem {
	const isWithoutColumn = plan?.columnOf.size === 0;
	const nextStep = isWithoutColumn
		? columnAdvice()
		: 'Nothing that is mapped has a value. Check the expressions or the columns. To clear empty fields, set Empty Values to Clear.';
	return { title: 'Contact Fields has nothing to update', nextStep };
}

/** A sentence such as: Automatic mapping needs a column that is named name or Name. */
function columnAdvice(): string {
	const names = baseFields
		.filter(({ id }) => id !== 'external_id')
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}
