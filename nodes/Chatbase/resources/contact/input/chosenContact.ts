import type { InputItem } from '../../../execution/item';
import { readChoice } from '../../../fields/values';
import { readId } from '../../../fields/read';
import { fillPath } from '../../../api/path';

/** The contact that an operation works on. */
export interface ChosenContact {
	/** Its path below the Base URL. */
	path: string;
	chatbotId: string;
	/** Its External ID. */
	contactId: string;
	/** Whether an item says so when there is no such contact, instead of failing. */
	marksMissing: boolean;
}

/**
 * Reads which contact is chosen.
 *
 * @throws NodeOperationError when chatbot or contact cannot be an ID
 */
export function readChosenContact(item: InputItem): ChosenContact {
	const chatbotId = readId(item, 'chatbotId', 'Chatbot');
	const contactId = readId(item, 'contactId', 'Contact');
	const options = item.collection('options');
	return {
		path: fillPath(item.request.path, { chatbotId, contactId }),
		chatbotId,
		contactId,
		marksMissing:
			readChoice(item, options, 'onNotFound', 'If Not Found', ['error', 'mark']) === 'mark',
	};
}
