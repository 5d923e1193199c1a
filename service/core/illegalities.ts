/** A check of recorded requests against the endpoints of both versions. */
import type { z } from 'zod';

import { endpoints as endpointsV1 } from '../v1/endpoints';
import { endpoints as endpointsV2 } from '../v2/contract';
import { endpointOf, type NamedEndpoint } from './endpoint';
import { issuesOf } from './refusal';

/** What the check needs to know of a request; a recorded request has it. */
export interface CheckedRequest extends NamedEndpoint {
	query: unknown;
	body: unknown;
}

/**
 * Says what is invalid in requests by the documents, whatever the response was.
 *
 * @param requests usually `service.requests`
 * @returns one line for each fault, such as `POST /chat: temperature: Too big`; empty if all are valid
 */
export function illegalities(requests: readonly CheckedRequest[]): string[] {
	// The requests of a simulated page are no requests of the API.
	const asked = requests.filter(({ path }) => !path.startsWith('/page/'));
	return asked.flatMap((request) => {
		const name = `${request.method} ${request.path}`;
		const endpoint = endpointOf(request, [
			...Object.values(endpointsV1),
			...Object.values(endpointsV2),
		]);
		if (!endpoint) return [`${name}: no such endpoint`];
		return [
			...faultsBy(endpoint.query, request.query),
			...faultsBy(endpoint.body, request.body),
		].map((fault) => `${name}: ${fault}`);
	});
}

function faultsBy(schema: z.ZodType, value: unknown): string[] {
	const result = schema.safeParse(value);
	if (result.success) return [];
	return issuesOf(result.error).map(({ field, message }) =>
		field ? `${field}: ${message}` : message,
	);
}
