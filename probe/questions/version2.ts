/** Questions about version 2 of the API. */
import { questionsOf } from '../answer';

export const agentQuestions = questionsOf('read', {
	v2AgentId: [
		'ID of the chatbot',
		'chatbotId: that of version 1 | own: another one | none: there is no version 2',
	],
	v2Access: [
		'the API key',
		'accepted | SUBSCRIPTION_API_RESTRICTED_PLAN: refused because of the plan | SUBSCRIPTION_PLAN_REQUIRED: refused because of the plan, with the older code | AUTH_EXPIRED_API_KEY: refused: it has expired | AUTH_INSUFFICIENT_PERMISSIONS: refused: a permission is missing | refused: refused for another reason',
	],
	v2AgentStatus: [
		'status of the chatbot',
		'bySources: one of the reference | null | unknown: one that the reference lacks',
	],
	v2RateLimit: ['X-RateLimit-Limit', '1000 | 100 | other: # requests | none: absent'],
	v2RateLimitReset: [
		'unit of X-RateLimit-Reset',
		'milliseconds: milliseconds since 1970 | seconds: seconds since 1970 | absent | other: another one',
	],
	v2UnknownAgent: [
		'conversations of a chatbot that does not exist',
		'notFound: 404 | emptyLists: an empty list | forbidden: 403',
	],
	v2ErrorBody: [
		'body of a 400',
		'envelope: code, message and details | withoutDetails: code and message | unknownCode: another code than documented | message: a message, as in version 1 | html: HTML | empty: no body',
	],
	v2Sources: ['list of sources', 'data: in data, with pagination'],
	v2SourceNotFound: [
		'code of the 404 of a source',
		'RESOURCE_NOT_FOUND | SOURCE_NOT_FOUND | AGENT_NOT_FOUND | other: another one',
	],
	v2Helpdesk: [
		'list of tickets',
		'on: in data, with pagination | off: refused: the helpdesk is off',
	],
	v2TicketTotal: ['total of tickets, if requested', 'onRequest: present | never: absent'],
	v2TicketPriority: ['priority of a ticket', 'present | absent'],
	v2HelpdeskLists: ['statuses and teams of tickets', 'both: two lists'],
});

export const exportQuestions = questionsOf('read', {
	v2Export: ['exported conversations', 'data: in data, with pagination and messages'],
	v2ExportOrder: [
		'order of exported conversations',
		'newestFirst | oldestFirst | other: neither newest nor oldest first',
	],
	v2MessageFields: [
		'fields and parts of exported messages',
		'all: those of the reference | systemRole: roles that the reference lacks | unknownPart: parts that the reference lacks | emptyParts: messages without a part | withoutCreatedAt: some without a time | withoutFeedback: answers without feedback | withoutMetadata: answers without metadata',
	],
	v2ConversationValues: [
		'times, sources and statuses of conversations',
		'known: those of the reference, in seconds | milliseconds: times in milliseconds | unknownSource: sources that the reference lacks | nullSource: some without a source | unknownStatus: statuses that the reference lacks',
	],
	v2Total: [
		'total of one conversation by its ID',
		'exact: 1 | absent | !tooHigh: more than 1 | !tooLow: less than 1',
	],
	v2LastPage: [
		'last page of a list',
		'closed: no more and no cursor | cursorWithoutMore: no more, but a cursor | hasMoreWithoutCursor: more, but no cursor | repeatedCursor: the same cursor again',
	],
	v2LimitAboveMaximum: ['21 conversations on a page', 'badRequest: refused | clamp: accepted'],
	v2ExportUnknownConversation: [
		'export of a conversation that does not exist',
		'empty: an empty list | notFound: 404 | filterIgnored: other conversations',
	],
});

export const searchQuestions = questionsOf('read', {
	v2SearchPages: [
		'pages of a search',
		'full | short: short before the end | empty: empty before the end',
	],
	v2SearchCursor: ['a cursor with other filters', 'bound: refused | free: accepted'],
	v2SearchText: [
		'a search for a word',
		'available: accepted | unavailable: refused for this chatbot',
	],
	v2SearchWindow: ['a search from two years ago', 'twelveMonths: refused | unlimited: accepted'],
	v2SearchExtras: ['parentConversationId of a search result', 'present | absent'],
});

