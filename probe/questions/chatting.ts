/** Questions that need chat messages, which cost message credits. */
import { asAssumed, differs, handled, questionsOf } from '../answer';

export const chattingQuestions = questionsOf('chat', {
	chatUnknownChatbot: [
		'Status of a chat with a chatbot that does not exist',
		'400, 403 or 404: each has a hint',
		{ 400: asAssumed('400'), 403: handled('403'), 404: handled('404') },
	],
	chatResponse: [
		'What a chat answers beside text',
		'text; anything else is passed on',
		{
			text: asAssumed('nothing'),
			more: handled('further fields'),
			withoutText: differs('there is no text'),
		},
	],
	chatIdAlias: [
		'chatId in place of chatbotId',
		'any: the node sends chatbotId',
		{ refused: asAssumed('refused'), accepted: handled('taken') },
	],
	maximumMessageLength: [
		'A message of more than 8,000 characters',
		'taken; a refusal is explained',
		{ taken: asAssumed('taken'), refused: handled('refused') },
	],
	unknownConversation: [
		'A conversation ID that the caller made up',
		'taken; a refusal is explained',
		{ creates: asAssumed('taken'), badRequest: handled('refused') },
	],
	earlierChatModels: [
		'A model of the earlier list',
		'taken; a refusal is explained',
		{ accepted: asAssumed('taken'), refused: handled('refused') },
	],
	streamFraming: [
		'Framing of a streamed answer',
		'bare text, or events',
		{
			text: asAssumed('bare text'),
			events: handled('events'),
			eventsAsPlainText: handled('events that are called text/plain'),
			json: handled('JSON with text'),
		},
	],
	streamEventData: [
		'What an event holds',
		'text, or text as JSON',
		{
			none: asAssumed('there are no events'),
			text: handled('text'),
			json: handled('text as JSON'),
			object: differs('JSON that is not text'),
		},
	],
	streamEncoding: [
		'Encoding of a streamed answer',
		'UTF-8',
		{ utf8: asAssumed('UTF-8'), other: differs('not UTF-8') },
	],
	streamEnd: [
		'End of a streamed answer',
		'the end of the response; events end with [DONE]',
		{
			end: asAssumed('the end of the response'),
			done: asAssumed('[DONE]'),
			withoutDone: differs('events without [DONE]'),
			broken: differs('the connection broke'),
		},
	],
	conversationHistory: [
		'What a second message does to a saved conversation',
		'any: the node sends what it is given',
		{ append: asAssumed('it is added'), override: handled('it replaces the first') },
	],
});
