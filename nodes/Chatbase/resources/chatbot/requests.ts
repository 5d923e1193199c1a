import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { ApiClient } from '../../api/client';
import { asObjects, isObject } from '../../values/object';

/** The list of all chatbots of the workspace. The API has no way to read a single one. */
export const chatbotsPath = '/get-chatbots';

/**
 * Reads all chatbots of the workspace, once a run; the API has no pages for them.
 *
 * @throws NodeApiError when the service fails, or the response is no list of chatbots
 */
export async function readChatbots(api: ApiClient): Promise<IDataObject[]> {
	return await api.state.memoize(chatbotsPath, async () => {
		const request = { method: 'GET', path: chatbotsPath, subject: 'chatbot' } as const;
		const response = await api.send(request);
		const held = isObject(response.body) ? response.body.chatbots : undefined;
		const message = isObject(held) ? errorIn(held) : undefined;
		if (message !== undefined && !response.outcome) {
			const failed = { ...response, outcome: '5xx', body: { message } } as const;
			throw api.failure(failed, request.subject);
		}
		// The published shape is a list; clients in the wild read `{ data, error }` in its place (public reference, 10).
		return api.expectBody(response, request.subject, () =>
			asObjects(isObject(held) ? held.data : held),
		);
	});
}

/** What an envelope says in the place of its data; undefined where its `error` is not filled. */
function errorIn({ error }: IDataObject): string | undefined {
	if (error === undefined || error === null || error === '' || error === false) return undefined;
	const message = isObject(error) ? error.message : error;
	return typeof message === 'string' ? message : JSON.stringify(error);
}

/**
 * Reads one chatbot.
 *
 * @throws NodeOperationError when the workspace has none with this ID
 */
export async function readChatbot(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject> {
	const chatbots = await readChatbots(api);
	// Some services number their chatbots.
	const chatbot = chatbots.find(({ id }) => String(id) === chatbotId);
	if (chatbot) return chatbot;
	throw item.refusal(
		'Chatbot not found',
		`The workspace of the API key has none with the ID "${chatbotId}". Choose one From List, or copy the ID from the dashboard.`,
	);
}
