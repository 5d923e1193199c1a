import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import { isObject } from '../../values/json';
import { countFormat } from '../../values/number';

/** Adds what had arrived of an answer, which may have cost credits. */
export function withText(failure: NodeApiError, arrived: string): NodeApiError {
	if (arrived === '') return failure;

	const quote = `${countFormat.format([...arrived].length)} characters of the answer had arrived: "${arrived}"`;
	failure.description = `${failure.description} ${quote}`;
	return failure;
}

/** The error of a response without an answer. It quotes the response, since the message may have cost credits. */
export function withoutAnswer(api: ApiClient, response: ApiResponse): NodeApiError {
	const { body } = response;
	const hasMessage = isObject(body) && typeof body.message === 'string';
	const message = typeof body === 'string' ? body : JSON.stringify(body);

	const error = api.unexpected({ ...response, body: hasMessage ? body : { message } });
	return withSentence(error, 'The message may have been received.');
}
