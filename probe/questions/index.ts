/** Every question of the probe, in the order of the answer. */
import { assumed, handled, questionsOf } from '../answer';
import * as chatting from './chatting';
import * as reading from './reading';
import * as version2 from './version2';
import * as writing from './writing';

/** About all requests of a run; it sends no extra request. */
const trafficQuestions = questionsOf('read', {
	retryAfter: {
		asked: 'How a 429 says how long to wait',
		answers: {
			seconds: assumed('in seconds'),
			date: handled('as a date'),
			none: handled('not at all'),
			other: handled('in another way'),
		},
	},
});

export * from './chatting';
export * from './reading';
export * from './version2';
export * from './writing';

export const questions = {
	...reading.generalQuestions,
	...reading.chatbotQuestions,
	...reading.contactListQuestions,
	...reading.contactQuestions,
	...reading.conversationListQuestions,
	...reading.conversationQuestions,
	...reading.leadQuestions,
	...trafficQuestions,
	...version2.agentQuestions,
	...version2.exportQuestions,
	...version2.ratingQuestions,
	...writing.writingQuestions,
	...writing.attributeQuestions,
	...version2.sourceQuestions,
	...chatting.chattingQuestions,
	...version2.agentChatQuestions,
	...version2.agentStreamQuestions,
	...version2.toolResultQuestions,
	...version2.pauseQuestions,
};

export type QuestionName = keyof typeof questions;

export function namesOf<Group extends object>(group: Group): Array<keyof Group & QuestionName> {
	return Object.keys(group) as Array<keyof Group & QuestionName>;
}

export type AnswerName<Name extends QuestionName> = keyof (typeof questions)[Name]['answers'] &
	string;
