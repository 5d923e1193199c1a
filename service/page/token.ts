/** The token that a website's server signs for a visitor. Public pages: a JWT, signed with HS256. */
import { verify } from 'jsonwebtoken';
import type { z } from 'zod';

import { Refusal } from '../core/refusal';
import { tokenPayload } from './contract';

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
 * @param now seconds since 1970
 * @throws Refusal with status 401 that says what is wrong. The words are ours: no page shows them
 */
export function verifiedToken(token: string, secret: string, now: number): VerifiedToken {
	const { data: payload, error } = tokenPayload.safeParse(signedPayload(token, secret, now));
	if (!payload) {
		const [{ path, message }] = error.issues;
		throw invalidToken(`${path.join('.')}: ${message}`);
	}
	return { userId: (payload.user_id ?? payload.sub) as string, payload };
}

function signedPayload(token: string, secret: string, now: number): unknown {
	try {
		return verify(token, secret, { algorithms: ['HS256'], clockTimestamp: now });
	} catch (error) {
		throw invalidToken((error as Error).message);
	}
}

function invalidToken(reason: string): Refusal {
	return new Refusal(401, `Invalid token: ${reason}`);
}
