import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { readTimestamp } from '../values/time';
import type { ApiClient } from './client';
import { withSentence } from './errors';
import { type CursorPage, type PagedList, walkPages } from './paginate';
import type { ApiRequest } from './request';
import type { ApiResponse } from './response';

/** Undefined if the service may have done a write, but its response does not show it. Throws if it has not. */
export function confirmedResult<Found>(
	api: ApiClient,
	response: ApiResponse,
	find: (body: IDataObject) => Found | undefined,
): Found | undefined {
	const { mayHaveRun, outcome, body } = response;
	if (outcome && !mayHaveRun) throw api.failure(response);
	return !outcome && isObject(body) ? find(body) : undefined;
}

/** Repeats something with growing pauses, for at most `maxWait` milliseconds, and returns the last result. */
export async function repeatUntil<Result>(
	api: ApiClient,
	maxWait: number,
	attempt: () => Promise<Result>,
	isEnough: (result: Result) => boolean,
): Promise<Result> {
	let waited = 0;
	for (let pause = 1000; ; pause = Math.min(2 * pause, maxWait - waited)) {
		const result = await attempt();
		if (isEnough(result) || waited >= maxWait) return result;
		await api.wait(pause);
		waited += pause;
	}
}

/** Looks for as long as a response may take. `unknown` is what the service may have done, for an error of the look. */
export async function lookUntil<Found>(
	api: ApiClient,
	look: () => Promise<Found>,
	isEnough: (found: Found) => boolean,
	unknown: string,
	maxWait = api.timeoutOf({}),
): Promise<Found> {
	try {
		return await repeatUntil(api, maxWait, look, isEnough);
	} catch (error) {
		throw withSentence(error as NodeApiError, unknown);
	}
}

/** The records of a list that were created since a request was sent, by `performance.now()`. */
export async function createdSince(
	list: PagedList<IDataObject, CursorPage>,
	startedAt: number,
	isNewestFirst = false,
): Promise<IDataObject[]> {
	const created: IDataObject[] = [];
	for await (const { page, fresh } of walkPages(list)) {
		// Clocks differ, so only the time between the requests counts.
		const since = page.sentAt - (performance.now() - startedAt);
		const isNew = ({ createdAt }: IDataObject) => (readTimestamp(createdAt) ?? Infinity) >= since;
		created.push(...fresh.filter(isNew));
		if (isNewestFirst && !fresh.every(isNew)) break;
	}
	return created;
}

interface Creation {
	request: ApiRequest;
	/** The field that identifies a record. */
	key: string;
	/** Has the new record, the newest first. */
	list: PagedList<IDataObject, CursorPage>;
	/** Returns the record, as the request returns it, if this one of the list has the content of the request. */
	recordFor(found: IDataObject): IDataObject | undefined | Promise<IDataObject | undefined>;
	/** What the service may have done. */
	unknown: string;
}

/** Creates a record. The request is never sent twice: after an unknown outcome, the node looks for the record. */
export async function createOnce(
	api: ApiClient,
	{ request, key, list, recordFor, unknown }: Creation,
): Promise<IDataObject> {
	const startedAt = performance.now();
	const response = await api.send(request);
	const what = `created by ${JSON.stringify([request.path, request.params])}`;
	const ofOtherItems = await api.state.memoize(what, async () => new Set());
	const find = async () => {
		for (const found of await createdSince(list, startedAt, true)) {
			const record = ofOtherItems.has(found[key]) ? undefined : await recordFor(found);
			if (record) return record;
		}
		return undefined;
	};
	const record =
		confirmedResult(api, response, (body) => (key in body ? body : undefined)) ??
		(await lookUntil(api, find, Boolean, unknown));
	if (!record) throw withSentence(api.failure(response), unknown);
	ofOtherItems.add(record[key]);
	return record;
}
