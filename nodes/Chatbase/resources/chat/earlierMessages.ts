import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { choice, optionalField, optionField, readJson } from '../../panel/field';
import { describeValue, text } from '../../panel/types';
import { isBlank, isObject } from '../../values/json';

/** Replaces the messages of the panel. */
export const historyOption = optionField('historyJson', 'Previous Messages JSON', text, {
	type: 'json',
	default: '[]',
	description:
		'Earlier messages as a JSON list of objects with role (user or assistant) and content, oldest first. Replaces Previous Messages.',
});

/** The second role is from the public pages. */
const roleType = choice({
	assistant: ['Assistant', 'The chatbot'],
	user: ['User', 'The user of the chatbot'],
});

const roleField = optionalField('role', 'Role', roleType, {
	description: 'Who wrote the message',
	default: 'user',
});

const contentField = optionalField('content', 'Content', text, {
	typeOptions: { rows: 2 },
	placeholder: 'e.g. Do you ship to Norway?',
	description: 'Text of the message',
});

export const earlierMessagesField: INodeProperties = {
	displayName: 'Previous Messages',
	name: 'history',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	default: {},
	placeholder: 'Add Message',
	description:
		'Earlier messages of the conversation, oldest first. Chatbase remembers none. Map the messages of a chat memory in Previous Messages JSON.',
	options: [
		{
			displayName: 'Message',
			name: 'turns',
			values: [roleField.property, contentField.property],
		},
	],
};

/** From JSON or the panel. Throws if a message is invalid. */
export function readEarlierMessages(item: InputItem): IDataObject[] {
	const historyJson = item.option('historyJson');
	if (Array.isArray(historyJson) || !isBlank(historyJson)) {
		return readMessages(item, historyJson, 'Previous Messages JSON');
	}

	const { turns = [] } = item.collection('history') as { turns?: IDataObject[] };
	// A model leaves messages empty that it doesn't need.
	const used = turns.filter(({ content }) => !item.isTool || !isBlank(content));
	return readMessages(item, used, 'Previous Messages');
}

/** Messages of a conversation (contract, Message), without other fields. */
function readMessages(item: InputItem, messages: unknown, label: string): IDataObject[] {
	const list = readJson(item, messages, label);
	if (!Array.isArray(list)) {
		const nextStep = `It is ${describeValue(list)}. Start with [ and end with ], with one object for each message.`;
		throw item.error(`${label} is not a list`, nextStep);
	}

	return list.map((entry: unknown, index) => {
		const { role, content }: IDataObject = isObject(entry) ? entry : {};
		const message = { role: roleType.read(role), content: text.read(content) };
		if (message.role !== undefined && message.content !== undefined) return message;

		const given = isObject(entry)
			? `its role is ${describeValue(role)}, and its content is ${describeValue(content)}`
			: `it is ${describeValue(entry)}`;
		const nextStep = `Message ${index}: ${given}. It needs the role "user" or, for the chatbot, "assistant", and a text as content.`;
		throw item.error(`${label} has an invalid message`, nextStep);
	});
}
