import { isObject } from '../values/object';
import type { Endpoint, Outcome } from './errorTexts';
import type { ApiVersion } from './versions';

/** What finally came of a request, all retries done. */
export interface ApiResponse extends Endpoint {
	/** HTTP status, or undefined when the connection gave none. */
	status?: number;
	/** Parsed JSON; text where the response was not JSON. */
	body?: unknown;
	/** What went wrong, or undefined for a status from 200 to 299. */
	outcome?: Outcome;
	/** Whether an attempt may have been carried out without its response reaching us. */
	mayHaveRun: boolean;
	/** When the request was sent first, by the clock of the service if it tells it; whole seconds in milliseconds since 1970. */
	sentAt: number;
	/** How often the request was sent. */
	attempts: number;
	/** Milliseconds waited because of 429 responses. */
	rateLimitWait: number;
}

/** What one attempt brought. */
export type Attempt =
	| { status: number; headers: Record<string, unknown>; body: unknown }
	| { brokenBy: ConnectionFault };

/** The ways in which a connection ends without a response that can be read. */
export type ConnectionFault = Extract<
	Outcome,
	'refused' | 'hostNotFound' | 'certificate' | 'timeout' | 'broken' | 'unreadable'
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
	// Codes of zlib and of Node's decoder for brotli: the bytes are not in the encoding that they claim.
	if (/^(Z_|ERR_BROTLI|ERR_PADDING|ERR__ERROR)/.test(code)) return 'unreadable';
	if (/CERT|TLS|SSL|VERIFY/.test(code)) return 'certificate';
	return /^(E[A-Z]+|ERR_BAD_RESPONSE|ERR_NETWORK|HPE_\w+|ERR_STREAM\w*)$/.test(code)
		? 'broken'
		: undefined;
}

/**
 * Whether a response says that something was deleted. A page that answers everything with 200 has deleted
 * nothing; some services respond without a body.
 */
export function confirmsDeletion({ status, body }: ApiResponse): boolean {
	return status === 204 || (isObject(body) && ('data' in body || 'message' in body));
}

/** The outcome of one attempt, or undefined when it succeeded. */
export function outcomeOfAttempt(attempt: Attempt, version: ApiVersion): Outcome | undefined {
	if ('brokenBy' in attempt) return attempt.brokenBy;
	const { status, body } = attempt;
	if (status >= 200 && status < 300) return undefined;
	if (status >= 300 && status < 400) return 'redirect';
	if (status >= 500) return '5xx';
	if (status === 404) return version.saysNotFound(body) ? '404' : 'wrongAddress';
	return version.statuses.includes(status) ? (String(status) as Outcome) : '4xx';
}
