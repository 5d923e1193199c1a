import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../../transport/service';
import { isObject } from '../../transport/service';

/** Reads all chatbots of the workspace; the API has no pages for them. */
export async function readChatbots(service: Service): Promise<IDataObject[]> {
	const request = { method: 'GET', path: '/get-chatbots', subject: 'chatbot' } as const;
	const reply = await service.send(request);
	if (reply.situation) throw service.failure(reply, request.subject);
	const chatbots = isObject(reply.body) ? reply.body.chatbots : undefined;
	if (Array.isArray(chatbots) && chatbots.every(isObject)) return chatbots;
	throw service.unexpected(reply, request.subject);
}
