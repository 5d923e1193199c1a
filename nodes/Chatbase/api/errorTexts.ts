/** What errors of requests say, by group. The tables in docs/troubleshooting.md are made of these. */
import type { ConnectionFault, FailureKind, Refusal } from './failureKinds';
import { type ApiResource, takenIn, traitsOf } from './subjects';
import type { Topic } from './versions';

/** Settings that not every panel has. The trigger has none of them. */
type AdvisedSetting = 'maxConcurrency' | 'requestOptions';

export type AvailableSettings = Partial<Record<AdvisedSetting, boolean>>;

/** The text under the name of a setting is a further step. It is shown if the panel has that setting. */
export interface ErrorText extends Partial<Record<AdvisedSetting, string>> {
	/** Without text from outside, since n8n 2.41 replaces a title that contains a system code. */
	title: string;
	/** When people meet it, for docs/troubleshooting.md. */
	when: string;
	nextStep?: string;
	/** Comes last, and only if trying again does no harm. */
	advice?: string;
}

/*
 * A key begins with how the request failed, or is the code of version 2, which says more than the status: its documents disagree
 * about those. After it can stand what the message names, the resource, or the subject of the resource. A code whose text would
 * only repeat the message has none, since the message is quoted.
 */
type Texts = Record<string, ErrorText>;

const ofVersion2 =
	'This operation uses version 2 of the API, which may not know a chatbot that version 1 knows.';

const noChatbot = {
	title: 'Chatbot not found',
	nextStep:
		'Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
};

const noApi = {
	title: "The Base URL doesn't lead to the API",
	nextStep: 'It must end with the version, such as https://www.chatbase.co/api/v1.',
};

const noApiWords =
	'Status 404 that names no record, such as a page of HTML or "Not found"';

const conflict = {
	title: 'The request conflicts with what the chatbot has',
	nextStep: 'Correct what the service names, and run again.',
};

const connectionTexts = {
	redirect: {
		title: 'The service redirects to another address',
		when: 'Status 300 to 399',
		nextStep:
			'The node does not send the API key there. Enter the final address as Base URL in the credential.',
	},
	refused: {
		title: 'The Base URL refused the connection',
		when: 'The connection is refused',
		nextStep:
			'Check host and port of the Base URL in the credential, and whether the service is running.',
		requestOptions: 'If you use a Proxy under Settings, Request Options, check it, too.',
	},
	hostNotFound: {
		title: 'The host of the Base URL was not found',
		when: 'The host has no address',
		nextStep:
			'Check the spelling of the Base URL in the credential, and the network of n8n.',
		requestOptions: 'If you use a Proxy under Settings, Request Options, check it, too.',
	},
	certificate: {
		title: 'The certificate of the service is not trusted',
		when: 'TLS fails',
		nextStep: 'Check the Base URL of the credential.',
		requestOptions:
			'For a self-signed certificate, turn on Ignore SSL Issues (Insecure) under Settings, Request Options.',
	},
	timeout: {
		title: 'The service did not respond in time',
		when: 'The Timeout has passed, after three retries',
		requestOptions: 'To wait longer, raise Timeout under Settings, Request Options.',
		advice: 'Try again later. If this continues, contact the support of the service.',
	},
	broken: {
		title: 'The connection to the service was lost',
		when: 'The connection breaks or its bytes are damaged, after three retries',
		advice:
			'Try again. If this continues, check the Base URL in the credential, and proxies and firewalls.',
	},
	wrongAddress: { ...noApi, when: noApiWords },
	'wrongAddress agent': {
		title: 'Version 2 of the API is not at this address',
		when: `${noApiWords}, operations of version 2`,
		nextStep:
			'This operation uses the Base URL of the credential with v2 in place of v1. Check the Base URL. Not every compatible service has version 2.',
	},
	'wrongAddress file': {
		title: 'Files are not accepted at this address',
		when: `${noApiWords}, *Source* with a file`,
		nextStep:
			'If the host of the Base URL is www.chatbase.co, files go to files.chatbase.co, else to the Base URL itself. Not every compatible service takes files.',
	},
	'404 chatbots': { ...noApi, when: 'Status 404, the list of chatbots' },
	unexpectedResponse: {
		title: 'The service returned an unexpected response',
		when: 'Status 200 with HTML, cut JSON or something else',
		nextStep:
			'It may come from a proxy or a login page. Check the Base URL of the credential.',
	},
} satisfies Texts & Record<Exclude<ConnectionFault, 'streamedFailure'>, ErrorText>;

