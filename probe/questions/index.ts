/** Every question of the probe, in the order of the answer. */
import { questionsOf } from '../answer';
import { chattingQuestions } from './chatting';
import {
	chatbotQuestions,
	contactQuestions,
	conversationQuestions,
	generalQuestions,
	leadQuestions,
} from './reading';
import {
	agentChatQuestions,
	agentQuestions,
	agentStreamQuestions,
	exportQuestions,
	pauseQuestions,
	searchQuestions,
	sourceQuestions,
} from './version2';
import { attributeQuestions, writingQuestions } from './writing';

/** About all requests of a run; it sends no extra request. */
const trafficQuestions = questionsOf('read', {
	rateLimitHeaders: [
		'Rate limit headers in ordinary responses',
		'none | some: X-RateLimit or RateLimit',
	],
	retryAfter: [
		'How a 429 says how long to wait',
		'seconds: in seconds | date: as a date | none: not at all | other: in another way',
	],
});

export * from './chatting';
export * from './reading';
export * from './version2';
export * from './writing';

export const questions = {
	...generalQuestions,
	...chatbotQuestions,
	...contactQuestions,
	...conversationQuestions,
	...leadQuestions,
	...trafficQuestions,
	...agentQuestions,
	...exportQuestions,
	...searchQuestions,
	...writingQuestions,
	...attributeQuestions,
	...sourceQuestions,
	...chattingQuestions,
	...agentChatQuestions,
	...agentStreamQuestions,
	...pauseQuestions,
};

export type QuestionName = keyof typeof questions;

/** The names of a group of questions. */
export function namesOf<Group extends object>(group: Group): Array<keyof Group & QuestionName> {
	return Object.keys(group) as Array<keyof Group & QuestionName>;
}

/** Names of the expected answers of a question. */
export type AnswerName<Name extends QuestionName> = keyof (typeof questions)[Name]['answers'] &
	string;
