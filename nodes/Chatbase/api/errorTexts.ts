import type { IHttpRequestMethods } from 'n8n-workflow';

import type { ApiVersion } from './versions';

/**
 * What a request is about; the same status means different things for different resources. The singular of two is one
 * that the path names, so that a 404 can mean it as well as its chatbot.
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

/** Everything that can come of a request besides success: a status, or the way a connection ended. */
export type Outcome =
	| '400'
	| '401'
	| '403'
	| '404'
	| '409'
	| '413'
	| '429'
	| '4xx'
	| '5xx'
	| 'redirect'
	| 'refused'
	| 'hostNotFound'
	| 'certificate'
	| 'timeout'
	| 'broken'
	| 'unreadable'
	| 'wrongAddress'
	| 'unexpectedResponse';

/** Where a request went. */
export interface Endpoint {
	method: IHttpRequestMethods;
	/** Path below the root of the API. */
	path: string;
	resource: ApiResource;
	version: ApiVersion;
}

/** Settings that some places have and others do not: the trigger has neither of them. */
export interface AvailableSettings {
	/** Whether the user can set Timeout and Ignore SSL Issues under Request Options. */
	requestOptions: boolean;
	/** Whether the operation has the option Max Concurrency. */
	maxConcurrency: boolean;
}

/** What happened, and what the reader can do about it. */
export interface ErrorText {
	title: string;
	nextStep: string;
	/** What else helps where the place has the setting for it. */
	setting?: { of: keyof AvailableSettings; hint: string };
}

type SubjectTexts = { any: ErrorText } & Partial<Record<ApiResource, ErrorText>>;

const chatbotNotFound: ErrorText = {
	title: 'Chatbot not found',
	nextStep:
		'Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
};

/**
 * One text for each outcome, with others where the subject makes a difference. The node shows
 * them, and the table of docs/troubleshooting.md is made from them.
 *
 * Titles hold no text from outside: n8n 2.41 replaces a title that happens to contain a system code.
 */
export const errorTexts: Record<Outcome, SubjectTexts> = {
	'400': {
		any: {
			title: 'The service did not accept the request',
			nextStep: 'Correct what the service names, and try again.',
		},
		chat: {
			title: 'The service did not accept the message',
			nextStep:
				'Check Chatbot, Model and the roles in the history. Very long messages (over about 8,000 characters) have been reported to be refused.',
		},
		contact: {
			title: 'The service did not accept the contact data',
			nextStep:
				'Compare each value with the type of its custom attribute. Archived attributes only accept being cleared.',
		},
		customAttribute: {
			title: 'The service did not accept the custom attribute',
			nextStep:
				'Names are unique in a chatbot and some are reserved. A lowercase letter followed by lowercase letters, digits and underscores is the safest form.',
		},
	},
	'401': {
		any: {
			title: 'The API key is not accepted',
			nextStep:
				'Open the credential and enter the key again from the dashboard: Workspace Settings, API Keys. Nothing more was sent.',
		},
	},
	'403': {
		any: {
			title: 'Access denied or quota used up',
			nextStep:
				'The service uses the same answer for both: check in the dashboard whether the key belongs to the workspace of this chatbot, and whether the plan still has credits and room.',
		},
		chat: {
			title: 'Access denied or message credits used up',
			nextStep:
				'Check in the dashboard whether message credits are left, whether the plan includes the chosen model, and whether the key belongs to the workspace of this chatbot.',
		},
	},
	'404': {
		any: chatbotNotFound,
		contact: {
			title: 'Contact or chatbot not found',
			nextStep:
				'Contacts are found by External ID, the ID that your own system gave them, not by the internal ID. Check the chatbot as well.',
		},
		customAttribute: {
			title: 'Custom attribute or chatbot not found',
			nextStep:
				'Attributes are found by name, exactly as it was created, not by label. Check the chatbot as well.',
		},
	},
	'409': {
		any: {
			title: 'It exists already',
			nextStep: 'Choose another name, or update what is there.',
		},
		contact: {
			title: 'The e-mail address is taken by another contact',
			nextStep:
				'An e-mail address belongs to one contact of a chatbot. Find the other one with Get Many and the filter Email.',
		},
	},
	'413': {
		any: {
			title: 'The data is too large for the service',
			nextStep: 'Send less: a shorter text, a smaller file or fewer fields.',
		},
	},
	'429': {
		any: {
			title: 'The service is still receiving too many requests',
			nextStep: 'Let fewer workflows run at the same time, or start again later.',
			setting: { of: 'maxConcurrency', hint: 'Lowering Max Concurrency under Options helps too.' },
		},
	},
	'4xx': {
		any: {
			title: 'The service turned the request down',
			nextStep: 'Check what was sent, and the Base URL of the credential.',
		},
	},
	'5xx': {
		any: {
			title: 'The service cannot answer at the moment',
			nextStep: 'Try again later. If it lasts, ask the support of the service.',
		},
	},
	redirect: {
		any: {
			title: 'The service redirects to another address',
			nextStep:
				'The node does not follow, so that the API key stays where it belongs. Enter the final address as Base URL in the credential.',
		},
	},
	refused: {
		any: {
			title: 'Nothing answers at the Base URL',
			nextStep:
				'The connection was refused. Check host and port of the Base URL in the credential, and whether the service is running.',
		},
	},
	hostNotFound: {
		any: {
			title: 'The host of the Base URL is not known',
			nextStep:
				'Check the spelling of the Base URL in the credential, and the network of the machine that n8n runs on.',
		},
	},
	certificate: {
		any: {
			title: 'The certificate of the service is not trusted',
			nextStep: 'Check the Base URL of the credential.',
			setting: {
				of: 'requestOptions',
				hint: 'For a service of your own with a certificate of your own, turn on Ignore SSL Issues under Settings, Request Options.',
			},
		},
	},
	timeout: {
		any: {
			title: 'The service did not answer in time',
			nextStep: 'Try again later.',
			setting: {
				of: 'requestOptions',
				hint: 'Raising Timeout under Settings, Request Options gives the service longer.',
			},
		},
	},
	broken: {
		any: {
			title: 'The connection to the service broke off',
			nextStep: 'Try again. If it lasts, look at proxies and firewalls in between.',
		},
	},
	unreadable: {
		any: {
			title: 'The response cannot be unpacked',
			nextStep:
				'Its bytes are not in the encoding that it names. Look at proxies in between, and check the Base URL of the credential.',
		},
	},
	wrongAddress: {
		any: {
			title: 'Nothing is found at this address',
			nextStep:
				'The answer does not come from the API, which would say what is missing. Check the Base URL of the credential: it should end with the version, such as https://www.chatbase.co/api/v1.',
		},
	},
	unexpectedResponse: {
		any: {
			title: 'The response is not what the API promises',
			nextStep:
				'Something else may be answering, such as a proxy or a login page. Check the Base URL of the credential.',
		},
	},
};

