import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../fields/collections';
import { modelField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { toolNotice } from '../../fields/toolNotice';

const show = { resource: ['chat'], operation: ['send'] };

export const chatSendFields: INodeProperties[] = [
	toolNotice(
		show,
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
		description: 'What the person says to the chatbot. It is sent as it is, line breaks included.',
		displayOptions: { show },
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
		displayOptions: { show },
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
	{
		displayName:
			'This conversation will not be saved: the service only keeps conversations that have an ID. Add Conversation ID under Options to see them in the dashboard.',
		name: 'conversationNotice',
		type: 'notice',
		default: '',
		displayOptions: {
			show,
			hide: { '/options.conversationId': [{ _cnd: { exists: true } }] },
		},
	},
	optionsField(show, [
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
];
