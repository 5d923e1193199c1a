import type { INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { additionalFieldsField } from '../../fields/define';
import type { Shown } from '../../fields/field';
import { maxConcurrencyOption } from '../../fields/paging';
import { outcomeOptions } from '../../sync/outcome';
import type { Nouns } from '../../sync/summary';

export const contactNouns: Nouns = {
	one: 'contact',
	many: 'contacts',
	title: 'Contacts',
	ids: 'External IDs',
};

export const baseFields: ResourceMapperField[] = [
	{ id: 'external_id', displayName: 'External ID' },
	{ id: 'name', displayName: 'Name' },
	{ id: 'email', displayName: 'Email' },
	{ id: 'phonenumber', displayName: 'Phone Number' },
].map((field) => ({
	...field,
	type: 'string',
	required: false,
	defaultMatch: field.id === 'external_id',
	canBeUsedToMatch: field.id === 'external_id' || field.id === 'email',
	display: true,
}));

/** n8n 2.41 checks required fields in the mode `add` only. */
function contactMapper(mode: 'add' | 'map'): INodeProperties {
	return {
		displayName: 'Contact Fields',
		name: 'contactFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			'Data of the contact. To set a custom attribute, add it from the list below the fields.',
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
	};
}

export const createMapper = contactMapper('add');
export const updateMapper = contactMapper('map');

export const matchByField: INodeProperties = {
	displayName: 'Match Contacts By',
	name: 'matchBy',
	type: 'options',
	default: 'externalId',
	description:
		'How to find the contact of an item. An item without an External ID is matched by email.',
	options: [
		{
			name: 'External ID',
			value: 'externalId',
			description: 'Contacts with another External ID are different, even with the same email',
		},
		{
			name: 'External ID or Email',
			value: 'externalIdThenEmail',
			description:
				'Without a match by ID, updates the contact with the same email. Reads the full contact list.',
		},
	],
};

/** @param displayName ends with "Names or IDs" by n8n's guidelines */
function optionalFieldsChoice(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getOptionalFields',
			loadOptionsDependsOn: ['chatbotId.value'],
		},
		default: [],
		description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	};
}

const additionalFields: INodeProperties[] = [
	{
		displayName: 'Custom Attributes JSON',
		name: 'customAttributesJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "plan": "pro", "seats": 5 }',
		description:
			'Custom attributes by name, sent unchanged. Overrides the same attribute in Contact Fields.',
	},
	{
		displayName: 'Extra Fields JSON',
		name: 'extraFieldsJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "stripe_accounts": [] }',
		description: 'Further API fields, merged into the contact unchanged',
	},
	{
		displayName: 'Payment Accounts',
		name: 'paymentAccounts',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Account',
		default: {},
		description: 'Accounts of the contact at a payment provider. Replaces the existing ones.',
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
						description: 'Name of the account',
					},
					{
						displayName: 'Payment Email',
						name: 'paymentEmail',
						type: 'string',
						default: '',
						placeholder: 'e.g. billing@example.com',
						description: 'Email address at the payment provider',
					},
					{
						displayName: 'Payment ID',
						name: 'paymentId',
						type: 'string',
						default: '',
						placeholder: 'e.g. cus_1001',
						description: 'ID of the customer at the payment provider',
					},
				],
			},
		],
	},
];

const additionalFieldsDescription =
	'Payment accounts and JSON. Map names, emails and custom attributes in Contact Fields.';

/** A new contact has nothing to clear. */
export const createAdditionalFields = additionalFieldsField(
	additionalFields,
	additionalFieldsDescription,
);
export const updateAdditionalFields = additionalFieldsField(
	[
		optionalFieldsChoice(
			'Clear Field Names or IDs',
			'clearFields',
			'Fields to clear on the contact',
		),
		...additionalFields,
	],
	additionalFieldsDescription,
);

const setOnlyIfEmptyOption = optionalFieldsChoice(
	'Set Only If Empty: Field Names or IDs',
	'setOnlyIfEmpty',
	'Fields to write only if the contact has no value yet. Skipped differences are listed in _sync.kept',
);

export const writeOptions: Shown[] = [
	{
		displayName: 'Empty Values',
		name: 'emptyValues',
		type: 'options',
		default: 'ignore',
		description: 'What to do if a mapped field is empty, null or missing in the input',
		options: [
			{ name: 'Ignore', value: 'ignore', description: 'The contact keeps its value' },
			{ name: 'Clear', value: 'clear', description: 'Clears the value of the contact' },
		],
	},
	{
		displayName: 'If Fields Are Dropped',
		name: 'onDroppedFields',
		type: 'options',
		default: 'warn',
		description:
			'Chatbase accepts unknown custom attributes without saving them. Choose what happens then.',
		options: [
			{ name: 'Fail', value: 'error', description: 'The item fails and lists the fields' },
			{ name: 'Ignore', value: 'ignore', description: 'The output does not list the fields' },
			{ name: 'Warn', value: 'warn', description: 'The output lists the fields in _sync.dropped' },
		],
	},
	maxConcurrencyOption,
	{
		displayName: 'Unmapped Custom Attributes',
		name: 'customAttributesMode',
		type: 'options',
		default: 'merge',
		description: 'What happens to custom attributes that the item does not set',
		options: [
			{ name: 'Keep', value: 'merge', description: 'They keep their values' },
			{ name: 'Clear', value: 'replace', description: 'They are cleared, except archived ones' },
		],
	},
];

export const upsertOptions: Shown[] = [
	...writeOptions,
	...outcomeOptions(contactNouns),
	setOnlyIfEmptyOption,
];
