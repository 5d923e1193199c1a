import type { InputItem } from '../../execution/item';
import { readMarksMissing } from '../../fields/notFound';
import { readId } from '../../fields/values';

export function readChosenContact(item: InputItem) {
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		contactId: readId(item, 'contactId', 'Contact'),
		marksMissing: readMarksMissing(item),
	};
}
