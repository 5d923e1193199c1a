import type { INodeProperties } from 'n8n-workflow';

import type { ValueType } from '../../fields/values';
import {
	boolean,
	color,
	filledText,
	fraction,
	oneOf,
	text,
	stringList,
	wholeNumber,
} from '../../fields/values';
import { modelField } from '../../fields/locators';

/** A setting of a chatbot (contract, Chatbot settings). */
export interface Setting {
	/** Its path in the request, with dots. */
	path: string;
	type: ValueType;
	/** A sentence for the error about a value of another type. */
	rule?: string;
	field: INodeProperties;
}

function setting(path: string, type: ValueType, field: INodeProperties): Setting {
	return { path, type, field };
}

/**
 * A list of texts. Empty text doesn't empty it, since an expression without data gives that.
 *
 * @param field what differs between lists, the description without a full stop
 */
function listSetting(
	entry: 'Domain' | 'Message',
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): Setting {
	const description = `${field.description}. Replaces the current list. Without entries, clears it.`;
	return {
		path: field.name,
		type: stringList,
		rule: 'To clear the list, add the field without entries, or use an expression that returns [].',
		field: {
			...field,
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: `Add ${entry}` },
			default: '',
			description,
		},
	};
}

/** The settings under Update Fields. */
export const mainSettings: Setting[] = [
	listSetting('Domain', {
		displayName: 'Domains',
		name: 'domains',
		placeholder: 'e.g. www.example.com',
		description: 'Websites that may embed the chatbot if Only Allow on Added Domains is on',
	}),
	listSetting('Message', {
		displayName: 'Initial Messages',
		name: 'initialMessages',
		placeholder: 'e.g. Hi! How can I help you?',
		description: 'What the chatbot says first',
	}),
	setting('instructions', text, {
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. You help customers of an online shop. Answer briefly and politely.',
		description: 'The system prompt: role and behavior of the chatbot',
	}),
	setting('ipLimit', wholeNumber(0), {
		displayName: 'IP Limit',
		name: 'ipLimit',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 20,
		description: 'Most messages from one IP address within the IP Limit Timeframe',
	}),
	setting('ipLimitMessage', text, {
		displayName: 'IP Limit Message',
		name: 'ipLimitMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Too many messages. Please try again in a few minutes.',
		description: 'What visitors see when they reach the IP Limit',
	}),
	setting('ipLimitTimeframe', wholeNumber(0), {
		displayName: 'IP Limit Timeframe',
		name: 'ipLimitTimeframe',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 240,
		description: 'Period for the IP Limit, in seconds according to the guide of Chatbase',
	}),
	setting(
		'model',
		filledText,
		modelField('searchSettingsModels', 'The AI model for the answers of the chatbot'),
	),
	setting('name', text, {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Support Bot',
		description: 'Name of the chatbot in the dashboard',
	}),
	setting('onlyAllowOnAddedDomains', boolean, {
		displayName: 'Only Allow on Added Domains',
		name: 'onlyAllowOnAddedDomains',
		type: 'boolean',
		default: false,
		description: 'Whether only websites in Domains may embed the chatbot',
	}),
	listSetting('Message', {
		displayName: 'Suggested Messages',
		name: 'suggestedMessages',
		placeholder: 'e.g. Where is my parcel?',
		description: 'Questions that a visitor can send with one click',
	}),
	setting('temp', fraction, {
		displayName: 'Temperature',
		name: 'temp',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0,
		description: 'Randomness of answers, from 0 (consistent) to 1 (varied)',
	}),
	setting('visibility', oneOf('public', 'private'), {
		displayName: 'Visibility',
		name: 'visibility',
		type: 'options',
		default: 'private',
		description: 'Who can reach the chatbot',
		options: [
			{
				name: 'Private',
				value: 'private',
				description: 'Only your workspace can chat with it',
			},
			{
				name: 'Public',
				value: 'public',
				description: 'Anyone with the link can chat with it, and websites can embed it',
			},
		],
	}),
];

function colorSetting(displayName: string, name: string, description: string): Setting {
	return setting(`styles.${name}`, color, {
		displayName,
		name,
		type: 'color',
		default: '',
		placeholder: 'e.g. #1e90ff',
		description,
	});
}

export const styleSettings: Setting[] = [
	setting('styles.alignChatButton', oneOf('left', 'right'), {
		displayName: 'Align Chat Button',
		name: 'alignChatButton',
		type: 'options',
		default: 'right',
		description: 'Side of the page for the chat button',
		options: [
			{ name: 'Left', value: 'left' },
			{ name: 'Right', value: 'right' },
		],
	}),
	setting('styles.autoOpenChatWindowAfter', wholeNumber(0), {
		displayName: 'Auto Open Chat Window After',
		name: 'autoOpenChatWindowAfter',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 0,
		description: 'Seconds until the chat window opens automatically, or 0 to keep it closed',
	}),
	colorSetting('Button Color', 'buttonColor', 'Color of the chat button as a hex code'),
	setting('styles.displayName', text, {
		displayName: 'Display Name',
		name: 'displayName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nora from Support',
		description: 'Name at the top of the chat window',
	}),
	setting('styles.theme', oneOf('light', 'dark'), {
		displayName: 'Theme',
		name: 'theme',
		type: 'options',
		default: 'light',
		description: 'Background of the chat window',
		options: [
			{ name: 'Dark', value: 'dark' },
			{ name: 'Light', value: 'light' },
		],
	}),
	colorSetting(
		'User Message Color',
		'userMessageColor',
		"Color of the visitor's messages as a hex code",
	),
];

/** @param detail such as "email address" */
function detailSettings(
	name: 'email' | 'name' | 'phone',
	label: string,
	article: 'a' | 'an',
	detail: string,
): Setting[] {
	const path = `collectCustomerInformation.${name}`;
	return [
		setting(`${path}.active`, boolean, {
			displayName: `${label} Active`,
			name: `${name}Active`,
			type: 'boolean',
			default: true,
			description: `Whether the form asks for ${article} ${detail}`,
		}),
		setting(`${path}.label`, text, {
			displayName: `${label} Label`,
			name: `${name}Label`,
			type: 'string',
			default: '',
			placeholder: `e.g. Your ${detail}`,
			description: `Text beside the field for the ${detail}`,
		}),
	];
}

export const leadFormSettings: Setting[] = [
	...detailSettings('email', 'Email', 'an', 'email address'),
	...detailSettings('name', 'Name', 'a', 'name'),
	...detailSettings('phone', 'Phone', 'a', 'phone number'),
	setting('collectCustomerInformation.title', text, {
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Let us know how to contact you',
		description: 'Heading of the form',
	}),
];
