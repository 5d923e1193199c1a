import type { INodeProperties } from 'n8n-workflow';

import { optionalFieldsChoice } from './optionalFields';

const onCanvas = { show: { '@tool': [false] } };

/** Options on what comes out of a run and how it ends. An agent writes one contact at a time and has no use for them. */
export const outcomeOptions: INodeProperties[] = [
	optionalFieldsChoice(
		'Do Not Overwrite Field Names or IDs',
		'keepExisting',
		'Fields that are only written where the contact has no value; what differs is named in _sync.kept',
	),
	{
		displayName: 'If Items Fail',
		name: 'onFailedItems',
		type: 'options',
		default: 'stop',
		description: 'What happens to the other contacts when some cannot be written',
		displayOptions: onCanvas,
		options: [
			{
				name: 'Finish the Others, Then Fail',
				value: 'finish',
				description:
					'All that can be written is written; then the node fails once and says which were not',
			},
			{
				name: 'Stop',
				value: 'stop',
				description:
					'The first failure ends the run, unless On Error in the settings says otherwise',
			},
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'all',
		description: 'What the node passes on',
		displayOptions: onCanvas,
		options: [
			{ name: 'All Contacts', value: 'all', description: 'One item for each input item' },
			{
				name: 'Changes Only',
				value: 'changes',
				description:
					'What was created, updated or failed, and what has fields that the service dropped',
			},
			{
				name: 'Summary',
				value: 'summary',
				description: 'One item with the numbers: created, updated, unchanged, failed and so on',
			},
		],
	},
	{
		displayName: 'Tolerated Failures',
		name: 'toleratedFailures',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 0,
		description:
			'Percentage of contacts that may fail without failing the run. Works with If Items Fail: Finish the Others, Then Fail.',
		displayOptions: onCanvas,
	},
];
