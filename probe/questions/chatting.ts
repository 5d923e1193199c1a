/** Questions that need chat messages, which cost message credits. */
import { assumed, differs, handled, questionsOf } from '../answer';

export const chattingQuestions = questionsOf('chat', {
	chatResponse: {
		asked: 'Other fields of a chat response',
		answers: {
			text: assumed('none'),
			more: handled('some'),
			withoutText: differs('there is no text'),
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
