import type { INodeParameters, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { hasExpression, resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import { readAs, readJsonObject, text } from '../../fields/values';
import { isObject } from '../../values/object';
import { isBlank } from '../../values/scalar';
import { type Values, variableLabel } from './templates';

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

/** The ID of a field in the mapper. */
export function variableId({ component, key }: { component: string; key: string }): string {
	return `${component}.${key}`;
}

/** The values as text, each checked by the rules of WhatsApp (reference of version 2, 14.2). */
export function readVariables(item: InputItem): Values {
	const json = item.parameter('options.variablesJson');
	const given = isBlank(json) ? readMapped(item) : readVariablesJson(item, json);
	const values: Values = {};
	for (const [component, key, value] of given) {
		const label = variableLabel({ component, key });
		const read = isBlank(value) ? '' : readAs(item, value, text, label);
		const fault = faultOf(read);
		if (fault) {
			throw item.error(
				`${label} ${fault}`,
				'WhatsApp takes no empty value, no line break, no tab, and no more than four spaces in a row.',
			);
		}
		(values[component] ??= {})[key] = read;
	}
	return values;
}

type Given = Array<[component: string, key: string, value: unknown]>;

function readMapped(item: InputItem): Given {
	if (hasExpression(item.rawParameter('template'))) {
		throw item.error(
			'Variables JSON is empty',
			'Template is an expression, so the fields in Template Variables may belong to another template. Add Variables JSON under Options; {} if the template has none.',
		);
	}
	const mapper = (item.rawParameter('templateVariables') ?? {}) as {
		value?: INodeParameters | null;
		schema?: ResourceMapperField[];
	};
	const stored = mapper.value ?? {};
	const ids = new Set([...(mapper.schema ?? []).map(({ id }) => id), ...Object.keys(stored)]);
	return [...ids].map((id) => {
		const [component, ...key] = id.split('.');
		return [component, key.join('.'), resolveValue(item, stored[id])];
	});
}

function readVariablesJson(item: InputItem, json: unknown): Given {
	const components = Object.entries(readJsonObject(item, json, 'Variables JSON'));
	return components.flatMap(([component, keys]) => {
		if (isObject(keys)) {
			return Object.entries(keys).map(([key, value]): Given[number] => [component, key, value]);
		}
		throw item.error(
			'Variables JSON has another form',
			`"${component}" must be an object of variables, as in {"body": {"1": "Jane"}}.`,
		);
	});
}

function faultOf(value: string): string | undefined {
	if (value.trim() === '') return 'is empty';
	if (/[\r\n]/.test(value)) return 'contains a line break';
	if (value.includes('\t')) return 'contains a tab';
	return / {5}/.test(value) ? 'contains more than four spaces in a row' : undefined;
}
