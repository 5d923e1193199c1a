import type { INodeProperties } from 'n8n-workflow';

import { optionsField, updateFieldsField } from '../../fields/collections';
import { modelField } from '../../fields/models';
import { maxConcurrencyOption } from '../../fields/paging';
import { sendAs } from '../../fields/routing';

const show = { resource: ['chatbotSettings'], operation: ['update'] };

const updateFields = updateFieldsField(show, [
	{
		displayName: 'Domains',
		name: 'domains',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Domain' },
		default: '',
		placeholder: 'e.g. www.example.com',
		description:
			'Websites that may embed the chatbot. The list replaces the present one; delete all entries to empty it. It only takes effect with Only Allow on Added Domains.',
		routing: sendAs('domains'),
	},
	{
		displayName: 'Initial Messages',
		name: 'initialMessages',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Message' },
		default: '',
		placeholder: 'e.g. Hi! How can I help you?',
		description:
			'What the chatbot says before the visitor has written anything. The list replaces the present one.',
		routing: sendAs('initialMessages'),
	},
	{
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. You help customers of an online shop. Answer briefly and politely.',
		description: 'The system prompt: who the chatbot is and how it should behave',
		routing: sendAs('instructions'),
	},
	{
		displayName: 'IP Limit',
		name: 'ipLimit',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 20,
		description:
			'How many messages one IP address may send within the IP Limit Timeframe. Limit, timeframe and message belong together: 20 messages, 240 seconds, "Too many messages".',
		routing: sendAs('ipLimit'),
	},
	{
		displayName: 'IP Limit Message',
		name: 'ipLimitMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Too many messages. Please try again in a few minutes.',
		description:
			'What a visitor reads who has sent more messages than IP Limit allows within the IP Limit Timeframe',
		routing: sendAs('ipLimitMessage'),
	},
	{
		displayName: 'IP Limit Timeframe',
		name: 'ipLimitTimeframe',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 240,
		description:
			"Length of the period for which IP Limit counts messages, in seconds according to the vendor's guide. Example: 3600 with an IP Limit of 20 allows 20 messages an hour.",
		routing: sendAs('ipLimitTimeframe'),
	},
	{
		...modelField('searchSettingsModels', 'The AI model that the chatbot answers with from now on'),
		routing: sendAs('model'),
	},
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Support Bot',
		description: 'Name of the chatbot in the dashboard',
		routing: sendAs('name'),
	},
	{
		displayName: 'Only Allow on Added Domains',
		name: 'onlyAllowOnAddedDomains',
		type: 'boolean',
		default: false,
		description:
			'Whether only the websites in the list Domains may embed the chatbot, instead of any',
		routing: sendAs('onlyAllowOnAddedDomains'),
	},
	{
		displayName: 'Suggested Messages',
		name: 'suggestedMessages',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Message' },
		default: '',
		placeholder: 'e.g. Where is my parcel?',
		description:
			'Questions that a visitor can send with one click. The list replaces the present one.',
		routing: sendAs('suggestedMessages'),
	},
	{
		displayName: 'Temperature',
		name: 'temp',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0,
		description:
			'How freely the chatbot words its answers, from 0 (always alike) to 1 (most varied)',
		routing: sendAs('temp'),
	},
	{
		displayName: 'Visibility',
		name: 'visibility',
		type: 'options',
		default: 'private',
		description: 'Who can reach the chatbot',
		options: [
			{
				name: 'Private',
				value: 'private',
				description: 'Nobody outside your workspace can chat with it',
			},
			{
				name: 'Public',
				value: 'public',
				description: 'Anybody with the link can chat with it, and websites can embed it',
			},
		],
		routing: sendAs('visibility'),
	},
]);

const lockWithoutDomains: INodeProperties = {
	displayName:
		'Only Allow on Added Domains is on, but this update names no Domains: the chatbot will run only on those it has then. Without any it runs nowhere.',
	name: 'domainsNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		show: { ...show, '/updateFields.onlyAllowOnAddedDomains': [true] },
		hide: { '/updateFields.domains': [{ _cnd: { exists: true } }] },
	},
};

