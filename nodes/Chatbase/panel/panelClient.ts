import { type ILoadOptionsFunctions, NodeOperationError } from 'n8n-workflow';

import { type ApiClient, openApiClient } from '../api/client';
import { isPathSegment } from '../api/request';
import { readRequestOptions } from '../api/settings';
import { isObject } from '../values/json';
import { text } from './types';

/** Throws if the credential or an option can't work. The trigger has no Request Options (n8n 2.41). */
export async function panelClient(context: ILoadOptionsFunctions): Promise<ApiClient> {
	const requestOptions = context.getCurrentNodeParameter('requestOptions');
	const hasRequestOptions = isObject(requestOptions);
	// Batching would only delay the few requests of a list.
	const http = hasRequestOptions
		? readRequestOptions(context.getNode(), { ...requestOptions, batching: undefined })
		: {};
	const availableSettings = { requestOptions: hasRequestOptions, maxConcurrency: false };
	return await openApiClient(context, 5, { http, availableSettings });
}

/** The chatbot chosen in the panel; undefined without one, or for an expression without data. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const id = text.read(
		context.getCurrentNodeParameter('chatbotId', { extractValue: true }),
	);
	return id !== undefined && isPathSegment(id.trim()) && !id.startsWith('=')
		? id
		: undefined;
}

export function requireChatbot(context: ILoadOptionsFunctions): string {
	const chatbotId = chosenChatbot(context);
	if (chatbotId !== undefined) return chatbotId;
	throw new NodeOperationError(context.getNode(), 'Choose a chatbot first');
}
