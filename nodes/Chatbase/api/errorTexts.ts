import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ApiVersion, Topic } from './versions';

/**
 * What a request is about; the same status means different things for different resources. A singular is one that the
 * path names, so that a 404 can mean it as well as its chatbot.
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

/** Settings that some places have and others don't: the trigger has neither of them. */
export interface AvailableSettings {
	/** Whether the user can set Timeout and Ignore SSL Issues under Request Options. */
	requestOptions: boolean;
	maxConcurrency: boolean;
}

export interface ErrorText {
	title: string;
	nextStep: string;
	/** What else helps if the place has the setting for it. */
	setting?: { of: keyof AvailableSettings; hint: string };
}

/**
 * What the node says for each outcome, and for those that mean something else for one resource or by what the service
 * says; the table of docs/troubleshooting.md is made from it. Titles hold no text from
 * outside: n8n 2.41 replaces a title that happens to contain a system code.
 */
const texts = {
	'400': {
		title: 'The service did not accept the request',
		nextStep: 'Correct what the service names, and try again.',
	},
	'400 chat': {
		title: 'The service did not accept the message',
		nextStep:
			'Check Chatbot, Model and the roles in the history. Very long messages (over about 8,000 characters) have been reported to be refused.',
	},
	'400 contact': {
		title: 'The service did not accept the contact data',
		nextStep:
			'Correct what the service names, and try again. A chatbot without room accepts no new contacts either.',
	},
	'400 attributeValue': {
		title: 'The service did not accept the contact data',
		nextStep:
			'Compare each value with the type of its custom attribute. Archived attributes only accept being cleared.',
	},
	'400 customAttribute': {
		title: 'The service did not accept the custom attribute',
		nextStep:
			'Names are unique in a chatbot and some are reserved. A lowercase letter followed by lowercase letters, digits and underscores is the safest form.',
	},
	'400 model': {
		title: 'The service does not accept this model',
		nextStep:
			'Not every plan has every model of the list, and services retire models. Choose another one, or set Model to ID and type the name of one that your plan has.',
	},
	'401': {
		title: 'The API key is not accepted',
		nextStep:
			'Open the credential and enter the key again from the dashboard: Workspace Settings, API Keys. Nothing more was sent.',
	},
	'403': {
		title: 'Access denied or quota used up',
		nextStep:
			'The service uses the same answer for both: check in the dashboard whether the key belongs to the workspace of this chatbot, and whether the plan still has credits and room.',
	},
	'403 chat': {
		title: 'Access denied or message credits used up',
		nextStep:
			'Check in the dashboard whether message credits are left, whether the plan includes the chosen model, and whether the key belongs to the workspace of this chatbot.',
	},
	'404': {
		title: 'Chatbot not found',
		nextStep:
			'Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
	},
	'404 contact': {
		title: 'Contact or chatbot not found',
		nextStep:
			'Contacts are found by External ID, the ID that your own system gave them, not by the internal ID. Check the chatbot as well.',
	},
	'404 customAttribute': {
		title: 'Custom attribute or chatbot not found',
		nextStep:
			'Attributes are found by name, exactly as it was created, not by label. Check the chatbot as well.',
	},
	'409': {
		title: 'It exists already',
		nextStep: 'Choose another name, or update what is there.',
	},
	'409 contact': {
		title: 'The email is taken by another contact',
		nextStep:
			'An email belongs to one contact of a chatbot. Find the other one with Get Many and the filter Email.',
	},
	'409 externalId': {
		title: 'The External ID is taken by another contact',
		nextStep:
			'Every contact has an ID of its own. Use Create or Update to change the one that has it.',
	},
	'413': {
		title: 'The data is too large for the service',
		nextStep: 'Send less: a shorter text, a smaller file or fewer fields.',
	},
	'429': {
		title: 'The service is still receiving too many requests',
		nextStep: 'Let fewer workflows run at the same time, or start again later.',
		setting: { of: 'maxConcurrency', hint: 'Lowering Max Concurrency under Options helps too.' },
	},
	'4xx': {
		title: 'The service rejected the request',
		nextStep: 'Check the values that you sent and the Base URL in the credential.',
	},
	'5xx': {
		title: 'The service cannot answer at the moment',
		nextStep: 'Try again later. If it lasts, ask the support of the service.',
	},
	redirect: {
		title: 'The service redirects to another address',
		nextStep:
			'The node does not follow, so that the API key stays where it belongs. Enter the final address as Base URL in the credential.',
	},
	refused: {
		title: 'Nothing answers at the Base URL',
		nextStep:
			'The connection was refused. Check host and port of the Base URL in the credential, and whether the service is running.',
	},
	hostNotFound: {
		title: 'The host of the Base URL is not known',
		nextStep:
			'Check the spelling of the Base URL in the credential, and the network of the machine that n8n runs on.',
	},
	proxyUnreachable: {
		title: 'The proxy cannot be reached',
		nextStep: 'Nothing was sent to the service.',
		setting: {
			of: 'requestOptions',
			hint: 'Check host and port of Proxy under Settings, Request Options.',
		},
	},
	proxyLogin: {
		title: 'The proxy asks for a name and a password',
		nextStep: 'It has let nothing through to the service.',
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
			hint: 'For a service of your own with a certificate of your own, turn on Ignore SSL Issues under Settings, Request Options.',
		},
	},
	timeout: {
		title: 'The service did not answer in time',
		nextStep: 'Try again later.',
		setting: {
			of: 'requestOptions',
			hint: 'Raising Timeout under Settings, Request Options gives the service longer.',
		},
	},
	broken: {
		title: 'The connection to the service broke off',
		nextStep: 'Try again. If it lasts, look at proxies and firewalls in between.',
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
		title: 'The response is not what the API promises',
		nextStep:
			'Something else may be answering, such as a proxy or a login page. Check the Base URL of the credential.',
	},
	streamedFailure: {
		title: 'The service failed while it was answering',
		nextStep: 'Try again later. The message may have cost credits.',
	},
} satisfies Record<string, ErrorText>;

/** Everything that can come of a request besides success: a status, or the way a connection ended. */
export type Outcome = Exclude<keyof typeof texts, `${string} ${string}`>;

export const errorTexts: Record<Outcome, ErrorText> &
	Partial<Record<`${Outcome} ${ApiResource | Topic}`, ErrorText>> = texts;

/** A list says what one of its members would, but for a 404. */
const memberOf: Partial<Record<ApiResource, ApiResource>> = {
	chatbots: 'chatbot',
	contacts: 'contact',
	customAttributes: 'customAttribute',
};

/** @param isAbout whether the service's own words are about something */
export function textFor(
	outcome: Outcome,
	{ method, resource }: Pick<Endpoint, 'method' | 'resource'>,
	isAbout: (topic: Topic) => boolean,
): ErrorText {
	if (outcome === '404') return textForMissing(resource, isAbout);
	const subject = memberOf[resource] ?? resource;
	const special = (of: ApiResource | Topic) => errorTexts[`${outcome} ${of}`];
	// What only reads has sent nothing that could be wrong with a contact.
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
