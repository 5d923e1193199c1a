import {
	type IDataObject,
	type INodeProperties,
	type INodeType,
	jsonParse,
} from 'n8n-workflow';

import type { OwnTitle } from '../api/ownErrors';
import type { Failure } from '../api/failure';
import { hasExpression } from '../execution/context';
import type { InputItem } from '../execution/item';
import { withNodeErrors } from '../execution/nodeError';
import { isBlank, isObject, mapValues } from '../values/json';
import { isPathSegment } from '../values/text';
import { boolean, describeValue, isJson, oneOf, text, type ValueType } from './types';

/** Functions with which a panel loads lists and fields, by the names that its properties have for them. */
export type PanelMethods = Pick<
	NonNullable<INodeType['methods']>,
	'listSearch' | 'loadOptions' | 'resourceMapping'
>;

/** A property of the panel with the functions that it names. n8n gets the two separately, since it can't store functions. */
export interface PanelProperty {
	property: INodeProperties;
	methods?: PanelMethods;
}

/** A field of the panel that can also read its value from an item. */
export interface Field<Value = unknown> extends PanelProperty {
	/** Throws if the value is invalid. The error names the label of the field. */
	read(item: InputItem): Value;
}

/** What a panel or a collection lists. */
export type Shown = PanelProperty | INodeProperties;

export function propertyOf(shown: Shown): INodeProperties {
	return 'property' in shown ? shown.property : shown;
}

export function methodsOf(shown: Shown[]): PanelMethods {
	return joinMethods(
		shown.map((each) => ('property' in each ? each.methods : undefined)),
	);
}

export function joinMethods(
	all: Array<PanelMethods | undefined>,
): Required<PanelMethods> {
	return {
		listSearch: Object.assign({}, ...all.map((methods) => methods?.listSearch)),
		loadOptions: Object.assign({}, ...all.map((methods) => methods?.loadOptions)),
		resourceMapping: Object.assign({}, ...all.map((methods) => methods?.resourceMapping)),
	};
}

/** The functions as n8n calls them: they throw n8n's errors. */
export function callableMethods(methods: PanelMethods): Required<PanelMethods> {
	const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = methods;
	return {
		listSearch: mapValues(listSearch, (search) => withNodeErrors(search)),
		loadOptions: mapValues(loadOptions, (load) => withNodeErrors(load)),
		resourceMapping: mapValues(resourceMapping, (map) => withNodeErrors(map)),
	};
}

/** What a field shows beside its label, and the functions that it loads it with. */
export type FieldLook = Partial<INodeProperties> & {
	description: string;
	methods?: PanelMethods;
};

/** @param path name of the parameter, or of a field in a collection, such as `updateFields.name` */
function propertyAt(path: string, displayName: string, look: FieldLook): PanelProperty {
	const { methods, ...shown } = look;
	const property: INodeProperties = {
		displayName,
		name: path.slice(path.lastIndexOf('.') + 1),
		type: 'string',
		default: '',
		...shown,
	};

	return { property, methods };
}

const isOption = (path: string) => path.startsWith('options.');

/** A text in Options that was added and left empty is no value. Elsewhere it is an empty text. */
function valueAt(item: InputItem, path: string): unknown {
	if (isOption(path)) return item.option(path.slice('options.'.length));
	return item.parameter(path);
}

/**
 * A field that may have no value, because it was not added or its expression has none. It is a text field, unless `type` or
 * `look` say otherwise.
 */
export function optionalField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	look: FieldLook,
): Field<Value | undefined> {
	return {
		...propertyAt(path, label, { ...type.property, ...look }),
		read: (item) => readOptional(item, valueAt(item, path), type, label),
	};
}

/** A field that reads a default if it has no value. */
export function withDefault<Value>(
	field: Field<Value | undefined>,
	fallback: Value,
): Field<Value> {
	return { ...field, read: (item) => field.read(item) ?? fallback };
}

/** Like `optionalField`, but a missing value is an error. */
export function requiredField<Value>(
	path: string,
	label: string,
	type: ValueType<Value>,
	look: FieldLook,
): Field<Value> {
	return {
		...propertyAt(path, label, { required: true, ...type.property, ...look }),
		read: (item) => readAs(item, item.parameter(path), type, label),
	};
}

/**
 * The field for workflows, and the field for tools of agents. n8n lets the model fill in the latter, so that a tool works when
 * it is connected.
 */
export function writtenByModel(
	{ property }: PanelProperty,
	type: 'string' | 'json' = 'string',
): PanelProperty[] {
	const { displayName, description = '', displayOptions } = property;
	const words = description.replaceAll('`', "'");
	const shownIn = (isTool: boolean) => ({
		displayOptions: { show: { ...displayOptions?.show, '@tool': [isTool] } },
	});

	return [
		{ property: { ...property, ...shownIn(false) } },
		{
			property: {
				...property,
				...shownIn(true),
				// n8n 2.41 shows its own mark for an expression of exactly this form.
				default: `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${displayName.replaceAll(' ', '_')}', \`${words}\`, '${type}') }}`,
			},
		},
	];
}

/** The ID of something that the service has, often in a path. `advice` says what to do if it is empty. */
export function idField(
	path: string,
	label: string,
	look: FieldLook,
	advice?: string,
): Field<string> {
	return {
		...propertyAt(path, label, { required: true, ...look }),
		read: (item) => readId(item, path, label, advice),
	};
}

/** An ID that the service has made: spaces around it, as a copied one may have, are not part of it. */
export function serviceIdField(...given: Parameters<typeof idField>): Field<string> {
	const field = idField(...given);
	return { ...field, read: (item) => field.read(item).trim() };
}

