import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import {
	collection,
	nothingToUpdate,
	optionsField,
	updateFieldsField,
} from '../../panel/collections';
import { optionField, readJson, readJsonObject } from '../../panel/field';
import { notice, writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { describeValue, text } from '../../panel/types';
import { isObject, ownValue } from '../../values/json';
import { chatbotField } from '../chatbot/chatbotField';
import { confirmedChange } from '../chatbot/chatbots';
import { leadFormSettings, mainSettings, styleSettings } from './settings';

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
		updateFieldsField(mainSettings),
		notice(
			'domainsNotice',
			'Only Allow on Added Domains is on, and this update sets no Domains. If the chatbot has none, no website can show it.',
			{
				show: { '/updateFields.onlyAllowOnAddedDomains': [true] },
				hide: { '/updateFields.domains': [{ _cnd: { exists: true } }] },
			},
		),
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
		optionsField([
			maxConcurrencyOption,
			optionField('settingsJson', 'Settings JSON', text, {
				type: 'json',
				default: '{}',
				description:
					'Settings as a JSON object with the names of the API, such as { "temp": 0.2 }. The fields above override it.',
			}),
		]),
	],

	read(item) {
		const chatbotId = chatbotField.read(item);
		const changes = [
			...changesIn(readSettingsJson(item, chatbotId)),
			...[mainSettings, styleSettings, leadFormSettings]
				.flat()
				.map(({ path, read }) => ({ path: path.split('.'), value: read(item) }))
				.filter(({ value }) => value !== undefined),
		];

		if (changes.length === 0) {
			const places = 'Update Fields, Styles, Lead Form or Settings JSON';
			throw nothingToUpdate(item, `Add a setting under ${places}.`);
		}

		return {
			chatbotId,
			settings: changes.reduce<IDataObject>(withSetting, {}),
			updatedFields: [...new Set(changes.map(({ path }) => path.join('.')))],
		};
	},

	// The last of several updates counts.
	sequenceKeys: ({ chatbotId }) => [chatbotId],

	async send({ item, params: { chatbotId, settings, updatedFields }, api }) {
		const request = { ...item.request, repeatable: 'always' } as const;
		const response = await api.send({ ...request, body: { ...settings, chatbotId } });
		const { message } = api.expectBody(response, confirmedChange);
		return [{ message, chatbotId, updatedFields }];
	},
});

/** Settings JSON, which may name the chatbot as the request of the API does. */
function readSettingsJson(item: InputItem, chatbotId: string): IDataObject {
	const label = 'Settings JSON';
	const json = readJson(item, item.option('settingsJson'), label);
	// The data of an expression can have dates and undefined values.
	const asSent = readJsonObject(item, JSON.stringify(json), label);
	const { chatbotId: named = chatbotId, ...rest } = asSent;
	if (text.read(named) === chatbotId) return rest;
	const nextStep = `Its "chatbotId" is ${describeValue(named)}, but Chatbot is "${chatbotId}". Remove it from the JSON, or choose that chatbot.`;
	throw item.error('Settings JSON is for another chatbot', nextStep);
}

/** Splits objects, so that a field of the panel overrides only the setting with the same path. */
function changesIn(settings: IDataObject, parents: string[] = []): Change[] {
	return Object.entries(settings).flatMap(([name, value]) => {
		const path = [...parents, name];
		return isObject(value) ? changesIn(value, path) : [{ path, value }];
	});
}

function withSetting(
	settings: IDataObject,
	{ path: [name, ...rest], value }: Change,
): IDataObject {
	if (rest.length === 0) return { ...settings, [name]: value as IDataObject[string] };
	const group = ownValue(settings, name);
	return {
		...settings,
		[name]: withSetting(isObject(group) ? group : {}, { path: rest, value }),
	};
}
