/** Every question of the probe, in the order of the answer. */
import { asAssumed, handled, questionsOf } from '../answer';
import { chattingQuestions } from './chatting';
import { readingQuestions } from './reading';
import { attributeQuestions, writingQuestions } from './writing';

/** About all requests of a run; it sends no extra request. */
const trafficQuestions = questionsOf('read', {
	rateLimitHeaders: [
		'Rate limit headers in ordinary responses',
		'none',
		{ none: asAssumed('none'), some: handled('X-RateLimit or RateLimit') },
	],
	retryAfter: [
		'How a 429 says how long to wait',
		'Retry-After in seconds or as a date, or not at all',
		{
			seconds: asAssumed('in seconds'),
			date: handled('as a date'),
			none: handled('not at all'),
			other: handled('in another way'),
		},
	],
});

export const questions = {
	...readingQuestions,
	...trafficQuestions,
	...writingQuestions,
	...attributeQuestions,
	...chattingQuestions,
};

export type QuestionName = keyof typeof questions;

/** Names of the expected answers of a question. */
export type AnswerName<Name extends QuestionName> = keyof (typeof questions)[Name]['answers'];
