import type { INodeProperties } from 'n8n-workflow';

import { attributeLocator } from '../Chatbase/fields/locators';
import { pageSizeOption } from '../Chatbase/fields/paging';
import { sourceFields } from '../Chatbase/fields/sources';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/requests/paths';
import { contactEvents, updateEvents } from './events';

/** What to know before choosing how often to poll. */
export const noticeFields: INodeProperties[] = [
	{
		displayName:
			'Each time, the trigger reads the whole contact list: one request for each 1,000 contacts. If the list is long, choose Poll Times that are further apart.',
		name: 'contactsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: contactEvents } },
	},
	{
		displayName:
			'A workflow that changes contacts of the same chatbot would start itself again. Let it write with the Chatbase node and the operation Create or Update, which leaves alone what is the same already, or let it stop at contacts that it has marked before.',
		name: 'loopNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: updateEvents } },
	},
	{
		displayName:
			'Each time, the trigger reads the conversations of the last days: one request for each 100 of them, and one more.',
		name: 'conversationsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: ['conversationStarted'] } },
	},
	{
		displayName:
			'Each time, the trigger reads the leads of the last days: one request for each 100 of them, and one more. To get leads at once, use a Webhook node instead, and enter its address in the dashboard of Chatbase (Settings, Webhooks, Leads Submitted).',
		name: 'leadsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: ['leadCreated'] } },
	},
];

/** What is reported, as far as the records tell. */
export const filterFields: INodeProperties[] = [
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		description: 'Only start the workflow for what fits, as it is when the trigger finds it',
		options: [
			{
				displayName: 'Custom Attributes',
				name: 'customAttributes',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Condition',
				default: {},
				description: 'Only contacts that have all of these values',
				displayOptions: { show: { '/event': contactEvents } },
				options: [
					{
						displayName: 'Condition',
						name: 'conditions',
						values: [
							attributeLocator('Attribute', 'attribute', 'The custom attribute to look at'),
							{
								displayName: 'Equals',
								name: 'value',
								type: 'string',
								default: '',
								placeholder: 'e.g. pro',
								description:
									'The value that the contact must have, such as pro, 5 or true. Leave it empty for contacts without a value.',
							},
						],
					},
				],
			},
			{
				displayName: 'Has Email',
				name: 'hasEmail',
				type: 'options',
				default: true,
				description: 'Who starts the workflow; without this filter, those with and without',
				options: [
					{ name: 'Only Those With an E-Mail Address', value: true },
					{ name: 'Only Those Without', value: false },
				],
				displayOptions: { show: { '/event': [...contactEvents, 'leadCreated'] } },
			},
			...sourceFields.map((field) => ({
				...field,
				displayOptions: { show: { '/event': ['conversationStarted'] } },
			})),
		],
	},
];

/** Where to begin, and how to read. */
export const optionFields: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				...pageSizeOption(
					'Contacts',
					minPageSize,
					maxPageSize,
					maxPageSize,
					'Lower it if the service does not answer in time',
				),
				displayOptions: { show: { '/event': contactEvents } },
			},
			{
				displayName: 'Report Changes Since',
				name: 'since',
				type: 'dateTime',
				default: '',
				placeholder: 'e.g. 2026-07-01T08:30:00',
				description:
					'Also start for what has changed since this time in the past, in the time zone of the workflow. Without this option the trigger starts only for what changes after the workflow was activated. Once it runs, it goes on where it stopped.',
			},
		],
	},
];
