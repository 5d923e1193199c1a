/** What errors of requests say. The tables in docs/troubleshooting.md are generated from them. */
import type { FailureKind } from './failureKinds';
import type { ApiResource, Subject } from './subjects';

/** Settings that not every panel has. The trigger has none of them. */
type AdvisedSetting = 'maxConcurrency' | 'requestOptions';

export type AvailableSettings = Partial<Record<AdvisedSetting, boolean>>;

/** The text under the name of a setting is a further step. It is shown if the panel has that setting. */
export interface ErrorText extends Partial<Record<AdvisedSetting, string>> {
	/** Without text from outside, since n8n 2.41 replaces a title that contains a system code. */
	title: string;
	/** In place of `title`, if the service says that the record itself is missing, and not its chatbot. */
	titleOfRecord?: string;
	nextStep?: string;
	/** Comes last, and only if trying again does no harm. */
	advice?: string;
}

const conversationGone: ErrorText = {
	title: 'The latest conversation of the user is gone',
	nextStep:
		'The service listed it, and then did not find it. Run the node again, or choose New under Conversation.',
};

const conflict: ErrorText = {
	title: 'The request conflicts with what the chatbot has',
	nextStep: 'Correct what the service names, and run again.',
};

const notAnswering: ErrorText = {
	title: 'The conversation has ended or a person has taken it over',
	nextStep:
		'Only conversations that the chatbot answers itself can be paused or resumed.',
};

const notTakenOver: ErrorText = {
	title: 'The conversation of the ticket is with the chatbot',
	nextStep:
		'A reply needs a conversation that a person has taken over. Take it over in the helpdesk, then run again. No reply was recorded.',
};

const planGate: ErrorText = {
	title: 'The plan does not include this part of the API',
	nextStep:
		'The service names the plan that is needed. Change the plan in the dashboard.',
};

const unknownMember: ErrorText = {
	title: 'The team member was not found',
	nextStep:
		'Enter the email of a member of the helpdesk, or an ID that tickets name as assigneeId. Check spelling and chatbot.',
};

/** The texts by outcome. */
export const outcomeTexts: Record<FailureKind, ErrorText> = {
	'400': {
		title: 'The service rejected the request',
		nextStep: 'Correct what the service names, and try again.',
	},
	'401': {
		title: 'The service rejected the API key',
		nextStep:
			'Open the credential and enter the key again from Chatbase: Workspace Settings, API Keys. Nothing more was sent.',
	},
	'402': {
		title: 'The message credits are used up',
		nextStep: 'Buy more credits in the dashboard, or wait until they are renewed.',
	},
	'403': {
		title: 'Access denied or quota used up',
		nextStep:
			'The service has one response for both. Check in the dashboard that the key belongs to the workspace of this chatbot, and that the plan has quota left.',
	},
	'404': {
		title: 'Chatbot not found',
		nextStep:
			'Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
	},
	'409': {
		title: 'It already exists',
		nextStep: 'Choose another name, or update the existing one.',
	},
	'413': {
		title: 'The data is too large for the service',
		nextStep: 'Send less: a shorter text, a smaller file or fewer fields.',
	},
	'422': {
		title: 'The service cannot use the values that were sent',
		nextStep: 'Correct what the service names, and try again.',
	},
	'429': {
		title: 'The service is receiving too many requests',
		nextStep: 'Run fewer workflows at the same time, or run again later.',
		maxConcurrency: 'You can also lower Max Concurrency under Options.',
	},
	'4xx': {
		title: 'The service rejected the request',
		nextStep: 'Check the values that you sent and the Base URL in the credential.',
	},
	'5xx': {
		title: "The service can't respond at the moment",
		advice: 'Try again later. If this continues, contact the support of the service.',
	},
	maintenance: {
		title: 'The service is under maintenance',
		nextStep: 'The service has done nothing.',
		advice: 'Try again later.',
	},
	disabled: {
		title: 'The service has switched this function off for now',
		nextStep: 'Try again later, or ask the support of the service how long it lasts.',
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
		nextStep:
			'Check the spelling of the Base URL in the credential, and the network of n8n.',
	},
	proxyUnreachable: {
		title: "The proxy can't be reached",
		nextStep: 'Nothing was sent to the service.',
		requestOptions: 'Check host and port of Proxy under Settings, Request Options.',
	},
	proxyLogin: {
		title: 'The proxy needs a user name and a password',
		nextStep: 'Nothing was sent to the service.',
		requestOptions:
			'Enter them in Proxy under Settings, Request Options, as in http://name:password@proxy.example:3128.',
	},
	certificate: {
		title: 'The certificate of the service is not trusted',
		nextStep: 'Check the Base URL of the credential.',
		requestOptions:
			'For a self-signed certificate, turn on Ignore SSL Issues (Insecure) under Settings, Request Options.',
	},
	timeout: {
		title: 'The service did not respond in time',
		requestOptions: 'To wait longer, raise Timeout under Settings, Request Options.',
		advice: 'Try again later. If this continues, contact the support of the service.',
	},
	broken: {
		title: 'The connection to the service was lost',
		advice:
			'Try again. If this continues, check the Base URL in the credential, and proxies and firewalls.',
	},
	unreadable: {
		title: 'The response could not be decompressed',
		nextStep: 'A proxy may have changed it. Check proxies and the Base URL.',
	},
	tooLarge: {
		title: 'The response is too large',
		nextStep: 'A text can have at most 512 MB in n8n. Ask for less in one request.',
	},
	wrongAddress: {
		title: "The Base URL doesn't lead to the API",
		nextStep: 'It must end with the version, such as https://www.chatbase.co/api/v1.',
	},
	unexpectedResponse: {
		title: 'The service returned an unexpected response',
		nextStep:
			'It may come from a proxy or a login page. Check the Base URL of the credential.',
	},
	streamedFailure: {
		title: 'The service failed during the answer',
		nextStep: 'The message may have cost credits.',
	},
};

