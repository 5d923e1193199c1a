import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isObject } from '../values/object';
import type { ApiClient } from './client';
import { withSentence } from './errors';
import type { ApiResponse } from './response';

/**
 * The result of a write that is never repeated.
 *
 * @param find finds it in the body of the response
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
 * @param unknown what the service may have done, if the look fails
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
		throw withSentence(error as NodeApiError, unknown);
	}
}
