import type { IDataObject } from 'n8n-workflow';

import { readId } from '../../fields/read';
import { nodeOf } from '../../transport/node';
import type { ItemContext, RoutedRequest } from '../../transport/operation';
import { fillPath } from '../../transport/path';

/** The contact that an operation works on. */
export interface ChosenContact {
	/** Its path below the Base URL. */
	path: string;
	/** Its External ID. */
	contactId: string;
	/** Whether an item says so when there is no such contact, instead of failing. */
	markMissing: boolean;
}

/**
 * Reads which contact is chosen.
 *
 * @param context the item
 * @param request what the routing of the operation describes
 * @throws NodeOperationError when chatbot or contact cannot be an ID
 */
export function readChosenContact(context: ItemContext, request: RoutedRequest): ChosenContact {
	const chatbotId = readId(context, 'chatbotId', 'Chatbot');
	const contactId = readId(context, 'contactId', 'Contact');
	const { onNotFound } = context.getNodeParameter('options', {}) as IDataObject;
	return {
		path: fillPath(nodeOf(context), request.path, { chatbotId, contactId }),
		contactId,
		markMissing: onNotFound === 'mark',
	};
}
