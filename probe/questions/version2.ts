/** Questions about version 2 of the API. */
import { assumed, differs, handled, notFoundOut, questionsOf } from '../answer';

export const agentQuestions = questionsOf('read', {
	v2AgentId: {
		asked: 'Version 2: ID of the chatbot',
		answers: {
			chatbotId: assumed('the same'),
			own: handled('another one'),
			none: handled('there is no version 2'),
		},
	},
	v2Access: {
		asked: 'Version 2: the API key',
		answers: {
			accepted: assumed('accepted'),
			SUBSCRIPTION_API_RESTRICTED_PLAN: handled('refused because of the plan'),
			SUBSCRIPTION_PLAN_REQUIRED: handled('refused because of the plan, with the older code'),
			AUTH_EXPIRED_API_KEY: handled('refused: it has expired'),
			AUTH_INSUFFICIENT_PERMISSIONS: handled('refused: a permission is missing'),
			refused: handled('refused for another reason'),
		},
	},
	v2RateLimit: {
		asked: 'Version 2: X-RateLimit-Limit',
		answers: {
			'1000': assumed('1000'),
			'100': handled('100'),
			other: handled('# requests'),
			none: handled('absent'),
		},
	},
	v2UnknownAgent: {
		asked: 'Version 2: a missing chatbot',
		answers: {
			notFound: assumed('404'),
			emptyLists: handled('an empty list'),
			forbidden: handled('403'),
		},
	},
	v2ErrorBody: {
		asked: 'Version 2: body of a 400',
		answers: {
			envelope: assumed('code, message and details'),
			withoutDetails: handled('code and message'),
			unknownCode: handled('unknown code'),
			message: handled('message'),
			html: handled('HTML'),
			empty: handled('empty'),
		},
	},
	v2Sources: {
		asked: 'Version 2: list of sources',
		answers: {
			data: assumed('in data'),
		},
	},
	v2SourceNotFound: {
		asked: 'Version 2: code of a missing source',
		answers: {
			RESOURCE_NOT_FOUND: assumed('RESOURCE_NOT_FOUND'),
			SOURCE_NOT_FOUND: handled('SOURCE_NOT_FOUND'),
			AGENT_NOT_FOUND: handled('AGENT_NOT_FOUND'),
			other: handled('other'),
		},
	},
	v2FileHost: {
		asked: 'Version 2: host that takes files',
		answers: {
			own: assumed('files.chatbase.co responds'),
			baseUrl: assumed('that of the Base URL'),
			none: differs('files.chatbase.co does not respond'),
		},
	},
	v2Helpdesk: {
		asked: 'Version 2: list of tickets',
		answers: {
			on: assumed('in data'),
			off: handled('refused: the helpdesk is off'),
		},
	},
	v2TicketPriority: {
		asked: 'Version 2: priority of a ticket',
		answers: {
			present: assumed('present'),
			absent: handled('absent'),
		},
	},
	v2HelpdeskLists: {
		asked: 'Version 2: statuses and teams of tickets',
		answers: {
			both: assumed('two lists'),
		},
	},
	v2Templates: {
		asked: 'Version 2: list of WhatsApp templates',
		answers: {
			listed: assumed('templates'),
			partial: handled('some accounts are unavailable'),
			notConnected: handled('WhatsApp is not connected'),
		},
	},
	v2TemplateSenders: {
		asked: 'Version 2: numbers to send templates from',
		answers: {
			listed: assumed('listed'),
			absent: handled('absent'),
		},
	},
});

export const exportQuestions = questionsOf('read', {
	v2Export: {
		asked: 'Version 2: exported conversations',
		answers: {
			data: assumed('in data, with messages'),
		},
	},
	v2ExportOrder: {
		asked: 'Version 2: order of exported conversations',
		answers: {
			newestFirst: assumed('newest first'),
			oldestFirst: handled('oldest first'),
			other: handled('other'),
		},
	},
	v2MessageFields: {
		asked: 'Version 2: fields and parts of exported messages',
		answers: {
			all: assumed('documented'),
			systemRole: handled('other roles'),
			unknownPart: handled('other parts'),
			emptyParts: handled('some without a part'),
			withoutCreatedAt: handled('some without a time'),
			withoutFeedback: handled('without feedback'),
			withoutMetadata: handled('without metadata'),
		},
	},
	v2ConversationValues: {
		asked: 'Version 2: times, sources and statuses',
		answers: {
			known: assumed('documented'),
			milliseconds: handled('milliseconds'),
			unknownSource: handled('unknown source'),
			nullSource: handled('some without a source'),
			unknownStatus: handled('unknown status'),
		},
	},
	v2Total: {
		asked: 'Version 2: total of one conversation',
		answers: {
			exact: assumed('1'),
			absent: handled('absent'),
			tooHigh: differs('more than 1'),
			tooLow: differs('0'),
		},
	},
	v2LastPage: {
		asked: 'Version 2: last page of a list',
		answers: {
			closed: assumed('closed'),
			cursorWithoutMore: handled('cursor without more'),
			hasMoreWithoutCursor: handled('more without cursor'),
			repeatedCursor: handled('repeated cursor'),
		},
	},
	v2ExportUnknownConversation: {
		asked: 'Version 2: a missing conversation',
		answers: {
			empty: assumed('an empty list'),
			notFound: handled('404'),
			filterIgnored: handled('others'),
		},
	},
});

