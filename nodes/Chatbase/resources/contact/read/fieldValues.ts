/** Checks the values of an item, and converts them to the types of their fields and attributes. */
import type { InputProblem } from '../../../execution/inputProblems';
import { invalidId } from '../../../panel/field';
import { isJson, text } from '../../../panel/types';
import { hasInexactNumber, isBlank, isEmpty, plainJson } from '../../../values/json';
import { isPathSegment } from '../../../values/pathSegment';
import {
	type Attributes,
	convert,
	type Converted,
} from '../../customAttribute/attributeTypes';
import { labelOf } from '../panel/mapper';
import type { WriteSettings } from '../plan/contactInput';
import {
	accountsNames,
	bareName,
	type Entry,
	isAttribute,
	noValues,
	type Values,
} from '../plan/values';
import { isEmptyCell } from './columns';
import { blankId, notText, wrongAttribute } from './refusals';

interface ReadRules {
	readonly emptyValues: WriteSettings['emptyValues'];
	/** Undefined if the item mentions none, or if the service can't list them. */
	readonly attributes?: Attributes;
}

/** What an item wants, and what is wrong with it. */
interface ReadValues {
	readonly values: Values;
	/** Attributes that the chatbot lacks or has archived: with them, the contact would differ in every run. */
	readonly notSent: Values;
	/** Names of what is mapped and empty, and keeps its value. */
	readonly untouched: ReadonlySet<string>;
	/** By field or attribute. */
	readonly problems: ReadonlyMap<string, InputProblem>;
}

/** A value as it is sent, or why it can't be. */
type ConvertedValue = { readonly value: unknown } | { readonly problem: InputProblem };

/** @param additional values of Additional Fields, which override the others and are sent as they are */
export function readValues(
	entries: readonly Entry[],
	additional: readonly Entry[],
	{ emptyValues, attributes }: ReadRules,
): ReadValues {
	const values = new Map<string, unknown>();
	const notSent = new Map<string, unknown>();
	const untouched = new Set<string>();
	const problems = new Map<string, InputProblem>();

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

		const read = convertValue(name, value, attributes);
		if ('problem' in read) problems.set(name, read.problem);
		else add(name, read.value);
	}

	additional.forEach(([name, value]) => add(name, value));
	if (values.has('external_id')) {
		const id = checkedId(values.get('external_id'));
		if ('problem' in id) problems.set('external_id', id.problem);
		else values.set('external_id', id.value);
	}
	return { values, notSent: notSent.size > 0 ? notSent : noValues, untouched, problems };
}

/** An ID of spaces is refused later. If it counted as missing, the email would be matched. */
export function isEmptyIn(name: string, value: unknown): boolean {
	if (name === 'external_id') return isEmpty(value);
	return isEmptyCell(value) || (accountsNames.includes(name) && isBlank(value));
}

function convertValue(
	name: string,
	value: unknown,
	attributes?: Attributes,
): ConvertedValue {
	if (accountsNames.includes(name)) return { value: plainJson(value) };
	if (!isAttribute(name)) {
		const field = text.read(value);
		return field === undefined ? { problem: notText(name, value) } : { value: field };
	}

	const attribute = attributes?.get(bareName(name));
	const converted = attribute ? convert(value, attribute.type) : asJson(value);
	if ('value' in converted) return converted;
	return { problem: wrongAttribute(name, value, converted.expected) };
}

/** It must be able to be part of a path. */
function checkedId(value: unknown): ConvertedValue {
	const id = text.read(value);
	if (id === undefined) return { problem: notText('external_id', value) };
	if (isBlank(id)) return { problem: blankId };
	if (!isPathSegment(id)) return { problem: invalidId(id, labelOf('external_id')!) };
	return { value: id };
}

function asJson(value: unknown): Converted {
	if (!isJson(value)) return { expected: 'a value that JSON can hold' };
	if (hasInexactNumber(value)) return { expected: 'text, since it has too many digits' };
	return { value: plainJson(value) };
}
