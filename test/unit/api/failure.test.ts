import fc from 'fast-check';

import { failureOf, unescapeHtml } from '../../../nodes/Chatbase/api/errors';
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
};
const everywhere = { requestOptions: true, maxConcurrency: true };

it('has no key when the service repeats it', () => {
	const key = fc.string({ minLength: 8, unit: fc.constantFrom('a', 'b', '-', '&', '<', '$') });
	fc.assert(
		fc.property(key, unicodeText, fc.integer({ min: 0, max: 600 }), (secret, around, filling) => {
			const message = 'x'.repeat(filling) + secret + around + secret;
			const body = { message, issues: [{ field: secret, message }] };
			const error = failureOf(node, { ...response, body }, '400', secret, everywhere);
			expect(JSON.stringify(error)).not.toContain(JSON.stringify(secret).slice(1, -1));
			expect(unescapeHtml(error.description!)).not.toContain(secret);
		}),
	);
});

it('says how long it waited and how often it tried', () => {
	const waited = { ...response, status: 429, attempts: 7, rateLimitWait: 59_600 };
	expect(failureOf(node, waited, '429', '', everywhere).description).toMatch(
		/^The node sent the request 7 times and waited 60 seconds\. /,
	);
	const broken = { ...response, status: undefined, attempts: 4, mayHaveRun: true };
	expect(failureOf(node, broken, 'broken', '', everywhere).description).toMatch(
		/^The node sent the request 4 times\. /,
	);
	const once = { ...response, status: 500, mayHaveRun: true };
	expect(failureOf(node, once, '5xx', '', everywhere).description).toMatch(
		/^The node did not send the request again, because the service may have done it/,
	);
});
