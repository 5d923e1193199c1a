import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readSwitch } from '../../fields/kinds';
import type { InputItem } from '../../execution/inputItem';

/** The fields of a chatbot that most workflows need, the most useful first. */
const simplifiedFields = [
	'id',
	'name',
	'status',
	'visibility',
	'model',
	'instructions',
	'last_message_at',
	'last_trained_at',
	'created_at',
	'updated_at',
];

/**
 * Reads how much of each record becomes output.
 *
 * @returns a function that takes this much of a record
 */
export function readOutput(item: InputItem): (record: IDataObject) => IDataObject {
	const simplified = (record: IDataObject) => pick(record, simplifiedFields);
	const raw = (record: IDataObject) => record;
	if (!item.isTool) {
		const simplify = readSwitch(
			item,
			{ simplify: item.parameter('simplify') as boolean },
			'simplify',
			'Simplify',
			true,
		);
		return simplify ? simplified : raw;
	}
	switch (item.parameter('output')) {
		case 'raw':
			return raw;
		case 'selectedFields': {
			const names = String(item.parameter('outputFields')).split(',');
			return (record) => pick(record, ['id', ...names.map((name) => name.trim())]);
		}
		default:
			return simplified;
	}
}

function pick(record: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(
		names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]),
	);
}

/**
 * Lets the user choose between a few fields and all: in the panel by a switch, and for agents, whose
 * room is scarce, down to single fields.
 */
export function outputFields(operation: string[]): INodeProperties[] {
	const show = { resource: ['chatbot'], operation };
	return [
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
			displayOptions: { show: { ...show, '@tool': [false] } },
		},
		{
			displayName: 'Output',
			name: 'output',
			type: 'options',
			default: 'simplified',
			description: 'How much of each chatbot the agent reads',
			displayOptions: { show: { ...show, '@tool': [true] } },
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields that the service returns' },
				{
					name: 'Selected Fields',
					value: 'selectedFields',
					description: 'The ID and the fields you name',
				},
				{ name: 'Simplified', value: 'simplified', description: 'The ten most useful fields' },
			],
		},
		{
			displayName: 'Fields',
			name: 'outputFields',
			type: 'string',
			default: '',
			placeholder: 'e.g. name, status, temp',
			description: 'Names of the fields to return, separated by commas. The ID is always included.',
			displayOptions: { show: { ...show, '@tool': [true], output: ['selectedFields'] } },
		},
	];
}
