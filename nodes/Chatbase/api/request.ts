import type { IDataObject } from 'n8n-workflow';

import { name as packageName, version as packageVersion } from '../../../package.json';
import { isObject } from '../values/json';
import type { Endpoint } from './subjects';
import type { ResponseStream } from './response';
import type { Repeatable } from './retry';

const userAgent = `${packageName}/${packageVersion}`;

export interface ApiRequest extends Endpoint {
	/** Values for the placeholders of the path (see `isPathSegment`). */
	params?: Record<string, string>;
	qs?: IDataObject;
	/** Sent as JSON, unless it is a form. */
	body?: IDataObject | FormData;
	/** One of the few a minute that the service accepts (see `Uploads`). */
	isUpload?: boolean;
	repeatable?: Repeatable;
	/** Most milliseconds for the response, or between two pieces of a stream. Timeout of the user overrides it. */
	timeout?: number;
	/** Reads the body of a success while it arrives. Throws StreamedFailure if the service reports a failure in it. */
	readStream?: (stream: ResponseStream, contentType: string) => Promise<unknown>;
}

/** JSON is written here: axios would copy the object first, and lose properties named like parts of a prototype. */
export function contentOf(body: ApiRequest['body'], isStreamed: boolean) {
	const headers = {
		Accept: isStreamed ? 'text/event-stream, text/plain, application/json' : 'application/json',
		'User-Agent': userAgent,
	};
	if (!isObject(body) || body instanceof FormData) return { body, headers };
	return {
		body: JSON.stringify(body),
		headers: { ...headers, 'Content-Type': 'application/json' },
	};
}

/** Chatbase accepts files only at a separate host (reference of version 2, 14.3). Other services have none. */
export function fileRootOf(root: string): string {
	const address = new URL(root);
	if (address.host !== 'www.chatbase.co') return root;
	address.host = 'files.chatbase.co';
	return address.href;
}

/** Fills a path such as `/chatbots/{chatbotId}/contacts`; each value (see `isPathSegment`) becomes one segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]));
}

/** Whether text can be part of a path. `.` and `..` lead to another path, and half a character can't be encoded. */
export function isPathSegment(text: string): boolean {
	return text.trim() !== '' && !/^\.{1,2}$|\p{Surrogate}/u.test(text);
}
