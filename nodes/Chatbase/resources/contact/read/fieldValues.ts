/** Checks the values of an item, and converts them to the types of their fields and attributes. */
import type { InputProblem } from '../../../execution/inputProblems';
import { invalidId } from '../../../panel/field';
import { isJson, text } from '../../../panel/types';
import { hasInexactNumber, isBlank, isEmpty, plainJson } from '../../../values/json';
import { isPathSegment } from '../../../values/pathSegment';
import { type TextFormat, textFormats } from '../../../values/textFormat';
import {
	type Attributes,
	convert,
	type Converted,
	type Reading,
} from '../../customAttribute/attributeTypes';
import { contactFieldLabel } from '../panel/mapper';
import type { WriteSettings } from '../plan/contactInput';
import {
	accountsNames,
	bareName,
	type Entry,
	isAttribute,
	noValues,
	type ContactValues,
} from '../plan/values';
import { foldName, isEmptyCell } from './columns';
import { blankId, notText, type ShownField, wrongAttribute } from './refusals';

interface ReadRules {
	readonly textFormat: TextFormat;
	readonly emptyValues: WriteSettings['emptyValues'];
	/** Undefined if the item mentions none, or if the service can't list them. */
	readonly attributes?: Attributes;
	/** The column of a field or attribute, in automatic mapping. */
	readonly columnOf: (name: string) => string | undefined;
}

/** How a value was read, for a hint. */
export interface ValueNote {
	readonly kind: Reading | 'apostrophe';
	/** The name of the field or attribute. */
	readonly name: string;
	readonly from: string;
	readonly to: string;
}

/** What an item wants, and what is wrong with it. */
interface ReadValues {
	readonly values: ContactValues;
	/** Attributes that the chatbot lacks or has archived: with them, the contact would differ in every run. */
	readonly notSent: ContactValues;
	/** Names of fields and attributes that are mapped but empty. They keep their values. */
	readonly untouched: ReadonlySet<string>;
	/** The problems by field or attribute. */
	readonly problems: ReadonlyMap<string, InputProblem>;
	readonly notes: readonly ValueNote[];
}

/** A value as it is sent, or why it can't be. */
type ConvertedValue =
	| { readonly value: unknown; readonly reading?: Reading }
	| { readonly problem: InputProblem };

const noNotes: readonly ValueNote[] = [];

/** @param additional values of Additional Fields, which override the others and are sent as they are */
export function readValues(
	entries: readonly Entry[],
	additional: readonly Entry[],
	rules: ReadRules,
): ReadValues {
	const { emptyValues, attributes } = rules;
	const values = new Map<string, unknown>();
	const notSent = new Map<string, unknown>();
	const untouched = new Set<string>();
	const problems = new Map<string, InputProblem>();
	const notes: ValueNote[] = [];

	const add = (name: string, value: unknown) => {
		const isSendable =
			!attributes ||
			!isAttribute(name) ||
			attributes.get(bareName(name))?.archived === false;
		(isSendable ? values : notSent).set(name, value);
	};
	for (const [name, value] of entries) {
		const isMissing = isEmptyIn(name, value);
		if (isMissing && emptyValues === 'ignore') untouched.add(name);
		if (isMissing && emptyValues === 'clear' && name !== 'external_id') add(name, null);
		if (isMissing) continue;

		const read = convertValue([name, value], rules);
		if ('problem' in read) {
			problems.set(name, read.problem);
			continue;
		}
		add(name, read.value);
		const { reading: kind, value: to } = read;
		if (kind) notes.push({ kind, name, from: String(value), to: String(to) });
	}

	additional.forEach(([name, value]) => add(name, value));
	if (values.has('external_id')) {
		const id = checkedId(values.get('external_id'), rules);
		if ('problem' in id) problems.set('external_id', id.problem);
		else values.set('external_id', id.value);
	}
	return {
		values,
		notSent: notSent.size > 0 ? notSent : noValues,
		untouched,
		problems,
		notes: notes.length > 0 ? notes : noNotes,
	};
}

/**
 * Whether a value counts as empty. An ID of spaces does not, so that it is refused later: otherwise, the contact would be
 * matched by its email.
 */
export function isEmptyIn(name: string, value: unknown): boolean {
	if (name === 'external_id') return isEmpty(value);
	return isEmptyCell(value) || (accountsNames.includes(name) && isBlank(value));
}

function convertValue([name, value]: Entry, rules: ReadRules): ConvertedValue {
	if (accountsNames.includes(name)) return { value: plainJson(value) };
	if (!isAttribute(name)) {
		const field = text.read(value);
		if (field !== undefined) return { value: field };
		return { problem: notText(shownField(name, rules), value) };
	}

	const { attributes, textFormat } = rules;
	const type = attributes?.get(bareName(name))?.type;
	const converted = type ? convert(value, type, textFormat) : asJson(value);
	if ('value' in converted) return converted;

	const { expected } = converted;
	const isReadBy = (format: TextFormat) =>
		typeof value === 'string' && type && 'value' in convert(value, type, format);
	const formats = textFormats.filter(isReadBy);
	return {
		problem: wrongAttribute(shownField(name, rules), { value, expected, formats }),
	};
}

/** An External ID, which must be able to be part of a path. */
function checkedId(value: unknown, rules: ReadRules): ConvertedValue {
	const id = text.read(value);
	if (id === undefined) {
		return { problem: notText(shownField('external_id', rules), value) };
	}
	if (isBlank(id)) return { problem: blankId };
	if (!isPathSegment(id))
		return { problem: invalidId(id, contactFieldLabel('external_id')!) };
	return { value: id };
}

/** A field by its label, with its column if that has another name. */
function shownField(name: string, { attributes, columnOf }: ReadRules): ShownField {
	const attribute = isAttribute(name) ? bareName(name) : undefined;
	const label =
		contactFieldLabel(name) ??
		(attributes?.get(attribute ?? name)?.label || (attribute ?? name));
	const column = columnOf(name);
	const isOther = column !== undefined && foldName(column) !== foldName(label);
	return isOther ? { label, column } : { label };
}

const json = { one: 'a value that JSON can hold', many: 'values that JSON can hold' };
const digits = { one: 'text, since it has too many digits', many: 'text' };

function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: { ...json, form: json.one } };
	if (hasInexactNumber(value)) return { expected: { ...digits, form: digits.one } };
	return { value: plainJson(value) };
}
