/** An endpoint of the API, of either version. */
import type { z } from 'zod';

export interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
	/** Relative to the base address; braces mark a path parameter. */
	path: string;
	query: z.ZodType;
	body: z.ZodType;
}

/** What tells the endpoint of a request. */
export interface NamedEndpoint {
	method: string;
	/** Relative to the base address, still encoded. */
	path: string;
}

/** The endpoint that a request asks for. */
export function endpointOf(
	{ method, path }: NamedEndpoint,
	among: Endpoint[],
): Endpoint | undefined {
	const asked = path.split('/');
	return among.find((endpoint) => {
		const segments = endpoint.path.split('/');
		return (
			endpoint.method === method &&
			segments.length === asked.length &&
			segments.every((segment, index) =>
				segment.startsWith('{') ? asked[index] !== '' : segment === asked[index],
			)
		);
	});
}
