import type { InputItem } from '../../execution/item';
import { readMarksMissing } from '../../panel/locators';
import { chatbotField } from '../chatbot/chatbotField';
import { sourceField } from './sourceField';
import type { SourceAddress } from './sources';

/** One source that an item names. */
interface ChosenSource extends SourceAddress {
	/** Whether a source that does not exist is a result, not an error. */
	marksMissing: boolean;
}

export function readChosenSource(item: InputItem): ChosenSource {
	return {
		chatbotId: chatbotField.read(item),
		sourceId: sourceField.read(item),
		marksMissing: readMarksMissing(item),
	};
}
