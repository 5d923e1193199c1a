/**
 * Every endpoint of version 1 with what it takes, and a check of recorded requests against it and
 * against those of version 2.
 * Contract, "Endpoints" for the first seven; public pages for the others.
 */
import { z } from 'zod';

import type { Behaviour } from './behaviour';
import * as contract from './contract';
import { issuesOf } from './refusal';
import { endpoints as endpointsV2 } from './v2/contract';

const nothing = z.undefined();
const anyQuery = z.looseObject({});

interface Endpoint {
	method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
	/** Relative to the base address; braces mark a path parameter. */
	path: string;
	query: z.ZodType;
	body: z.ZodType;
}

/** How many of the endpoints stand in the contract: the first ones. */
const ofContract = 7;

const endpoint = (
	method: Endpoint['method'],
	path: string,
	{ query = anyQuery, body = nothing }: Partial<Pick<Endpoint, 'query' | 'body'>> = {},
): Endpoint => ({ method, path, query, body });

export const endpoints: Endpoint[] = [
	endpoint('POST', '/chat', { body: contract.chatRequest }),
	endpoint('POST', '/update-chatbot-settings', { body: contract.settingsUpdateRequest }),
	endpoint('GET', '/chatbots/{chatbotId}/contacts', { query: contract.contactListQuery.strict() }),
	endpoint('GET', '/chatbots/{chatbotId}/contacts/{contactId}'),
	endpoint('PATCH', '/chatbots/{chatbotId}/contacts/{contactId}', {
		body: contract.contactUpdateRequest,
	}),
	endpoint('DELETE', '/chatbots/{chatbotId}/contacts/{contactId}'),
	endpoint('POST', '/chatbots/{chatbotId}/custom-attributes', {
		body: contract.customAttributeCreateRequest,
	}),
	endpoint('POST', '/chatbots/{chatbotId}/contacts', { body: contract.contactCreateRequest }),
	endpoint('GET', '/chatbots/{chatbotId}/custom-attributes'),
	endpoint('PUT', '/chatbots/{chatbotId}/custom-attributes/{name}', {
		body: contract.customAttributeUpdateRequest,
	}),
	endpoint('GET', '/get-chatbots'),
	endpoint('POST', '/create-chatbot', { body: contract.chatbotCreateRequest }),
	endpoint('POST', '/update-chatbot-data', { body: contract.chatbotDataUpdateRequest }),
	endpoint('DELETE', '/delete-chatbot', { query: contract.chatbotQuery.strict() }),
	endpoint('GET', '/get-conversations', { query: contract.conversationListQuery.strict() }),
	endpoint('GET', '/get-leads', { query: contract.leadListQuery.strict() }),
	endpoint('POST', '/upload-chatbot-icon', { body: contract.iconUpload }),
	endpoint('DELETE', '/delete-chatbot-icon', { query: contract.chatbotQuery.strict() }),
	endpoint('POST', '/upload-chatbot-profile-picture', { body: contract.profilePictureUpload }),
	endpoint('DELETE', '/delete-chatbot-profile-picture', { query: contract.chatbotQuery.strict() }),
];

/** What the check needs to know of a request; a recorded request has it. */
export interface CheckedRequest {
	method: string;
	/** Relative to the base address, still encoded. */
	path: string;
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
		const endpoint = endpointOf(request, [...endpoints, ...Object.values(endpointsV2)]);
		if (!endpoint) return [`${name}: no such endpoint`];
		return [
			...faultsBy(endpoint.query, request.query),
			...faultsBy(endpoint.body, request.body),
		].map((fault) => `${name}: ${fault}`);
	});
}

/** Whether the service has the endpoint that a request asks for, as the behaviour has it. */
export function isOffered(
	request: Pick<CheckedRequest, 'method' | 'path'>,
	behaviour: Behaviour,
): boolean {
	const endpoint = endpointOf(request, endpoints);
	if (!endpoint) return false;
	if (behaviour.endpoints === 'contract') return endpoints.indexOf(endpoint) < ofContract;
	const isAttributeList = endpoint.method === 'GET' && endpoint.path.endsWith('/custom-attributes');
	return behaviour.endpoints === 'all' || !isAttributeList;
}

export function endpointOf(
	{ method, path }: Pick<CheckedRequest, 'method' | 'path'>,
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

function faultsBy(schema: z.ZodType, value: unknown): string[] {
	const result = schema.safeParse(value);
	if (result.success) return [];
	return issuesOf(result.error).map(({ field, message }) =>
		field ? `${field}: ${message}` : message,
	);
}
