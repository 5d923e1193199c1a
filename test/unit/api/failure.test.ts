/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { runInNewContext } from 'node:vm';

import { NodeOperationError } from 'n8n-workflow';

import { endOfRun, Failure, failureOf } from '../../../nodes/Chatbase/api/failure';
import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { node } from './node';

const facts = {
	title: 'The service is down',
	sentences: ['It is being mended.'],
	advice: 'Try again later.',
	itemIndex: 3,
};
const failure = new Failure(facts);

describe('a failure with something more', () => {
	it.each<[string, (one: Failure) => Failure, object]>([
		[
			'a sentence',
			(one) => one.and('Nothing was sent.'),
			{ sentences: [...facts.sentences, 'Nothing was sent.'] },
		],
		['another item', (one) => one.with({ itemIndex: 1 }), { itemIndex: 1 }],
		[
			'other words',
			(one) => one.withWords((text) => text.replace('mended', 'fixed')),
			{
				sentences: ['It is being fixed.'],
			},
		],
		['an unknown outcome', (one) => one.with({ written: 'unknown' }), { written: 'unknown' }],
	])('is another one, with %s', (_, add, change) => {
		const before = { ...failure };
		expect(add(failure)).toMatchObject({ ...facts, written: 'no', ...change });
		expect(failure).toEqual(expect.objectContaining(before));
	});

	it('is the same one if its words stay', () => {
		expect(failure.withWords((text) => text)).toBe(failure);
	});

	it('is still no failure of its item at the end of a run', () => {
		expect(endOfRun('unknown').and('It may exist.')).toMatchObject({
			isEndOfRun: true,
			written: 'unknown',
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

describe('the advice to try again', () => {
	const rejected = { repeatable: 'unlessReceived' } as ApiResponse;
	const sets = { repeatable: 'always' } as ApiResponse;

	it.each([
		['nothing was written', failure, true],
		['something may be written', failure.with({ written: 'unknown', response: rejected }), false],
		['what sets values may be done', failure.with({ written: 'unknown', response: sets }), true],
		['something was written before', failure.with({ written: 'yes', response: sets }), false],
	])('stands last only if it does no harm: %s', (_, one, isSaid) => {
		const ending = isSaid ? ' Try again later.' : '';
		expect(one.description).toBe(`It is being mended.${ending}`);
	});
});
