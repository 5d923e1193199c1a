/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { runInNewContext } from 'node:vm';

import { NodeOperationError } from 'n8n-workflow';

import { endOfRun, Failure, failureOf, mayBeDone } from '../../../nodes/Chatbase/api/failure';
import { node } from './node';

const facts = {
	title: 'The service is down',
	sentences: ['Try again later.', 'It is being mended.'],
	itemIndex: 3,
};
const failure = new Failure(facts);

describe('a failure with something more', () => {
	it.each<[string, (one: Failure) => Failure, object]>([
		[
			'a sentence',
			(one) => one.withSentence('Nothing was sent.'),
			{ sentences: [...facts.sentences, 'Nothing was sent.'] },
		],
		[
			'a first sentence',
			(one) => one.withFirstSentence('It was written.'),
			{ sentences: ['It was written.', ...facts.sentences] },
		],
		['another item', (one) => one.withItem(1), { itemIndex: 1 }],
		[
			'other words',
			(one) => one.withWords((text) => text.replace('mended', 'fixed')),
			{
				sentences: ['Try again later.', 'It is being fixed.'],
			},
		],
		[
			'an unknown outcome',
			(one) => one.withMayBeDone(true),
			{ mayBeDone: true, sentences: ['It is being mended.'] },
		],
	])('is another one, with %s', (_, add, change) => {
		const before = { ...failure };
		expect(add(failure)).toMatchObject({ ...facts, mayBeDone: false, ...change });
		expect(failure).toEqual(expect.objectContaining(before));
	});

	it('is the same one if its words stay', () => {
		expect(failure.withWords((text) => text)).toBe(failure);
	});

	it('is still no failure of its item at the end of a run', () => {
		expect(endOfRun(true).withSentence('It may exist.')).toMatchObject({
			isEndOfRun: true,
			mayBeDone: true,
		});
	});
});

it('has all of its text without HTML', () => {
	const { text } = new Failure({ title: 'No', sentences: ['"<b>" & more.', 'Change it.'] });
	expect(text).toBe('No. "<b>" & more. Change it.');
	expect(new Failure({ title: 'No', sentences: [] }).text).toBe('No');
});

describe('what was thrown as a failure', () => {
	it('is the failure itself', () => {
		expect(failureOf(failure)).toBe(failure);
	});

	it('says what an error of n8n says', () => {
		const error = new NodeOperationError(node, 'No file', { description: 'Use &lt;data&gt;.' });
		expect(failureOf(error)).toMatchObject({
			title: 'No file',
			sentences: ['Use <data>.'],
			origin: error,
			mayBeDone: false,
		});
	});

	it('says what an error of another realm says', () => {
		const error: unknown = runInNewContext('new TypeError("x is not a function")');
		expect(failureOf(error)).toMatchObject({ title: 'x is not a function', sentences: [] });
	});

	it('holds what is no error', () => {
		expect(failureOf('odd').title).toBe('odd');
	});
});

it.each([
	[failure, false],
	[failure.withMayBeDone(true), true],
	[endOfRun(true), true],
	[new Error('Something'), false],
])('says whether something may be done: %s', (error, expected) => {
	expect(mayBeDone(error)).toBe(expected);
});
