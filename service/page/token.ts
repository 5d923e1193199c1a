/** The token that a website's server signs for a visitor. Public pages, 11. */
import { createHmac, timingSafeEqual } from 'node:crypto';

import type { z } from 'zod';

import { Refusal } from '../refusal';
import { tokenHeader, tokenPayload } from './contract';

export interface VerifiedToken {
	/** External ID of the contact. */
	userId: string;
	/** What the token says about the visitor. */
	payload: z.output<typeof tokenPayload>;
}

/**
 * Verifies a token.
 *
 * @param secret the verification secret of the chatbot
 * @param now milliseconds since 1970
 * @throws Refusal with status 401 that says what is wrong. The words are ours: no page shows them
 */
export function verifiedToken(token: string, secret: string, now: number): VerifiedToken {
	const [header, body, signature, ...rest] = token.split('.');
	if (!signature || rest.length > 0) throw invalidToken('It is not a JWT');
	if (!tokenHeader.safeParse(decoded(header)).success) throw invalidToken('It must use HS256');

	const expected = createHmac('sha256', secret).update(`${header}.${body}`).digest();
	const actual = Buffer.from(signature, 'base64url');
	const isSigned = actual.length === expected.length && timingSafeEqual(actual, expected);
	if (!isSigned) throw invalidToken('The signature does not match');

	const { data: payload, error } = tokenPayload.safeParse(decoded(body));
	if (!payload) {
		const [{ path, message }] = error.issues;
		throw invalidToken(`${path.join('.')}: ${message}`);
	}
	if (payload.exp !== undefined && payload.exp * 1000 <= now) throw invalidToken('It has expired');
	return { userId: (payload.user_id ?? payload.sub) as string, payload };
}

function decoded(part: string): unknown {
	try {
		return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
	} catch {
		return undefined;
	}
}

function invalidToken(reason: string): Refusal {
	return new Refusal(401, `Invalid token: ${reason}`);
}
