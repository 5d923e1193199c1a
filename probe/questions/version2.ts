/** Questions about version 2 of the API. */
import { questionsOf } from '../answer';

export const agentQuestions = questionsOf('read', {
	v2AgentId: [
		'ID of the chatbot',
		'chatbotId: the same | own: another one | none: there is no version 2',
	],
	v2Access: [
		'the API key',
		'accepted | SUBSCRIPTION_API_RESTRICTED_PLAN: refused because of the plan | SUBSCRIPTION_PLAN_REQUIRED: refused because of the plan, with the older code | AUTH_EXPIRED_API_KEY: refused: it has expired | AUTH_INSUFFICIENT_PERMISSIONS: refused: a permission is missing | refused: refused for another reason',
	],
	v2AgentStatus: [
		'status of the chatbot',
		'bySources: documented | null | unknown: not documented',
	],
	v2RateLimit: ['X-RateLimit-Limit', '1000 | 100 | other: # requests | none: absent'],
	v2RateLimitReset: ['unit of X-RateLimit-Reset', 'milliseconds | seconds | absent | other'],
	v2UnknownAgent: [
		'a missing chatbot',
		'notFound: 404 | emptyLists: an empty list | forbidden: 403',
	],
	v2ErrorBody: [
		'body of a 400',
		'envelope: code, message and details | withoutDetails: code and message | unknownCode | message | html: HTML | empty',
	],
	v2Sources: ['list of sources', 'data: in data'],
	v2SourceNotFound: [
		'code of a missing source',
		'RESOURCE_NOT_FOUND | SOURCE_NOT_FOUND | AGENT_NOT_FOUND | other',
	],
	v2FileHost: [
		'host that takes files',
		`own: files.chatbase.co responds | baseUrl: that of the Base URL | !none: files.chatbase.co does not respond`,
	],
	v2Helpdesk: ['list of tickets', 'on: in data | off: refused: the helpdesk is off'],
	v2TicketPriority: ['priority of a ticket', 'present | absent'],
	v2HelpdeskLists: ['statuses and teams of tickets', 'both: two lists'],
	v2Templates: [
		'list of WhatsApp templates',
		'listed: templates | partial: some accounts are unavailable | notConnected: WhatsApp is not connected',
	],
	v2TemplateSenders: ['numbers to send templates from', 'listed | absent'],
});

export const exportQuestions = questionsOf('read', {
	v2Export: ['exported conversations', 'data: in data, with messages'],
	v2ExportOrder: ['order of exported conversations', 'newestFirst | oldestFirst | other'],
	v2MessageFields: [
		'fields and parts of exported messages',
		'all: documented | systemRole: other roles | unknownPart: other parts | emptyParts: some without a part | withoutCreatedAt: some without a time | withoutFeedback | withoutMetadata',
	],
	v2ConversationValues: [
		'times, sources and statuses',
		'known: documented | milliseconds | unknownSource | nullSource: some without a source | unknownStatus',
	],
	v2Total: ['total of one conversation', 'exact: 1 | absent | !tooHigh: more than 1 | !tooLow: 0'],
	v2LastPage: [
		'last page of a list',
		'closed | cursorWithoutMore | hasMoreWithoutCursor: more without cursor | repeatedCursor',
	],
	v2ExportUnknownConversation: [
		'a missing conversation',
		'empty: an empty list | notFound: 404 | filterIgnored: others',
	],
});

export const searchQuestions = questionsOf('read', {
	v2SearchPages: ['pages of a search', 'full | short: some are short | empty: some are empty'],
	v2SearchText: ['a search for a word', 'available: accepted | unavailable: refused'],
	v2SearchWindow: ['a search from two years ago', 'twelveMonths: refused | unlimited: accepted'],
	v2SearchExtras: ['parentConversationId in results', 'present | absent'],
});

export const sourceQuestions = questionsOf('write', {
	v2SourceNames: ['a space after a source’s name', 'asSent: kept | trimmed: removed | refused'],
	v2SourceSize: ['size of an untrained source', 'atOnce: present | afterTraining: 0, or absent'],
	v2SourceUpdate: ['updating a source in training', 'accepted | refusedInTraining: 409'],
	v2Training: ['training of a text', 'succeeds | fails | ?never: not finished within 3 seconds'],
	v2SourceUpdateType: ['updating a source with its type', 'refused | accepted'],
	v2SourceDelete: [
		'deleting a source',
		'deleted | toBeDeleted | stillListed: done, but still listed',
	],
	v2SourceSecondDelete: ['deleting a source again', '404 | 409 | 200'],
	v2File: ['response to a file', 'bare: the source | data: in data | !none: 404'],
});

export const agentChatQuestions = questionsOf('chat', {
	v2ChatUnknownConversation: [
		'an unknown conversation ID',
		'notFound: 404 | mismatch403: 403 | mismatch400: 400 | startsAnother',
	],
	v2Credits: [
		'credits for a message',
		'enough | CHAT_CREDITS_EXHAUSTED: used up in the workspace | CHAT_AGENT_CREDITS_EXHAUSTED: used up by the chatbot',
	],
	v2CreditsValue: ['credits of an answer', 'integer | fraction | absent'],
	v2ChatAnswer: [
		'parts of an answer',
		'text: one text | severalTexts | toolCalls | emptyParts: none | nullUserMessageId: one text without an ID | error: a failure',
	],
	v2SearchLag: ['search for a new conversation', 'none: found at once | later: not found at once'],
});

export const agentStreamQuestions = questionsOf('chat', {
	v2StreamFraming: [
		'framing of a streamed answer',
		'dataLines: lines of data | eventAndData: lines of event and data | typeInEvent: the type only in the line of event | jsonLines: JSON line by line | withoutSpace: no space after data: | crlf: CRLF at the end of lines | comments | severalDataLines: several lines of data an event',
	],
	v2StreamStart: ['first event', 'start | message-start | none: another one'],
	v2StreamText: ['a piece of text', 'delta: delta with id | withoutId: delta without id | text'],
	v2StreamMetadata: [
		'place of the conversation ID',
		'finish: messageMetadata of finish | message-metadata: messageMetadata of message-metadata | flat: message-metadata itself | finish.metadata: metadata of finish | none: nowhere',
	],
	v2StreamFinishReason: [
		'place of finishReason',
		'top: finish | inside: the metadata | none: nowhere',
	],
	v2StreamEnd: [
		'end of a streamed answer',
		'done: [DONE] | finish | !unfinished: neither [DONE] nor finish | !cut: half an event | !broken: the connection broke',
	],
	v2StreamExtras: ['other events', 'none | events: some | !brokenJson: some without JSON'],
});

export const pauseQuestions = questionsOf('pause', {
	v2PauseForm: ['field that pauses', 'paused | both: paused or status | !status: status only'],
	v2ChatPaused: [
		'a message to a paused conversation',
		'403 | 400 | 409 | recorded: no answer | answered',
	],
	v2PauseUnknownConversation: [
		'pausing a missing conversation',
		'RESOURCE_NOT_FOUND | AGENT_NOT_FOUND | other',
	],
});
