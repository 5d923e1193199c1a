import type { IHttpRequestMethods } from 'n8n-workflow';

import { type ErrorText, errorTexts, type FailureKind } from './errorTexts';
import { type ApiVersion, type Topic, version1, version2 } from './versions';

interface Traits {
	version: ApiVersion;
	/** Whose texts errors have, unless the resource has its own. */
	subject?: 'agent' | 'contact' | 'customAttribute' | 'file';
	/** What the message of a rejected write can be about. The first one that it names decides the text. */
	topics?: Topic[];
	/** What only one record can have. If a 409 names one of them and no other, it decides the text. */
	unique?: Topic[];
	/** Whose text a 404 has, unless the resource has its own. */
	missing: 'wrongAddress' | '404' | '404 agent' | '404 agentSource';
	/** Whether Chatbase has a separate host for it. */
	isOnFileHost?: boolean;
}

const ofVersion1: Traits = { version: version1, missing: '404' };
const ofVersion2: Traits = { version: version2, missing: '404 agent', subject: 'agent' };
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
	agentChat: ofVersion2,
	agentNewChat: ofVersion2,
	agentUserChat: ofVersion2,
	agentConversation: ofVersion2,
	agentConversations: ofVersion2,
	agentMessage: ofVersion2,
	agentFile: { ...ofFiles, missing: '404 agentSource' },
	agentFiles: ofFiles,
	agentSource: ofVersion2,
	agentSources: ofVersion2,
	agentTicket: ofVersion2,
	agentTickets: ofVersion2,
	chat: { ...ofVersion1, topics: ['model'] },
	chatbot: ofVersion1,
	chatbots: { ...ofVersion1, missing: 'wrongAddress' },
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

/** What another record has, if the words of a 409 name one thing only: "Conflict" and "Email or phone exists" leave it open. */
export function takenIn(
	resource: ApiResource,
	isAbout: (topic: Topic) => boolean,
): Topic | undefined {
	const [taken, ...others] = (traitsOf[resource].unique ?? []).filter(isAbout);
	return others.length === 0 ? taken : undefined;
}

/** @param code how the service names the failure */
export function textFor(
	outcome: FailureKind,
	{ method, resource }: { method: string; resource: ApiResource },
	isAbout: (topic: Topic) => boolean,
	code?: string,
): ErrorText {
	const named = errorTexts[`code ${code} ${resource}`] ?? errorTexts[`code ${code}`];
	if (named) return named;
	if (outcome === '404') return textForMissing(resource, isAbout);
	// A request that reads or deletes has no contact data that could be wrong.
	if (outcome === '400' && ['DELETE', 'GET'].includes(method)) return errorTexts[outcome];
	const { subject, topics = [] } = traitsOf[resource];
	const about = outcome === '409' ? [takenIn(resource, isAbout)] : topics.filter(isAbout);
	const special = [...about, resource, subject];
	return (
		special.map((of) => errorTexts[`${outcome} ${of}`]).find(Boolean) ??
		errorTexts[outcome]
	);
}

function textForMissing(
	resource: ApiResource,
	isAbout: (topic: Topic) => boolean,
): ErrorText {
	// A path that names a record can mean the record or its chatbot.
	const either =
		errorTexts[`404 ${resource}`] ??
		errorTexts[traitsOf[resource].missing] ??
		errorTexts['404'];
	if (!either.title.includes(' or chatbot')) return either;
	if (isAbout('chatbot')) return errorTexts['404'];
	const missing = (['contact', 'customAttribute'] as const).find(isAbout);
	if (!missing) return either;
	const text = errorTexts[`404 ${missing}`] ?? either;
	return { ...text, title: text.title.replace(' or chatbot', '') };
}
