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
	field: INodeProperties;
}

type Texts = Pick<INodeProperties, 'displayName' | 'placeholder' | 'description'>;

type Field = Omit<INodeProperties, 'name'> & Partial<Pick<INodeProperties, 'name'>>;

/** Unless the field has a name, it is the last part of the path. */
function setting(path: string, type: ValueType, field: Field): Setting {
	return { path, type, field: { name: path.slice(path.lastIndexOf('.') + 1), ...field } };
}

function textSetting(path: string, field: Texts & Partial<Field>): Setting {
	return setting(path, text, { type: 'string', default: '', ...field });
}

function countSetting(path: string, field: Texts & Pick<Field, 'default'>): Setting {
	const typeOptions = { minValue: 0, numberPrecision: 0 };
	return setting(path, wholeNumber(0), { type: 'number', typeOptions, ...field });
}

function colorSetting(path: string, field: Texts): Setting {
	const placeholder = 'e.g. #1e90ff';
	return setting(path, color, { type: 'color', default: '', placeholder, ...field });
}

/** A list of texts. Empty text doesn't empty it, since an expression without data gives that. */
function listSetting(path: string, entry: 'Domain' | 'Message', field: Texts): Setting {
	const typeOptions = { multipleValues: true, multipleValueButtonText: `Add ${entry}` };
	const description = `${field.description}. Replaces the current list. Without entries, clears it.`;
	const rule =
		'To clear the list, add the field without entries, or use an expression that returns [].';
	return {
		...textSetting(path, { ...field, typeOptions, description }),
		type: { ...stringList, rule },
	};
}

/** The settings under Update Fields. */
export const mainSettings: Setting[] = [
	listSetting('domains', 'Domain', {
		displayName: 'Domains',
		placeholder: 'e.g. www.example.com',
		description: 'Websites that may embed the chatbot if Only Allow on Added Domains is on',
	}),
	listSetting('initialMessages', 'Message', {
		displayName: 'Initial Messages',
		placeholder: 'e.g. Hi! How can I help you?',
		description: 'What the chatbot says first',
	}),
	textSetting('instructions', {
		displayName: 'Instructions',
		typeOptions: { rows: 6 },
		placeholder: 'e.g. You help customers of an online shop. Answer briefly and politely.',
		description: 'The system prompt: role and behavior of the chatbot',
	}),
	countSetting('ipLimit', {
		displayName: 'IP Limit',
		default: 20,
		description: 'Most messages from one IP address within the IP Limit Timeframe',
	}),
	textSetting('ipLimitMessage', {
		displayName: 'IP Limit Message',
		placeholder: 'e.g. Too many messages. Please try again in a few minutes.',
		description: 'What visitors see when they reach the IP Limit',
	}),
	countSetting('ipLimitTimeframe', {
		displayName: 'IP Limit Timeframe',
		default: 240,
		description: 'Period for the IP Limit, in seconds according to the guide of Chatbase',
	}),
	setting(
		'model',
		filledText,
		modelField('searchSettingsModels', 'The AI model for the answers of the chatbot'),
	),
	textSetting('name', {
		displayName: 'Name',
		placeholder: 'e.g. Support Bot',
		description: 'Name of the chatbot in the dashboard',
	}),
	setting('onlyAllowOnAddedDomains', boolean, {
		displayName: 'Only Allow on Added Domains',
		type: 'boolean',
		default: false,
		description: 'Whether only websites in Domains may embed the chatbot',
	}),
	listSetting('suggestedMessages', 'Message', {
		displayName: 'Suggested Messages',
		placeholder: 'e.g. Where is my parcel?',
		description: 'Questions that a visitor can send with one click',
	}),
	setting('temp', fraction, {
		displayName: 'Temperature',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
		default: 0,
		description: 'Randomness of answers, from 0 (consistent) to 1 (varied)',
	}),
	setting('visibility', oneOf('public', 'private'), {
		displayName: 'Visibility',
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

export const styleSettings: Setting[] = [
	setting('styles.alignChatButton', oneOf('left', 'right'), {
		displayName: 'Align Chat Button',
		type: 'options',
		default: 'right',
		description: 'Side of the page for the chat button',
		options: [
			{ name: 'Left', value: 'left' },
			{ name: 'Right', value: 'right' },
		],
	}),
	countSetting('styles.autoOpenChatWindowAfter', {
		displayName: 'Auto Open Chat Window After',
		default: 0,
		description: 'Seconds until the chat window opens automatically, or 0 to keep it closed',
	}),
	colorSetting('styles.buttonColor', {
		displayName: 'Button Color',
		description: 'Color of the chat button as a hex code',
	}),
	textSetting('styles.displayName', {
		displayName: 'Display Name',
		placeholder: 'e.g. Nora from Support',
		description: 'Name at the top of the chat window',
	}),
	setting('styles.theme', oneOf('light', 'dark'), {
		displayName: 'Theme',
		type: 'options',
		default: 'light',
		description: 'Background of the chat window',
		options: [
			{ name: 'Dark', value: 'dark' },
			{ name: 'Light', value: 'light' },
		],
	}),
	colorSetting('styles.userMessageColor', {
		displayName: 'User Message Color',
		description: "Color of the visitor's messages as a hex code",
	}),
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
		textSetting(`${path}.label`, {
			displayName: `${label} Label`,
			name: `${name}Label`,
			placeholder: `e.g. Your ${detail}`,
			description: `Text beside the field for the ${detail}`,
		}),
	];
}

export const leadFormSettings: Setting[] = [
	...detailSettings('email', 'Email', 'an', 'email address'),
	...detailSettings('name', 'Name', 'a', 'name'),
	...detailSettings('phone', 'Phone', 'a', 'phone number'),
	textSetting('collectCustomerInformation.title', {
		displayName: 'Title',
		placeholder: 'e.g. Let us know how to contact you',
		description: 'Heading of the form',
	}),
];
