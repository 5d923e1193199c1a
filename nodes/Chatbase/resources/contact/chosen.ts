import type { InputItem } from '../../execution/item';
import { chatbotField, contactField } from '../../fields/locators';
import { readMarksMissing } from '../../fields/notFound';

export const readChosenContact = (item: InputItem) => ({
	chatbotId: chatbotField.read(item),
	contactId: contactField.read(item),
	marksMissing: readMarksMissing(item),
});
