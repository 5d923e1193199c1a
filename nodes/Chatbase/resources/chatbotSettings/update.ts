import type { IDataObject } from 'n8n-workflow';

import { type Failure, failureOf } from '../../api/failure';
import { chatbotField } from '../../chatbots/chatbots';
import type { InputItem } from '../../execution/item';
import {
	collection,
	nothingToUpdate,
	optionsField,
	updateFieldsField,
} from '../../panel/collections';
import {
	choice,
	type Field,
	type FieldLook,
	optionalField,
	readJson,
	readJsonObject,
} from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { modelLook } from '../../panel/models';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import {
	boolean,
	color,
	filledText,
	fraction,
	stringList,
	text,
	type ValueType,
	wholeNumber,
} from '../../panel/types';
import { isObject, objectIn, ownValue } from '../../values/json';
import { capitalize } from '../../values/text';
import { confirmedChange } from '../chatbot/confirmedChange';
import {
	agentFields,
	channelInstructionsField,
	mergedInstructions,
	readAgentChanges,
	saveAgent,
} from './agentSettings';

/** A setting of a chatbot (API document of version 1, Chatbot settings). */
interface ChatbotSetting extends Field {
	/** Its path in the request, with dots. */
	path: string;
}

function setting(
	path: string,
	label: string,
	type: ValueType,
	look: FieldLook,
): ChatbotSetting {
	return { path, ...optionalField(pathInPanel(path), label, type, look) };
}

/** Its path in the panel, such as `leadForm.emailActive` for `collectCustomerInformation.email.active`. */
function pathInPanel(path: string): string {
	const [group, name, detail = ''] = path.split('.');
	if (name === undefined) return `updateFields.${group}`;
	if (group === 'styles') return path;
	return `leadForm.${name}${capitalize(detail)}`;
}

/** A setting that is a list of texts. Empty text does not empty the list, since it can come from an expression without data. */
function listSetting(
	path: string,
	label: string,
	entry: 'Domain' | 'Message',
	look: FieldLook,
) {
	const rule =
		'To clear the list, add the field without entries, or use an expression that returns [].';
	const description = `${look.description}. Replaces the current list. To clear it, add no entry.`;
	const typeOptions = { multipleValues: true, multipleValueButtonText: `Add ${entry}` };
	return setting(
		path,
		label,
		{ ...stringList, rule },
		{ ...look, typeOptions, description },
	);
}

const modelUse = 'The AI model for the answers of the chatbot';

/** The settings under Update Fields. */
export const mainSettings: ChatbotSetting[] = [
	listSetting('domains', 'Domains', 'Domain', {
		description:
			'Websites that may embed the chatbot if Only Allow on Added Domains is on',
		placeholder: 'e.g. www.example.com',
	}),
	listSetting('initialMessages', 'Initial Messages', 'Message', {
		description: 'What the chatbot says first',
		placeholder: 'e.g. Hi! How can I help you?',
	}),
	setting('instructions', 'Instructions', text, {
		description: 'The system prompt: role and behavior of the chatbot',
		typeOptions: { rows: 6 },
		placeholder:
			'e.g. You help customers of an online shop. Answer briefly and politely.',
	}),
	setting('ipLimit', 'IP Limit', wholeNumber(0), {
		description:
			'Maximum number of messages from one IP address within the IP Limit Timeframe',
		default: 20,
	}),
	setting('ipLimitMessage', 'IP Limit Message', text, {
		description: 'What visitors see when they reach the IP Limit',
		placeholder: 'e.g. Too many messages. Try again later.',
	}),
	setting('ipLimitTimeframe', 'IP Limit Timeframe', wholeNumber(0), {
		description: "Period for the IP Limit, in seconds according to Chatbase's guide",
		default: 240,
	}),
	setting('model', 'Model', filledText, modelLook('settings', modelUse)),
	setting('name', 'Name', filledText, {
		description: 'Name of the chatbot in the dashboard',
		placeholder: 'e.g. Support Bot',
	}),
	setting('onlyAllowOnAddedDomains', 'Only Allow on Added Domains', boolean, {
		description: 'Whether only websites in Domains may embed the chatbot',
	}),
	listSetting('suggestedMessages', 'Suggested Messages', 'Message', {
		description: 'Questions that a visitor can send with one click',
		placeholder: 'e.g. Where is my parcel?',
	}),
	setting('temp', 'Temperature', fraction, {
		description: 'Randomness of answers, from 0 (consistent) to 1 (varied)',
	}),
	setting(
		'visibility',
		'Visibility',
		choice({
			private: ['Private', 'Only your workspace can chat with it'],
			public: [
				'Public',
				'Anyone with the link can chat with it, and websites can embed it',
			],
		}),
		{ description: 'Who can reach the chatbot' },
	),
];

const side = choice({ right: ['Right'], left: ['Left'] });
export const styleSettings: ChatbotSetting[] = [
	setting('styles.alignChatButton', 'Align Chat Button', side, {
		description: 'Side of the page for the chat button',
	}),
	setting(
		'styles.autoOpenChatWindowAfter',
		'Auto Open Chat Window After',
		wholeNumber(0),
		{
			description:
				'Seconds until the chat window opens automatically, or 0 to keep it closed',
		},
	),
	setting('styles.buttonColor', 'Button Color', color, {
		description: 'Color of the chat button as a hex code',
	}),
	setting('styles.displayName', 'Display Name', text, {
		description: 'Name at the top of the chat window',
		placeholder: 'e.g. Nora from Support',
	}),
	setting('styles.theme', 'Theme', choice({ light: ['Light'], dark: ['Dark'] }), {
		description: 'Background of the chat window',
	}),
	setting('styles.userMessageColor', 'User Message Color', color, {
		description: "Color of the visitor's messages as a hex code",
	}),
];

