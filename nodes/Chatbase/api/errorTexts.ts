/** Settings that not every panel has. The trigger has none of them. */
type Setting = 'maxConcurrency' | 'requestOptions';

export type AvailableSettings = Partial<Record<Setting, boolean>>;

/** The text for a setting is a further step, if the panel has it. */
export interface ErrorText extends Partial<Record<Setting, string>> {
	title: string;
	nextStep: string;
}

const notAnswering =
	'The conversation has ended or a person has taken it over. Only conversations that the chatbot answers itself can be paused or resumed.';

const notTakenOver =
	'The conversation of the ticket is with the chatbot. A reply needs a conversation that a person has taken over. Take it over in the helpdesk, then run again. No reply was recorded.';

const unknownMember =
	'The team member was not found. Enter the email of a member of the helpdesk, or an ID that tickets name as assigneeId. Check spelling and chatbot.';

const conversationGone =
	'The latest conversation of the user is gone. The service listed it, and then did not find it. Run the node again, or choose New under Conversation.';

const conflict =
	'The request conflicts with what the chatbot has. Correct what the service names, and run again.';

const planGate =
	'The plan does not include this part of the API. The service names the plan that is needed. Change the plan in the dashboard.';

/**
 * The texts for each outcome, with special ones for a resource or a topic of the service's message: the title up to the
 * first full stop, then the next step. The table in docs/troubleshooting.md is generated from them. Titles have no text
 * from outside, since n8n 2.41 replaces a title that contains a system code.
 */
