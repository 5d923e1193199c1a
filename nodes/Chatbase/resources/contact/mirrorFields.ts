import type { INodeProperties } from 'n8n-workflow';

import { notice } from '../../fields/define';
import { attributeLocator } from '../../fields/locators';

/** Fields for managed and missing contacts. */
export const ownershipFields: INodeProperties[] = [
	{
		displayName: 'Missing Contacts',
		name: 'onMissing',
		type: 'options',
		default: 'report',
		description: 'What happens to a managed contact that is not in the input',
		options: [
			{
				name: 'Delete',
				value: 'delete',
				description: 'Deletes the contact permanently. Its last record is in the output.',
			},
			{
				name: 'Mark With a Date',
				value: 'mark',
				description: 'Sets a date attribute once, and clears it if the contact returns',
			},
			{
				name: 'Report Only',
				value: 'report',
				description: 'Lists the contact in the output and changes nothing',
			},
		],
	},
	{
		displayName: 'Missing Since Attribute',
		name: 'missingSinceAttribute',
		description:
			'A date attribute that stores since when the contact is missing. The first run creates it if needed.',
		...attributeLocator('searchDateAttributes'),
		default: { mode: 'name', value: 'missing_since' },
		displayOptions: { show: { onMissing: ['mark'] } },
	},
	notice(
		'deleteMissingNotice',
		'Deletion is permanent and runs last, after every item was written. By default, the node fails and writes nothing if more than 10% (and 10) or 500 contacts are missing.',
		{ show: { onMissing: ['delete'] }, hide: { manage: ['all'] } },
	),
	{
		displayName: 'Contacts to Manage',
		name: 'manage',
		type: 'options',
		default: 'tag',
		description:
			'Which contacts to mark or delete if they are missing from the input. All others are left alone.',
		options: [
			{
				name: 'All With an External ID',
				value: 'all',
				description: 'Every contact of the chatbot that has an External ID',
			},
			{
				name: 'Tagged by This Mirror',
				value: 'tag',
				description: 'Contacts that this mirror has tagged. The first run only tags.',
			},
			{
				name: 'With an ID Prefix',
				value: 'idPrefix',
				description: 'Contacts whose External ID starts with a prefix, such as crm-',
			},
		],
	},
	{
		displayName: 'Tag',
		name: 'tagValue',
		type: 'string',
		default: '',
		placeholder: 'e.g. crm',
		description:
			"Name of this mirror. Don't change it later, or it no longer recognizes its contacts.",
		displayOptions: { show: { manage: ['tag'] } },
	},
	{
		displayName: 'Tag Attribute',
		name: 'tagAttribute',
		description:
			'A text attribute that holds nothing else. The mirror writes its tag there. The first run creates it if needed.',
		...attributeLocator('searchTextAttributes'),
		default: { mode: 'name', value: 'managed_by' },
		displayOptions: { show: { manage: ['tag'] } },
	},
	{
		displayName: 'ID Prefix',
		name: 'idPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. crm-',
		description: 'Start of the External IDs to manage (case-sensitive)',
		displayOptions: { show: { manage: ['idPrefix'] } },
	},
	notice(
		'allManagedNotice',
		"Visitors who sign in on your website also become contacts with an External ID. They aren't in your list, so they count as missing.",
		{ show: { manage: ['all'] }, hide: { onMissing: ['delete'] } },
	),
	notice(
		'deleteAllNotice',
		"Deletion is permanent. Visitors who sign in on your website also become contacts with an External ID. They aren't in your list, so they are deleted.",
		{ show: { manage: ['all'], onMissing: ['delete'] } },
	),
];
