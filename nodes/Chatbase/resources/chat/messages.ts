import { describeValue } from '../../fields/describe';
import { oneOf, text } from '../../fields/values';
import { readJson } from '../../fields/read';
import type { InputItem } from '../../execution/item';
import { isObject } from '../../values/object';

/** One turn of a conversation (contract, Message; the second role is from the public pages). */
export interface Message {
	role: 'user' | 'assistant';
	content: string;
}

const role = oneOf('user', 'assistant');

/**
 * Reads the earlier turns of a conversation.
 *
 * @param context the item
 * @param turns what the field holds
 * @param label display name of the field, for errors
 * @throws NodeOperationError when they are not a list of turns with a known role and text
 */
export function readTurns(item: InputItem, turns: unknown, label: string): Message[] {
	const list = readJson(item, turns, label);
	if (!Array.isArray(list)) {
		throw item.refusal(
			`${label} is not a list`,
			`It is ${describeValue(list)}. Start with [ and end with ], with one object for each turn.`,
		);
	}
	return list.map((turn: unknown, index) => {
		const message = readTurn(turn);
		if (typeof message !== 'string') return message;
		throw item.refusal(
			`${label} holds a turn that cannot be sent`,
			`Turn ${index + 1}: ${message}`,
		);
	});
}

/**
 * Reads one turn. Only role and content are taken: the API knows nothing else of a turn.
 *
 * @returns the turn as it is sent, or what keeps it from being sent
 */
function readTurn(turn: unknown): Message | string {
	if (!isObject(turn)) return `it is ${describeValue(turn)}, not an object with role and content.`;
	const message = { role: role.read(turn.role), content: text.read(turn.content) };
	if (message.role === undefined) {
		return `its role is ${describeValue(turn.role)}. Use user for the person and assistant for the chatbot.`;
	}
	if (message.content === undefined)
		return `its content is ${describeValue(turn.content)}, not text.`;
	return message as Message;
}