/** The texts by outcome and subject. They replace those by outcome alone. */
export const subjectTexts: Partial<
	Record<FailureKind, Partial<Record<Subject, ErrorText>>>
> = {
	'400': {
		chat: {
			title: 'The service rejected the message',
			nextStep:
				'Check Chatbot, Model and the roles in Previous Messages. Messages over about 8,000 characters may be rejected.',
		},
		contact: {
			title: 'The service rejected the contact data',
			nextStep: 'Correct what the service names, and try again.',
		},
		contacts: {
			title: 'The service rejected the contact data',
			nextStep:
				'Correct what the service names, and try again. A chatbot that has reached its limit rejects new contacts too.',
		},
		contactLimit: {
			title: 'The plan has no room for more contacts',
			nextStep: 'Delete contacts that are no longer needed, or change the plan.',
		},
		attributeValue: {
			title: 'The service rejected the contact data',
			nextStep:
				'Compare each value with the type of its custom attribute. Archived attributes can only be cleared.',
		},
		customAttribute: {
			title: 'The service rejected the custom attribute',
			nextStep:
				'The name may be taken or reserved. Use lowercase letters, digits and underscores, and start with a letter.',
		},
		model: {
			title: 'The service rejected the model',
			nextStep:
				'Your plan may not include it, or the service has removed it. Choose another model, or set Model to ID and type its name.',
		},
	},
	'403': {
		chat: {
			title: 'Access denied or message credits used up',
			nextStep:
				'Check in the dashboard that message credits are left, that the plan includes the model, and that the key belongs to the workspace of this chatbot.',
		},
	},
	'404': {
		agent: {
			title: 'Chatbot not found',
			nextStep:
				'Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds it, ask the support of the service.',
		},
		agentChat: {
			title: 'Chatbot or conversation not found',
			nextStep:
				'Check the chatbot, the workspace of the API key, and Conversation ID. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Chat: Send Message uses version 1.',
		},
		agentNewChat: {
			title: 'Chatbot not found',
			nextStep:
				'Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Chat: Send Message uses version 1.',
		},
		agentUserChat: conversationGone,
		agentConversation: {
			title: 'Conversation or chatbot not found',
			nextStep:
				'Check Conversation ID, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds the chatbot, ask the support of the service.',
		},
		agentConversations: {
			title: 'Chatbot not found',
			nextStep:
				'Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Conversation: Get Many uses version 1.',
		},
		agentMessage: {
			title: 'Message, conversation or chatbot not found',
			nextStep:
				'Check Message ID, Conversation ID, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows.',
		},
		agentSource: {
			title: 'Source or chatbot not found',
			nextStep:
				'Check the source, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds the chatbot, ask the support of the service.',
		},
		agentTicket: {
			title: 'Ticket or chatbot not found',
			nextStep:
				'Check Ticket Number, the chatbot and the workspace of the API key. Tickets of other helpdesks, such as Zendesk, are not in Chatbase.',
		},
		contact: {
			title: 'Contact or chatbot not found',
			titleOfRecord: 'Contact not found',
			nextStep:
				'Contacts are found by External ID, the ID from your own system, not by their internal ID. Check the chatbot as well.',
		},
		customAttribute: {
			title: 'Custom attribute or chatbot not found',
			titleOfRecord: 'Custom attribute not found',
			nextStep:
				'Attributes are found by their exact name, not by their label. Check the chatbot as well.',
		},
	},
	'409': {
		agent: conflict,
		agentConversation: notAnswering,
		agentTicket: notTakenOver,
		contact: {
			title: 'A contact with one of these values exists',
			nextStep:
				'External ID, Email and Phone Number can belong to one contact only. To find that contact, use Get Many with one of these filters.',
		},
		email: {
			title: 'The email is taken by another contact',
			nextStep:
				'An email belongs to one contact of a chatbot. To find that contact, use Get Many with the filter Email.',
		},
		externalId: {
			title: 'The External ID is taken by another contact',
			nextStep:
				'Use Create or Update to change the contact that has it, or choose another ID.',
		},
		file: conflict,
		phone: {
			title: 'The phone number is taken by another contact',
			nextStep:
				'The service accepts a phone number for one contact only, perhaps in any form. To find that contact, use Get Many with the filter Phone Number.',
		},
	},
	'429': {
		file: {
			title: 'The service takes no more files at the moment',
			nextStep:
				'It accepts 10 a minute for each account. Check what else uploads files, and run again later.',
		},
	},
	wrongAddress: {
		agent: {
			title: 'Version 2 of the API is not at this address',
			nextStep:
				'This operation uses the Base URL of the credential with v2 in the place of v1. Check the Base URL. Not every compatible service has version 2.',
		},
		file: {
			title: 'Files are not accepted at this address',
			nextStep:
				'If the host of the Base URL is www.chatbase.co, files go to files.chatbase.co, else to the Base URL itself. Not every compatible service takes files.',
		},
	},
};

