import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from './client';
import {
	type ApiResponse,
	bodyIf,
	confirmsDeletion,
	type FindBody,
	foundIn,
} from './response';

/**
 * The result of a write. Undefined if the service may have written, but its response does not show the result. Throws if
 * nothing was written.
 */
export function confirmedResult<Found>(
	api: ApiClient,
	response: ApiResponse,
	find: (body: IDataObject) => Found | undefined,
): Found | undefined {
	if (response.outcome && !response.mayHaveRun) throw api.failure(response);
	return foundIn(response, find);
}

/** Throws unless something was deleted: by this attempt, or by an earlier one whose response was lost. */
export function assertDeleted(api: ApiClient, response: ApiResponse): void {
	const { mayHaveRun, outcome } = response;
	if (mayHaveRun && outcome === '404') return;
	if (outcome || !confirmsDeletion(response)) throw api.failure(response);
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

/** A record that is created, and how to find out whether it exists if the response is lost. */
interface NewRecord<Record> {
	/** Returns undefined if the body does not show the record. */
	find(body: IDataObject): Record | undefined;
	/** For the error, such as "The ticket may exist. Look for it with Get Many." */
	mayExist: string;
}

/** The record that a request created. Throws if the response does not show it. */
export function createdRecord<Record>(
	api: ApiClient,
	response: ApiResponse,
	{ find, mayExist }: NewRecord<Record>,
): Record {
	const record = confirmedResult(api, response, find);
	if (record !== undefined) return record;

	throw api.failure(response).and(mayExist);
}

/** Finds a record by a field that each has. */
export function recordWith(field: string): FindBody {
	return bodyIf((body) => field in body);
}
