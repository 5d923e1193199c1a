import type { INodeProperties } from 'n8n-workflow';

import type { ValueType } from '../../fields/values';
import { readAs, text } from '../../fields/values';
import type { InputItem } from '../../execution/item';

/** The service takes no shorter names (public reference, 4.3 and 4.4). */
const shortestName = 3;

const chatbotName: ValueType<string> = {
	expected: `at least ${shortestName} characters long`,
	read(value) {
		const name = text.read(value);
		return name !== undefined && name.trim().length >= shortestName ? name : undefined;
	},
};

/** The name of a chatbot. */
export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Support Bot',
	description: `Name of the chatbot in the dashboard, at least ${shortestName} characters`,
};

/**
 * The text that a chatbot is trained with.
 *
 * @param description what training with it means there
 */
export function trainingTextField(description: string): INodeProperties {
	return {
		displayName: 'Training Text',
		name: 'sourceText',
		type: 'string',
		typeOptions: { rows: 6 },
		default: '',
		placeholder: 'e.g. We deliver within two days. Returns are free for 30 days…',
		description,
	};
}

/**
 * Reads the name of a chatbot.
 *
 * @throws NodeOperationError when it is too short
 */
export function readName(item: InputItem, name: unknown): string {
	return readAs(item, name, chatbotName, 'Name');
}

/**
 * Reads the text that a chatbot is trained with.
 *
 * @throws NodeOperationError when it is no text
 */
export function readTrainingText(item: InputItem, sourceText: unknown): string {
	return readAs(item, sourceText, text, 'Training Text');
}
