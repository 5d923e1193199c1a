import type { IDataObject } from 'n8n-workflow';

import { isGiven, readAs } from '../../fields/kinds';
import { describe, readId, readJsonObject, refuse } from '../../fields/read';
import type { ItemContext, SingleOperation } from '../../transport/operation';
import { isGroup, listSettings, nestSettings, settings } from './settings';

interface Task {
	path: string;
	chatbotId: string;
	/** What changes, by path. */
	changes: Map<string, unknown>;
}

/** Changes settings of a chatbot. */
export const updateSettings: SingleOperation<Task> = {
	read(context, request) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const fromFields = listSettings(request.body).filter(([, value]) => isGiven(context, value));
		// A field in the panel is the more deliberate of the two.
		const entries = new Map([...listSettings(readFile(context, chatbotId)), ...fromFields]);
		if (entries.size === 0) {
			throw refuse(
				context,
				'There is nothing to update',
				'Add at least one setting under Update Fields, Styles, Lead Form or Settings JSON. Where a setting is an expression, this item has no value for it.',
			);
		}
		const changes = [...entries].map(
			([path, value]) => [path, readSetting(context, path, value)] as const,
		);
		return { path: request.path, chatbotId, changes: new Map(changes) };
	},

	async send({ task: { path, chatbotId, changes }, service }) {
		const { message } = await service.sendForObject({
			method: 'POST',
			path,
			body: { chatbotId, ...nestSettings(changes) },
			subject: 'chatbotSettings',
			repeatable: 'always',
		});
		return [{ message, chatbotId, updatedFields: [...changes.keys()] }];
	},
};

/** The settings that the user keeps as JSON, which may name the chatbot as a whole request does. */
function readFile(context: ItemContext, chatbotId: string): IDataObject {
	const { settingsJson } = context.getNodeParameter('options', {}) as IDataObject;
	const { chatbotId: named = chatbotId, ...rest } = readJsonObject(
		context,
		settingsJson,
		'Settings JSON',
	);
	if (named === chatbotId) return rest;
	throw refuse(
		context,
		'Settings JSON is for another chatbot',
		`Its chatbotId is ${describe(named)}, but Chatbot is "${chatbotId}". Remove it from the JSON, or choose that chatbot.`,
	);
}

function readSetting(context: ItemContext, path: string, value: unknown): unknown {
	const setting = settings.get(path);
	if (setting) return readAs(context, value, setting.kind, setting.label);
	// The fields lead to known settings, so this one stands in the JSON.
	if (isGroup(path)) {
		throw refuse(
			context,
			'Settings JSON has another shape than the API',
			`"${path}" is ${describe(value)}. It has to be an object of settings.`,
		);
	}
	throw refuse(
		context,
		'Settings JSON holds a setting that the API does not know',
		`Remove "${path}" or correct its spelling; upper and lower case count.`,
	);
}
