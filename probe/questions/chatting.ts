/** Questions that need chat messages, which cost message credits. */
import { assumed, differs, handled, questionsOf } from '../answer';

export const chattingQuestions = questionsOf('chat', {
	chatUnknownChatbot: {
		asked: 'Status of a chat with a chatbot that does not exist',
		answers: {
			'400': assumed('400'),
			'403': handled('403'),
			'404': handled('404'),
		},
	},
	chatResponse: {
		asked: 'Other fields of a chat response',
		answers: {
			text: assumed('none'),
			more: handled('some'),
			withoutText: differs('there is no text'),
		},
	},
	maximumMessageLength: {
		asked: 'A message of more than 8,000 characters',
		answers: {
			taken: assumed('accepted'),
			refused: handled('refused'),
		},
	},
	unknownConversation: {
		asked: 'A chosen conversation ID',
		answers: {
			creates: assumed('accepted'),
			badRequest: handled('refused'),
		},
	},
	earlierChatModels: {
		asked: 'A model of the earlier list',
		answers: {
			accepted: assumed('accepted'),
			refused: handled('refused'),
		},
	},
	streamFraming: {
		asked: 'Framing of a streamed answer',
		answers: {
			text: assumed('plain text'),
			events: handled('events'),
			eventsAsPlainText: handled('events that are called text/plain'),
			json: handled('JSON with text'),
		},
	},
	streamEventData: {
		asked: 'Content of an event',
		answers: {
			none: assumed('there are no events'),
			text: handled('text'),
			json: differs('text as JSON'),
			object: differs('JSON that is not text'),
		},
	},
	streamEncoding: {
		asked: 'Encoding of a streamed answer',
		answers: {
			utf8: assumed('UTF-8'),
			other: differs('not UTF-8'),
		},
	},
	streamEnd: {
		asked: 'End of a streamed answer',
		answers: {
			end: assumed('the end of the response'),
			done: assumed('[DONE]'),
			withoutDone: differs('events without [DONE]'),
			broken: differs('the connection broke'),
		},
	},
});