export const searchQuestions = questionsOf('read', {
	v2SearchPages: {
		asked: 'Version 2: pages of a search',
		answers: {
			full: assumed('full'),
			short: handled('some are short'),
			empty: handled('some are empty'),
		},
	},
	v2SearchText: {
		asked: 'Version 2: a search for a word',
		answers: {
			available: assumed('accepted'),
			unavailable: handled('refused'),
		},
	},
	v2SearchWindow: {
		asked: 'Version 2: a search from two years ago',
		answers: {
			twelveMonths: assumed('refused'),
			unlimited: handled('accepted'),
		},
	},
});

export const sourceQuestions = questionsOf('write', {
	v2SourceNames: {
		asked: 'Version 2: a space after a source’s name',
		answers: {
			asSent: assumed('kept'),
			trimmed: handled('removed'),
			refused: handled('refused'),
		},
	},
	v2SourceUpdate: {
		asked: 'Version 2: updating a source in training',
		answers: {
			accepted: assumed('accepted'),
			refusedInTraining: handled('409'),
		},
	},
	v2Training: {
		asked: 'Version 2: training of a text',
		answers: {
			succeeds: assumed('succeeds'),
			fails: handled('fails'),
			never: notFoundOut('not finished within 3 seconds'),
		},
	},
	v2SourceDelete: {
		asked: 'Version 2: deleting a source',
		answers: {
			deleted: assumed('deleted'),
			toBeDeleted: handled('to be deleted'),
			stillListed: handled('done, but still listed'),
		},
	},
	v2SourceSecondDelete: {
		asked: 'Version 2: deleting a source again',
		answers: {
			'404': assumed('404'),
			'409': handled('409'),
			'200': handled('200'),
		},
	},
	v2File: {
		asked: 'Version 2: response to a file',
		answers: {
			bare: assumed('the source'),
			data: handled('in data'),
			none: differs('404'),
		},
	},
});

export const agentChatQuestions = questionsOf('chat', {
	v2ChatUnknownConversation: {
		asked: 'Version 2: an unknown conversation ID',
		answers: {
			notFound: assumed('404'),
			mismatch403: handled('403'),
			mismatch400: handled('400'),
			startsAnother: handled('starts another'),
		},
	},
	v2Credits: {
		asked: 'Version 2: credits for a message',
		answers: {
			enough: assumed('enough'),
			CHAT_CREDITS_EXHAUSTED: handled('used up in the workspace'),
			CHAT_AGENT_CREDITS_EXHAUSTED: handled('used up by the chatbot'),
		},
	},
	v2CreditsValue: {
		asked: 'Version 2: credits of an answer',
		answers: {
			integer: assumed('integer'),
			fraction: handled('fraction'),
			absent: handled('absent'),
		},
	},
	v2ChatAnswer: {
		asked: 'Version 2: parts of an answer',
		answers: {
			text: assumed('one text'),
			severalTexts: handled('several texts'),
			toolCalls: handled('tool calls'),
			emptyParts: handled('none'),
			nullUserMessageId: handled('one text without an ID'),
			error: handled('a failure'),
		},
	},
	v2SearchLag: {
		asked: 'Version 2: search for a new conversation',
		answers: {
			none: assumed('found at once'),
			later: handled('not found at once'),
		},
	},
});

export const agentStreamQuestions = questionsOf('chat', {
	v2StreamFraming: {
		asked: 'Version 2: framing of a streamed answer',
		answers: {
			dataLines: assumed('lines of data'),
			eventAndData: handled('lines of event and data'),
			typeInEvent: handled('the type only in the line of event'),
			jsonLines: handled('JSON line by line'),
		},
	},
	v2StreamStart: {
		asked: 'Version 2: first event',
		answers: {
			start: assumed('start'),
			'message-start': handled('message-start'),
			none: handled('another one'),
		},
	},
	v2StreamText: {
		asked: 'Version 2: a piece of text',
		answers: {
			delta: assumed('delta with id'),
			withoutId: handled('delta without id'),
			text: handled('text'),
		},
	},
	v2StreamMetadata: {
		asked: 'Version 2: place of the conversation ID',
		answers: {
			finish: assumed('messageMetadata of finish'),
			'message-metadata': handled('messageMetadata of message-metadata'),
			flat: handled('message-metadata itself'),
			'finish.metadata': handled('metadata of finish'),
			none: handled('nowhere'),
		},
	},
	v2StreamFinishReason: {
		asked: 'Version 2: place of finishReason',
		answers: {
			top: assumed('finish'),
			inside: handled('the metadata'),
			none: handled('nowhere'),
		},
	},
	v2StreamEnd: {
		asked: 'Version 2: end of a streamed answer',
		answers: {
			done: assumed('[DONE]'),
			finish: handled('finish'),
			unfinished: differs('neither [DONE] nor finish'),
			cut: differs('half an event'),
			broken: differs('the connection broke'),
		},
	},
	v2StreamExtras: {
		asked: 'Version 2: other events',
		answers: {
			none: assumed('none'),
			events: handled('some'),
			brokenJson: differs('some without JSON'),
		},
	},
});

export const pauseQuestions = questionsOf('pause', {
	v2PauseForm: {
		asked: 'Version 2: field that pauses',
		answers: {
			paused: assumed('paused'),
			both: handled('paused or status'),
			status: differs('status only'),
		},
	},
	v2ChatPaused: {
		asked: 'Version 2: a message to a paused conversation',
		answers: {
			'403': assumed('403'),
			'400': handled('400'),
			'409': handled('409'),
			recorded: handled('no answer'),
			answered: handled('answered'),
		},
	},
	v2PauseUnknownConversation: {
		asked: 'Version 2: pausing a missing conversation',
		answers: {
			RESOURCE_NOT_FOUND: assumed('RESOURCE_NOT_FOUND'),
			AGENT_NOT_FOUND: handled('AGENT_NOT_FOUND'),
			other: handled('other'),
		},
	},
});
