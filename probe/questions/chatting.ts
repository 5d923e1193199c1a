/** Questions that need chat messages, which cost message credits. */
import { questionsOf } from '../answer';

export const chattingQuestions = questionsOf('chat', {
	chatUnknownChatbot: ['Status of a chat with a chatbot that does not exist', '400 | 403 | 404'],
	chatResponse: [
		'Other fields of a chat response',
		'text: none | more: some | !withoutText: there is no text',
	],
	chatIdAlias: ['chatId instead of chatbotId', 'refused | accepted'],
	maximumMessageLength: ['A message of more than 8,000 characters', 'taken: accepted | refused'],
	unknownConversation: ['A chosen conversation ID', 'creates: accepted | badRequest: refused'],
	earlierChatModels: ['A model of the earlier list', 'accepted | refused'],
	streamFraming: [
		'Framing of a streamed answer',
		'text: plain text | events | eventsAsPlainText: events that are called text/plain | json: JSON with text',
	],
	streamEventData: [
		'Content of an event',
		'none: there are no events | text | !json: text as JSON | !object: JSON that is not text',
	],
	streamEncoding: ['Encoding of a streamed answer', 'utf8: UTF-8 | !other: not UTF-8'],
	streamEnd: [
		'End of a streamed answer',
		'end: the end of the response | =done: [DONE] | !withoutDone: events without [DONE] | !broken: the connection broke',
	],
	conversationHistory: [
		'Effect of a second message on a saved conversation',
		'append: it is added | override: it replaces the first',
	],
});
