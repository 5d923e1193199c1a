/** Every endpoint of version 1 with what it takes. Contract, "Endpoints" for the first seven; public pages for the others. */
import { z } from 'zod';

import { endpointOf, type Endpoint, type NamedEndpoint } from '../core/endpoint';
import type { Behaviour } from './behaviour';
import * as contract from './contract';

const nothing = z.undefined();
const anyQuery = z.looseObject({});

function endpoint<
	Query extends z.ZodType = typeof anyQuery,
	Body extends z.ZodType = typeof nothing,
>(method: Endpoint['method'], path: string, takes: { query?: Query; body?: Body } = {}) {
	const query = (takes.query ?? anyQuery) as Query;
	const body = (takes.body ?? nothing) as Body;
	return { method, path, query, body };
}

const contacts = '/chatbots/{chatbotId}/contacts';
const attributes = '/chatbots/{chatbotId}/custom-attributes';

export const endpoints = {
	chat: endpoint('POST', '/chat', { body: contract.chatRequest }),
	settings: endpoint('POST', '/update-chatbot-settings', { body: contract.settingsUpdateRequest }),
	contacts: endpoint('GET', contacts, { query: contract.contactListQuery.strict() }),
	contact: endpoint('GET', `${contacts}/{contactId}`),
	updateContact: endpoint('PATCH', `${contacts}/{contactId}`, {
		body: contract.contactUpdateRequest,
	}),
	deleteContact: endpoint('DELETE', `${contacts}/{contactId}`),
	createAttribute: endpoint('POST', attributes, { body: contract.customAttributeCreateRequest }),

	createContacts: endpoint('POST', contacts, { body: contract.contactCreateRequest }),
	attributes: endpoint('GET', attributes),
	updateAttribute: endpoint('PUT', `${attributes}/{name}`, {
		body: contract.customAttributeUpdateRequest,
	}),

	chatbots: endpoint('GET', '/get-chatbots'),
	createChatbot: endpoint('POST', '/create-chatbot', { body: contract.chatbotCreateRequest }),
	updateChatbot: endpoint('POST', '/update-chatbot-data', {
		body: contract.chatbotDataUpdateRequest,
	}),
	deleteChatbot: endpoint('DELETE', '/delete-chatbot', { query: contract.chatbotQuery.strict() }),

	conversations: endpoint('GET', '/get-conversations', {
		query: contract.conversationListQuery.strict(),
	}),
	leads: endpoint('GET', '/get-leads', { query: contract.leadListQuery.strict() }),

	uploadIcon: endpoint('POST', '/upload-chatbot-icon', { body: contract.iconUpload }),
	deleteIcon: endpoint('DELETE', '/delete-chatbot-icon', { query: contract.chatbotQuery.strict() }),
	uploadPicture: endpoint('POST', '/upload-chatbot-profile-picture', {
		body: contract.profilePictureUpload,
	}),
	deletePicture: endpoint('DELETE', '/delete-chatbot-profile-picture', {
		query: contract.chatbotQuery.strict(),
	}),
};

const all: Endpoint[] = Object.values(endpoints);

/** How many of the endpoints stand in the contract: the first ones. */
const ofContract = 7;

/** Whether the service has the endpoint that a request asks for, as the behaviour has it. */
export function isOffered(request: NamedEndpoint, behaviour: Behaviour): boolean {
	const asked = endpointOf(request, all);
	if (!asked) return false;
	if (behaviour.endpoints === 'contract') return all.indexOf(asked) < ofContract;
	return behaviour.endpoints === 'all' || asked !== endpoints.attributes;
}