/** @param detail such as "an email address" */
function detailSettings(name: 'email' | 'name' | 'phone', label: string, detail: string) {
	const path = `collectCustomerInformation.${name}`;
	const noun = detail.replace(/^an? /, '');
	return [
		setting(`${path}.active`, `${label} Active`, boolean, {
			description: `Whether the form asks for ${detail}`,
			default: true,
		}),
		setting(`${path}.label`, `${label} Label`, text, {
			description: `Text beside the field for the ${noun}`,
			placeholder: `e.g. Your ${noun}`,
		}),
	];
}

export const leadFormSettings: ChatbotSetting[] = [
	...detailSettings('email', 'Email', 'an email address'),
	...detailSettings('name', 'Name', 'a name'),
	...detailSettings('phone', 'Phone', 'a phone number'),
	setting('collectCustomerInformation.title', 'Title', text, {
		description: 'Heading of the form',
		placeholder: 'e.g. Let us know how to contact you',
	}),
];

interface Change {
	path: string[];
	value: unknown;
}

export const update = operation({
	value: 'update',
	description: 'Change how a chatbot behaves, looks and collects leads',
	request: {
		method: 'POST',
		path: '/update-chatbot-settings',
		resource: 'chatbotSettings',
	},
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		writeNotice,
		updateFieldsField([...mainSettings, ...agentFields]),
		collection(
			{
				displayName: 'Styles',
				name: 'styles',
				placeholder: 'Add Style',
				description: 'How the chat window looks on a website',
			},
			styleSettings,
		),
		collection(
			{
				displayName: 'Lead Form',
				name: 'leadForm',
				placeholder: 'Add Field',
				description: 'The form for contact details of visitors',
			},
			leadFormSettings,
		),
		channelInstructionsField,
		optionsField([
			maxConcurrencyOption,
			optionalField('options.settingsJson', 'Settings JSON', text, {
				type: 'json',
				default: '{}',
				description:
					'Settings as a JSON object with the names of the API, such as { "temp": 0.2 }. The fields above override it.',
			}),
		]),
	],

	read(item, api) {
		const fields = [...mainSettings, ...styleSettings, ...leadFormSettings];
		const stated = fields
			.map(({ path, read }) => ({ path: path.split('.'), value: read(item) }))
			.filter(({ value }) => value !== undefined);
		const changes = [...changesIn(readSettingsJson(item)), ...stated];
		const agent = readAgentChanges(item, api);

		if (changes.length === 0 && agent.names.length === 0) {
			const places =
				'Update Fields, Styles, Lead Form, Instructions by Channel or Settings JSON';
			throw nothingToUpdate(item, `Add a setting under ${places}.`);
		}

		return {
			chatbotId: chatbotField.read(item),
			settings: changes.reduce<IDataObject>(withSetting, {}),
			names: [...new Set(changes.map(({ path }) => path.join('.')))],
			agent,
		};
	},

	// The last of several updates of one chatbot counts.
	sequenceKeys: ({ chatbotId }) => [chatbotId],

	async send({ item, params, api }) {
		const { chatbotId, settings, names, agent } = params;
		// If they can't be read, nothing was saved yet.
		const instructions = await mergedInstructions(api, chatbotId, agent);

		const saved: string[] = [];
		let confirmation: IDataObject = {};
		try {
			if (names.length > 0) {
				const response = await api.send({
					...item.request,
					body: { ...settings, chatbotId },
					repeatable: 'always',
				});
				const { message } = api.expectBody(response, confirmedChange);
				confirmation = { message };
				saved.push(...names);
			}
			await saveAgent(api, chatbotId, { agent, instructions, saved });
		} catch (error) {
			throw withSaved(failureOf(error), saved);
		}
		return [{ ...confirmation, chatbotId, updatedFields: saved }];
	},
});

/** The same failure, which names the settings that were saved before it. */
function withSaved(failure: Failure, saved: readonly string[]): Failure {
	if (saved.length === 0) return failure;
	return failure.with({ written: 'yes' }).and(`Saved before: ${saved.join(', ')}.`);
}

/** Settings JSON without the chatbot, which it may name as the request of the API does. */
function readSettingsJson(item: InputItem): IDataObject {
	const label = 'Settings JSON';
	const json = readJson(item, item.option('settingsJson'), label);
	// The data of an expression can have dates and undefined values. They are read in the form in which they are sent.
	const asSent = readJsonObject(item, JSON.stringify(json), label);
	return Object.fromEntries(
		Object.entries(asSent).filter(([name]) => name !== 'chatbotId'),
	);
}

/** Splits objects, so that a field of the panel overrides only the setting with the same path. */
function changesIn(settings: IDataObject, parents: string[] = []): Change[] {
	return Object.entries(settings).flatMap(([name, value]) => {
		const path = [...parents, name];
		if (isObject(value)) return changesIn(value, path);
		return [{ path, value }];
	});
}

function withSetting(settings: IDataObject, { path, value }: Change): IDataObject {
	const [name = '', ...rest] = path;
	if (rest.length === 0) return { ...settings, [name]: value as IDataObject[string] };

	const group = objectIn(ownValue(settings, name));
	return { ...settings, [name]: withSetting(group, { path: rest, value }) };
}
