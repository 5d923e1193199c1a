import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { notice, operation, optionsField, toolNotice } from '../../fields/define';
import { chatbotField, modelField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import {
	boolean,
	filledText,
	fraction,
	hasValue,
	readId,
	readOptional,
	readRequired,
} from '../../fields/values';
import { isObject } from '../../values/object';
import { isBlank } from '../../values/scalar';
import { AnswerStream } from './answer';
import type { Message } from './messages';
import { readHistory } from './messages';

/** A chatbot may think and look things up before it answers. */
export const chatTimeout = 120_000;

export const send = operation({
	value: 'send',
	name: 'Send Message',
	action: 'Send message',
	description:
		'Ask a chatbot something and get its answer. Use it for what the chatbot was trained on; each answer costs message credits.',
	request: { method: 'POST', path: '/chat' },
	fields: [
		chatbotField,
		toolNotice(
			'An agent spends message credits with each call of this tool, and only knows it as “Send message in Chatbase”. Choose Set Manually under Tool Description and say when to use it, for example: “Ask our support chatbot about orders, delivery and returns. Each answer costs message credits, so ask once and in full.”',
		),
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 3 },
			required: true,
			default: '',
			placeholder: 'e.g. What are your opening hours?',
			description:
				'What the person says to the chatbot. It is sent as it is, line breaks included.',
		},
		{
			displayName: 'History',
			name: 'history',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			default: {},
			placeholder: 'Add Turn',
			description:
				'The turns before this message, oldest first. The service remembers none of them: without them, the chatbot takes each message for the first one.',
			options: [
				{
					displayName: 'Turn',
					name: 'turns',
					values: [
						{
							displayName: 'Role',
							name: 'role',
							type: 'options',
							default: 'user',
							description: 'Who said it',
							options: [
								{ name: 'Assistant', value: 'assistant', description: 'The chatbot' },
								{ name: 'User', value: 'user', description: 'The person who chats' },
							],
						},
						{
							displayName: 'Content',
							name: 'content',
							type: 'string',
							typeOptions: { rows: 2 },
							default: '',
							placeholder: 'e.g. Do you ship to Norway?',
							description: 'What was said',
						},
					],
				},
			],
		},
		notice(
			'conversationNotice',
			'This conversation will not be saved: the service only keeps conversations that have an ID. Add Conversation ID under Options to see them in the dashboard.',
			{ hide: { '/options.conversationId': [{ _cnd: { exists: true } }] } },
		),
		optionsField([
			{
				displayName: 'Contact ID',
				name: 'contactId',
				type: 'string',
				default: '',
				placeholder: 'e.g. customer-1001',
				description:
					'External ID of the contact who chats: the ID from your own system, not the internal ID of the service',
			},
			{
				displayName: 'Conversation ID',
				name: 'conversationId',
				type: 'string',
				default: '',
				placeholder: 'e.g. {{ $json.sessionId }}',
				description:
					'Any text that is the same for every turn of one conversation, such as a session ID. Without it, the service does not save the conversation.',
			},
			{
				displayName: 'History JSON',
				name: 'historyJson',
				type: 'json',
				default: '[]',
				description:
					'The turns before this message as a JSON list, oldest first, each with role (user or assistant) and content. It takes the place of History.',
			},
			maxConcurrencyOption,
			modelField(
				'searchChatModels',
				'The model that writes this answer, instead of the one that the chatbot is set to. Which models are allowed, and how many credits an answer costs, depends on the plan.',
			),
			{
				displayName: 'Stream',
				name: 'stream',
				type: 'boolean',
				default: false,
				description:
					'Whether to pass the answer on while it is being written, where the Response Mode of the Chat Trigger or Webhook is Streaming. With it off, the answer is passed on there when it is complete. The item holds the whole answer either way.',
			},
			{
				displayName: 'Temperature',
				name: 'temperature',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
				default: 0,
				description:
					'How freely the chatbot words this answer, from 0 (always alike) to 1 (most varied), instead of as it is set',
			},
		]),
	],

	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const earlier = readEarlierMessages(item);
		const content = readRequired(item, 'message', filledText, 'Message');
		const stream = readOptional(item, 'options.stream', boolean, 'Stream');
		return {
			chatbotId,
			messages: [...earlier, { role: 'user', content }],
			conversationId: readOptional(item, 'options.conversationId', filledText, 'Conversation ID'),
			contactId: readOptional(item, 'options.contactId', filledText, 'Contact ID'),
			model: readOptional(item, 'options.model', filledText, 'Model'),
			temperature: readOptional(item, 'options.temperature', fraction, 'Temperature'),
			// An agent reads the whole answer at once, so that no part of it is needed earlier.
			stream: item.isTool ? undefined : stream,
		};
	},

	// The service saves the messages of a conversation in the order in which they arrive.
	sequenceKeys: ({ chatbotId, conversationId }) =>
		conversationId === undefined ? [] : [JSON.stringify([chatbotId, conversationId])],

	async send({ item, params: body, api }) {
		const answer = new AnswerStream(item.sendChunk);
		const response = await api.send({
			...item.request,
			body,
			resource: 'chat',
			timeout: chatTimeout,
			readStream: body.stream
				? async (stream, contentType) => await answer.read(stream, contentType)
				: undefined,
		});
		if (response.outcome) throw withText(api.failure(response), api.redact(answer.arrived));
		const { text, ...rest } = isObject(response.body) ? response.body : {};
		if (typeof text !== 'string') throw api.unexpected(quoting(response));
		// Whoever waits for the workflow to stream would be left without an answer.
		if (!body.stream) await answer.passWhole(text);
		const { conversationId } = body;
		return [{ text, ...(conversationId !== undefined && { conversationId }), ...rest }];
	},
});

function readEarlierMessages(item: InputItem): Message[] {
	const historyJson = item.parameter('options.historyJson');
	const isBlankText = typeof historyJson === 'string' && isBlank(historyJson);
	if (hasValue(item, historyJson) && !isBlankText) {
		return readHistory(item, historyJson, 'History JSON');
	}
	const { turns = [] } = item.collection('history') as { turns?: IDataObject[] };
	// A model leaves the turns blank that it has no use for.
	const used = turns.filter(({ content }) => !item.isTool || hasValue(item, content));
	return readHistory(item, used, 'History');
}

/** Keeps what had arrived of an answer that broke off. */
export function withText(failure: NodeApiError, text: string): NodeApiError {
	if (text === '') return failure;
	const arrived = `${[...text].length} characters of the answer had arrived: “${text}”`;
	failure.description = `${failure.description} ${arrived}`;
	return failure;
}

/** Makes the error quote a response that is no answer as it came: it may hold what credits were spent on. */
export function quoting(response: ApiResponse): ApiResponse {
	const { body } = response;
	if (isObject(body) && typeof body.message === 'string') return response;
	const message = typeof body === 'string' ? body : JSON.stringify(body);
	return { ...response, body: { message } };
}
