import fc from 'fast-check';

import { requestError, unescapeHtml } from '../../../nodes/Chatbase/api/errors';
import type { FailureKind } from '../../../nodes/Chatbase/api/errorTexts';
import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { unicodeText } from '../unicode';
import { node } from './node';

const response = {
	method: 'POST' as const,
	resource: 'contacts' as const,
	version: version1,
	mayHaveRun: false,
	sentAt: 0,
	attempts: 1,
	rateLimitWait: 0,
	status: 400,
	outcome: '400' as FailureKind,
};
const everywhere = { requestOptions: true, maxConcurrency: true };

it('has no key when the service repeats it', () => {
	const key = fc.string({ minLength: 8, unit: fc.constantFrom('a', 'b', '-', '&', '<', '$') });
	fc.assert(
		fc.property(key, unicodeText, fc.integer({ min: 0, max: 600 }), (secret, around, filling) => {
			const message = 'x'.repeat(filling) + secret + around + secret;
			const body = { message, issues: [{ field: secret, message }] };
			const error = requestError(node, { ...response, body }, secret, everywhere);
			expect(JSON.stringify(error)).not.toContain(JSON.stringify(secret).slice(1, -1));
			expect(unescapeHtml(error.description!)).not.toContain(secret);
		}),
	);
});

it('says how long it waited and how often it tried', () => {
	const waited: ApiResponse = {
		...response,
		outcome: '429',
		status: 429,
		attempts: 7,
		rateLimitWait: 59_600,
	};
	expect(requestError(node, waited, '', everywhere).description).toMatch(
		/^The node sent the request 7 times and waited 60 seconds\. /,
	);
	const broken: ApiResponse = {
		...response,
		outcome: 'broken',
		status: undefined,
		attempts: 4,
		mayHaveRun: true,
	};
	expect(requestError(node, broken, '', everywhere).description).toMatch(
		/^The node sent the request 4 times\. /,
	);
	const once: ApiResponse = { ...response, outcome: '5xx', status: 500, mayHaveRun: true };
	expect(requestError(node, once, '', everywhere).description).toMatch(
		/^The node did not send the request again, because the service may have done it/,
	);
});

it('says that a success of another shape is unexpected', () => {
	const success = { ...response, status: 200, outcome: undefined };
	const { message } = requestError(node, success, '', everywhere);
	expect(message).toBe('The service returned an unexpected response');
});
