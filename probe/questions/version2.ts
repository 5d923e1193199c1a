/** Questions about version 2 of the API. */
import { asAssumed, differs, handled, notFoundOut, questionsOf } from '../answer';

const topic = 'Version 2: ';

export const agentQuestions = questionsOf(
	'read',
	{
		v2AgentId: [
			'ID of the chatbot',
			'that of version 1; errors name other operations',
			{
				chatbotId: asAssumed('that of version 1'),
				own: handled('another one'),
				none: handled('there is no version 2'),
			},
		],
		v2Access: [
			'the API key',
			'accepted; a refusal is explained',
			{
				accepted: asAssumed('accepted'),
				SUBSCRIPTION_API_RESTRICTED_PLAN: handled('refused because of the plan'),
				SUBSCRIPTION_PLAN_REQUIRED: handled('refused because of the plan, with the older code'),
				AUTH_EXPIRED_API_KEY: handled('refused: it has expired'),
				AUTH_INSUFFICIENT_PERMISSIONS: handled('refused: a permission is missing'),
				refused: handled('refused for another reason'),
			},
		],
		v2AgentStatus: [
			'status of the chatbot',
			'any: shown unchanged',
			{
				bySources: asAssumed('one of the reference'),
				null: handled('null'),
				unknown: handled('one that the reference lacks'),
			},
		],
		v2RateLimit: [
			'X-RateLimit-Limit',
			'any: the node waits after a 429',
			{
				1000: asAssumed('1000'),
				100: handled('100'),
				other: handled('# requests'),
				none: handled('absent'),
			},
		],
		v2RateLimitReset: [
			'unit of X-RateLimit-Reset',
			'any: the node goes by Retry-After',
			{
				milliseconds: asAssumed('milliseconds since 1970'),
				seconds: handled('seconds since 1970'),
				absent: handled('absent'),
				other: handled('another one'),
			},
		],
		v2UnknownAgent: [
			'conversations of a chatbot that does not exist',
			'404, 403, or none: the node looks for the chatbot then',
			{
				notFound: asAssumed('404'),
				emptyLists: handled('an empty list'),
				forbidden: handled('403'),
			},
		],
		v2ErrorBody: [
			'body of a 400',
			'code, message and details; anything else is explained',
			{
				envelope: asAssumed('code, message and details'),
				withoutDetails: handled('code and message'),
				unknownCode: handled('another code than documented'),
				message: handled('a message, as in version 1'),
				html: handled('HTML'),
				empty: handled('no body'),
			},
		],
		v2Sources: [
			'list of sources',
			'in data, with pagination',
			{ data: asAssumed('in data, with pagination') },
		],
		v2SourceNotFound: [
			'code of the 404 of a source',
			'any: the node knows what it asked for',
			{
				RESOURCE_NOT_FOUND: asAssumed('RESOURCE_NOT_FOUND'),
				SOURCE_NOT_FOUND: handled('SOURCE_NOT_FOUND'),
				AGENT_NOT_FOUND: handled('AGENT_NOT_FOUND'),
				other: handled('another one'),
			},
		],
		v2Helpdesk: [
			'list of tickets',
			'in data, with pagination; a refusal is explained',
			{
				on: asAssumed('in data, with pagination'),
				off: handled('refused: the helpdesk is off'),
			},
		],
		v2TicketTotal: [
			'total of tickets, if requested',
			'present, or absent',
			{ onRequest: asAssumed('present'), never: handled('absent') },
		],
		v2TicketPriority: [
			'priority of a ticket',
			'present, or absent',
			{ present: asAssumed('present'), absent: handled('absent') },
		],
		v2HelpdeskLists: [
			'statuses and teams of tickets',
			'two lists',
			{ both: asAssumed('two lists') },
		],
	},
	topic,
);

