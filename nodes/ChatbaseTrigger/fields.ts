import type { INodeProperties } from 'n8n-workflow';

import { attributeLocator } from '../Chatbase/fields/locators';
import { pageSizeOption } from '../Chatbase/fields/paging';
import { sourceFields } from '../Chatbase/fields/sources';
import { largestPage, smallestPage } from '../Chatbase/resources/contact/requests/paths';
import { contactEvents, updateEvents } from './events';

/** What to know before choosing how often to poll. */
export const noticeFields: INodeProperties[] = [
	{
		displayName:
			'The API has no webhooks for contacts, so every poll reads the whole contact list: one request for each 1,000 contacts. Poll a long list less often.',
		name: 'contactsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: contactEvents } },
	},
	{
		displayName:
			'A workflow that updates contacts of the same chatbot starts itself again. Write with the operation Create or Update, which leaves alone what is the same already, or stop at contacts that the workflow has marked before.',
		name: 'loopNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: updateEvents } },
	},
	{
		displayName:
			'The API has no webhooks for conversations, so every poll reads those of the last days: one request for each 100 conversations.',
		name: 'conversationsNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: ['conversationStarted'] } },
	},
	{
		displayName:
			'Every poll reads the leads of the last days: one or two requests for each 100 leads. To get leads at once, let the dashboard post them to a Webhook node (Settings, Webhooks, Leads Submitted).',
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
		description: 'A record is judged as it is when the poll finds it',
		options: [
			{
				displayName: 'Custom Attributes',
				name: 'customAttributes',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Condition',
				default: {},
				description: 'Values that a contact must have, all of them',
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
									'Numbers, true and false count as the text they are written with. Leave it empty for contacts without a value.',
							},
						],
					},
				],
			},
			{
				displayName: 'Has Email',
				name: 'hasEmail',
				type: 'boolean',
				default: true,
				description:
					'Whether to report only those with an e-mail address; if off, only those without. Without this filter both are reported.',
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
					smallestPage,
					largestPage,
					largestPage,
					'Lower it if pages take too long to arrive',
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
					'The first poll of this event reports what has changed since this time, in the time zone of the workflow. Without this option it reports nothing. Later polls go on where the last one stopped.',
			},
		],
	},
];
