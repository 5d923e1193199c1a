import { isObject } from '../values/object';
import type { Situation } from './errorTexts';
import { situationOf } from './errorTexts';

/** What finally came of a request, all retries done. */
export interface Reply {
	/** HTTP status, or undefined when the connection gave none. */
	status?: number;
	/** Parsed JSON; text where the reply was not JSON. */
	body?: unknown;
	/** What went wrong, or undefined for a status from 200 to 299. */
	situation?: Situation;
	/** Whether an attempt may have been carried out without its reply reaching us. */
	unclear: boolean;
	/** How often the request was sent. */
	attempts: number;
	/** Milliseconds waited because of 429 replies. */
	rateLimitWait: number;
}

/** What one attempt brought. */
export type Attempt =
	| { status: number; headers: Record<string, unknown>; body: unknown }
	| { brokenBy: ConnectionFault };

/** The ways in which a connection ends without a reply. */
export type ConnectionFault = Extract<
	Situation,
	'refused' | 'hostNotFound' | 'certificate' | 'timeout' | 'broken'
>;

/**
 * Names the way a connection ended, from the code that Node.js and axios put on the error. An error of
 * axios may come without one, when a proxy broke off.
 *
 * @param error what was thrown for a request
 * @returns undefined when the error does not come from a connection
 */
export function connectionFaultOf(error: unknown): ConnectionFault | undefined {
	const { code, isAxiosError } = error as { code?: unknown; isAxiosError?: unknown };
	if (typeof code !== 'string') return isAxiosError === true ? 'broken' : undefined;
	if (code === 'ECONNREFUSED') return 'refused';
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'hostNotFound';
	if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
	if (/CERT|TLS|SSL|VERIFY/.test(code)) return 'certificate';
	return /^(E[A-Z]+|ERR_BAD_RESPONSE|ERR_NETWORK|HPE_\w+)$/.test(code) ? 'broken' : undefined;
}

/**
 * Whether a reply says that something was deleted. A page that answers everything with 200 has deleted
 * nothing; some services reply without a body.
 */
export function confirmsDeletion({ status, body }: Reply): boolean {
	return status === 204 || (isObject(body) && ('data' in body || 'message' in body));
}

/** The situation of one attempt, or undefined when it succeeded. */
export function situationOfAttempt(attempt: Attempt): Situation | undefined {
	if ('brokenBy' in attempt) return attempt.brokenBy;
	return attempt.status >= 200 && attempt.status < 300 ? undefined : situationOf(attempt.status);
}