export const exportQuestions = questionsOf(
	'read',
	{
		v2Export: [
			'exported conversations',
			'in data, with pagination and messages',
			{ data: asAssumed('in data, with pagination and messages') },
		],
		v2ExportOrder: [
			'order of exported conversations',
			'any',
			{
				newestFirst: asAssumed('newest first'),
				oldestFirst: handled('oldest first'),
				other: handled('neither newest nor oldest first'),
			},
		],
		v2MessageFields: [
			'fields and parts of exported messages',
			'any: passed on',
			{
				all: asAssumed('those of the reference'),
				systemRole: handled('roles that the reference lacks'),
				unknownPart: handled('parts that the reference lacks'),
				emptyParts: handled('messages without a part'),
				withoutCreatedAt: handled('some without a time'),
				withoutFeedback: handled('answers without feedback'),
				withoutMetadata: handled('answers without metadata'),
			},
		],
		v2ConversationValues: [
			'times, sources and statuses of conversations',
			'seconds or milliseconds; any source and status',
			{
				known: asAssumed('those of the reference, in seconds'),
				milliseconds: handled('times in milliseconds'),
				unknownSource: handled('sources that the reference lacks'),
				nullSource: handled('some without a source'),
				unknownStatus: handled('statuses that the reference lacks'),
			},
		],
		v2Total: [
			'total of one conversation by its ID',
			'1, or absent: a list must add up to it',
			{
				exact: asAssumed('1'),
				absent: handled('absent'),
				tooHigh: differs('more than 1'),
				tooLow: differs('less than 1'),
			},
		],
		v2LastPage: [
			'last page of a list',
			'no more and no cursor; each of the two is understood',
			{
				closed: asAssumed('no more and no cursor'),
				cursorWithoutMore: handled('no more, but a cursor'),
				hasMoreWithoutCursor: handled('more, but no cursor'),
				repeatedCursor: handled('the same cursor again'),
			},
		],
		v2LimitAboveMaximum: [
			'21 conversations on a page',
			'any: the node requests at most 20',
			{ badRequest: asAssumed('refused'), clamp: handled('accepted') },
		],
		v2ExportUnknownConversation: [
			'export of a conversation that does not exist',
			'an empty list, 404, or others: the node compares the ID',
			{
				empty: asAssumed('an empty list'),
				notFound: handled('404'),
				filterIgnored: handled('other conversations'),
			},
		],
	},
	topic,
);

export const searchQuestions = questionsOf(
	'read',
	{
		v2SearchPages: [
			'pages of a search',
			'full, short or empty: the search says when it ends',
			{
				full: asAssumed('full'),
				short: handled('short before the end'),
				empty: handled('empty before the end'),
			},
		],
		v2SearchCursor: [
			'a cursor with other filters',
			'any: the node keeps the filters',
			{ bound: asAssumed('refused'), free: handled('accepted') },
		],
		v2SearchText: [
			'a search for a word',
			'accepted; a refusal is explained',
			{ available: asAssumed('accepted'), unavailable: handled('refused for this chatbot') },
		],
		v2SearchWindow: [
			'a search from two years ago',
			'refused, or accepted: the node warns',
			{ twelveMonths: asAssumed('refused'), unlimited: handled('accepted') },
		],
		v2SearchExtras: [
			'parentConversationId of a search result',
			'any: passed on',
			{ present: asAssumed('present'), absent: handled('absent') },
		],
	},
	topic,
);

export const sourceQuestions = questionsOf(
	'write',
	{
		v2SourceNames: [
			'a space at the end of a source’s name',
			'any: the node removes it',
			{ asSent: asAssumed('kept'), trimmed: handled('removed'), refused: handled('refused') },
		],
		v2SourceSize: [
			'size of a source before it is trained',
			'any: the node remembers the first one',
			{ atOnce: asAssumed('present'), afterTraining: handled('0, or absent') },
		],
		v2SourceUpdate: [
			'updating a source in training',
			'accepted, or 409: the node waits',
			{ accepted: asAssumed('accepted'), refusedInTraining: handled('409') },
		],
		v2Training: [
			'training of a text source',
			'it succeeds; a failure is an error',
			{
				succeeds: asAssumed('succeeds within seconds'),
				fails: handled('fails'),
				never: notFoundOut('not finished within 3 seconds'),
			},
		],
		v2SourceUpdateType: [
			'updating a source with its type',
			'any: the node omits it',
			{ refused: asAssumed('refused'), accepted: handled('accepted') },
		],
		v2SourceDelete: [
			'deleting a source',
			'deleted, or toBeDeleted: both count as gone',
			{
				deleted: asAssumed('deleted'),
				toBeDeleted: handled('toBeDeleted'),
				stillListed: handled('still in the list afterwards'),
			},
		],
		v2SourceSecondDelete: [
			'deleting a source that no longer exists',
			'404, 409 or a success',
			{ 404: asAssumed('404'), 409: handled('409'), 200: handled('a success') },
		],
	},
	topic,
);

