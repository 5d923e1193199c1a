import type { InputItem } from '../../execution/item';
import { describeValue, oneOf, readJson, text } from '../../fields/values';
import { isObject } from '../../values/object';

/** A message of a conversation (contract, Message; the second role is from the public pages). */
export interface Message {
	role: 'user' | 'assistant';
	content: string;
}

const role = oneOf('user', 'assistant');

/** @throws NodeOperationError if a message has an unknown role or no text */
export function readHistory(item: InputItem, messages: unknown, label: string): Message[] {
	const list = readJson(item, messages, label);
	if (!Array.isArray(list)) {
		throw item.error(
			`${label} is not a list`,
			`It is ${describeValue(list)}. Start with [ and end with ], with one object for each message.`,
		);
	}
	return list.map((entry: unknown, index) => {
		const message = readMessage(entry);
		if (typeof message !== 'string') return message;
		throw item.error(`${label} has an invalid message`, `Message ${index}: ${message}`);
	});
}

/** @returns role and content, the fields that the API knows, or why the message is invalid */
function readMessage(entry: unknown): Message | string {
	if (!isObject(entry)) {
		return `it is ${describeValue(entry)}, not an object with role and content.`;
	}
	const message = { role: role.read(entry.role), content: text.read(entry.content) };
	if (message.role === undefined) {
		return `its role is ${describeValue(entry.role)}. Use "user" or, for the chatbot, "assistant".`;
	}
	if (message.content === undefined) {
		return `its content is ${describeValue(entry.content)}, not text.`;
	}
	return message as Message;
}