const accessTexts = {
	'400': {
		title: 'The service rejected the request',
		when: 'Status 400',
		nextStep: 'Correct what the service names, and try again.',
	},
	'401': {
		title: 'The service rejected the API key',
		when: 'Status 401',
		nextStep:
			'Open the credential and enter the key again from Chatbase: Workspace Settings, API Keys. Nothing more was sent.',
	},
	'402': {
		title: 'The message credits are used up',
		when: 'Status 402',
		nextStep: 'Buy more credits in the dashboard, or wait until they are renewed.',
	},
	'403': {
		title: 'Access denied or quota used up',
		when: 'Status 403',
		nextStep:
			'The service has one response for both. Check in the dashboard that the key belongs to the workspace of this chatbot, and that the plan has quota left.',
	},
	'404': { ...noChatbot, when: 'Status 404' },
	'404 chatbot': { ...noChatbot, when: 'Status 404, and the service names the chatbot' },
	'404 agent': {
		title: 'Chatbot not found',
		when: 'Status 404, operations of version 2',
		nextStep: `Check the chatbot and the workspace of the API key. ${ofVersion2} If Chatbot: Get finds it, ask the support of the service.`,
	},
	'409': {
		title: 'It already exists',
		when: 'Status 409',
		nextStep: 'Choose another name, or update the existing one.',
	},
	'409 agent': { ...conflict, when: 'Status 409, operations of version 2' },
	'413': {
		title: 'The data is too large for the service',
		when: 'Status 413',
		nextStep: 'Send less: a shorter text, a smaller file or fewer fields.',
	},
	'422': {
		title: 'The service cannot use the values that were sent',
		when: 'Status 422',
		nextStep: 'Correct what the service names, and try again.',
	},
	'429': {
		title: 'The service is receiving too many requests',
		when: 'Status 429, after a minute of waiting',
		nextStep: 'Run fewer workflows at the same time, or run again later.',
		maxConcurrency: 'You can also lower Max Concurrency under Options.',
	},
	'4xx': {
		title: 'The service rejected the request',
		when: 'Another status from 400 to 499',
		nextStep: 'Check the values that you sent and the Base URL in the credential.',
	},
	'5xx': {
		title: "The service can't respond at the moment",
		when: 'Status 500 or above, after three retries',
		advice: 'Try again later. If this continues, contact the support of the service.',
	},
	maintenance: {
		title: 'The service is under maintenance',
		when: 'Code `SERVICE_UNDER_MAINTENANCE`, after a minute of waiting',
		nextStep: 'The service has done nothing.',
		advice: 'Try again later.',
	},
	disabled: {
		title: 'The service has switched this function off for now',
		when: 'Code `ENDPOINT_TEMPORARILY_DISABLED`',
		nextStep: 'Try again later, or ask the support of the service how long it lasts.',
	},
	AUTH_INSUFFICIENT_PERMISSIONS: {
		title: 'The API key has no permission for this',
		when: 'Code `AUTH_INSUFFICIENT_PERMISSIONS`',
		nextStep:
			'The service does not say which permission is missing. Create another key in the dashboard: Workspace Settings, API Keys.',
	},
	SUBSCRIPTION_API_RESTRICTED_PLAN: {
		title: 'The plan does not include this part of the API',
		when: 'Code `SUBSCRIPTION_API_RESTRICTED_PLAN`',
		nextStep:
			'The service names the plan that is needed. Change the plan in the dashboard.',
	},
	SUBSCRIPTION_PLAN_REQUIRED: {
		title: 'The plan does not include this part of the API',
		when: 'Code `SUBSCRIPTION_PLAN_REQUIRED`',
		nextStep:
			'The service names the plan that is needed. Change the plan in the dashboard.',
	},
} satisfies Texts & Record<Refusal, ErrorText>;

