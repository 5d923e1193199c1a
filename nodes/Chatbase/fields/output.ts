import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isObject } from '../values/object';
import type { ShownFor } from './collections';
import { hasValue, oneOf, readAs, readBoolean } from './values';

/** Takes as much of a record as the user wants of it. */
export type Output = (record: IDataObject) => IDataObject;

/**
 * Reads how much of each record becomes output, where the panel has the fields `simplifyField` and `toolOutputFields`.
 *
 * @param item the item
 * @param simplified names of the fields that most workflows need, the most useful first
 * @throws NodeOperationError when an expression gives another choice
 */
export function readOutput(item: InputItem, simplified: string[]): Output {
	if (item.isTool) return readToolOutput(item, simplified);
	const given = { simplify: item.parameter('simplify') as boolean | undefined };
	return readBoolean(item, given, 'simplify', 'Simplify', true) ? simplifying(simplified) : whole;
}

/**
 * Reads how much of each record becomes output, where the panel has the `toolOutputFields` alone: a workflow gets
 * everything.
 *
 * @param item the item
 * @param simplified names of the fields that most agents need, the most useful first
 * @throws NodeOperationError when an expression gives another choice
 */
export function readToolOutput(item: InputItem, simplified: string[]): Output {
	if (!item.isTool) return whole;
	switch (readToolChoice(item)) {
		case 'raw':
			return whole;
		case 'selectedFields': {
			const names = item.parameter('outputFields');
			const selected = hasValue(item, names) ? String(names).split(',') : [];
			return (record) => pick(record, ['id', ...selected.map((name) => name.trim())]);
		}
		default:
			return simplifying(simplified);
	}
}

/** What the choice Output of a tool is set to. */
export function readToolChoice(item: InputItem) {
	const choice = item.parameter('output') ?? 'simplified';
	return readAs(item, choice, oneOf('simplified', 'raw', 'selectedFields'), 'Output');
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

/** Puts the values of an object in its place, under names that begin with its own. */
function flatten(record: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(record).flatMap(([name, value]) =>
			isObject(value)
				? Object.entries(value).map(([inner, part]) => [`${name}_${inner}`, part])
				: [[name, value]],
		),
	);
}

/** Lets the user of a workflow choose between a few fields and all. */
export function simplifyField(show: ShownFor): INodeProperties {
	return {
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { show: { ...show, '@tool': [false] } },
	};
}

/**
 * Lets the user of a tool choose what the agent reads, whose room is scarce.
 *
 * @param show the operations that have the fields
 * @param what one of the records, as in "each chatbot"
 * @param simplified what the few fields are
 * @param placeholder example for the names of fields
 */
export function toolOutputFields(
	show: ShownFor,
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
			description: `How much of each ${what} the agent reads. The less it is, the more ${what}s the agent can take in.`,
			displayOptions: { show: { ...show, '@tool': [true] } },
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'The ID and the fields you name',
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
			displayOptions: { show: { ...show, '@tool': [true], output: ['selectedFields'] } },
		},
	];
}
