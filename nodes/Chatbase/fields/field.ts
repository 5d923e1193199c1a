import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import type { ValueType } from './values';
import { boolean, oneOf, readId, readOptional, readRequired } from './values';

/** A field of the panel that reads itself. Only its property is given to n8n, which can't store functions. */
export interface Field<Value = unknown> {
	property: INodeProperties;
	/** Throws if the value is invalid, with the label of the field. */
	read(item: InputItem): Value;
}

/** What a panel or a collection lists. */
export type Shown = Field | INodeProperties;

type More = Partial<INodeProperties>;

export function propertyOf(shown: Shown): INodeProperties {
	return 'property' in shown ? shown.property : shown;
}

/** @param path name of the parameter, or of a field in a collection, such as `options.pageSize` */
function propertyAt(path: string, displayName: string, description: string, more: More) {
	const name = path.slice(path.lastIndexOf('.') + 1);
	const property: INodeProperties = { displayName, name, type: 'string', default: '', description };
	return { ...property, ...more };
}

/** A field that may have no value: it was not added, or its expression has none. It is a text, unless `type` or `more` say otherwise. */
export function optionalField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	description: string,
	more: More = {},
): Field<Value | undefined> {
	return {
		property: propertyAt(path, label, description, { ...type.property, ...more }),
		read: (item) => readOptional(item, path, type, label),
	};
}

/** Like `optionalField`, but a missing value is an error. */
export function requiredField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	description: string,
	more: More = {},
): Field<Value> {
	return {
		property: propertyAt(path, label, description, { required: true, ...type.property, ...more }),
		read: (item) => readRequired(item, path, type, label),
	};
}

/** The ID of something that the service has, often in a path. `advice` says what to do if it is empty. */
export function idField(
	path: string,
	label: string,
	description: string,
	more: More,
	advice?: string,
): Field<string> {
	return {
		property: propertyAt(path, label, description, { required: true, ...more }),
		read: (item) => readId(item, path, label, advice),
	};
}

/** A toggle. In Options it is off until it is added, and on when it is. */
export function toggleField(
	path: string,
	label: string,
	description: string,
	more: More = {},
): Field<boolean> {
	const isOption = path.startsWith('options.');
	const property = propertyAt(path, label, description, {
		...boolean.property,
		default: isOption,
		...more,
	});
	const fallback = !isOption && property.default === true;
	return { property, read: (item) => readOptional(item, path, boolean, label) ?? fallback };
}

/** The name and description of each value. */
type Choices<Word extends string> = Record<Word, [name: string, description?: string]>;

/** A choice that is sent only if it was added. The first one is the default, unless `more` names another. */
export function optionalChoice<Word extends string>(
	path: string,
	label: string,
	description: string,
	choices: Choices<Word>,
	more: More & { default?: NoInfer<Word> } = {},
): Field<Word | undefined> {
	const words = Object.keys(choices) as Word[];
	const options = words.map((value) => {
		const [name, details] = choices[value];
		return { name, value, ...(details && { description: details }) };
	});
	const property = { type: 'options', default: words[0], ...more, options } as const;
	return optionalField(path, label, oneOf(...words), description, property);
}

/** Like `optionalChoice`, but reads the default if nothing is chosen. */
export function choiceField<Word extends string>(
	...definition: Parameters<typeof optionalChoice<Word>>
): Field<Word> {
	const { property, read } = optionalChoice(...definition);
	return { property, read: (item) => read(item) ?? (property.default as Word) };
}

/** The values of those fields that have one, under the names of the fields. */
export function valuesOf(item: InputItem, fields: Field[]): IDataObject {
	const values = fields.map(({ property, read }) => [property.name, read(item)]);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
}