const ended = 'The conversation has ended, is paused or was taken over';

const latestIsGone = {
	title: 'The latest conversation of the user is gone',
	nextStep:
		'The service listed it, and then did not find it. Run the node again, or choose New under Conversation.',
};

const chatTexts = {
	streamedFailure: {
		title: 'The service failed during the answer',
		when: 'The stream of an answer reports an error',
		nextStep: 'The message may have cost credits.',
	},
	'400 chat': {
		title: 'The service rejected the message',
		when: 'Status 400, *Chat: Send Message*',
		nextStep:
			'Check Chatbot, Model and the roles in Previous Messages. Messages over about 8,000 characters may be rejected.',
	},
	'400 model': {
		title: 'The service rejected the model',
		when: 'Status 400, about the model',
		nextStep:
			'Your plan may not include it, or the service has removed it. Choose another model, or set Model to ID and type its name.',
	},
	'403 chat': {
		title: 'Access denied or message credits used up',
		when: 'Status 403, *Chat: Send Message*',
		nextStep:
			'Check in the dashboard that message credits are left, that the plan includes the model, and that the key belongs to the workspace of this chatbot.',
	},
	'404 agentChat': {
		title: 'Chatbot or conversation not found',
		when: 'Status 404, *Chat: Send Message With Memory*, By ID',
		nextStep: `Check the chatbot, the workspace of the API key, and Conversation ID. ${ofVersion2} Chat: Send Message uses version 1.`,
	},
	'404 agentNewChat': {
		title: 'Chatbot not found',
		when: 'Status 404, *Chat: Send Message With Memory*, a new conversation',
		nextStep: `Check the chatbot and the workspace of the API key. ${ofVersion2} Chat: Send Message uses version 1.`,
	},
	'404 agentUserChat': {
		...latestIsGone,
		when: 'Status 404, *Chat: Send Message With Memory*, Latest of a User',
	},
	'RESOURCE_NOT_FOUND agentChat': {
		title: 'No conversation has this ID',
		when: 'Code `RESOURCE_NOT_FOUND`, *Chat: Send Message With Memory*, By ID',
		nextStep: 'Use the conversationId of an earlier answer, not a session ID.',
	},
	CHAT_AGENT_CREDITS_EXHAUSTED: {
		title: 'The message credits of this chatbot are used up',
		when: 'Code `CHAT_AGENT_CREDITS_EXHAUSTED`',
		nextStep:
			'Raise its Credit Limit with Chatbot Settings: Update, or wait until it is renewed.',
	},
	CHAT_CREDITS_EXHAUSTED: {
		title: 'The message credits are used up',
		when: 'Code `CHAT_CREDITS_EXHAUSTED`',
		nextStep: 'Buy more credits in the dashboard, or wait until they are renewed.',
	},
	CHAT_CONVERSATION_MISMATCH: {
		title: 'The conversation belongs to another chatbot',
		when: 'Code `CHAT_CONVERSATION_MISMATCH`',
		nextStep:
			'Check Chatbot. Use the conversationId of an earlier answer, not a session ID, or choose New under Conversation.',
	},
	'CHAT_CONVERSATION_MISMATCH agentUserChat': {
		...latestIsGone,
		when: 'Code `CHAT_CONVERSATION_MISMATCH`, *Chat: Send Message With Memory*, Latest of a User',
	},
	RESOURCE_TOOL_CALL_NOT_FOUND: {
		title: 'The chatbot does not wait for this tool call',
		when: 'Code `RESOURCE_TOOL_CALL_NOT_FOUND`',
		nextStep:
			'Map Conversation ID and Tool Call ID from toolCalls of the last answer. A result is taken once.',
	},
	CHAT_CONVERSATION_NOT_ONGOING: {
		title: ended,
		when: 'Code `CHAT_CONVERSATION_NOT_ONGOING`',
		nextStep:
			'Choose New under Conversation, or Start New under If the Conversation Has Ended. Conversation: Resume continues a paused one.',
	},
	'CHAT_CONVERSATION_NOT_ONGOING agentUserChat': {
		title: ended,
		when: 'Code `CHAT_CONVERSATION_NOT_ONGOING`, *Chat: Send Message With Memory*, Latest of a User',
		nextStep:
			'The node had looked for the latest conversation twice. Run it again, or choose New under Conversation. Conversation: Resume continues a paused one.',
	},
} satisfies Texts;

