import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { SingleOperation } from '../../execution/operation';
import { describeValue } from '../../fields/describe';
import { hasValue, readAs, text } from '../../fields/values';
import { readId, readJsonObject } from '../../fields/read';
import { isGroup, listSettings, nestSettings } from './paths';
import type { Setting } from './settings';
import { leadFormSettings, mainSettings, settings, styleSettings } from './settings';

interface Task {
	chatbotId: string;
	/** What changes, by path. */
	changes: Map<string, unknown>;
}

/** Changes settings of a chatbot. */
export const updateSettings: SingleOperation<Task> = {
	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		// A field in the panel is more deliberate than the same setting in the JSON.
		const entries = new Map([
			...listSettings(readSettingsJson(item, chatbotId)),
			...givenIn(item, 'updateFields', mainSettings),
			...givenIn(item, 'styles', styleSettings),
			...givenIn(item, 'leadForm', leadFormSettings),
		]);
		if (entries.size === 0) {
			throw item.refusal(
				'There is nothing to update',
				'Add at least one setting under Update Fields, Styles, Lead Form or Settings JSON. Where a setting is an expression, this item has no value for it.',
			);
		}
		const changes = [...entries].map(
			([path, value]) => [path, readSetting(item, path, value)] as const,
		);
		return { chatbotId, changes: new Map(changes) };
	},

	async send({ item, params: { chatbotId, changes }, api }) {
		const { message } = await api.sendForBody({
			...item.request,
			body: { chatbotId, ...nestSettings(changes) },
			subject: 'chatbotSettings',
			repeatable: 'always',
		});
		return [{ message, chatbotId, updatedFields: [...changes.keys()] }];
	},
};

function givenIn(item: InputItem, name: string, known: Setting[]): Array<[string, unknown]> {
	const fields = item.collection(name);
	return known
		.map(({ path, field }): [string, unknown] => [path, fields[field.name]])
		.filter(([, value]) => hasValue(item, value));
}

/** The settings that the user keeps as JSON, which may name the chatbot as a whole request does. */
function readSettingsJson(item: InputItem, chatbotId: string): IDataObject {
	const { settingsJson } = item.collection('options');
	const { chatbotId: named = chatbotId, ...rest } = readJsonObject(
		item,
		settingsJson,
		'Settings JSON',
	);
	if (text.read(named) === chatbotId) return rest;
	throw item.refusal(
		'Settings JSON is for another chatbot',
		`Its chatbotId is ${describeValue(named)}, but Chatbot is "${chatbotId}". Remove it from the JSON, or choose that chatbot.`,
	);
}

function readSetting(item: InputItem, path: string, value: unknown): unknown {
	const setting = settings.get(path);
	if (setting) return readAs(item, value, setting.kind, setting.field.displayName, setting.rule);
	// The fields lead to known settings, so this one stands in the JSON.
	if (isGroup(path)) {
		throw item.refusal(
			'Settings JSON has another shape than the API',
			`"${path}" is ${describeValue(value)}. It has to be an object of settings.`,
		);
	}
	throw item.refusal(
		'Settings JSON holds a setting that the API does not know',
		`Remove "${path}" or correct its spelling; upper and lower case count.`,
	);
}
