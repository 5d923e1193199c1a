import type { InputItem } from '../../execution/item';
import {
	choiceField,
	choiceOption,
	type Field,
	hasValue,
	idField,
	type Look,
	readAs,
	serviceIdField,
} from '../../panel/field';
import { shownInTool } from '../../panel/notices';
import { text, type ValueType } from '../../panel/types';

/** Which conversation a message belongs to. */
export type ConversationChoice =
	| { continues: 'user'; userId: string }
	/** `startsNew` replaces a conversation that has ended. */
	| { continues: 'id'; conversationId: string; startsNew: boolean }
	| { continues: 'new'; userId?: string };

function choiceFieldWith(
	defaultChoice: ConversationChoice['continues'],
	isTool: boolean,
) {
	return choiceField('conversation', 'Conversation', {
		description: 'The conversation that the message belongs to',
		choices: {
			user: [
				'Latest of a User',
				'Continues the latest conversation of the user, or begins one',
			],
			id: ['By ID', 'Continues the conversation with this ID'],
			new: ['New', 'Begins a conversation'],
		},
		default: defaultChoice,
		...shownInTool(isTool),
	});
}

const conversationField = choiceFieldWith('user', false);
const conversationFieldOfTool = choiceFieldWith('new', true);

/** For one choice of Conversation, in a workflow and in a tool unless one of them is named. */
function shownFor(path: string, choice: string, isTool?: boolean) {
	const only = isTool === undefined ? {} : { '@tool': [isTool] };
	return { required: false, displayOptions: { show: { [path]: [choice], ...only } } };
}

/** Reference of version 2, 4. A path can't have a segment of dots. */
const userIdType: ValueType<string> = {
	expected: 'valid',
	rule: 'It can have up to 128 letters (a to z), digits, dots, underscores and hyphens. Replace other characters, such as @, by hyphens.',
	read(value) {
		const userId = text.read(value) ?? '';
		return /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,128}$/.test(userId) ? userId : undefined;
	},
};

const notByModel = 'In a tool, never let the model fill it in.';

/** An empty ID is told as such, before the rules for its characters. */
function userIdField(
	path: string,
	description: string,
	shown: Partial<Look>,
): Field<string> {
	const look = {
		description: `ID of the person who chats, from your own system${description} ${notByModel}`,
		placeholder: 'e.g. {{ $json.sessionId }}',
		...shown,
	};
	const advice = 'Enter the ID of the person who chats, or choose another Conversation.';
	const field = idField(path, 'User ID', look, advice);

	return {
		...field,
		read: (item) => readAs(item, field.read(item), userIdType, 'User ID'),
	};
}

const orTrigger = ' or a Chat Trigger.';
const userField = userIdField('userId', orTrigger, {
	default: '={{ $json.sessionId }}',
	...shownFor('conversation', 'user', false),
});
const userFieldOfTool = userIdField(
	'userId',
	orTrigger,
	shownFor('conversation', 'user', true),
);

const userOption = userIdField(
	'options.userId',
	'. Chatbase stores it with the new conversation.',
	shownFor('/conversation', 'new'),
);

const conversationIdField = serviceIdField(
	'conversationId',
	'Conversation ID',
	{
		description: `The conversationId of an earlier answer, not a session ID. ${notByModel}`,
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		...shownFor('conversation', 'id'),
	},
	'Enter the conversationId of an earlier answer, or choose another Conversation.',
);

export const choiceFields = [
	conversationField,
	conversationFieldOfTool,
	userField,
	userFieldOfTool,
	conversationIdField,
];

const onEndedOption = choiceOption('onEnded', 'If the Conversation Has Ended', {
	description: 'What to do if the conversation has ended or a person has taken it over',
	choices: {
		error: ['Fail', 'Fails the item'],
		startNew: [
			'Start New',
			'Sends the message in a new conversation. The output has its ID.',
		],
	},
	...shownFor('/conversation', 'id'),
});

export const choiceOptions = [onEndedOption, userOption];

export function readChoice(item: InputItem): ConversationChoice {
	const field = item.isTool ? conversationFieldOfTool : conversationField;
	const continues = field.read(item);

	if (continues === 'user') return { continues, userId: userField.read(item) };
	if (continues === 'new') {
		const hasUser = hasValue(item, item.option('userId'));
		return { continues, userId: hasUser ? userOption.read(item) : undefined };
	}

	const startsNew = onEndedOption.read(item) === 'startNew';
	return { continues, conversationId: conversationIdField.read(item), startsNew };
}
