import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { Service } from '../transport/service';
import { Session } from '../transport/session';

/** How many pages a list in the panel reads at the same time. */
export const pagesAtOnce = 5;

/** The way to the service for a list or a mapper in the panel. */
export function panelService(context: ILoadOptionsFunctions): Service {
	return new Service(context, new Session(pagesAtOnce));
}

/** The chatbot chosen in the panel, or undefined where none is, or an expression has no data yet. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('chatbotId', { extractValue: true });
	return typeof id === 'string' && id.trim() !== '' && !id.startsWith('=') ? id : undefined;
}

/** Like `chosenChatbot`, for lists that are nothing without one. */
export function requireChatbot(context: ILoadOptionsFunctions): string {
	const id = chosenChatbot(context);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), 'Choose a chatbot first', {
		description: 'The list depends on the field Chatbot.',
	});
}
