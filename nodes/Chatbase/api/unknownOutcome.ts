import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isObject } from '../values/object';
import { readTimestamp } from '../values/time';
import type { ApiClient } from './client';
import { withSentence } from './errors';
import type { CursorPage, PagedList } from './paginate';
import { walkPages } from './paginate';
import type { ApiResponse } from './response';

/**
 * Finds the result of a write that is never repeated in its response.
 *
 * @returns undefined if the service may have done it, but the response does not show it
 * @throws NodeApiError if the service has not done it
 */
export function resultOf<Found>(
	api: ApiClient,
	response: ApiResponse,
	find: (body: IDataObject) => Found | undefined,
): Found | undefined {
	const { mayHaveRun, outcome, body } = response;
	if (outcome && !mayHaveRun) throw api.failure(response);
	return !outcome && isObject(body) ? find(body) : undefined;
}

/**
 * Looks with growing pauses, since the service may still be working for as long as a response may take.
 *
 * @param unknown what the service may have done, if the look fails. A 404 means that it has done nothing.
 * @returns what was seen last
 */
export async function lookUntil<Found>(
	api: ApiClient,
	look: () => Promise<Found>,
	isEnough: (found: Found) => boolean,
	unknown: string,
): Promise<Found> {
	let waited = 0;
	try {
		for (let pause = 1000; ; pause *= 2) {
			const found = await look();
			if (isEnough(found) || waited >= api.timeout) return found;
			await api.wait(pause);
			waited += pause;
		}
	} catch (error) {
		const failure = error as NodeApiError;
		throw failure.httpCode === '404' ? failure : withSentence(failure, unknown);
	}
}

/**
 * The records of a list that were created since a request began.
 *
 * @param startedAt by the clock of n8n, in milliseconds since 1970
 * @param isNewestFirst whether the rest of the list is older than the first older record
 */
export async function* createdSince(
	list: PagedList<IDataObject, CursorPage>,
	startedAt: number,
	isNewestFirst = false,
): AsyncGenerator<IDataObject> {
	for await (const { page, fresh } of walkPages(list)) {
		// Clocks differ, so only the time between the requests counts.
		const since = page.sentAt - (Date.now() - startedAt);
		const isNew = ({ createdAt }: IDataObject) => (readTimestamp(createdAt) ?? Infinity) >= since;
		yield* fresh.filter(isNew);
		if (isNewestFirst && !fresh.every(isNew)) return;
	}
}