export const agentChatQuestions = questionsOf(
	'chat',
	{
		v2ChatUnknownConversation: [
			'a message with an unknown conversation ID',
			'a refusal is explained, and a new one is named',
			{
				notFound: asAssumed('404'),
				mismatch403: handled('403'),
				mismatch400: handled('400'),
				startsAnother: handled('a new conversation begins'),
			},
		],
		v2Credits: [
			'credits for a message',
			'enough; a refusal is explained',
			{
				enough: asAssumed('enough'),
				CHAT_CREDITS_EXHAUSTED: handled('used up in the workspace'),
				CHAT_AGENT_CREDITS_EXHAUSTED: handled('used up by the chatbot'),
			},
		],
		v2CreditsValue: [
			'credits of an answer',
			'any: passed on',
			{
				integer: asAssumed('a whole number'),
				fraction: handled('a fraction'),
				absent: handled('absent'),
			},
		],
		v2ChatAnswer: [
			'parts of an answer',
			'any: texts are joined; a failure is an error',
			{
				text: asAssumed('one text'),
				severalTexts: handled('several texts'),
				toolCalls: handled('calls of tools'),
				emptyParts: handled('none'),
				nullUserMessageId: handled('one text, and no ID of the message'),
				error: handled('a failure'),
			},
		],
		v2AnswerKind: [
			'stream: true and stream: false',
			'any: the node reads both forms',
			{
				asAsked: asAssumed('each is followed'),
				json: handled('JSON for both'),
				stream: handled('a stream for both'),
			},
		],
		v2SearchLag: [
			'search for a conversation that just began',
			'any: the index lags',
			{ none: asAssumed('found at once'), later: handled('not found at once') },
		],
	},
	topic,
);

export const agentStreamQuestions = questionsOf(
	'chat',
	{
		v2StreamFraming: [
			'framing of a streamed answer',
			'events, or JSON line by line',
			{
				dataLines: asAssumed('lines of data'),
				eventAndData: handled('lines of event and data'),
				typeInEvent: handled('the type only in the line of event'),
				jsonLines: handled('JSON line by line'),
				withoutSpace: handled('no space after data:'),
				crlf: handled('CRLF at the end of lines'),
				comments: handled('comments'),
				severalDataLines: handled('several lines of data an event'),
			},
		],
		v2StreamStart: [
			'first event',
			'any',
			{
				start: asAssumed('start'),
				'message-start': handled('message-start'),
				none: handled('another one'),
			},
		],
		v2StreamText: [
			'a piece of text',
			'in delta or text',
			{
				delta: asAssumed('in delta, with an ID'),
				withoutId: handled('in delta, without an ID'),
				text: handled('in text'),
			},
		],
		v2StreamMetadata: [
			'place of the conversation ID',
			'any; if absent, it is null',
			{
				finish: asAssumed('messageMetadata of finish'),
				'message-metadata': handled('messageMetadata of message-metadata'),
				flat: handled('message-metadata itself'),
				'finish.metadata': handled('metadata of finish'),
				none: handled('nowhere'),
			},
		],
		v2StreamFinishReason: [
			'place of the finish reason',
			'any; if absent, it is null',
			{
				top: asAssumed('finish'),
				inside: handled('the metadata'),
				none: handled('nowhere'),
			},
		],
		v2StreamEnd: [
			'end of a streamed answer',
			'[DONE] or finish: without both the node reports a failure',
			{
				done: asAssumed('[DONE]'),
				finish: handled('finish'),
				unfinished: differs('neither [DONE] nor finish'),
				cut: differs('half an event'),
				broken: differs('the connection broke'),
			},
		],
		v2StreamExtras: [
			'other events',
			'any with JSON',
			{
				none: asAssumed('none'),
				events: handled('others than text'),
				brokenJson: differs('one without JSON'),
			},
		],
	},
	topic,
);

export const pauseQuestions = questionsOf(
	'pause',
	{
		v2PauseForm: [
			'field that pauses a conversation',
			'paused',
			{
				paused: asAssumed('paused'),
				both: handled('paused, or status'),
				status: differs('status, and not paused'),
			},
		],
		v2ChatPaused: [
			'a message to a paused conversation',
			'refused, or not answered: both are explained',
			{
				403: asAssumed('refused with 403'),
				400: handled('refused with 400'),
				409: handled('refused with 409'),
				recorded: handled('accepted without an answer'),
				answered: handled('answered'),
			},
		],
		v2PauseUnknownConversation: [
			'code for pausing a conversation that does not exist',
			'any: the 404 is explained',
			{
				RESOURCE_NOT_FOUND: asAssumed('RESOURCE_NOT_FOUND'),
				AGENT_NOT_FOUND: handled('AGENT_NOT_FOUND'),
				other: handled('another one'),
			},
		],
	},
	topic,
);
