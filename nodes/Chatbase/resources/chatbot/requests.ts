import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/inputItem';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

/** The list of all chatbots of the workspace. The API has no way to read a single one. */
export const chatbotsPath = '/get-chatbots';

/**
 * Reads all chatbots of the workspace, once a run; the API has no pages for them.
 *
 * @throws NodeApiError when the service fails, or the response is no list of chatbots
 */
export async function readChatbots(service: Service): Promise<IDataObject[]> {
	return await service.session.once(chatbotsPath, async () => {
		const request = { method: 'GET', path: chatbotsPath, subject: 'chatbot' } as const;
		const response = await service.send(request);
		if (response.outcome) throw service.failure(response, request.subject);
		const chatbots = chatbotsIn(response.body);
		if (chatbots) return chatbots;
		throw service.unexpected(response, request.subject);
	});
}

/**
 * Finds the chatbots in either shape in which they come: the published one is a list, clients in the wild read
 * `{ data, error }` in its place (public reference, section 10).
 *
 * @returns undefined where there are none, or the envelope holds an error
 */
function chatbotsIn(body: unknown): IDataObject[] | undefined {
	const held = isObject(body) ? body.chatbots : undefined;
	const hasError = isObject(held) && held.error !== undefined && held.error !== null;
	const list = isObject(held) && !hasError ? held.data : held;
	return Array.isArray(list) && list.every(isObject) ? list : undefined;
}

/**
 * Reads one chatbot.
 *
 * @throws NodeOperationError when the workspace has none with this ID
 */
export async function readChatbot(
	item: InputItem,
	service: Service,
	chatbotId: string,
): Promise<IDataObject> {
	const chatbots = await readChatbots(service);
	// Some services number their chatbots.
	const chatbot = chatbots.find(({ id }) => String(id) === chatbotId);
	if (chatbot) return chatbot;
	throw item.refusal(
		'Chatbot not found',
		`The workspace of the API key has none with the ID "${chatbotId}". Choose one From List, or copy the ID from the dashboard.`,
	);
}
