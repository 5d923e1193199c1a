import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ApiVersion, Topic } from './versions';

/**
 * What a request is about, since a status means different things for different resources. A singular resource is in the
 * path, so that a 404 can mean it or its chatbot.
 */
export type ApiResource =
	| 'chat'
	| 'chatbot'
	| 'chatbots'
	| 'chatbotSettings'
	| 'contact'
	| 'contacts'
	| 'conversation'
	| 'customAttribute'
	| 'customAttributes'
	| 'lead';

export interface Endpoint {
	method: IHttpRequestMethods;
	/** Path below the root of the API. */
	path: string;
	resource: ApiResource;
	version: ApiVersion;
}

/** Settings that not every panel has. The trigger has none of them. */
export interface AvailableSettings {
	/** Whether the user can set Timeout and Ignore SSL Issues under Request Options. */
	requestOptions: boolean;
	maxConcurrency: boolean;
}

export interface ErrorText {
	title: string;
	nextStep: string;
	/** A further step, if the panel has the setting for it. */
	setting?: { of: keyof AvailableSettings; hint: string };
}

/**
 * The texts for each outcome, with special ones for a resource or a topic of the service's message. The table in
 * docs/troubleshooting.md is generated from them. Titles have no text from outside, since n8n 2.41 replaces a title that
 * contains a system code.
 */
const texts = {
	'400': {
		title: 'The service rejected the request',
		nextStep: 'Correct what the service names, and try again.',
	},
	'400 chat': {
		title: 'The service rejected the message',
		nextStep:
			'Check Chatbot, Model and the roles in Previous Messages. Messages over about 8,000 characters may be rejected.',
	},
	'400 contact': {
		title: 'The service rejected the contact data',
		nextStep:
			'Correct what the service names, and try again. A chatbot that has reached its limit rejects new contacts too.',
	},
	'400 attributeValue': {
		title: 'The service rejected the contact data',
		nextStep:
			'Compare each value with the type of its custom attribute. Archived attributes can only be cleared.',
	},
	'400 customAttribute': {
		title: 'The service rejected the custom attribute',
		nextStep:
			'The name may be taken or reserved. Use lowercase letters, digits and underscores, and start with a letter.',
	},
	'400 model': {
		title: 'The service rejected the model',
		nextStep:
			'Your plan may not include it, or the service has removed it. Choose another model, or set Model to ID and type its name.',
	},
	'401': {
		title: 'The service rejected the API key',
		nextStep:
			'Open the credential and enter the key again from Chatbase: Workspace Settings, API Keys. Nothing more was sent.',
	},
	'403': {
		title: 'Access denied or quota used up',
		nextStep:
			'The service has one response for both. Check in the dashboard that the key belongs to the workspace of this chatbot, and that the plan has quota left.',
	},
	'403 chat': {
		title: 'Access denied or message credits used up',
		nextStep:
			'Check in the dashboard that message credits are left, that the plan includes the model, and that the key belongs to the workspace of this chatbot.',
	},
	'404': {
		title: 'Chatbot not found',
		nextStep:
			'Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
	},
	'404 contact': {
		title: 'Contact or chatbot not found',
		nextStep:
			'Contacts are found by External ID, the ID from your own system, not by their internal ID. Check the chatbot as well.',
	},
	'404 customAttribute': {
		title: 'Custom attribute or chatbot not found',
		nextStep:
			'Attributes are found by their exact name, not by their label. Check the chatbot as well.',
	},
	'409': {
		title: 'It already exists',
		nextStep: 'Choose another name, or update the existing one.',
	},
	'409 contact': {
		title: 'The email is taken by another contact',
		nextStep:
			'An email belongs to one contact of a chatbot. To find that contact, use Get Many with the filter Email.',
	},
	'409 externalId': {
		title: 'The External ID is taken by another contact',
		nextStep: 'Use Create or Update to change the contact that has it, or choose another ID.',
	},
	'413': {
		title: 'The data is too large for the service',
		nextStep: 'Send less: a shorter text, a smaller file or fewer fields.',
	},
	'429': {
		title: 'The service is receiving too many requests',
		nextStep: 'Run fewer workflows at the same time, or run again later.',
		setting: { of: 'maxConcurrency', hint: 'You can also lower Max Concurrency under Options.' },
	},
	'4xx': {
		title: 'The service rejected the request',
		nextStep: 'Check the values that you sent and the Base URL in the credential.',
	},
	'5xx': {
		title: "The service can't respond at the moment",
		nextStep: 'Try again later. If this continues, contact the support of the service.',
	},
	redirect: {
		title: 'The service redirects to another address',
		nextStep:
			'The node does not send the API key there. Enter the final address as Base URL in the credential.',
	},
	refused: {
		title: 'The Base URL refused the connection',
		nextStep:
			'Check host and port of the Base URL in the credential, and whether the service is running.',
	},
	hostNotFound: {
		title: 'The host of the Base URL was not found',
		nextStep: 'Check the spelling of the Base URL in the credential, and the network of n8n.',
	},
	proxyUnreachable: {
		title: "The proxy can't be reached",
		nextStep: 'Nothing was sent to the service.',
		setting: {
			of: 'requestOptions',
			hint: 'Check host and port of Proxy under Settings, Request Options.',
		},
	},
	proxyLogin: {
		title: 'The proxy needs a user name and a password',
		nextStep: 'Nothing was sent to the service.',
		setting: {
			of: 'requestOptions',
			hint: 'Enter them in Proxy under Settings, Request Options, as in http://name:password@proxy.example:3128.',
		},
	},
	certificate: {
		title: 'The certificate of the service is not trusted',
		nextStep: 'Check the Base URL of the credential.',
		setting: {
			of: 'requestOptions',
			hint: 'For a self-signed certificate, turn on Ignore SSL Issues under Settings, Request Options.',
		},
	},
	timeout: {
		title: 'The service did not respond in time',
		nextStep: 'Try again later.',
		setting: {
			of: 'requestOptions',
			hint: 'To wait longer, raise Timeout under Settings, Request Options.',
		},
	},
	broken: {
		title: 'The connection to the service was lost',
		nextStep: 'Try again. If this continues, check proxies and firewalls.',
	},
	unreadable: {
		title: 'The response could not be decompressed',
		nextStep: 'A proxy may have changed it. Check proxies and the Base URL.',
	},
	wrongAddress: {
		title: "The Base URL doesn't lead to the API",
		nextStep: 'It must end with the version, such as https://www.chatbase.co/api/v1.',
	},
	unexpectedResponse: {
		title: 'The service returned an unexpected response',
		nextStep: 'It may come from a proxy or a login page. Check the Base URL of the credential.',
	},
	streamedFailure: {
		title: 'The service failed during the answer',
		nextStep: 'Try again later. The message may have cost credits.',
	},
} satisfies Record<string, ErrorText>;

