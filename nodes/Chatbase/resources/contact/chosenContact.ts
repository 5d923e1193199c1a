import type { InputItem } from '../../execution/item';
import { readMarksMissing } from '../../panel/locators';
import { chatbotField } from '../chatbot/chatbotField';
import { contactField } from './contactField';

/** One contact that an item names. */
export interface ChosenContact {
	chatbotId: string;
	contactId: string;
	/** Whether a contact that does not exist is a result, not an error. */
	marksMissing: boolean;
}

export function readChosenContact(item: InputItem): ChosenContact {
	return {
		chatbotId: chatbotField.read(item),
		contactId: contactField.read(item),
		marksMissing: readMarksMissing(item),
	};
}
