/** Questions about version 2 of the API. */
import { assumed, differs, handled, questionsOf } from '../answer';

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
	v2UnknownAgent: {
		asked: 'Version 2: a missing chatbot',
		answers: {
			notFound: assumed('404'),
			emptyLists: handled('an empty list'),
			forbidden: handled('403'),
		},
	},
	v2Credits: {
		asked: 'Version 2: used credits of the chatbot',
		answers: {
			number: assumed('a number'),
			other: differs('no number'),
		},
	},
	v2ChannelInstructions: {
		asked: 'Version 2: instructions by channel',
		answers: {
			inAgent: assumed('a field of the chatbot'),
			absent: differs('absent'),
		},
	},
	v2BlockedCountries: {
		asked: 'Version 2: blocked countries',
		answers: {
			codes: assumed('codes of two letters'),
			other: differs('in another form'),
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
});

export const exportQuestions = questionsOf('read', {
	v2Export: {
		asked: 'Version 2: exported conversations',
		answers: {
			data: assumed('in data, with messages'),
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

export const ratingQuestions = questionsOf('read', {
	v2FeedbackFilter: {
		asked: 'Version 2: a search for negative ratings',
		answers: {
			rated: assumed('a conversation with one'),
			ignored: differs('a conversation without one'),
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
	v2SourceDelete: {
		asked: 'Version 2: deleting a source',
		answers: {
			deleted: assumed('deleted'),
			toBeDeleted: handled('to be deleted'),
			stillListed: handled('done, but still listed'),
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
});

export const toolResultQuestions = questionsOf('chat', {
	v2UnknownToolCall: {
		asked: 'Version 2: the result of an unknown tool call',
		answers: {
			RESOURCE_TOOL_CALL_NOT_FOUND: assumed('RESOURCE_TOOL_CALL_NOT_FOUND'),
			other: differs('404 with another code'),
			accepted: differs('accepted'),
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
