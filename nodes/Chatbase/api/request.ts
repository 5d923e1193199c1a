import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { name as packageName, version as packageVersion } from '../../../package.json';
import { isPathSegment } from '../values/text';
import { ownFailure } from './failure';
import type { ReadStream } from './response';
import type { Repeatable } from './retry';
import type { Endpoint } from './subjects';

const userAgent = `${packageName}/${packageVersion}`;

export interface ApiRequest extends Endpoint {
	/** Values for the placeholders of the path (see `isPathSegment`). */
	params?: Record<string, string>;
	qs?: IDataObject;
	/** Sent as JSON, unless it is a form. */
	body?: IDataObject | FormData;
	/** Whether it counts as an upload, of which the service accepts few a minute (see `Uploads`). */
	isUpload?: boolean;
	repeatable?: Repeatable;
	/** How many milliseconds to wait for the response, or for the next piece of a stream. The user's Timeout replaces it. */
	timeout?: number;
	readStream?: ReadStream;
}

/** JSON is written here because axios would copy the object first, and lose properties with names such as `constructor`. */
export function headersAndBody(
	body: ApiRequest['body'],
	isStreamed: boolean,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const headers = {
		Accept: isStreamed
			? 'text/event-stream, text/plain, application/json'
			: 'application/json',
		'User-Agent': userAgent,
	};
	if (!body || body instanceof FormData) return { body, headers };
	return {
		body: JSON.stringify(body),
		headers: { ...headers, 'Content-Type': 'application/json' },
	};
}

/** Chatbase accepts files only at a separate host (reference of version 2). Other services have none. */
export function fileRootOf(root: string): string {
	const address = new URL(root);
	if (address.host !== 'www.chatbase.co') return root;
	address.host = 'files.chatbase.co';
	return address.href;
}

/**
 * Fills a path such as `/chatbots/{chatbotId}/contacts`; each value becomes one segment. Throws if a value can't be one (see
 * `isPathSegment`), so that no request ever reaches what its path does not name.
 */
export function fillPath(
	template: string,
	values: Partial<Record<string, string>> = {},
): string {
	return template.replace(/{(\w+)}/g, (_, name: string) => {
		const value = values[name] ?? '';
		if (isPathSegment(value)) return encodeURIComponent(value);
		throw ownFailure(
			'An ID of the request cannot be part of its path',
			'It is empty, "." or "..", or has half a character. The request was not sent.',
		);
	});
}
