import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeProperties,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { hasExpression } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import {
	optionalField,
	type PanelProperty,
	readAs,
	readJsonObject,
} from '../../panel/field';
import { chosenChatbot, panelClient } from '../../panel/locators';
import { describeValue, text } from '../../panel/types';
import { isBlank, isObject, ownValue } from '../../values/json';
import { groupBy } from '../../values/list';
import { capitalize } from '../../values/text';
import {
	isPartial,
	matchesOf,
	readTemplateChoice,
	readTemplates,
	type Template,
} from './templates';

/** The value of each variable, by its ID, such as `body.1`. */
export type VariableValues = Record<string, string>;

/** The component of a variable, such as `body`, and its key there, such as `1` or `first_name`. */
function partsOf(id: string): { component: string; key: string } {
	const [component = '', ...key] = id.split('.');
	return { component, key: key.join('.') };
}

/** Such as `Body 1`. */
export function variableName(id: string): string {
	const { component, key } = partsOf(id);
	return `${capitalize(component)} ${key}`;
}

/** Header, body and footer as people read them. Variables without a value stay as they are. */
export function messageText({ texts }: Template, values: VariableValues = {}): string {
	const filled = [...texts].map(([component, text]) =>
		fill(text, (key) => ownValue(values, `${component}.${key}`)),
	);
	return filled.join('\n');
}

/** Fills in the variables of a text, each as `{{ key }}`. */
function fill(text: string, valueOf: (key: string) => string | undefined): string {
	return text.replace(
		/\{\{([^{}]*)\}\}/g,
		(variable, key: string) => valueOf(key.trim()) ?? variable,
	);
}

/** Values are checked when the node runs. n8n would also require them if the values come from the JSON field. */
const alwaysShown = {
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
};

/** One field for each variable of the chosen template; none for an expression, whose template is not known yet. */
async function mapTemplateVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const chosen = text.read(
		this.getCurrentNodeParameter('template', { extractValue: true }),
	);
	if (chatbotId === undefined || !chosen || chosen.startsWith('=')) return { fields: [] };

	const language = text.read(this.getCurrentNodeParameter('options.language'));
	const { templates, isComplete } = await readTemplates(
		await panelClient(this),
		chatbotId,
	);
	const [template] = matchesOf(templates, readTemplateChoice(chosen, language));
	if (!template) {
		const reason = isComplete ? '' : ` ${isPartial}`;
		const emptyFieldsNotice = `The template was not found.${reason} Choose one From List.`;
		return { fields: [], emptyFieldsNotice };
	}

	const { variables = [] } = template;
	const fields = variables.map((id) => ({
		...alwaysShown,
		id,
		displayName: variableName(id),
		type: 'string' as const,
	}));
	return { fields, emptyFieldsNotice: 'This template has no variables.' };
}

/** A field of the mapper has an ID such as `body.1`. */
const variablesProperty: INodeProperties = {
	displayName: 'Template Variables',
	name: 'templateVariables',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'The values of the variables in the template. Each one is needed.',
	typeOptions: {
		loadOptionsDependsOn: ['chatbotId.value', 'template.value', 'options.language'],
		resourceMapper: {
			resourceMapperMethod: 'mapTemplateVariables',
			mode: 'add',
			fieldWords: { singular: 'variable', plural: 'variables' },
			addAllFields: true,
			valuesLabel: 'Template Variables',
			supportAutoMap: false,
		},
	},
};

export const variablesField: PanelProperty = {
	property: variablesProperty,
	methods: { resourceMapping: { mapTemplateVariables } },
};

export const variablesJson = optionalField(
	'options.variablesJson',
	'Variables JSON',
	text,
	{
		type: 'json',
		placeholder: 'e.g. {"body": {"1": "Jane"}}',
		description:
			'Replaces Template Variables. Needed if Template is an expression, since the panel does not know its variables then.',
	},
);

/** Forms that a value must not have (reference of version 2). */
const faults = [
	[/^\s*$/, 'is empty'],
	[/[\r\n\u2028\u2029]/, 'contains a line break'],
	[/\t/, 'contains a tab'],
	[/ {5}/, 'contains more than four spaces in a row'],
] as const;

/** The values as text, each checked by the rules of WhatsApp. Throws for the first that breaks one. */
export function readVariables(item: InputItem): VariableValues {
	const given = readGiven(item);
	const values = Object.entries(given).map(([id, value]) => [
		id,
		readValue(item, id, value),
	]);

	return Object.fromEntries(values) as VariableValues;
}

function readGiven(item: InputItem): IDataObject {
	const json = item.option('variablesJson');
	if (!isBlank(json)) return readFromJson(item, json);

	// Template Variables may have other values, such as an example. A message with them can't be taken back.
	if (hasExpression(item.rawParameter('options.variablesJson'))) {
		const nextStep =
			'Its expression has no value for this item. It must give the variables, {} if the template has none.';
		throw item.error('Variables JSON has no value', nextStep);
	}

	return readMapped(item);
}

function readValue(item: InputItem, id: string, value: unknown): string {
	const name = variableName(id);
	const read = isBlank(value) ? '' : readAs(item, value, text, name);
	const [, fault] = faults.find(([pattern]) => pattern.test(read)) ?? [];
	if (!fault) return read;

	const rule =
		'no empty value, no line break, no tab, and no more than four spaces in a row';
	throw item.error(`${name} ${fault}`, `WhatsApp takes ${rule}.`);
}

function readFromJson(item: InputItem, json: unknown): IDataObject {
	const components = Object.entries(readJsonObject(item, json, 'Variables JSON'));
	const values = components.flatMap(([component, held]) =>
		Object.entries(readComponent(item, component, held)).map(([key, value]) => [
			`${component}.${key}`,
			value,
		]),
	);

	return Object.fromEntries(values) as IDataObject;
}

/** The variables of one component. An empty value stands for none. */
function readComponent(item: InputItem, component: string, held: unknown): IDataObject {
	if (isBlank(held)) return {};
	if (isObject(held)) return held;

	throw item.error(
		`Variables JSON: ${component} is not a JSON object`,
		`It is ${describeValue(held)}. Give each variable a value by its name, such as {"body": {"1": "Jane"}}.`,
	);
}

/** The values of the mapper. One that was not filled in counts as empty. */
function readMapped(item: InputItem): IDataObject {
	if (hasExpression(item.rawParameter('template'))) {
		const nextStep =
			'Template is an expression, so the fields in Template Variables may belong to another template. Add Variables JSON under Options; {} if the template has none.';
		throw item.error('Variables JSON is empty', nextStep);
	}

	const { value, schema } = item.collection('templateVariables');
	const fields = (schema ?? []) as ResourceMapperField[];
	const empty = Object.fromEntries(fields.map(({ id }) => [id, '']));
	return { ...empty, ...(value as IDataObject) };
}

/** The values in the form that the service expects: by component, then by key. */
export function byComponent(values: VariableValues): IDataObject {
	const groups = groupBy(Object.keys(values), (id) => partsOf(id).component);
	const components = [...groups].map(([component, ids]) => [
		component,
		Object.fromEntries(ids.map((id) => [partsOf(id).key, values[id]])),
	]);

	return Object.fromEntries(components) as IDataObject;
}
