import type { INodeProperties } from 'n8n-workflow';

import type { ShownFor } from '../../../fields/collections';
import { additionalFieldsField } from '../../../fields/collections';
import { maxConcurrencyOption } from '../../../fields/paging';

/** What to do about a contact that does not exist. */
export function notFoundOption(markDescription: string): INodeProperties {
	return {
		displayName: 'If Not Found',
		name: 'onNotFound',
		type: 'options',
		default: 'error',
		description: 'What to do when the chatbot has no contact with this External ID',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description: 'The item fails; On Error in the settings decides what follows',
			},
			{ name: 'Mark', value: 'mark', description: markDescription },
		],
	};
}

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
	displayName: 'If Fields Are Not Kept',
	name: 'onDroppedFields',
	type: 'options',
	default: 'warn',
	description:
		'What to do when the contact that comes back lacks a value that was sent, such as a misspelt custom attribute',
	options: [
		{ name: 'Fail', value: 'error', description: 'The item fails and names the fields' },
		{ name: 'Ignore', value: 'ignore', description: 'Nothing is said about it' },
		{ name: 'Warn', value: 'warn', description: 'The output names the fields in _sync.dropped' },
	],
};

const attributesModeOption: INodeProperties = {
	displayName: 'Custom Attributes Mode',
	name: 'customAttributesMode',
	type: 'options',
	default: 'merge',
	description: 'What happens to custom attributes that are not mentioned',
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

const onCanvas = { show: { '@tool': [false] } };

/** Options on what comes out of a run and how it ends. An agent writes one contact at a time and has no use for them. */
export const outcomeOptions: INodeProperties[] = [
	{
		displayName: 'Do Not Overwrite Names or IDs',
		name: 'keepExisting',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getClearableFields',
			loadOptionsDependsOn: ['chatbotId.value'],
		},
		default: [],
		description:
			'Fields that are only written where the contact has no value; what differs is named in _sync.kept. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
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
					'What was created, updated or failed, or lacks fields that the service did not keep',
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

/** The mapper for the data of a contact. n8n demands required fields in the mode `add` only. */
function contactMapper(mode: 'add' | 'map', show: ShownFor): INodeProperties {
	return {
		displayName: 'Contact Fields',
		name: 'contactFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			'Data of the contact. Add a custom attribute from the list below the fields to set it.',
		typeOptions: {
			loadOptionsDependsOn: ['chatbotId.value'],
			resourceMapper: {
				resourceMapperMethod: 'mapContactFields',
				mode,
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				valuesLabel: 'Contact Fields',
				multiKeyMatch: false,
				supportAutoMap: true,
				hideNoDataError: true,
			},
		},
		displayOptions: { show },
	};
}

const clearFieldsField: INodeProperties = {
	displayName: 'Clear Field Names or IDs',
	name: 'clearFields',
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: 'getClearableFields',
		loadOptionsDependsOn: ['chatbotId.value'],
	},
	default: [],
	description:
		'Fields whose value is removed from the contact. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/**
 * Data of a contact that the mapper does not offer.
 *
 * @param exists whether the contact may exist, so that there may be something to clear
 */
function additionalContactFields(show: ShownFor, exists: boolean): INodeProperties {
	return additionalFieldsField(show, [
		...(exists ? [clearFieldsField] : []),
		{
			displayName: 'Custom Attributes JSON',
			name: 'customAttributesJson',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "plan": "pro", "seats": 5 }',
			description:
				'Custom attributes by name, sent as they are. Wins over the same attribute in Contact Fields.',
		},
		{
			displayName: 'Extra Fields JSON',
			name: 'extraFieldsJson',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "stripe_accounts": [] }',
			description:
				'Fields that the service knows beyond those offered here, merged into the contact as they are',
		},
		{
			displayName: 'Payment Accounts',
			name: 'paymentAccounts',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Account',
			default: {},
			description: 'Accounts of the contact with a payment provider; replaces those it has',
			options: [
				{
					displayName: 'Accounts',
					name: 'accounts',
					values: [
						{
							displayName: 'Label',
							name: 'label',
							type: 'string',
							default: '',
							placeholder: 'e.g. Main account',
							description: 'Name to tell the accounts apart',
						},
						{
							displayName: 'Payment Email',
							name: 'paymentEmail',
							type: 'string',
							default: '',
							placeholder: 'e.g. billing@example.com',
							description: 'E-mail address the payment provider knows',
						},
						{
							displayName: 'Payment ID',
							name: 'paymentId',
							type: 'string',
							default: '',
							placeholder: 'e.g. cus_1001',
							description: 'ID that the payment provider has given the customer',
						},
					],
				},
			],
		},
	]);
}

const matchByField: INodeProperties = {
	displayName: 'Match Contacts By',
	name: 'matchBy',
	type: 'options',
	default: 'externalId',
	description:
		'How an item finds its contact. An item without External ID is found by its Email in any case.',
	displayOptions: { show: { resource: ['contact'], operation: ['sync', 'upsert'] } },
	options: [
		{
			name: 'External ID',
			value: 'externalId',
			description: 'A contact with another ID is another person, also where the Email is the same',
		},
		{
			name: 'External ID, Then Email',
			value: 'externalIdThenEmail',
			description:
				'Where nobody has the ID, the contact with the same Email is taken, and gets the ID. The whole contact list is read for that.',
		},
	],
};

/** The mapper and Additional Fields, of the operations that write the data of contacts. */
export const contactDataFields: INodeProperties[] = [
	matchByField,
	contactMapper('map', { resource: ['contact'], operation: ['sync', 'update', 'upsert'] }),
	contactMapper('add', { resource: ['contact'], operation: ['create'] }),
	additionalContactFields({ resource: ['contact'], operation: ['create'] }, false),
	additionalContactFields({ resource: ['contact'], operation: ['sync', 'update', 'upsert'] }, true),
];
