import fc from 'fast-check';

import { outcomeTexts } from '../../../nodes/Chatbase/api/errorTexts';
import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import { requestFailure } from '../../../nodes/Chatbase/api/requestFailure';
import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { unicodeText } from '../unicode';

const response = {
	method: 'POST' as const,
	resource: 'contacts' as const,
	version: version1,
	repeatable: 'always' as const,
	mayHaveRun: false,
	attempts: 1,
	rateLimitWait: 0,
	status: 400,
	outcome: '400' as FailureKind,
};
const credential = { apiKey: '', baseUrl: 'https://www.chatbase.co/api/v1' };
const everywhere = { requestOptions: true, maxConcurrency: true };

const slowDown = { message: 'Slow down' };

it('has no key when the service repeats it', () => {
	const key = fc.string({ minLength: 8, unit: fc.constantFrom('a', 'b', '-', '&', '<', '$') });
	fc.assert(
		fc.property(key, unicodeText, fc.integer({ min: 0, max: 600 }), (secret, around, filling) => {
			const message = 'x'.repeat(filling) + secret + around + secret;
			const body = { message, issues: [{ field: secret, message }] };
			const failure = requestFailure(
				{ ...response, body },
				{ ...credential, apiKey: secret, available: everywhere },
			);
			expect(failure.text).not.toContain(secret);
		}),
	);
});

it('says how long it waited and how often it tried', () => {
	const waited: ApiResponse = {
		...response,
		outcome: '429',
		status: 429,
		body: slowDown,
		attempts: 7,
		rateLimitWait: 59_600,
	};
	expect(requestFailure(waited, { ...credential, available: everywhere }).description).toMatch(
		/^The service says: "Slow down"\. The node sent the request 7 times and waited 60 seconds\. /,
	);
	const broken: ApiResponse = {
		...response,
		outcome: 'broken',
		status: undefined,
		attempts: 4,
		mayHaveRun: true,
	};
	expect(requestFailure(broken, { ...credential, available: everywhere }).description).toMatch(
		/^The node sent the request 4 times\. /,
	);
	const once: ApiResponse = { ...broken, repeatable: 'unlessReceived', attempts: 1 };
	expect(requestFailure(once, { ...credential, available: everywhere }).description).toBe(
		'The node did not send the request again, because the service may have done it. Check before you run again.',
	);
	const waitedThenLost = { ...broken, repeatable: 'unlessReceived' as const };
	expect(
		requestFailure(waitedThenLost, { ...credential, available: everywhere }).description,
	).toMatch(
		/^The node sent the request 4 times, and the service may have done it\. Check before you run again\.$/,
	);
});

it.each([
	['404', 'https://chat.example.com', true],
	['404', 'https://chat.example.com/api/v1', false],
	['403', 'https://chat.example.com', false],
] as const)('says of a %s at %s whether the address is unusual', (outcome, baseUrl, isSaid) => {
	const { text } = requestFailure({ ...response, outcome }, { ...credential, baseUrl });
	expect(text.includes('does not end in /v1')).toBe(isSaid);
});

it('quotes no reason that has no words', () => {
	const issues = [{ field: 'email', message: 'is taken' }, {}, { message: 'Too long' }];
	const { description } = requestFailure(
		{ ...response, body: { message: '', issues } },
		credential,
	);
	expect(description).toMatch(/^The service says: \(email: is taken; Too long\)\. /);
});

it('says that a success of another shape is unexpected', () => {
	const success = { ...response, status: 200, outcome: undefined };
	const { title } = requestFailure(success, { ...credential, available: everywhere });
	expect(title).toBe('The service returned an unexpected response');
});

it.each([
	['is not received', { mayHaveRun: false }, false],
	['may have arrived', { mayHaveRun: true }, true],
	['is answered by something else', { outcome: 'unexpectedResponse' as const }, true],
	[
		'only reads, and is answered by something else',
		{ outcome: 'unexpectedResponse' as const, repeatable: 'reads' as const },
		false,
	],
])('says whether something may be done when the request %s', (_, facts, mayBeDone) => {
	const { written } = requestFailure({ ...response, ...facts }, { ...credential });
	expect(written).toBe(mayBeDone ? 'unknown' : 'no');
});

it('says nothing of a request that was not sent', () => {
	const unsent = { ...response, outcome: '429' as const, body: slowDown, attempts: 0 };
	expect(requestFailure(unsent, { ...credential }).sentences).toEqual([
		'The service says: "Slow down".',
		outcomeTexts['429'].nextStep,
	]);
});

it.each<[FailureKind, number]>([
	['5xx', 500],
	['broken', 0],
	['maintenance', 503],
])('says neither how often nor for how long, if it was tried once: %s', (outcome, status) => {
	const once = { ...response, outcome, status, mayHaveRun: outcome !== 'maintenance' };
	expect(requestFailure(once, { ...credential }).description).not.toMatch(/\bsen[dt]\b/);
});