const contactAdvice =
	'Contacts are found by External ID, the ID from your own system, not by their internal ID. Check the chatbot as well.';

const contactTexts = {
	'400 contact': {
		title: 'The service rejected the contact data',
		when: 'Status 400, *Contact*',
		nextStep: 'Correct what the service names, and try again.',
	},
	'400 contacts': {
		title: 'The service rejected the contact data',
		when: 'Status 400, new contacts',
		nextStep:
			'Correct what the service names, and try again. A chatbot that has reached its limit rejects new contacts too.',
	},
	'400 contactLimit': {
		title: 'The plan has no room for more contacts',
		when: 'Status 400, about the number of contacts',
		nextStep: 'Delete contacts that are no longer needed, or change the plan.',
	},
	'400 attributeValue': {
		title: 'The service rejected the contact data',
		when: 'Status 400, about a custom attribute of a contact',
		nextStep:
			'Compare each value with the type of its custom attribute. Archived attributes can only be cleared.',
	},
	'404 contact': {
		title: 'Contact or chatbot not found',
		when: 'Status 404, one contact',
		nextStep: contactAdvice,
	},
	'404 contact itself': {
		title: 'Contact not found',
		when: 'Status 404, and the service names the contact',
		nextStep: contactAdvice,
	},
	'404 contacts': { ...noChatbot, when: 'Status 404, a list of contacts' },
	'409 contact': {
		title: 'A contact with one of these values exists',
		when: 'Status 409, *Contact*',
		nextStep:
			'External ID, Email and Phone Number can belong to one contact only. To find that contact, use Get Many with one of these filters.',
	},
	'409 email': {
		title: 'The email is taken by another contact',
		when: 'Status 409, about the email',
		nextStep:
			'An email belongs to one contact of a chatbot. To find that contact, use Get Many with the filter Email.',
	},
	'409 externalId': {
		title: 'The External ID is taken by another contact',
		when: 'Status 409, about the External ID',
		nextStep:
			'Use Create or Update to change the contact that has it, or choose another ID.',
	},
	'409 phone': {
		title: 'The phone number is taken by another contact',
		when: 'Status 409, about the phone number',
		nextStep:
			'The service accepts a phone number for one contact only, perhaps in any form. To find that contact, use Get Many with the filter Phone Number.',
	},
} satisfies Texts;

const attributeAdvice =
	'Attributes are found by their exact name, not by their label. Check the chatbot as well.';

const attributeTexts = {
	'400 customAttribute': {
		title: 'The service rejected the custom attribute',
		when: 'Status 400, *Custom Attribute*',
		nextStep:
			'The name may be taken or reserved. Use lowercase letters, digits and underscores, and start with a letter.',
	},
	'404 customAttribute': {
		title: 'Custom attribute or chatbot not found',
		when: 'Status 404, one custom attribute',
		nextStep: attributeAdvice,
	},
	'404 customAttribute itself': {
		title: 'Custom attribute not found',
		when: 'Status 404, and the service names the attribute',
		nextStep: attributeAdvice,
	},
	'404 customAttributes': {
		...noChatbot,
		when: 'Status 404, a list of custom attributes',
	},
} satisfies Texts;

const notAnswering = {
	title: 'The conversation has ended or a person has taken it over',
	nextStep:
		'Only conversations that the chatbot answers itself can be paused or resumed.',
};