const texts = {
	'400':
		'The service rejected the request. Correct what the service names, and try again.',
	'400 chat':
		'The service rejected the message. Check Chatbot, Model and the roles in Previous Messages. Messages over about 8,000 characters may be rejected.',
	'400 contact':
		'The service rejected the contact data. Correct what the service names, and try again.',
	'400 contacts':
		'The service rejected the contact data. Correct what the service names, and try again. A chatbot that has reached its limit rejects new contacts too.',
	'400 attributeValue':
		'The service rejected the contact data. Compare each value with the type of its custom attribute. Archived attributes can only be cleared.',
	'400 contactLimit':
		'The plan has no room for more contacts. Delete contacts that are no longer needed, or change the plan.',
	'400 customAttribute':
		'The service rejected the custom attribute. The name may be taken or reserved. Use lowercase letters, digits and underscores, and start with a letter.',
	'400 model':
		'The service rejected the model. Your plan may not include it, or the service has removed it. Choose another model, or set Model to ID and type its name.',
	'401':
		'The service rejected the API key. Open the credential and enter the key again from Chatbase: Workspace Settings, API Keys. Nothing more was sent.',
	'402':
		'The message credits are used up. Buy more credits in the dashboard, or wait until they are renewed.',
	'403':
		'Access denied or quota used up. The service has one response for both. Check in the dashboard that the key belongs to the workspace of this chatbot, and that the plan has quota left.',
	'403 chat':
		'Access denied or message credits used up. Check in the dashboard that message credits are left, that the plan includes the model, and that the key belongs to the workspace of this chatbot.',
	'404':
		'Chatbot not found. Choose the chatbot From List, or copy its ID from the dashboard. The API key must belong to the same workspace.',
	'404 agent':
		'Chatbot not found. Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds it, ask the support of the service.',
	'404 agentChat':
		'Chatbot or conversation not found. Check the chatbot, the workspace of the API key, and Conversation ID. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Chat: Send Message uses version 1.',
	'404 agentNewChat':
		'Chatbot not found. Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Chat: Send Message uses version 1.',
	'404 agentUserChat': conversationGone,
	'404 agentConversation':
		'Conversation or chatbot not found. Check Conversation ID, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds the chatbot, ask the support of the service.',
	'404 agentConversations':
		'Chatbot not found. Check the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. Conversation: Get Many uses version 1.',
	'404 agentMessage':
		'Message, conversation or chatbot not found. Check Message ID, Conversation ID, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows.',
	'404 agentSource':
		'Source or chatbot not found. Check the source, the chatbot and the workspace of the API key. This operation uses version 2 of the API, which may not know a chatbot that version 1 knows. If Chatbot: Get finds the chatbot, ask the support of the service.',
	'404 agentTicket':
		'Ticket or chatbot not found. Check Ticket Number, the chatbot and the workspace of the API key. Tickets of other helpdesks, such as Zendesk, are not in Chatbase.',
	'404 contact':
		'Contact or chatbot not found. Contacts are found by External ID, the ID from your own system, not by their internal ID. Check the chatbot as well.',
	'404 customAttribute':
		'Custom attribute or chatbot not found. Attributes are found by their exact name, not by their label. Check the chatbot as well.',
	'409': 'It already exists. Choose another name, or update the existing one.',
	'409 agent': conflict,
	'409 agentConversation': notAnswering,
	'409 agentTicket': notTakenOver,
	'409 contact':
		'A contact with one of these values exists. External ID, Email and Phone Number can belong to one contact only. To find that contact, use Get Many with one of these filters.',
	'409 email':
		'The email is taken by another contact. An email belongs to one contact of a chatbot. To find that contact, use Get Many with the filter Email.',
	'409 externalId':
		'The External ID is taken by another contact. Use Create or Update to change the contact that has it, or choose another ID.',
	'409 file': conflict,
	'409 phone':
		'The phone number is taken by another contact. The service accepts a phone number for one contact only, perhaps in any form. To find that contact, use Get Many with the filter Phone Number.',
	'413':
		'The data is too large for the service. Send less: a shorter text, a smaller file or fewer fields.',
	'422':
		'The service cannot use the values that were sent. Correct what the service names, and try again.',
	'429':
		'The service is receiving too many requests. Run fewer workflows at the same time, or run again later.',
	'429 file':
		'The service takes no more files at the moment. It accepts 10 a minute for each account. Check what else uploads files, and run again later.',
	'4xx':
		'The service rejected the request. Check the values that you sent and the Base URL in the credential.',
	'5xx':
		"The service can't respond at the moment. Try again later. If this continues, contact the support of the service.",
	maintenance: 'The service is under maintenance. It has done nothing. Try again later.',
	disabled:
		'The service has switched this function off for now. Try again later, or ask the support of the service how long it lasts.',
	redirect:
		'The service redirects to another address. The node does not send the API key there. Enter the final address as Base URL in the credential.',
	refused:
		'The Base URL refused the connection. Check host and port of the Base URL in the credential, and whether the service is running.',
	hostNotFound:
		'The host of the Base URL was not found. Check the spelling of the Base URL in the credential, and the network of n8n.',
	proxyUnreachable: "The proxy can't be reached. Nothing was sent to the service.",
	proxyLogin:
		'The proxy needs a user name and a password. Nothing was sent to the service.',
	certificate:
		'The certificate of the service is not trusted. Check the Base URL of the credential.',
	timeout: 'The service did not respond in time. Try again later.',
	broken:
		'The connection to the service was lost. Try again. If this continues, check proxies and firewalls.',
	unreadable:
		'The response could not be decompressed. A proxy may have changed it. Check proxies and the Base URL.',
	tooLarge:
		'The response is too large. A text can have at most 512 MB in n8n. Ask for less in one request.',
	wrongAddress:
		"The Base URL doesn't lead to the API. It must end with the version, such as https://www.chatbase.co/api/v1.",
	'wrongAddress agent':
		'Version 2 of the API is not at this address. This operation uses the Base URL of the credential with v2 in the place of v1. Check the Base URL. Not every compatible service has version 2.',
	'wrongAddress file':
		'Files are not accepted at this address. If the host of the Base URL is www.chatbase.co, files go to files.chatbase.co, else to the Base URL itself. Not every compatible service takes files.',
	unexpectedResponse:
		'The service returned an unexpected response. It may come from a proxy or a login page. Check the Base URL of the credential.',
	streamedFailure:
		'The service failed during the answer. Try again later. The message may have cost credits.',
	// Version 2 names what failed; its statuses differ between documents.
	'code AGENT_LIMIT_REACHED':
		'The plan allows no more chatbots. Delete a chatbot that is no longer needed, or change the plan.',
	'code AUTH_INSUFFICIENT_PERMISSIONS':
		'The API key has no permission for this. The service does not say which permission is missing. Create another key in the dashboard: Workspace Settings, API Keys.',
	'code CHAT_AGENT_CREDITS_EXHAUSTED':
		'The message credits of this chatbot are used up. Raise its credit limit in the dashboard, or wait until it is renewed.',
	'code CHAT_CONVERSATION_MISMATCH':
		'The conversation belongs to another chatbot. Check Chatbot. Use the conversationId of an earlier answer, not a session ID, or choose New under Conversation.',
	'code CHAT_CONVERSATION_MISMATCH agentUserChat': conversationGone,
	'code CHAT_CONVERSATION_NOT_ONGOING':
		'The conversation has ended, is paused or was taken over. Choose New under Conversation, or Start New under If the Conversation Has Ended. Conversation: Resume continues a paused one.',
	'code CHAT_CONVERSATION_NOT_ONGOING agentConversation': notAnswering,
	'code CHAT_CONVERSATION_NOT_ONGOING agentUserChat':
		'The conversation has ended, is paused or was taken over. The node had looked for the latest conversation twice. Run it again, or choose New under Conversation. Conversation: Resume continues a paused one.',
	'code CHAT_CREDITS_EXHAUSTED':
		'The message credits of the workspace are used up. Buy more credits in the dashboard, or wait until they are renewed.',
	'code CHAT_MODEL_NOT_ALLOWED':
		'The plan does not include the model of this chatbot. Choose another model with Chatbot Settings: Update, or change the plan.',
	'code CONVERSATION_NOT_TAKEN_OVER': notTakenOver,
	'code CONVERSATION_SEARCH_UNAVAILABLE':
		'This chatbot cannot be searched by text. Leave Query empty. Filters work without it.',
	'code HELPDESK_NOT_ENABLED':
		'The helpdesk of this chatbot is off. Open this chatbot in the dashboard and turn its Helpdesk on.',
	'code MESSAGE_CONTENT_NOT_RENDERABLE':
		'Nothing of the message can be shown. HTML is removed from replies. Write Message as plain text or Markdown.',
	'code RESOURCE_MESSAGE_NOT_ASSISTANT':
		'The message is not an answer. Only answers of the chatbot can be rated. In messages of Conversation: Get, they have the role "assistant".',
	'code RESOURCE_MESSAGE_NOT_FOUND':
		'The message was not found. Check Message ID and Conversation ID as Conversation: Get returns them. The service may not rate answers of every channel.',
	'code RESOURCE_NOT_FOUND agentChat':
		'No conversation has this ID. Use the conversationId of an earlier answer, not a session ID.',
	'code SOURCE_DUPLICATE':
		'The chatbot has a source with this URL. To go on with that source, add If Exists under Options. To change its paths, use Update.',
	'code SOURCE_IS_TRAINING':
		'The source is still in training. The node waited for up to two minutes. Try again later.',
	'code SOURCE_PENDING_DELETION':
		'The source is about to be deleted. It cannot be changed any more. Create a new one.',
	'code SOURCE_SIZE_LIMIT_EXCEEDED':
		'The sources are larger than the plan allows. Delete sources that are no longer needed, send less text, or change the plan.',
	'code SUBSCRIPTION_API_RESTRICTED_PLAN': planGate,
	'code SUBSCRIPTION_PLAN_REQUIRED': planGate,
	'code TEAM_MEMBER_NOT_FOUND': unknownMember,
	'code TICKET_INVALID_STATUS':
		'The status cannot be set. Choose Status From List. Only active statuses can be set, and a category needs a default status.',
	'code TICKET_NOT_FOUND':
		'Ticket not found. The chatbot has no ticket with this number. Each chatbot counts its tickets separately, so check Chatbot and Ticket Number.',
	'code TICKET_TEAM_MEMBER_NOT_FOUND': unknownMember,
	'code TICKET_TEAM_NOT_FOUND':
		'The team was not found. Choose Team From List. Teams belong to one chatbot.',
	'code INVALID_TEMPLATE_VARIABLES':
		'WhatsApp does not accept the value of a variable. A value needs text, without line breaks, tabs or more than four spaces in a row.',
	'code MEDIA_UPLOAD_FAILED':
		'The picture or file in the header of the template failed. The message was not sent. Try again later, or choose a template without media.',
	'code MISSING_TEMPLATE_VARIABLES':
		'The template needs more variables. Refresh the fields of Template Variables and fill in each one.',
	'code PHONE_NUMBER_NOT_FOUND':
		'The chatbot does not have the number in From. WhatsApp Template: Get Many lists its numbers as senders.',
	'code PHONE_NUMBER_REQUIRED':
		'The chatbot has several WhatsApp numbers. Add From under Options. WhatsApp Template: Get Many lists the numbers as senders.',
	'code RECIPIENT_INVALID':
		"Recipient's Phone Number is not valid. Enter it with its country code, such as +14155552671.",
	'code RECIPIENT_NOT_REACHABLE':
		'The customer cannot receive WhatsApp messages. The number is not on WhatsApp, or its owner has blocked your business.',
	'code SEND_BLOCKED':
		'Meta does not let this account start conversations. The usual reason is billing. Check the payment method and restrictions of the account in Meta Business Suite. A minute later, messages can be sent again.',
	'code TEMPLATE_BUTTONS_UNSUPPORTED':
		'The template has a button that needs a value. The API cannot fill in buttons. Choose a template without such a button.',
	'code TEMPLATE_LANGUAGE_REQUIRED':
		'The template has several languages. Choose Template From List, or add Language under Options.',
	'code TEMPLATE_NOT_APPROVED':
		'WhatsApp has not approved the template. Only approved templates can be sent. Check its review in WhatsApp Manager.',
	'code TEMPLATE_NOT_FOUND':
		'The template was not found. Templates belong to one WhatsApp account. Check Template, Language, and that the number in From is of the same account.',
	'code TEMPLATE_PARAMS_REJECTED':
		'Meta rejected the variables of the template. Compare the number, order and content of the variables with the text of the template.',
	'code WHATSAPP_NOT_CONNECTED':
		'The chatbot is not connected to WhatsApp. Connect WhatsApp to this chatbot in the dashboard.',
	'code WHATSAPP_SEND_FAILED':
		'WhatsApp rejected the message. The message was not sent, and WhatsApp gave no reason. Check the template and the number.',
};

/** All failures of a request: a status, or why the connection failed. */
export type FailureKind = Exclude<keyof typeof texts, `${string} ${string}`>;

const settingSteps: Partial<Record<string, Partial<Record<Setting, string>>>> = {
	'429': { maxConcurrency: 'You can also lower Max Concurrency under Options.' },
	proxyUnreachable: {
		requestOptions: 'Check host and port of Proxy under Settings, Request Options.',
	},
	proxyLogin: {
		requestOptions:
			'Enter them in Proxy under Settings, Request Options, as in http://name:password@proxy.example:3128.',
	},
	certificate: {
		requestOptions:
			'For a self-signed certificate, turn on Ignore SSL Issues under Settings, Request Options.',
	},
	timeout: {
		requestOptions: 'To wait longer, raise Timeout under Settings, Request Options.',
	},
};

/** By outcome, by outcome and subject, and by the code of the service. */
export const errorTexts = Object.fromEntries(
	Object.entries(texts).map(([meaning, text]) => {
		const [title] = text.split('. ', 1);
		const nextStep = text.slice(`${title}. `.length);
		return [meaning, { title, nextStep, ...settingSteps[meaning] }];
	}),
) as Record<FailureKind, ErrorText> & Partial<Record<string, ErrorText>>;
