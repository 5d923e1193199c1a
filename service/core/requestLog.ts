/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The record of a request for tests. */
import type { IncomingHttpHeaders } from 'node:http';

export interface RecordedRequest {
	/** Counts from 1 over the life of the log, in order of arrival. */
	number: number;
	method: string;
	/** As it came: path from the root and query, still encoded. */
	url: string;
	/** Relative to the base address and still encoded, such as `/chatbots/a%20b/contacts`. */
	path: string;
	query: Record<string, string | string[]>;
	headers: IncomingHttpHeaders;
	/** Parsed JSON; the raw text when it isn't JSON; the parts of an upload; undefined without a body. */
	body: unknown;
	/** Status that left the service; undefined while unanswered and after a reset without response. */
	status: number | undefined;
	/** Milliseconds since 1970, by the real clock, when the headers arrived. */
	at: number;
}