/** A toggle. It is off, unless `look` says otherwise. In Options, it is off until it is added, and on when it is. */
export function toggleField(
	path: string,
	label: string,
	look: FieldLook,
): Field<boolean> {
	const shown = { default: isOption(path), ...look };
	const absent = look.default === true;
	return withDefault(optionalField(path, label, boolean, shown), absent);
}

type Choices<Word extends string> = Record<Word, [name: string, description?: string]>;

/** One of several values, each with its name and description. */
export function choice<Word extends string>(choices: Choices<Word>): ValueType<Word> {
	const words = Object.keys(choices) as Word[];
	const options = words.map((value) => {
		const [name, description] = choices[value];
		return { name, value, ...(description && { description }) };
	});
	return {
		...oneOf(...words),
		property: { type: 'options', default: words[0], options },
	};
}

export type ChoiceLook<Word extends string> = FieldLook & {
	choices: Choices<Word>;
	/** If absent, the first choice. */
	default?: NoInfer<Word>;
};

/** A choice that reads its default if nothing is chosen. */
export function choiceField<Word extends string>(
	path: string,
	label: string,
	{ choices, ...look }: ChoiceLook<Word>,
): Field<Word> {
	const field = optionalField(path, label, choice(choices), look);
	return withDefault(field, field.property.default as Word);
}

/** The values of all fields that have one, under the names of the fields. */
export function readFilledFields(item: InputItem, fields: Field[]): IDataObject {
	const values = fields.map(({ property, read }) => [property.name, read(item)]);
	return Object.fromEntries(
		values.filter(([, value]) => value !== undefined),
	) as IDataObject;
}

/** Throws if the value is of another type. */
export function readAs<Value>(
	item: Pick<InputItem, 'error'>,
	value: unknown,
	type: ValueType<Value>,
	label: string,
): Value {
	const read = type.read(value);
	if (read !== undefined) return read;

	if (type.isText && isBlank(value) && !Array.isArray(value)) {
		const advice = `Enter the ${inSentence(label)}, or check the expression: it returned nothing for this item.`;
		throw item.error(`${label} is empty`, type.rule ?? advice);
	}
	throw item.error(
		`${label} is not ${type.expected}`,
		`It is ${describeValue(value)}. ${type.rule ?? ''}`.trim(),
	);
}

/** A label such as "IP Limit Message" as words of a sentence: "IP limit message". */
function inSentence(label: string): string {
	const words = label.split(' ');
	const isAcronym = (word: string) => word === word.toUpperCase();
	return words.map((word) => (isAcronym(word) ? word : word.toLowerCase())).join(' ');
}

/** Undefined for a field that was not added or has no value. */
export function readOptional<Value>(
	item: InputItem,
	value: unknown,
	type: ValueType<Value>,
	label: string,
): Value | undefined {
	if (!hasValue(item, value)) return undefined;
	return readAs(item, value, type, label);
}

/** Whether a field that was added has a value. A model fills in every field of a tool, so empty text from it is none. */
export function hasValue(item: InputItem, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	return !item.isTool || !isBlank(value);
}

/** Reads an ID that becomes part of a path. `advice` says what to do if it is empty. */
function readId(
	item: InputItem,
	path: string,
	label: string,
	advice = 'Choose one From List or enter its ID.',
): string {
	const value = item.parameter(path);
	if (isBlank(value)) throw emptyId(item, path, { label, advice });

	const id = readAs(item, value, { ...text, rule: 'Enter a single ID.' }, label);
	assertPathSegment(item, id, label);
	return id;
}

function emptyId(
	item: InputItem,
	path: string,
	{ label, advice }: { label: string; advice: string },
): Failure {
	const title = `${label} is empty` as const;
	// A model sees no panel, but it can ask the user.
	if (item.isTool) {
		return item.error(title, 'This parameter needs an ID. Ask the user for it.');
	}
	if (!hasExpression(item.rawParameter(path))) return item.error(title, advice);

	const fact = `The expression in ${label} returned nothing for this item.`;
	return item.error(title, `${fact} ${advice}`);
}

function assertPathSegment(item: InputItem, id: string, label: string): void {
	if (isPathSegment(id)) return;
	const { title, nextStep } = invalidId(id, label);
	throw item.error(title, nextStep);
}

/** The texts for an ID that can't be part of a path. */
export function invalidId(
	id: string,
	label: string,
): { title: OwnTitle; nextStep: string } {
	const nextStep = /\p{Surrogate}/u.test(id)
		? 'It ends or starts with half a character, such as an emoji that was cut in two.'
		: 'An ID can\'t be empty, "." or "..", even with spaces around it or encoded, such as "%2e".';
	return { title: `${label} is not valid`, nextStep };
}

/** Reads JSON from a field that accepts text and, from an expression, data; undefined if the field is empty. */
export function readJson(item: InputItem, value: unknown, label: string): unknown {
	if (typeof value !== 'string') {
		if (isJson(value)) return value;
		throw item.error(
			`${label} has a value that JSON can't hold`,
			'A number or date in it is invalid, such as the result of a division by zero. It would be sent as null.',
		);
	}
	if (value.trim() === '') return undefined;

	try {
		return jsonParse<unknown>(value);
	} catch {
		throw item.error(
			`${label} is not valid JSON`,
			'Check quotes, commas and brackets. Put names and text in double quotes.',
		);
	}
}

/** Like `readJson`, for fields that need a JSON object. An empty field means an empty object. */
export function readJsonObject(
	item: InputItem,
	value: unknown,
	label: string,
): IDataObject {
	const parsed = readJson(item, value, label) ?? {};
	if (isObject(parsed)) return parsed;
	throw item.error(
		`${label} is not a JSON object`,
		`It is ${describeValue(parsed)}. Start with { and end with }.`,
	);
}
