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
	/** Its place in the request; dots lead into groups. */
	path: string;
	type: ValueType;
	/** More words for the error about a value of another type. */
	rule?: string;
	field: INodeProperties;
}

function setting(path: string, type: ValueType, field: INodeProperties): Setting {
	return { path, type, field };
}

/**
 * A list of texts. Blank text does not empty it: that is what an expression gives whose data is missing.
 *
 * @param field its own part of the field, the description without a full stop
 */
function listSetting(
	entry: 'Domain' | 'Message',
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): Setting {
	const description = `${field.description}. The list replaces the present one; added without entries, it empties it.`;
	return {
		path: field.name,
		type: stringList,
		rule: 'To empty the list on purpose, add the field and leave it without entries, or let its expression give [].',
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
		description: 'Websites that may embed the chatbot, once Only Allow on Added Domains is on',
	}),
	listSetting('Message', {
		displayName: 'Initial Messages',
		name: 'initialMessages',
		placeholder: 'e.g. Hi! How can I help you?',
		description: 'What the chatbot says before the visitor has written anything',
	}),
	setting('instructions', text, {
		displayName: 'Instructions',
		name: 'instructions',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. You help customers of an online shop. Answer briefly and politely.',
		description: 'The system prompt: who the chatbot is and how it should behave',
	}),
	setting('ipLimit', wholeNumber(0), {
		displayName: 'IP Limit',
		name: 'ipLimit',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 20,
		description:
			'How many messages one IP address may send within the IP Limit Timeframe. Limit, timeframe and message belong together: 20 messages, 240 seconds, "Too many messages".',
	}),
	setting('ipLimitMessage', text, {
		displayName: 'IP Limit Message',
		name: 'ipLimitMessage',
		type: 'string',
		default: '',
		placeholder: 'e.g. Too many messages. Please try again in a few minutes.',
		description:
			'What a visitor reads who has sent more messages than IP Limit allows within the IP Limit Timeframe',
	}),
	setting('ipLimitTimeframe', wholeNumber(0), {
		displayName: 'IP Limit Timeframe',
		name: 'ipLimitTimeframe',
		type: 'number',
		typeOptions: { minValue: 0, numberPrecision: 0 },
		default: 240,
		description:
			"Length of the period for which IP Limit counts messages, in seconds according to the vendor's guide. Example: 3600 with an IP Limit of 20 allows 20 messages an hour.",
	}),
	setting(
		'model',
		filledText,
		modelField('searchSettingsModels', 'The AI model that the chatbot answers with from now on'),
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
		description:
			'Whether only the websites in the list Domains may embed the chatbot, instead of any',
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
		description:
			'How freely the chatbot words its answers, from 0 (always alike) to 1 (most varied)',
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
				description: 'Nobody outside your workspace can chat with it',
			},
			{
				name: 'Public',
				value: 'public',
				description: 'Anybody with the link can chat with it, and websites can embed it',
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
		description: 'Side of the page on which the chat button floats',
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
		description:
			'Seconds after which the chat window opens by itself; 0 means that it stays closed',
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

/** @param detail as in "the form asks for an email address", without its article */
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
	...detailSettings('email', 'Email', 'an', 'e-mail address'),
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
