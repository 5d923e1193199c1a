import { type IDataObject, type IN8nHttpFullResponse, jsonParse } from 'n8n-workflow';

import { isObject, objectIn, ownValue, quoteLongNumbers } from '../values/json';
import type { FailureKind } from './failureKinds';
import type { Repeatable } from './retry';
import type { ApiResource } from './subjects';
import type { ApiVersion } from './versions';

/** The result of a request after all retries. */
export interface ApiResponse {
	method: string;
	resource: ApiResource;
	version: ApiVersion;
	/** HTTP status; undefined if the connection failed. */
	status?: number;
	/** Parsed JSON; text if the response was not JSON. */
	body?: unknown;
	/** Why the request failed; undefined after a success. */
	outcome?: FailureKind;
	/** Whether it was allowed to be sent again after an unclear outcome. */
	repeatable: Repeatable;
	/** Whether an attempt may have been done, though its response was lost. */
	mayHaveRun: boolean;
	attempts: number;
	/** Milliseconds waited between the attempts. */
	rateLimitWait: number;
	/** How many milliseconds the service asked to wait, in its last response. */
	requestedWait?: number;
}

/** The service reported a failure after a success status. The body is in the form of a failed response's. */
export class StreamedFailure extends Error {
	constructor(readonly body: unknown) {
		super('The service reports a failure');
	}
}

/** Kinds of failures by error code. The first pattern that matches counts. */
const connectionFaults: Array<[RegExp, FailureKind]> = [
	[/^ECONNREFUSED$/, 'refused'],
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'hostNotFound'],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'timeout'],
	[/CERT|TLS|SSL|VERIFY/, 'certificate'],
	[/^(E[A-Z]+|ERR_BAD_RESPONSE|ERR_NETWORK|HPE_\w+|ERR_STREAM\w*)$/, 'broken'],
	// Codes of zlib and of Node's decoder for brotli: the bytes are not in the stated encoding.
	[/^(Z_|ERR_BROTLI|ERR_PADDING|ERR__ERROR)/, 'broken'],
	[/^ERR_STRING_TOO_LONG$/, 'broken'],
	// n8n throws no error for a status here. So an error has one only if its response was cut off (n8n-workflow before 2.34).
	[/^\d{3}$/, 'broken'],
];

/** Finds why a connection failed, by the code of Node.js or axios; undefined if the error is not from a connection. */
export function connectionFaultOf(error: unknown): FailureKind | undefined {
	// n8n-workflow before 2.34 drops the cause, and keeps its code or the status of the response as the HTTP code.
	const { cause, httpCode } = error as { cause?: unknown; httpCode?: unknown };
	const source = (cause ?? error) as { code?: unknown; isAxiosError?: unknown };
	const { code = httpCode, isAxiosError } = source;
	// Without a code, a proxy may have closed the connection.
	if (typeof code !== 'string') return isAxiosError === true ? 'broken' : undefined;

	const [, fault] = connectionFaults.find(([codes]) => codes.test(code)) ?? [];
	return fault;
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** The other 4xx have one text, and all 5xx have one. */
const statusesWithText = [400, 401, 402, 403, 404, 409, 413, 422, 429];

export function failureKindOf(
	status: number,
	body: unknown,
	version: ApiVersion,
): FailureKind | undefined {
	if (isSuccess(status)) return undefined;
	if (status >= 300 && status < 400) return 'redirect';

	const named = ownValue(version.outcomes, version.codeIn(body) ?? '');
	if (named) return named;
	if (status >= 500) return '5xx';
	if (status === 404 && !version.saysNotFound(body)) return 'wrongAddress';
	if (!statusesWithText.includes(status)) return '4xx';
	return String(status) as FailureKind;
}

/** How the service names the failure; undefined in version 1. */
export function codeOf({ body, version }: ApiResponse): string | undefined {
	return version.codeIn(body);
}

/** Whether a response confirms a deletion. A web page with status 200 does not. */
export function confirmsDeletion({ status, body, version }: ApiResponse): boolean {
	return status === 204 || version.confirms(body);
}

export type FindBody = (body: IDataObject) => IDataObject | undefined;

/** What a success holds; undefined for a failure, or if `find` returns undefined. */
export function foundIn<Found>(
	{ outcome, body }: ApiResponse,
	find: (body: IDataObject) => Found | undefined,
): Found | undefined {
	return !outcome && isObject(body) ? find(body) : undefined;
}

/** Finds a body that has what it promises. */
export function bodyIf(isRight: (body: IDataObject) => boolean): FindBody {
	return (body) => (isRight(body) ? body : undefined);
}

/** The record or records in the envelope of a success. */
export function dataIn({ body }: ApiResponse): unknown {
	return objectIn(body).data;
}

/** Text that is not JSON stays text. A number in a record that would lose digits becomes text. */
export function parseBody(text: string): unknown {
	const body = jsonParse<unknown>(text, { fallbackValue: text });
	if (typeof body !== 'object') return body;

	const exact = quoteLongNumbers(text);
	if (exact === text) return body;
	return jsonParse<unknown>(exact);
}

export interface ResponseStream extends AsyncIterable<Uint8Array> {
	/** Restarts the timeout after data arrived. */
	restartTimeout(): void;
}

/** Reads the body of a success while it arrives. Throws StreamedFailure if the service reports a failure in it. */
export type ReadStream = (
	stream: ResponseStream,
	contentType: string,
) => Promise<unknown>;

export async function readBody(
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	restartTimeout: () => void,
	readStream?: ReadStream,
): Promise<unknown> {
	if (!readStream) return typeof body === 'string' ? parseBody(body) : body;

	const arriving = body as unknown as AsyncIterable<Uint8Array>;
	if (!isSuccess(statusCode)) return parseBody(await readWholeText(arriving));

	const stream = Object.assign(piecesOf(arriving), { restartTimeout });
	restartTimeout();
	return await readStream(stream, String(headers['content-type'] ?? ''));
}

/** The pieces of a body. If the reader stops before the end, it does not wait until the connection is closed. */
async function* piecesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	// A `for await` loop would wait for that.
	const pieces = stream[Symbol.asyncIterator]();
	for (let next = await pieces.next(); !next.done; next = await pieces.next())
		yield next.value;
}

/** Reads a body to its end, without a byte order mark. */
async function readWholeText(stream: AsyncIterable<Uint8Array>): Promise<string> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of stream) chunks.push(chunk);
	return new TextDecoder().decode(Buffer.concat(chunks));
}
