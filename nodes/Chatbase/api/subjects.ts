import type { IHttpRequestMethods } from 'n8n-workflow';

import { type ApiVersion, type Topic, version1, version2 } from './versions';

interface Traits {
	version: ApiVersion;
	/** What it is about in general, for the texts of errors. */
	subject?: 'agent' | 'contact' | 'customAttribute' | 'file';
	/** What the message of a rejected write can be about. The first topic that it names decides the text. */
	topics?: Topic[];
	/** Values that only one record can have. If a 409 names exactly one of them, that one decides the text. */
	unique?: Topic[];
	/** Whether Chatbase has a separate host for it. */
	isOnFileHost?: boolean;
}

const ofVersion1: Traits = { version: version1 };
const ofVersion2: Traits = { version: version2, subject: 'agent' };
const ofContacts: Traits = {
	...ofVersion1,
	subject: 'contact',
	topics: ['contactLimit', 'attributeValue'],
	unique: ['externalId', 'email', 'phone'],
};
const ofFiles: Traits = { ...ofVersion2, subject: 'file', isOnFileHost: true };
const ofAttributes: Traits = { ...ofVersion1, subject: 'customAttribute' };

/** What a request is about, since a status means different things for different resources. */
const apiResources = {
	// A chatbot is an agent in version 2.
	agent: ofVersion2,
	agents: { version: version2 },
	agentChat: ofVersion2,
	agentNewChat: ofVersion2,
	agentUserChat: ofVersion2,
	agentConversation: ofVersion2,
	agentConversations: ofVersion2,
	agentMessage: ofVersion2,
	agentFile: ofFiles,
	agentFiles: ofFiles,
	agentSource: ofVersion2,
	agentSources: ofVersion2,
	agentTicket: ofVersion2,
	agentTickets: ofVersion2,
	chat: { ...ofVersion1, topics: ['model'] },
	chatbot: ofVersion1,
	chatbots: ofVersion1,
	chatbotSettings: { ...ofVersion1, topics: ['model'] },
	contact: ofContacts,
	contacts: ofContacts,
	conversation: ofVersion1,
	customAttribute: ofAttributes,
	customAttributes: ofAttributes,
	lead: ofVersion1,
} satisfies Record<string, Traits>;

export type ApiResource = keyof typeof apiResources;

export const traitsOf: Record<ApiResource, Traits> = apiResources;

export interface Endpoint {
	method: IHttpRequestMethods;
	/** Path below the root of the API, with `{name}` placeholders. */
	path: string;
	resource: ApiResource;
}

/** The value that another record has already, if a 409 names exactly one. "Conflict" and "Email or phone exists" don't. */
export function takenIn(
	resource: ApiResource,
	isAbout: (topic: Topic) => boolean,
): Topic | undefined {
	const [taken, ...others] = (traitsOf[resource].unique ?? []).filter(isAbout);
	return others.length === 0 ? taken : undefined;
}
