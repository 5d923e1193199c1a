/** Questions that need chat messages, which cost message credits. */
import { asAssumed, differs, handled, questionsOf } from '../answer';

export const chattingQuestions = questionsOf('chat', {
	chatUnknownChatbot: [
		'Status of a chat with a chatbot that does not exist',
		'400, 403 or 404: each has a hint',
		{ 400: asAssumed('400'), 403: handled('403'), 404: handled('404') },
	],
	chatResponse: [
		'Other fields of a chat response',
		'any: passed on beside the text',
		{
			text: asAssumed('nothing'),
			more: handled('further fields'),
			withoutText: differs('there is no text'),
		},
	],
	chatIdAlias: [
		'chatId instead of chatbotId',
		'any: the node sends chatbotId',
		{ refused: asAssumed('refused'), accepted: handled('accepted') },
	],
	maximumMessageLength: [
		'A message of more than 8,000 characters',
		'accepted; a refusal is explained',
		{ taken: asAssumed('accepted'), refused: handled('refused') },
	],
	unknownConversation: [
		'A conversation ID that the caller chose',
		'accepted; a refusal is explained',
		{ creates: asAssumed('accepted'), badRequest: handled('refused') },
	],
	earlierChatModels: [
		'A model of the earlier list',
		'accepted; a refusal is explained',
		{ accepted: asAssumed('accepted'), refused: handled('refused') },
	],
	streamFraming: [
		'Framing of a streamed answer',
		'plain text, or events',
		{
			text: asAssumed('plain text'),
			events: handled('events'),
			eventsAsPlainText: handled('events that are called text/plain'),
			json: handled('JSON with text'),
		},
	],
	streamEventData: [
		'Content of an event',
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
		'Effect of a second message on a saved conversation',
		'any: the node sends its input',
		{ append: asAssumed('it is added'), override: handled('it replaces the first') },
	],
});
