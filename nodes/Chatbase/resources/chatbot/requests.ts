import type { IDataObject } from 'n8n-workflow';

import { refuse } from '../../fields/read';
import type { ItemContext } from '../../transport/operation';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

/** Reads all chatbots of the workspace; the API has no pages for them. */
export async function readChatbots(service: Service): Promise<IDataObject[]> {
	const request = { method: 'GET', path: '/get-chatbots', subject: 'chatbot' } as const;
	const response = await service.send(request);
	if (response.outcome) throw service.failure(response, request.subject);
	const chatbots = isObject(response.body) ? response.body.chatbots : undefined;
	if (Array.isArray(chatbots) && chatbots.every(isObject)) return chatbots;
	throw service.unexpected(response, request.subject);
}

/**
 * Reads one chatbot. The API can only list them.
 *
 * @throws NodeOperationError when the workspace has none with this ID
 */
export async function readChatbot(
	context: ItemContext,
	service: Service,
	chatbotId: string,
): Promise<IDataObject> {
	const chatbots = await readChatbots(service);
	const chatbot = chatbots.find(({ id }) => id === chatbotId);
	if (chatbot) return chatbot;
	throw refuse(
		context,
		'Chatbot not found',
		`The workspace of the API key has none with the ID "${chatbotId}". Choose one From List, or copy the ID from the dashboard.`,
	);
}
