/** Every endpoint of version 1 with what it takes. Contract, "Endpoints" for the first seven; public pages for the others. */
import { z } from 'zod';

import { endpointOf, type Endpoint, type NamedEndpoint } from '../core/endpoint';
import type { Behaviour } from './behaviour';
import * as contract from './contract';

const nothing = z.undefined();
const anyQuery = z.looseObject({});

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

/** Whether the service has the endpoint that a request asks for, as the behaviour has it. */
export function isOffered(request: NamedEndpoint, behaviour: Behaviour): boolean {
	const endpoint = endpointOf(request, endpoints);
	if (!endpoint) return false;
	if (behaviour.endpoints === 'contract') return endpoints.indexOf(endpoint) < ofContract;
	const isAttributeList = endpoint.method === 'GET' && endpoint.path.endsWith('/custom-attributes');
	return behaviour.endpoints === 'all' || !isAttributeList;
}
