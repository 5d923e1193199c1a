import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { readComplete } from '../../execution/lists';
import {
	choiceField,
	type Field,
	hasValue,
	idField,
	type FieldLook,
	readAs,
	serviceIdField,
} from '../../panel/field';
import { shownInTool } from '../../panel/notices';
import { only, text, type ValueType } from '../../panel/types';
import { isBlank } from '../../values/json';
import { newestFirst } from '../../values/time';

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
				'Continues the latest conversation of the user, or starts one',
			],
			id: ['By ID', 'Continues the conversation with this ID'],
			new: ['New', 'Starts a new conversation'],
		},
		default: defaultChoice,
		...shownInTool(isTool),
	});
}

const conversationField = choiceFieldWith('user', false);
const conversationFieldOfTool = choiceFieldWith('new', true);

/** Shows a field for one choice of Conversation: in workflows and tools, or only in one of the two. */
function shownForChoice(path: string, choice: string, isTool?: boolean) {
	const only = isTool === undefined ? {} : { '@tool': [isTool] };
	return { required: false, displayOptions: { show: { [path]: [choice], ...only } } };
}

/** The rules for an ID (reference of version 2), and for a part of a path, which can't be only dots. */
const userIdType: ValueType<string> = {
	...only(text, 'valid', (id) => /^(?!\.{1,2}$)[a-zA-Z0-9._-]{1,128}$/.test(id)),
	rule: 'It can have up to 128 letters (a to z), digits, dots, underscores and hyphens. Use your own customer ID, or a hash of the email.',
};

const notByModel = 'In a tool, never let the model fill it in.';

/** An empty ID gets its own error, before the rules for characters apply. */
function userIdField(
	path: string,
	description: string,
	shown: Partial<FieldLook>,
): Field<string> {
	const look = {
		description: `ID of the person who chats: ${description} ${notByModel}`,
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

const ownId = 'your own customer ID, or a hash of the email.';
const orTrigger = `the sessionId of a Chat Trigger, ${ownId}`;
const userField = userIdField('userId', orTrigger, {
	default: '={{ $json.sessionId }}',
	...shownForChoice('conversation', 'user', false),
});
const userFieldOfTool = userIdField(
	'userId',
	orTrigger,
	shownForChoice('conversation', 'user', true),
);

const userOption = userIdField(
	'options.userId',
	`${ownId} Chatbase stores it with the new conversation.`,
	shownForChoice('/conversation', 'new'),
);

const earlierConversationIdField = serviceIdField(
	'conversationId',
	'Conversation ID',
	{
		description: `The conversationId of an earlier answer, not a session ID. ${notByModel}`,
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		...shownForChoice('conversation', 'id'),
	},
	'Enter the conversationId of an earlier answer, or choose another Conversation.',
);

export const choiceFields = [
	conversationField,
	conversationFieldOfTool,
	userField,
	userFieldOfTool,
	earlierConversationIdField,
];

const onEndedOption = choiceField('options.onEnded', 'If the Conversation Has Ended', {
	description: 'What to do if the conversation has ended or a person has taken it over',
	choices: {
		error: ['Fail', 'Fails the item'],
		startNew: [
			'Start New',
			'Sends the message in a new conversation. The output has its ID.',
		],
	},
	...shownForChoice('/conversation', 'id'),
});

export const choiceOptions = [onEndedOption, userOption];

export function readConversationChoice(item: InputItem): ConversationChoice {
	const field = item.isTool ? conversationFieldOfTool : conversationField;
	const continues = field.read(item);

	if (continues === 'user') return { continues, userId: userField.read(item) };
	if (continues === 'new') {
		const hasUser = hasValue(item, item.option('userId'));
		return { continues, userId: hasUser ? userOption.read(item) : undefined };
	}

	const startsNew = onEndedOption.read(item) === 'startNew';
	return { continues, conversationId: earlierConversationIdField.read(item), startsNew };
}

/** The conversation to continue, if any. `previous` is the conversation that is replaced if the answer comes in another one. */
export interface Target {
	id?: string;
	previous?: string;
}

/**
 * Looks up the latest conversation of a user, among those made by the API. Throws if a person has taken over the
 * conversation, since the chatbot then does not answer.
 */
export async function lookUpLatest(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, userId }: Record<'chatbotId' | 'userId', string>,
): Promise<Target> {
	const list = cursorPages(api, {
		path: '/agents/{chatbotId}/users/{userId}/conversations',
		resource: 'agentNewChat',
		params: { chatbotId, userId },
		query: { limit: 100 },
		canBeMissing: true,
	});
	const listed = await readComplete(item, 'conversations', list, {
		// To run the node again would send the messages of all items again.
		advice: 'Nothing was sent. Choose By ID or New under Conversation.',
	});

	// The service may also list conversations of other users, and does not document the order.
	const ofUser = listed.filter((one) => one.userId === userId && !isBlank(one.id));
	const [latest] = newestFirst(ofUser, 'updatedAt');
	if (!latest) return {};

	const id = String(latest.id).trim();
	if (latest.status === 'ended') return { previous: id };
	if (latest.status === 'paused' || latest.status === 'taken_over') {
		const nextStep = `A person has the latest conversation of user ${userId} (ID ${id}), so nothing was sent. Resume it with Conversation: Resume, or choose New under Conversation.`;
		throw item.error('The conversation is paused or was taken over', nextStep);
	}

	return { id, previous: id };
}