const externalIdTaken: ErrorText = {
	title: 'The External ID is taken by another contact',
	nextStep:
		'Every contact has an ID of its own. Use Create or Update to change the one that has it.',
};

const modelRefused: ErrorText = {
	title: 'The service does not accept this model',
	nextStep:
		'Not every plan has every model of the list, and services retire models. Choose another one, or set Model to ID and type the name of one that your plan has.',
};

/** Texts for a 404 whose message tells which of the two was missing. */
const notFound: Array<{ pattern: RegExp; text: ErrorText }> = [
	{
		pattern: /contact/i,
		text: { title: 'Contact not found', nextStep: errorTexts['404'].contact!.nextStep },
	},
	{
		pattern: /attribute/i,
		text: {
			title: 'Custom attribute not found',
			nextStep: errorTexts['404'].customAttribute!.nextStep,
		},
	},
	{ pattern: /chatbot/i, text: chatbotNotFound },
];

/** A list says what one of its members would, but for a 404. */
const memberOf: Partial<Record<ApiResource, ApiResource>> = {
	chatbots: 'chatbot',
	contacts: 'contact',
	customAttributes: 'customAttribute',
};

/**
 * Looks up what to tell the user.
 *
 * @param words the service's own, which tell the meanings of a status apart
 */
export function textFor(
	outcome: Outcome,
	{ method, resource }: Pick<Endpoint, 'method' | 'resource'>,
	words: string,
): ErrorText {
	const subject = memberOf[resource] ?? resource;
	if (outcome === '409' && subject === 'contact' && /external.?id/i.test(words)) {
		return externalIdTaken;
	}
	const takesModel = subject === 'chat' || subject === 'chatbotSettings';
	if (outcome === '400' && takesModel && /\bmodel\b/i.test(words)) return modelRefused;
	// What only reads has sent nothing that could be wrong with a contact.
	if (outcome === '400' && method === 'GET') return errorTexts['400'].any;
	if (outcome === '404') {
		if (resource === 'chatbots') return errorTexts.wrongAddress.any;
		if (resource !== 'contact' && resource !== 'customAttribute') return chatbotNotFound;
		const text = notFound.find(({ pattern }) => pattern.test(words))?.text;
		if (text) return text;
	}
	return errorTexts[outcome][subject] ?? errorTexts[outcome].any;
}
