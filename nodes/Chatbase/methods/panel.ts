import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Service } from '../transport/service';
import { openService } from '../transport/service';

/** How many pages a list in the panel reads at the same time. */
export const pagesAtOnce = 5;

/** The way to the service for a list or a mapper in the panel. */
export async function panelService(context: ILoadOptionsFunctions): Promise<Service> {
	return await openService(context, pagesAtOnce);
}

/** What cannot be the ID of a chatbot: nothing, and what a URL resolves to another path. */
const noChatbots = ['', '.', '..'];

/** The chatbot chosen in the panel, or undefined where none is, or an expression has no data yet. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('chatbotId', { extractValue: true });
	if (typeof id !== 'string' || noChatbots.includes(id.trim()) || id.startsWith('='))
		return undefined;
	return id;
}

/** Like `chosenChatbot`, for lists that are nothing without one. */
export function requireChatbot(context: ILoadOptionsFunctions): string {
	const id = chosenChatbot(context);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), 'Choose a chatbot first', {
		description: 'The list depends on the field Chatbot.',
	});
}