const styles: INodeProperties = {
	displayName: 'Styles',
	name: 'styles',
	type: 'collection',
	placeholder: 'Add Style',
	default: {},
	description: 'How the chat window looks on a website',
	displayOptions: { show },
	options: [
		{
			displayName: 'Align Chat Button',
			name: 'alignChatButton',
			type: 'options',
			default: 'right',
			description: 'Side of the page on which the chat button floats',
			options: [
				{ name: 'Left', value: 'left' },
				{ name: 'Right', value: 'right' },
			],
			routing: sendAs('styles.alignChatButton'),
		},
		{
			displayName: 'Auto Open Chat Window After',
			name: 'autoOpenChatWindowAfter',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 0 },
			default: 0,
			description:
				'Seconds after which the chat window opens by itself; 0 means that it stays closed',
			routing: sendAs('styles.autoOpenChatWindowAfter'),
		},
		{
			displayName: 'Button Color',
			name: 'buttonColor',
			type: 'color',
			default: '',
			placeholder: 'e.g. #1e90ff',
			description: 'Color of the chat button as a hex code',
			routing: sendAs('styles.buttonColor'),
		},
		{
			displayName: 'Display Name',
			name: 'displayName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Nora from Support',
			description: 'Name at the top of the chat window',
			routing: sendAs('styles.displayName'),
		},
		{
			displayName: 'Theme',
			name: 'theme',
			type: 'options',
			default: 'light',
			description: 'Background of the chat window',
			options: [
				{ name: 'Dark', value: 'dark' },
				{ name: 'Light', value: 'light' },
			],
			routing: sendAs('styles.theme'),
		},
		{
			displayName: 'User Message Color',
			name: 'userMessageColor',
			type: 'color',
			default: '',
			placeholder: 'e.g. #1e90ff',
			description: "Color of the visitor's messages as a hex code",
			routing: sendAs('styles.userMessageColor'),
		},
	],
};

const leadForm: INodeProperties = {
	displayName: 'Lead Form',
	name: 'leadForm',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'The form with which the chatbot asks visitors for their details',
	displayOptions: { show },
	options: [
		{
			displayName: 'Email Active',
			name: 'emailActive',
			type: 'boolean',
			default: true,
			description: 'Whether the form asks for an e-mail address',
			routing: sendAs('collectCustomerInformation.email.active'),
		},
		{
			displayName: 'Email Label',
			name: 'emailLabel',
			type: 'string',
			default: '',
			placeholder: 'e.g. Your e-mail address',
			description: 'Text beside the field for the e-mail address',
			routing: sendAs('collectCustomerInformation.email.label'),
		},
		{
			displayName: 'Name Active',
			name: 'nameActive',
			type: 'boolean',
			default: true,
			description: 'Whether the form asks for a name',
			routing: sendAs('collectCustomerInformation.name.active'),
		},
		{
			displayName: 'Name Label',
			name: 'nameLabel',
			type: 'string',
			default: '',
			placeholder: 'e.g. Your name',
			description: 'Text beside the field for the name',
			routing: sendAs('collectCustomerInformation.name.label'),
		},
		{
			displayName: 'Phone Active',
			name: 'phoneActive',
			type: 'boolean',
			default: true,
			description: 'Whether the form asks for a phone number',
			routing: sendAs('collectCustomerInformation.phone.active'),
		},
		{
			displayName: 'Phone Label',
			name: 'phoneLabel',
			type: 'string',
			default: '',
			placeholder: 'e.g. Your phone number',
			description: 'Text beside the field for the phone number',
			routing: sendAs('collectCustomerInformation.phone.label'),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			placeholder: 'e.g. Let us know how to contact you',
			description: 'Heading of the form',
			routing: sendAs('collectCustomerInformation.title'),
		},
	],
};

const options = optionsField(show, [
	maxConcurrencyOption,
	{
		displayName: 'Settings JSON',
		name: 'settingsJson',
		type: 'json',
		default: '{}',
		description:
			'Settings as one JSON object with the names of the API, for example { "temp": 0.2, "styles": { "theme": "dark" } }, for settings that you keep in a file. The fields above win over it.',
	},
]);

export const chatbotSettingsUpdateFields: INodeProperties[] = [
	updateFields,
	lockWithoutDomains,
	styles,
	leadForm,
	options,
];
