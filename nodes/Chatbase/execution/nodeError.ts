/** n8n's errors, made of failures where they leave the package. */
import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { failureOf } from '../api/failure';
import { escapeHtml } from '../values/html';

/** Holds nothing of the request and the response but the status, so that no header and no key can leak. */
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
		return new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	}

	// The editor shows more of the error of an expression. n8n returns an error of a node as it is, without our words.
	const basis = !origin || origin instanceof NodeOperationError ? message : origin;
	return new NodeOperationError(node, basis, { message, description, itemIndex });
}

/** Lets n8n call a function outside of a run, and makes n8n's errors of what it throws. */
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