const conversationTexts = {
	'404 agentConversation': {
		title: 'Conversation or chatbot not found',
		when: 'Status 404, *Conversation: Pause*, *Resume*',
		nextStep: `Check Conversation ID, the chatbot and the workspace of the API key. ${ofVersion2} If Chatbot: Get finds the chatbot, ask the support of the service.`,
	},
	'404 agentConversations': {
		title: 'Chatbot not found',
		when: 'Status 404, *Conversation: Export*, *Get*, *Search*',
		nextStep: `Check the chatbot and the workspace of the API key. ${ofVersion2} Conversation: Get Many uses version 1.`,
	},
	'404 agentMessage': {
		title: 'Message, conversation or chatbot not found',
		when: 'Status 404, *Conversation: Rate Answer*',
		nextStep: `Check Message ID, Conversation ID, the chatbot and the workspace of the API key. The service may not rate answers of every channel. ${ofVersion2}`,
	},
	'409 agentConversation': {
		...notAnswering,
		when: 'Status 409, *Conversation: Pause*, *Resume*',
	},
	'CHAT_CONVERSATION_NOT_ONGOING agentConversation': {
		...notAnswering,
		when: 'Code `CHAT_CONVERSATION_NOT_ONGOING`, *Conversation: Pause*, *Resume*',
	},
	CONVERSATION_SEARCH_UNAVAILABLE: {
		title: 'This chatbot cannot be searched by text',
		when: 'Code `CONVERSATION_SEARCH_UNAVAILABLE`',
		nextStep: 'Leave Query empty. Filters work without it.',
	},
} satisfies Texts;

const sourceTexts = {
	'404 agentSource': {
		title: 'Source not found',
		when: 'Status 404, one source, and the chatbot exists',
		nextStep:
			'The chatbot has no source with this ID. Source: Get Many lists its sources.',
	},
	'404 agentFile': {
		title: 'Source not found',
		when: 'Status 404, the file of a source, and the chatbot exists',
		nextStep:
			'A file can replace only a file. Check that the source exists, and that its type is file.',
	},
	'404 file': {
		title: 'Chatbot not found',
		when: 'Status 404, a new source with a file',
		nextStep: `Check the chatbot and the workspace of the API key. ${ofVersion2} If Chatbot: Get finds it, ask the support of the service.`,
	},
	'409 file': { ...conflict, when: 'Status 409, *Source* with a file' },
	'429 file': {
		title: 'The service takes no more files at the moment',
		when: 'Status 429, *Source* with a file, after 10 minutes of waiting',
		nextStep:
			'It accepts 10 a minute for each account. Check what else uploads files, and run again later.',
	},
	SOURCE_DUPLICATE: {
		title: 'The chatbot has a source with this URL',
		when: 'Code `SOURCE_DUPLICATE`',
		nextStep: 'To change its paths, use Update.',
	},
	SOURCE_IS_TRAINING: {
		title: 'The source is still in training',
		when: 'Code `SOURCE_IS_TRAINING`',
		nextStep: 'The node has waited for up to two minutes.',
		advice: 'Try again later.',
	},
} satisfies Texts;

const notTakenOver = {
	title: 'The conversation of the ticket is with the chatbot',
	nextStep:
		'A reply needs a conversation that a person has taken over. Take it over in the helpdesk, then run again. No reply was recorded.',
};

const ticketTexts = {
	'404 agentTicket': {
		title: 'Ticket or chatbot not found',
		when: 'Status 404, one ticket',
		nextStep:
			'Check Ticket Number, the chatbot and the workspace of the API key. Tickets of other helpdesks, such as Zendesk, are not in Chatbase.',
	},
	'409 agentTicket': { ...notTakenOver, when: 'Status 409, one ticket' },
	CONVERSATION_NOT_TAKEN_OVER: {
		...notTakenOver,
		when: 'Code `CONVERSATION_NOT_TAKEN_OVER`',
	},
	HELPDESK_NOT_ENABLED: {
		title: 'The helpdesk of this chatbot is off',
		when: 'Code `HELPDESK_NOT_ENABLED`',
		nextStep: 'Open this chatbot in the dashboard and turn its Helpdesk on.',
	},
} satisfies Texts;

