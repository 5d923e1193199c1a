/** Cleans and checks the values of an item, and converts them to the types of their fields and attributes. */
import type { InputProblem } from '../../../execution/inputProblems';
import { isJson, text } from '../../../panel/types';
import { clean, cleanAddress } from '../../../values/clean';
import {
	hasInexactNumber,
	isBlank,
	isEmpty,
	isEmptyCell,
	plainJson,
} from '../../../values/json';
import { type TextFormat, textFormats } from '../../../values/textFormat';
import {
	type Attributes,
	type AttributeType,
	convert,
	type Converted,
} from '../../customAttribute/attributeTypes';
import { contactFieldLabel } from '../panel/mapper';
import {
	accountsNames,
	bareName,
	type ContactValues,
	type Entry,
	isAttribute,
	noValues,
} from '../plan/values';
import type { WriteSettings } from '../plan/wantedContact';
import { foldName } from './columns';
import {
	isUsableId,
	notText,
	type ShownField,
	wrongAttribute,
	wrongId,
} from './wrongInput';

/** A value that was read otherwise than it stands in the input, for a hint. */
export interface ValueNote {
	/** The name of the attribute. */
	readonly name: string;
	readonly from: string;
	readonly to: string;
}

interface ReadRules {
	readonly textFormat: TextFormat;
	readonly emptyValues: WriteSettings['emptyValues'];
	/** Undefined if the item mentions none, or if the service can't list them. */
	readonly attributes?: Attributes;
	/** The column of a field or attribute, in automatic mapping. */
	readonly columnOf?: ReadonlyMap<string, string>;
}

/** What an item wants, and what is wrong with it. */
interface ReadValues {
	readonly values: ContactValues;
	/** Attributes that the chatbot lacks or has archived: with them, the contact would differ in every run. */
	readonly notSent: ContactValues;
	/** The problems by field or attribute. */
	readonly problems: ReadonlyMap<string, InputProblem>;
	readonly notes: readonly ValueNote[];
}

/** A value as it is sent, or why it can't be. */
type ReadValue =
	| { readonly value: unknown; readonly isReread?: boolean }
	| { readonly problem: InputProblem };

/** What a field takes. */
interface FieldKind {
	isEmpty(value: unknown): boolean;
	/** Reads a value that is not empty. */
	read(value: unknown, name: string, rules: ReadRules): ReadValue;
}

const textKind: FieldKind = {
	isEmpty: isEmptyCell,
	read(value, name, rules) {
		const field = text.read(value);
		if (field !== undefined) return { value: field };
		return { problem: notText(shownField(name, rules), value) };
	},
};

/** Emails and phone numbers. One that is nothing but invisible characters is sent as it is, and the service refuses it. */
const addressKind: FieldKind = {
	isEmpty: isEmptyCell,
	read(value, name, rules) {
		const read = textKind.read(value, name, rules);
		if ('problem' in read) return read;
		return { value: cleanAddress(read.value as string) || read.value };
	},
};

/** An ID of spaces is not empty, so that it is refused: otherwise, the contact would be matched by its email. */
const idKind: FieldKind = {
	isEmpty,
	read(value, name, rules) {
		const id = text.read(value);
		if (id !== undefined && isUsableId(id)) return { value: clean(id) };
		return { problem: wrongId(shownField(name, rules), value) };
	},
};

const accountsKind: FieldKind = {
	isEmpty: isBlank,
	read: (value) => ({ value: plainJson(value) }),
};

const attributeKind: FieldKind = {
	isEmpty: isEmptyCell,
	read(value, name, rules) {
		const type = typeOf(name, rules);
		const read = type ? convert(value, type, rules.textFormat) : asJson(value);
		if ('value' in read) return read;

		const formats = textFormats.filter((format) => isReadBy(value, type, format));
		const wrong = { value, expected: read.expected, formats };
		return { problem: wrongAttribute(shownField(name, rules), wrong) };
	},
};

/** Undefined for an attribute that takes no values: the chatbot lacks it, or has archived it. */
function typeOf(name: string, { attributes }: ReadRules): AttributeType | undefined {
	const attribute = attributes?.get(bareName(name));
	return attribute?.archived ? undefined : attribute?.type;
}

/** Fields that take something else than text. */
const otherKinds: ReadonlyMap<string, FieldKind> = new Map([
	['external_id', idKind],
	['email', addressKind],
	['phonenumber', addressKind],
	...accountsNames.map((name) => [name, accountsKind] as const),
]);

function kindOf(name: string): FieldKind {
	return otherKinds.get(name) ?? (isAttribute(name) ? attributeKind : textKind);
}

/** Whether a value for the name can be sent. If the attributes of the chatbot can't be listed, the service decides. */
function takesValues(name: string, attributes: Attributes | undefined): boolean {
	if (!isAttribute(name) || attributes === undefined) return true;
	return attributes.get(bareName(name))?.archived === false;
}

/** An archived attribute takes no value, but can be cleared. */
function isArchived(name: string, attributes: Attributes | undefined): boolean {
	return isAttribute(name) && attributes?.get(bareName(name))?.archived === true;
}

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
	const problems = new Map<string, InputProblem>();
	const notes = new Map<string, ValueNote>();

	const add = (name: string, value: unknown) =>
		(takesValues(name, attributes) ? values : notSent).set(name, value);

	const read = (name: string, value: unknown) => {
		const found = kindOf(name).read(value, name, rules);
		if ('problem' in found) {
			problems.set(name, found.problem);
			return;
		}

		add(name, found.value);
		if (!found.isReread) return;
		notes.set(name, { name, from: String(value), to: String(found.value) });
	};

	for (const [name, value] of entries) {
		const kind = kindOf(name);
		if (!kind.isEmpty(value)) read(name, value);
		else if (emptyValues === 'clear' && kind !== idKind) add(name, null);
	}
	for (const [name, value] of additional) {
		// What was found for a column no longer counts.
		problems.delete(name);
		notes.delete(name);

		// The ID becomes part of a path, so it is checked.
		const isAddress = typeof value === 'string' && kindOf(name) === addressKind;
		if (name === 'external_id' || isAddress) read(name, value);
		else if (value === null && isArchived(name, attributes)) values.set(name, null);
		else add(name, value);
	}

	return {
		values,
		notSent: notSent.size > 0 ? notSent : noValues,
		problems,
		notes: notes.size > 0 ? [...notes.values()] : noNotes,
	};
}

/** A field by its label, with its column if that has another name. */
function shownField(name: string, { attributes, columnOf }: ReadRules): ShownField {
	const attribute = isAttribute(name) ? bareName(name) : name;
	const label =
		contactFieldLabel(name) ?? (attributes?.get(attribute)?.label || attribute);
	const column = columnOf?.get(name);
	const isOther = column !== undefined && foldName(column) !== foldName(label);
	return isOther ? { label, column } : { label };
}

/** Whether text is a value of an attribute, if dates and numbers are written in this format. */
function isReadBy(
	value: unknown,
	type: AttributeType | undefined,
	format: TextFormat,
): boolean {
	return typeof value === 'string' && !!type && 'value' in convert(value, type, format);
}

const json = { one: 'a value that JSON can hold', many: 'values that JSON can hold' };
const digits = { one: 'text, since it has too many digits', many: 'text' };

function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: { ...json, form: json.one } };
	if (hasInexactNumber(value)) return { expected: { ...digits, form: digits.one } };
	return { value: plainJson(value) };
}