/** All failures of a request: a status, or why the connection failed. */
export type Outcome = Exclude<keyof typeof texts, `${string} ${string}`>;

export const errorTexts: Record<Outcome, ErrorText> &
	Partial<Record<`${Outcome} ${ApiResource | Topic}`, ErrorText>> = texts;

/** A list has the texts of its members, except for a 404. */
const memberOf: Partial<Record<ApiResource, ApiResource>> = {
	chatbots: 'chatbot',
	contacts: 'contact',
	customAttributes: 'customAttribute',
};

/** @param isAbout whether the service's message is about a topic */
export function textFor(
	outcome: Outcome,
	{ method, resource }: Pick<Endpoint, 'method' | 'resource'>,
	isAbout: (topic: Topic) => boolean,
): ErrorText {
	if (outcome === '404') return textForMissing(resource, isAbout);
	const subject = memberOf[resource] ?? resource;
	const special = (of: ApiResource | Topic) => errorTexts[`${outcome} ${of}`];
	// A request that reads has no contact data that could be wrong.
	if (outcome === '400' && method === 'GET') return errorTexts[outcome];
	const hasModel = subject === 'chat' || subject === 'chatbotSettings';
	const told =
		(hasModel && isAbout('model') && special('model')) ||
		(subject === 'contact' && isAbout('externalId') && special('externalId')) ||
		(subject === 'contact' && isAbout('attributeValue') && special('attributeValue'));
	return told || (special(subject) ?? errorTexts[outcome]);
}

function textForMissing(resource: ApiResource, isAbout: (topic: Topic) => boolean): ErrorText {
	if (resource === 'chatbots') return errorTexts.wrongAddress;
	const either = errorTexts[`404 ${resource}`];
	if (!either) return errorTexts['404'];
	if (isAbout('chatbot')) return errorTexts['404'];
	const missing = (['contact', 'customAttribute'] as const).find(isAbout);
	if (!missing) return either;
	const text = errorTexts[`404 ${missing}`] ?? either;
	return { ...text, title: text.title.replace(' or chatbot', '') };
}
