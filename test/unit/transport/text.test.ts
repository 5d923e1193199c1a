import fc from 'fast-check';
import type { INode } from 'n8n-workflow';

import { failureOf } from '../../../nodes/Chatbase/transport/failure';
import { escapeHtml, unescapeHtml } from '../../../nodes/Chatbase/transport/html';
import { fillPath } from '../../../nodes/Chatbase/transport/path';
import { connectionFaultOf } from '../../../nodes/Chatbase/transport/reply';

const node: INode = {
	id: '1',
	name: 'Chatbase',
	type: 'n8n-nodes-chatbase.chatbase',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const anyText = fc.string({ unit: 'binary' });

describe('HTML', () => {
	it('is escaped and turned back without a loss', () => {
		const text = fc.oneof(
			anyText,
			fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'amp;', '#39;', 'lt;') }),
		);
		fc.assert(
			fc.property(text, (given) => {
				const escaped = escapeHtml(given);
				expect(escaped).not.toMatch(/[<>"']/);
				expect(unescapeHtml(escaped)).toBe(given);
			}),
		);
	});
});

describe('a path', () => {
	const template = '/chatbots/{chatbotId}/contacts/{contactId}';

	it('keeps every value within its segment', () => {
		const value = anyText.filter(
			(text) => Buffer.from(text).toString() === text && !/^\.{0,2}$/.test(text),
		);
		fc.assert(
			fc.property(value, value, (chatbotId, contactId) => {
				const path = fillPath(node, template, { chatbotId, contactId });
				const { pathname, search, hash, host } = new URL(`http://host${path}`);
				expect({ search, hash, host }).toEqual({ search: '', hash: '', host: 'host' });
				expect(pathname.split('/').map(decodeURIComponent)).toEqual([
					'',
					'chatbots',
					chatbotId,
					'contacts',
					contactId,
				]);
			}),
		);
	});

	it('takes a value that looks like a placeholder for what it is', () => {
		expect(fillPath(node, template, { chatbotId: '{contactId}', contactId: '$&' })).toBe(
			'/chatbots/%7BcontactId%7D/contacts/%24%26',
		);
	});

	it('refuses half a character', () => {
		const half = { chatbotId: '\ud83d', contactId: 'a' };
		expect(() => fillPath(node, template, half)).toThrow('An ID holds text that cannot be sent');
	});
});

describe('the end of a connection', () => {
	it.each([
		['ECONNREFUSED', 'refused'],
		['ENOTFOUND', 'hostNotFound'],
		['EAI_AGAIN', 'hostNotFound'],
		['ECONNABORTED', 'timeout'],
		['ETIMEDOUT', 'timeout'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
		['ECONNRESET', 'broken'],
		['EPIPE', 'broken'],
		['ERR_BAD_RESPONSE', 'broken'],
		['HPE_INVALID_CONSTANT', 'broken'],
		['ERR_CANCELED', undefined],
		['ERR_INVALID_URL', undefined],
	])('%s is %s', (code, fault) => {
		expect(connectionFaultOf({ code })).toBe(fault);
	});

	it('may come without a code, but not from anything else than the client', () => {
		expect(connectionFaultOf({ isAxiosError: true })).toBe('broken');
		expect(connectionFaultOf(new Error('Domain not allowed'))).toBeUndefined();
	});
});

describe('an error', () => {
	const reply = { unclear: false, attempts: 1, rateLimitWait: 0, status: 400 };

	it('never holds the key, wherever the service repeats it', () => {
		const key = fc.string({ minLength: 8, unit: fc.constantFrom('a', 'b', '-', '&', '<', '$') });
		fc.assert(
			fc.property(key, anyText, fc.integer({ min: 0, max: 600 }), (secret, around, filling) => {
				const message = 'x'.repeat(filling) + secret + around + secret;
				const body = { message, issues: [{ field: secret, message }] };
				const error = failureOf(node, { ...reply, body }, '400', 'contact', secret);
				expect(JSON.stringify(error)).not.toContain(JSON.stringify(secret).slice(1, -1));
				expect(unescapeHtml(error.description!)).not.toContain(secret);
			}),
		);
	});

	it('says how long it waited and how often it tried', () => {
		const waited = { ...reply, status: 429, attempts: 7, rateLimitWait: 59_600 };
		expect(failureOf(node, waited, '429', 'contact', '').description).toMatch(
			/^The node sent the request 7 times and waited 60 seconds\. /,
		);
		const broken = { ...reply, status: undefined, attempts: 4, unclear: true };
		expect(failureOf(node, broken, 'broken', 'contact', '').description).toMatch(
			/^The node sent the request 4 times\. /,
		);
		const once = { ...reply, status: 500, unclear: true };
		expect(failureOf(node, once, '5xx', 'chat', '').description).toMatch(
			/^The node did not send the request again, because it may have been carried out/,
		);
	});
});
