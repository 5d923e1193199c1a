import type { IDataObject } from 'n8n-workflow';

import type { Kind } from '../../fields/kinds';
import { readAs, text } from '../../fields/kinds';
import type { ItemContext } from '../../transport/operation';

/** The service takes no shorter names (public reference, 4.3 and 4.4). */
const shortestName = 3;

const chatbotName: Kind<string> = {
	expected: `at least ${shortestName} characters long`,
	read(value) {
		const name = text.read(value);
		return name !== undefined && name.trim().length >= shortestName ? name : undefined;
	},
};

/** Reads the name that the fields have put into the body. */
export function readName(context: ItemContext, body: IDataObject): string {
	return readAs(context, body.chatbotName, chatbotName, 'Name');
}

/** Reads the training text that the fields have put into the body. */
export function readTrainingText(context: ItemContext, body: IDataObject): string {
	return readAs(context, body.sourceText, text, 'Training Text');
}
