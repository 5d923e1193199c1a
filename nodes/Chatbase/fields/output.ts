import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isObject } from '../values/object';
import { shownInTool } from './define';
import { commaSeparated, readBoolean, readChoice, readOptional } from './values';

export type Output = (record: IDataObject) => IDataObject;

/** For an operation with `simplifyField` and `toolOutputFields`. `simplified` starts with the most useful field. */
export function readOutput(item: InputItem, simplified: string[]): Output {
	if (item.isTool) return readToolOutput(item, simplified);
	return readBoolean(item, 'simplify', 'Simplify', true) ? simplifying(simplified) : whole;
}

/** For an operation with `toolOutputFields` alone: a workflow gets whole records. */
export function readToolOutput(item: InputItem, simplified: string[]): Output {
	if (!item.isTool) return whole;
	const choice = readToolChoice(item);
	if (choice === 'raw') return whole;
	if (choice === 'simplified') return simplifying(simplified);
	const names = readOptional(item, 'outputFields', commaSeparated, 'Fields') ?? [];
	return (record) => pick(record, ['id', ...names]);
}

export function readToolChoice(item: InputItem) {
	return readChoice(item, 'output', 'Output', ['simplified', 'raw', 'selectedFields']);
}

const whole: Output = (record) => record;

function simplifying(names: string[]): Output {
	return (record) => flatten(pick(record, names));
}

function pick(record: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(
		names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
	);
}

/** Replaces an object by its values, under names that start with the name of the object. */
function flatten(record: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(record).flatMap(([name, value]) =>
			isObject(value)
				? Object.entries(value).map(([inner, part]) => [`${name}_${inner}`, part])
				: [[name, value]],
		),
	);
}

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	...shownInTool(false),
};

/** @param what one of the records, as in "each chatbot" */
export function toolOutputFields(
	what: string,
	simplified: string,
	placeholder: string,
): INodeProperties[] {
	return [
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			description: `How much of each ${what} to return. Smaller records leave the agent more context.`,
			...shownInTool(true),
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'The ID and the fields that you name',
				},
				{ name: 'Simplified', value: 'simplified', description: simplified },
			],
		},
		{
			displayName: 'Fields',
			name: 'outputFields',
			type: 'string',
			default: '',
			placeholder,
			description: 'Names of the fields to return, separated by commas. The ID is always included.',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
		},
	];
}