/** WhatsApp Template: Send also uses them before it sends a message. */
export const whatsAppTexts = {
	MISSING_TEMPLATE_VARIABLES: {
		title: 'The template needs more variables',
		when: 'A variable of the template has no value, or code `MISSING_TEMPLATE_VARIABLES`',
		nextStep: 'Refresh the fields of Template Variables and fill in each one.',
	},
	PHONE_NUMBER_NOT_FOUND: {
		title: 'The chatbot does not have the number in From',
		when: 'Code `PHONE_NUMBER_NOT_FOUND`',
		nextStep: 'WhatsApp Template: Get Many lists its numbers as senders.',
	},
	PHONE_NUMBER_REQUIRED: {
		title: 'The chatbot has several WhatsApp numbers',
		when: 'From is not filled in: code `PHONE_NUMBER_REQUIRED`',
		nextStep:
			'Add From under Options. WhatsApp Template: Get Many lists the numbers as senders.',
	},
	SEND_BLOCKED: {
		title: 'Meta does not let this account start conversations',
		when: 'Code `SEND_BLOCKED`',
		nextStep:
			'The usual reason is billing. Check the payment method and restrictions of the account in Meta Business Suite. A minute later, messages can be sent again.',
	},
	TEMPLATE_BUTTONS_UNSUPPORTED: {
		title: 'The template has a button that needs a value',
		when: 'Code `TEMPLATE_BUTTONS_UNSUPPORTED`',
		nextStep: 'The API cannot fill in buttons. Choose a template without such a button.',
	},
	TEMPLATE_LANGUAGE_REQUIRED: {
		title: 'The template has several languages',
		when: 'No language is chosen: code `TEMPLATE_LANGUAGE_REQUIRED`',
		nextStep: 'Choose Template From List, or add Language under Options.',
	},
	TEMPLATE_NOT_FOUND: {
		title: 'The template was not found',
		when: 'The list of templates does not have it, or code `TEMPLATE_NOT_FOUND`',
		nextStep:
			'Templates belong to one WhatsApp account. Check Template, Language, and that the number in From is of the same account.',
	},
	WHATSAPP_NOT_CONNECTED: {
		title: 'The chatbot is not connected to WhatsApp',
		when: 'Code `WHATSAPP_NOT_CONNECTED`',
		nextStep: 'Connect WhatsApp to this chatbot in the dashboard.',
	},
} as const satisfies Texts;

/** The groups of docs/troubleshooting.md. */
export const errorGroups = {
	'Credential and connection': connectionTexts,
	'Access and limits': accessTexts,
	Chat: chatTexts,
	Contacts: contactTexts,
	'Custom attributes': attributeTexts,
	Conversations: conversationTexts,
	Sources: sourceTexts,
	Tickets: ticketTexts,
	'WhatsApp templates': whatsAppTexts,
};

/** The texts by how a request can fail. */
export const outcomeTexts: Record<FailureKind, ErrorText> = {
	...connectionTexts,
	...accessTexts,
	...chatTexts,
};

const errorTexts = new Map<string, ErrorText>(
	Object.values(errorGroups).flatMap((texts: Texts) => Object.entries(texts)),
);

/** A request that failed, and what the service says about it. */
interface FailedRequest {
	method: string;
	resource: ApiResource;
	isAbout(topic: Topic): boolean;
	/** How the service names the failure. */
	code?: string;
}

/** The text for a failure: the most exact one that there is. */
export function textFor(outcome: FailureKind, request: FailedRequest): ErrorText {
	const { resource, code } = request;
	const abouts = aboutsOf(outcome, request).map((about) => `${outcome} ${about}`);
	const keys = [`${code} ${resource}`, `${code}`, ...abouts];

	const found = keys.map((key) => errorTexts.get(key)).find(Boolean);
	return found ?? outcomeTexts[outcome];
}

/** What a failure can be about, from the exact to the general. */
function aboutsOf(
	outcome: FailureKind,
	{ method, resource, isAbout }: FailedRequest,
): Array<string | undefined> {
	const { subject, topics = [] } = traitsOf[resource];
	switch (outcome) {
		case '400': {
			// A request that reads or deletes has no data that could be wrong.
			if (['DELETE', 'GET'].includes(method)) return [];
			return [...topics.filter(isAbout), resource, subject];
		}

		case '404': {
			if (isAbout('chatbot')) return ['chatbot'];
			const record = (['contact', 'customAttribute'] as const).find(isAbout);
			const named = record === resource ? `${record} itself` : undefined;
			return [named, resource, subject];
		}

		case '409':
			return [takenIn(resource, isAbout), resource, subject];

		default:
			return [resource, subject];
	}
}
