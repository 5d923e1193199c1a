import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { boolean, oneOf, readAs, readId, readOptional, type ValueType } from './values';

/** A field of the panel that reads itself. Only its property is given to n8n, which can't store functions. */
export interface Field<Value = unknown> {
	property: INodeProperties;
	/** Throws if the value is invalid, with the label of the field. */
	read(item: InputItem): Value;
}

/** What a panel or a collection lists. */
export type Shown = Field | INodeProperties;

export function propertyOf(shown: Shown): INodeProperties {
	return 'property' in shown ? shown.property : shown;
}

/** What a field shows beside its label. */
export type Look = Partial<INodeProperties> & { description: string };

/** @param path name of the parameter, or of a field in a collection, such as `options.pageSize` */
function propertyAt(path: string, displayName: string, look: Look): INodeProperties {
	return {
		displayName,
		name: path.slice(path.lastIndexOf('.') + 1),
		type: 'string',
		default: '',
		...look,
	};
}

/** A field that may have no value: it was not added, or its expression has none. A text, unless `type` or `look` say otherwise. */
export function optionalField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	look: Look,
): Field<Value | undefined> {
	return {
		property: propertyAt(path, label, { ...type.property, ...look }),
		read: (item) => readOptional(item, path, type, label),
	};
}

/** Like `optionalField`, but a missing value is an error. */
export function requiredField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	look: Look,
): Field<Value> {
	return {
		property: propertyAt(path, label, { required: true, ...type.property, ...look }),
		read: (item) => readAs(item, item.parameter(path), type, label),
	};
}

/** The ID of something that the service has, often in a path. `advice` says what to do if it is empty. */
export function idField(path: string, label: string, look: Look, advice?: string): Field<string> {
	return {
		property: propertyAt(path, label, { required: true, ...look }),
		read: (item) => readId(item, path, label, advice),
	};
}

/** A toggle. In Options it is off until it is added, and on when it is. */
export function toggleField(path: string, label: string, look: Look): Field<boolean> {
	const isOption = path.startsWith('options.');
	const { property, read } = optionalField(path, label, boolean, { default: isOption, ...look });
	const fallback = !isOption && property.default === true;
	return { property, read: (item) => read(item) ?? fallback };
}

export type ChoiceLook<Word extends string> = Look & {
	/** The name and description of each value. */
	choices: Record<Word, [name: string, description?: string]>;
	/** The first one, if absent. */
	default?: NoInfer<Word>;
};

/** A choice that is sent only if it was added. */
export function optionalChoice<Word extends string>(
	path: string,
	label: string,
	{ choices, ...look }: ChoiceLook<Word>,
): Field<Word | undefined> {
	const words = Object.keys(choices) as Word[];
	const options = words.map((value) => {
		const [name, description] = choices[value];
		return { name, value, ...(description && { description }) };
	});
	const property = { type: 'options', default: words[0], options } as const;
	return optionalField(path, label, { ...oneOf(...words), property }, look);
}

/** Like `optionalChoice`, but reads the default if nothing is chosen. */
export function choiceField<Word extends string>(
	path: string,
	label: string,
	look: ChoiceLook<Word>,
): Field<Word> {
	const { property, read } = optionalChoice(path, label, look);
	return { property, read: (item) => read(item) ?? (property.default as Word) };
}

/** The values of those fields that have one, under the names of the fields. */
export function valuesOf(item: InputItem, fields: Field[]): IDataObject {
	const values = fields.map(({ property, read }) => [property.name, read(item)]);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
}
