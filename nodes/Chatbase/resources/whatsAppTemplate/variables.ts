import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	ResourceMapperField,
} from 'n8n-workflow';

import { hasExpression, resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { readAs, readJsonObject, text } from '../../fields/values';
import { isObject } from '../../values/object';
import { isBlank } from '../../values/scalar';
import { type Values, variableLabel } from './templates';

/** A field of the mapper has an ID such as `body.1`. */
export const variablesField: INodeProperties = {
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
			multiKeyMatch: false,
			supportAutoMap: false,
		},
	},
};

export const variablesJsonOption: INodeProperties = {
	displayName: 'Variables JSON',
	name: 'variablesJson',
	type: 'json',
	default: '',
	placeholder: 'e.g. {"body": {"1": "Jane"}}',
	description:
		'Replaces Template Variables. Needed if Template is an expression, since its variables are not known before.',
};

/** What a value must not be (reference of version 2, 14.2). */
const faults: Array<[RegExp, string]> = [
	[/^\s*$/, 'is empty'],
	[/[\r\n]/, 'contains a line break'],
	[/\t/, 'contains a tab'],
	[/ {5}/, 'contains more than four spaces in a row'],
];

/** The values as text, each checked by the rules of WhatsApp. */
export function readVariables(item: InputItem): Values {
	const json = item.parameter('options.variablesJson');
	const given = isBlank(json) ? readMapped(item) : readJsonObject(item, json, 'Variables JSON');
	const values: Values = {};
	for (const [component, keys] of Object.entries(given)) {
		if (!isObject(keys)) {
			throw item.error(
				'Variables JSON has another form',
				`"${component}" must be an object of variables, as in {"body": {"1": "Jane"}}.`,
			);
		}
		for (const [key, value] of Object.entries(keys)) {
			const label = variableLabel(component, key);
			const read = isBlank(value) ? '' : readAs(item, value, text, label);
			const [, fault] = faults.find(([pattern]) => pattern.test(read)) ?? [];
			if (fault) {
				throw item.error(
					`${label} ${fault}`,
					'WhatsApp takes no empty value, no line break, no tab, and no more than four spaces in a row.',
				);
			}
			(values[component] ??= {})[key] = read;
		}
	}
	return values;
}

/** The values of the mapper. One that was not filled in counts as empty. */
function readMapped(item: InputItem): Record<string, IDataObject> {
	if (hasExpression(item.rawParameter('template'))) {
		throw item.error(
			'Variables JSON is empty',
			'Template is an expression, so the fields in Template Variables may belong to another template. Add Variables JSON under Options; {} if the template has none.',
		);
	}
	const { value, schema = [] } = (item.rawParameter('templateVariables') ?? {}) as {
		value?: INodeParameters | null;
		schema?: ResourceMapperField[];
	};
	const stored = { ...Object.fromEntries(schema.map(({ id }) => [id, ''])), ...value };
	const mapped: Record<string, IDataObject> = {};
	for (const [id, value] of Object.entries(resolveValue(item, stored) as IDataObject)) {
		const [component, key] = id.split(/\.(.*)/s);
		(mapped[component] ??= {})[key] = value;
	}
	return mapped;
}
