/** Makes n8n's errors of failures, where these leave the package. */
import {
	type Failure as FailureCause,
	type INode,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { failureOf } from '../api/failure';
import type { ApiResponse } from '../api/response';
import { transientOutcomes } from '../api/retry';
import { escapeHtml } from '../values/text';

/** Of the request and its response, the error has only the status, so that no header and no key can leak. */
export function nodeErrorOf(
	node: INode,
	thrown: unknown,
): NodeApiError | NodeOperationError {
	const {
		title: message,
		description: text,
		response,
		itemIndex,
		origin,
	} = failureOf(thrown);
	const description = escapeHtml(text) || undefined;

	if (response) {
		const httpCode = response.status?.toString();
		const failure = causeOf(response);
		const options = { message, description, httpCode, itemIndex, failure };
		return new NodeApiError(node, {}, options);
	}

	// From the original error of an expression, the editor can show more. An original error of a node can't be used: n8n would
	// return it unchanged, without our texts.
	const basis = !origin || origin instanceof NodeOperationError ? message : origin;
	return new NodeOperationError(node, basis, { message, description, itemIndex });
}

/** Why a request failed, for n8n 2.41 and newer, whose polling can wait as the service asks. */
function causeOf({ outcome, requestedWait }: ApiResponse): FailureCause | undefined {
	if (outcome === '401') return { cause: 'credential-invalid' };

	const wait = requestedWait === undefined ? {} : { retryAfterMs: requestedWait };
	if (outcome === '429') return { cause: 'rate-limited', ...wait };
	if (outcome === 'disabled' || transientOutcomes.has(outcome)) {
		return { cause: 'temporarily-unavailable', ...wait };
	}
	return undefined;
}

/** For a function that n8n calls outside of a run. What the function throws becomes n8n's error. */
export function withNodeErrors<
	Context extends { getNode(): INode },
	Args extends unknown[],
	Result,
>(
	work: (this: Context, ...args: Args) => Promise<Result>,
): (this: Context, ...args: Args) => Promise<Result> {
	return async function (...args) {
		try {
			return await work.apply(this, args);
		} catch (error) {
			throw nodeErrorOf(this.getNode(), error);
		}
	};
}
