import type { INodeProperties } from 'n8n-workflow';

import type { ShownFor } from '../../../fields/collections';
import { attributeLocator } from '../../../fields/locators';

/** The fields of Sync List beside the data of the contacts. */
export function syncFields(show: ShownFor): INodeProperties[] {
	return [
		{
			displayName:
				'The items are taken for the whole list. Contacts that this sync manages and that are not in it have left: they are only reported, unless you choose otherwise below. Try it with Dry Run under Options, which writes nothing and shows what would happen.',
			name: 'syncNotice',
			type: 'notice',
			default: '',
			displayOptions: { show },
		},
		{
			displayName: 'Managed Contacts',
			name: 'managedBy',
			type: 'options',
			default: 'attribute',
			description:
				'Which contacts this sync may take for having left; all others are never touched',
			displayOptions: { show },
			options: [
				{
					name: 'All With an External ID',
					value: 'all',
					description: 'Every contact of the chatbot that has an ID',
				},
				{
					name: 'Those It Has Marked Itself',
					value: 'attribute',
					description:
						'Every contact that it writes gets a mark in a custom attribute. The first run marks the contacts in the list, and nobody can have left yet.',
				},
				{
					name: 'Those Whose ID Begins With a Prefix',
					value: 'idPrefix',
					description: 'Such as crm- for crm-1001; each item must have such an ID',
				},
			],
		},
		{
			...attributeLocator(
				'Mark Attribute',
				'managedAttribute',
				'A custom attribute of the type text that this sync keeps its mark in. Several syncs can share it, each with a value of its own. If there is none, make one with Custom Attribute: Create.',
			),
			required: true,
			displayOptions: { show: { ...show, managedBy: ['attribute'] } },
		},
		{
			displayName: 'Mark Value',
			name: 'managedValue',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. crm',
			description:
				'The name of this sync. Contacts with another value belong to another sync and are left alone. Keep it: under a new name, the sync finds none of its contacts again.',
			displayOptions: { show: { ...show, managedBy: ['attribute'] } },
		},
		{
			displayName: 'ID Prefix',
			name: 'idPrefix',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. crm-',
			description: 'Contacts whose External ID begins so are managed; upper and lower case count',
			displayOptions: { show: { ...show, managedBy: ['idPrefix'] } },
		},
		{
			displayName:
				'People who sign in on your website become contacts of the chatbot by themselves, with an External ID. They are not in your list, so this sync takes them for having left.',
			name: 'allManagedNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { ...show, managedBy: ['all'] } },
		},
		{
			displayName: 'When a Contact Has Left the List',
			name: 'onLeft',
			type: 'options',
			default: 'report',
			description: 'What happens to a managed contact that is not among the items',
			displayOptions: { show },
			options: [
				{
					name: 'Delete It',
					value: 'delete',
					description:
						'Permanently. Its last record is in the output. Never more at once than the limits under Options allow.',
				},
				{
					name: 'Mark It With a Date',
					value: 'mark',
					description:
						'A custom attribute is set to the time once, and cleared when the contact comes back',
				},
				{ name: 'Only Report It', value: 'report', description: 'It is in the output as left' },
			],
		},
		{
			...attributeLocator(
				'Left Attribute',
				'leftAttribute',
				'A custom attribute of the type date that tells since when a contact is not in the list. If there is none, make one with Custom Attribute: Create.',
			),
			required: true,
			displayOptions: { show: { ...show, onLeft: ['mark'] } },
		},
		{
			displayName:
				'Contacts are deleted permanently, last of all, and only if every item was written. If more than 10 percent of the managed contacts (and more than 10 contacts), more than 500, or all of them have left at once, the node fails and nothing at all is written. Max Removals under Options changes that.',
			name: 'deleteLeaversNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { ...show, onLeft: ['delete'] } },
		},
	];
}

/** The options of Sync List beside those of the operations that write contacts. */
export const syncOptions: INodeProperties[] = [
	{
		displayName: 'Expected Items',
		name: 'expectedItems',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		placeholder: 'e.g. 1200',
		description:
			'How many different External IDs the input must have, such as the total that your CRM states. With any other number nothing is written.',
	},
	{
		displayName: 'If Too Many Have Left',
		name: 'onTooManyLeft',
		type: 'options',
		default: 'error',
		description: 'What to do when more contacts have left at once than the limits allow',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description: 'Nothing at all is written, and the node says how many have left',
			},
			{
				name: 'Keep Them',
				value: 'keep',
				description: 'The items are written and the others stay. Not when all would leave at once.',
			},
		],
	},
	{
		displayName: 'Max Removals',
		name: 'maxRemovals',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 500,
		description:
			'How many contacts one run may mark or delete. Once added, it takes the place of Max Removals Percent: set it to the number that a person has approved.',
	},
	{
		displayName: 'Max Removals Percent',
		name: 'maxRemovalsPercent',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 10,
		description:
			'How many percent of the managed contacts one run may mark or delete; up to 10 contacts always may. Without this option it is 10 percent, and 500 contacts at most.',
	},
];