export const sourceQuestions = questionsOf('write', {
	v2SourceNames: [
		'a space at the end of a source’s name',
		'asSent: kept | trimmed: removed | refused',
	],
	v2SourceSize: [
		'size of a source before it is trained',
		'atOnce: present | afterTraining: 0, or absent',
	],
	v2SourceUpdate: ['updating a source in training', 'accepted | refusedInTraining: 409'],
	v2Training: [
		'training of a text source',
		'succeeds: succeeds within seconds | fails | ?never: not finished within 3 seconds',
	],
	v2SourceUpdateType: ['updating a source with its type', 'refused | accepted'],
	v2SourceDelete: [
		'deleting a source',
		'deleted | toBeDeleted: toBeDeleted | stillListed: still in the list afterwards',
	],
	v2SourceSecondDelete: ['deleting a source that no longer exists', '404 | 409 | 200: a success'],
});

export const agentChatQuestions = questionsOf('chat', {
	v2ChatUnknownConversation: [
		'a message with an unknown conversation ID',
		'notFound: 404 | mismatch403: 403 | mismatch400: 400 | startsAnother: a new conversation begins',
	],
	v2Credits: [
		'credits for a message',
		'enough | CHAT_CREDITS_EXHAUSTED: used up in the workspace | CHAT_AGENT_CREDITS_EXHAUSTED: used up by the chatbot',
	],
	v2CreditsValue: [
		'credits of an answer',
		'integer: a whole number | fraction: a fraction | absent',
	],
	v2ChatAnswer: [
		'parts of an answer',
		'text: one text | severalTexts | toolCalls: calls of tools | emptyParts: none | nullUserMessageId: one text, and no ID of the message | error: a failure',
	],
	v2AnswerKind: [
		'stream: true and stream: false',
		'asAsked: each is followed | json: JSON for both | stream: a stream for both',
	],
	v2SearchLag: [
		'search for a conversation that just began',
		'none: found at once | later: not found at once',
	],
});

export const agentStreamQuestions = questionsOf('chat', {
	v2StreamFraming: [
		'framing of a streamed answer',
		'dataLines: lines of data | eventAndData: lines of event and data | typeInEvent: the type only in the line of event | jsonLines: JSON line by line | withoutSpace: no space after data: | crlf: CRLF at the end of lines | comments | severalDataLines: several lines of data an event',
	],
	v2StreamStart: ['first event', 'start | message-start | none: another one'],
	v2StreamText: [
		'a piece of text',
		'delta: in delta, with an ID | withoutId: in delta, without an ID | text: in text',
	],
	v2StreamMetadata: [
		'place of the conversation ID',
		'finish: messageMetadata of finish | message-metadata: messageMetadata of message-metadata | flat: message-metadata itself | finish.metadata: metadata of finish | none: nowhere',
	],
	v2StreamFinishReason: [
		'place of the finish reason',
		'top: finish | inside: the metadata | none: nowhere',
	],
	v2StreamEnd: [
		'end of a streamed answer',
		'done: [DONE] | finish | !unfinished: neither [DONE] nor finish | !cut: half an event | !broken: the connection broke',
	],
	v2StreamExtras: [
		'other events',
		'none | events: others than text | !brokenJson: one without JSON',
	],
});

export const pauseQuestions = questionsOf('pause', {
	v2PauseForm: [
		'field that pauses a conversation',
		'paused | both: paused, or status | !status: status, and not paused',
	],
	v2ChatPaused: [
		'a message to a paused conversation',
		'403: refused with 403 | 400: refused with 400 | 409: refused with 409 | recorded: accepted without an answer | answered',
	],
	v2PauseUnknownConversation: [
		'code for pausing a conversation that does not exist',
		'RESOURCE_NOT_FOUND | AGENT_NOT_FOUND | other: another one',
	],
});
