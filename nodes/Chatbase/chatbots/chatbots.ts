import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import type { ApiResponse, FindBody } from '../api/response';
import { recordWith } from '../api/unknownOutcome';
import type { ApiResource } from '../api/subjects';
import type { InputItem } from '../execution/item';
import { serviceIdField } from '../panel/field';
import {
	compareNames,
	hasWords,
	type ListSearch,
	locator,
	panelClient,
} from '../panel/locators';
import { text } from '../panel/types';
import { asObjects, isObject } from '../values/json';
import { isPathSegment } from '../values/text';

/** The API can't read a single chatbot. */
export const chatbotsPath = '/get-chatbots';

export const searchChatbots: ListSearch = async function (filter) {
	const chatbots = await readChatbots(await panelClient(this));
	const choices = chatbots
		// Some services use numbers as IDs of chatbots.
		.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
		.filter(({ value }) => isPathSegment(value))
		.sort(compareNames);
	return {
		results: choices.filter(({ name, value }) => hasWords(`${name}\n${value}`, filter)),
	};
};

export const chatbotField = serviceIdField('chatbotId', 'Chatbot', {
	description: 'The chatbot to work with',
	...locator({ searchChatbots }, 'a chatbot', {
		placeholder: 'e.g. 4f0jCqZ8T7pXkL2mNbVwR',
		hint: 'Shown in the dashboard under Settings, General',
	}),
});

/** Reads all chatbots, once a run. This list has no pages. */
export async function readChatbots(api: ApiClient): Promise<IDataObject[]> {
	return await api.state.once(chatbotsPath, async () => await readChatbotsAnew(api));
}

/** Like `readChatbots`, for chatbots that the run may have changed. */
export async function readChatbotsAnew(api: ApiClient): Promise<IDataObject[]> {
	const response = await api.send({
		method: 'GET',
		path: chatbotsPath,
		resource: 'chatbots',
	});
	// The documented form is a list. Known clients read `{ data, error }` instead.
	return api.expectBody(response, ({ chatbots }) =>
		asObjects(isObject(chatbots) ? chatbots.data : chatbots),
	);
}

export async function readChatbot(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject> {
	return chatbotIn(await readChatbots(api), item, chatbotId);
}

/** Throws if the list does not have the chatbot. */
export function chatbotIn(
	chatbots: readonly IDataObject[],
	item: InputItem,
	chatbotId: string,
): IDataObject {
	// Some services use numbers as IDs of chatbots.
	const chatbot = chatbots.find(({ id }) => String(id) === chatbotId);
	if (chatbot) return chatbot;

	const nextStep = `The workspace of the API key has no chatbot "${chatbotId}". Choose one From List, or copy the ID from the dashboard.`;
	throw item.error('Chatbot not found', nextStep);
}

interface WantedChatbot {
	/** What the errors of the look-up are about. */
	resource?: ApiResource;
	find?: FindBody;
}

/** Returns the chatbot. Throws if version 2 does not know it, since its lists would only be empty. */
export async function assertChatbotKnown(
	api: ApiClient,
	chatbotId: string,
	{ resource = 'agentConversations', find = recordWith('id') }: WantedChatbot = {},
): Promise<IDataObject> {
	const response = await askForChatbot(api, chatbotId, resource);
	return api.expectBody(response, find);
}

/** Reads a chatbot in version 2, once a run. */
async function askForChatbot(
	api: ApiClient,
	chatbotId: string,
	resource: ApiResource,
): Promise<ApiResponse> {
	return await api.state.once(
		`agent ${chatbotId}`,
		async () =>
			await api.send({
				method: 'GET',
				path: '/agents/{chatbotId}',
				resource,
				params: { chatbotId },
			}),
	);
}