/** The texts by the code of version 2, which says what failed. Its documents disagree about the status of an error. */
export const codeTexts = {
	AGENT_LIMIT_REACHED: {
		title: 'The plan allows no more chatbots',
		nextStep: 'Delete a chatbot that is no longer needed, or change the plan.',
	},
	AUTH_INSUFFICIENT_PERMISSIONS: {
		title: 'The API key has no permission for this',
		nextStep:
			'The service does not say which permission is missing. Create another key in the dashboard: Workspace Settings, API Keys.',
	},
	CHAT_AGENT_CREDITS_EXHAUSTED: {
		title: 'The message credits of this chatbot are used up',
		nextStep: 'Raise its credit limit in the dashboard, or wait until it is renewed.',
	},
	CHAT_CONVERSATION_MISMATCH: {
		title: 'The conversation belongs to another chatbot',
		nextStep:
			'Check Chatbot. Use the conversationId of an earlier answer, not a session ID, or choose New under Conversation.',
	},
	CHAT_CONVERSATION_NOT_ONGOING: {
		title: 'The conversation has ended, is paused or was taken over',
		nextStep:
			'Choose New under Conversation, or Start New under If the Conversation Has Ended. Conversation: Resume continues a paused one.',
	},
	CHAT_CREDITS_EXHAUSTED: {
		title: 'The message credits of the workspace are used up',
		nextStep: 'Buy more credits in the dashboard, or wait until they are renewed.',
	},
	CHAT_MODEL_NOT_ALLOWED: {
		title: 'The plan does not include the model of this chatbot',
		nextStep: 'Choose another model with Chatbot Settings: Update, or change the plan.',
	},
	CONVERSATION_NOT_TAKEN_OVER: notTakenOver,
	CONVERSATION_SEARCH_UNAVAILABLE: {
		title: 'This chatbot cannot be searched by text',
		nextStep: 'Leave Query empty. Filters work without it.',
	},
	HELPDESK_NOT_ENABLED: {
		title: 'The helpdesk of this chatbot is off',
		nextStep: 'Open this chatbot in the dashboard and turn its Helpdesk on.',
	},
	MESSAGE_CONTENT_NOT_RENDERABLE: {
		title: 'Nothing of the message can be shown',
		nextStep: 'HTML is removed from replies. Write Message as plain text or Markdown.',
	},
	RESOURCE_MESSAGE_NOT_ASSISTANT: {
		title: 'The message is not an answer',
		nextStep:
			'Only answers of the chatbot can be rated. In messages of Conversation: Get, they have the role "assistant".',
	},
	RESOURCE_MESSAGE_NOT_FOUND: {
		title: 'The message was not found',
		nextStep:
			'Check Message ID and Conversation ID as Conversation: Get returns them. The service may not rate answers of every channel.',
	},
	SOURCE_DUPLICATE: {
		title: 'The chatbot has a source with this URL',
		nextStep: 'To change its paths, use Update.',
	},
	SOURCE_IS_TRAINING: {
		title: 'The source is still in training',
		nextStep: 'The node has waited for up to two minutes.',
		advice: 'Try again later.',
	},
	SOURCE_PENDING_DELETION: {
		title: 'The source is about to be deleted',
		nextStep: 'It cannot be changed any more. Create a new one.',
	},
	SOURCE_SIZE_LIMIT_EXCEEDED: {
		title: 'The sources are larger than the plan allows',
		nextStep:
			'Delete sources that are no longer needed, send less text, or change the plan.',
	},
	SUBSCRIPTION_API_RESTRICTED_PLAN: planGate,
	SUBSCRIPTION_PLAN_REQUIRED: planGate,
	TEAM_MEMBER_NOT_FOUND: unknownMember,
	TICKET_INVALID_STATUS: {
		title: 'The status cannot be set',
		nextStep:
			'Choose Status From List. Only active statuses can be set, and a category needs a default status.',
	},
	TICKET_NOT_FOUND: {
		title: 'Ticket not found',
		nextStep:
			'The chatbot has no ticket with this number. Each chatbot counts its tickets separately, so check Chatbot and Ticket Number.',
	},
	TICKET_TEAM_MEMBER_NOT_FOUND: unknownMember,
	TICKET_TEAM_NOT_FOUND: {
		title: 'The team was not found',
		nextStep: 'Choose Team From List. Teams belong to one chatbot.',
	},
	INVALID_TEMPLATE_VARIABLES: {
		title: 'WhatsApp does not accept the value of a variable',
		nextStep:
			'A value needs text, without line breaks, tabs or more than four spaces in a row.',
	},
	MEDIA_UPLOAD_FAILED: {
		title: 'The picture or file in the header of the template failed',
		nextStep:
			'The message was not sent. Try again later, or choose a template without media.',
	},
	MISSING_TEMPLATE_VARIABLES: {
		title: 'The template needs more variables',
		nextStep: 'Refresh the fields of Template Variables and fill in each one.',
	},
	PHONE_NUMBER_NOT_FOUND: {
		title: 'The chatbot does not have the number in From',
		nextStep: 'WhatsApp Template: Get Many lists its numbers as senders.',
	},
	PHONE_NUMBER_REQUIRED: {
		title: 'The chatbot has several WhatsApp numbers',
		nextStep:
			'Add From under Options. WhatsApp Template: Get Many lists the numbers as senders.',
	},
	RECIPIENT_INVALID: {
		title: "Recipient's Phone Number is not valid",
		nextStep: 'Enter it with its country code, such as +14155552671.',
	},
	RECIPIENT_NOT_REACHABLE: {
		title: 'The customer cannot receive WhatsApp messages',
		nextStep: 'The number is not on WhatsApp, or its owner has blocked your business.',
	},
	SEND_BLOCKED: {
		title: 'Meta does not let this account start conversations',
		nextStep:
			'The usual reason is billing. Check the payment method and restrictions of the account in Meta Business Suite. A minute later, messages can be sent again.',
	},
	TEMPLATE_BUTTONS_UNSUPPORTED: {
		title: 'The template has a button that needs a value',
		nextStep: 'The API cannot fill in buttons. Choose a template without such a button.',
	},
	TEMPLATE_LANGUAGE_REQUIRED: {
		title: 'The template has several languages',
		nextStep: 'Choose Template From List, or add Language under Options.',
	},
	TEMPLATE_NOT_APPROVED: {
		title: 'WhatsApp has not approved the template',
		nextStep:
			'Only approved templates can be sent. Check its review in WhatsApp Manager.',
	},
	TEMPLATE_NOT_FOUND: {
		title: 'The template was not found',
		nextStep:
			'Templates belong to one WhatsApp account. Check Template, Language, and that the number in From is of the same account.',
	},
	TEMPLATE_PARAMS_REJECTED: {
		title: 'Meta rejected the variables of the template',
		nextStep:
			'Compare the number, order and content of the variables with the text of the template.',
	},
	WHATSAPP_NOT_CONNECTED: {
		title: 'The chatbot is not connected to WhatsApp',
		nextStep: 'Connect WhatsApp to this chatbot in the dashboard.',
	},
	WHATSAPP_SEND_FAILED: {
		title: 'WhatsApp rejected the message',
		nextStep:
			'The message was not sent, and WhatsApp gave no reason. Check the template and the number.',
	},
} satisfies Record<string, ErrorText>;

/** The texts by resource and code. They replace those by code alone. */
export const resourceCodeTexts: Partial<Record<ApiResource, Record<string, ErrorText>>> =
	{
		agentUserChat: {
			CHAT_CONVERSATION_MISMATCH: conversationGone,
			CHAT_CONVERSATION_NOT_ONGOING: {
				title: 'The conversation has ended, is paused or was taken over',
				nextStep:
					'The node had looked for the latest conversation twice. Run it again, or choose New under Conversation. Conversation: Resume continues a paused one.',
			},
		},
		agentConversation: {
			CHAT_CONVERSATION_NOT_ONGOING: notAnswering,
		},
		agentChat: {
			RESOURCE_NOT_FOUND: {
				title: 'No conversation has this ID',
				nextStep: 'Use the conversationId of an earlier answer, not a session ID.',
			},
		},
	};
