import type { INodeProperties } from 'n8n-workflow';

import { maxConcurrencyOption } from '../../../fields/paging';

/** Shows what would happen instead of doing it. */
export function dryRunOption(description: string): INodeProperties {
	return { displayName: 'Dry Run', name: 'dryRun', type: 'boolean', default: false, description };
}

const emptyValuesOption: INodeProperties = {
	displayName: 'Empty Values',
	name: 'emptyValues',
	type: 'options',
	default: 'ignore',
	description: 'What to do with a mapped field that is empty, null or missing in the input',
	options: [
		{ name: 'Ignore', value: 'ignore', description: 'The contact keeps the value it has' },
		{ name: 'Clear', value: 'clear', description: 'The value of the contact is removed' },
	],
};

const droppedFieldsOption: INodeProperties = {
	displayName: 'If Fields Are Dropped',
	name: 'onDroppedFields',
	type: 'options',
	default: 'warn',
	description:
		'What to do when the service drops a value that was sent, as it does with a misspelt custom attribute: the contact comes back without it',
	options: [
		{ name: 'Fail', value: 'error', description: 'The item fails and names the fields' },
		{ name: 'Ignore', value: 'ignore', description: 'The output does not name them' },
		{ name: 'Warn', value: 'warn', description: 'The output names the fields in _sync.dropped' },
	],
};

const attributesModeOption: INodeProperties = {
	displayName: 'Custom Attributes Mode',
	name: 'customAttributesMode',
	type: 'options',
	default: 'merge',
	description: 'What happens to custom attributes of the contact that an item does not mention',
	options: [
		{ name: 'Merge', value: 'merge', description: 'They keep their values' },
		{ name: 'Replace', value: 'replace', description: 'They are cleared, except archived ones' },
	],
};

/** Options of the operations that change contacts. */
export const writeOptions: INodeProperties[] = [
	attributesModeOption,
	dryRunOption('Whether to show in the output what would change without writing anything'),
	emptyValuesOption,
	droppedFieldsOption,
	maxConcurrencyOption,
];
