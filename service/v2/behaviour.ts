/**
 * Switches for what the documents of version 2 leave open or contradict each other about.
 *
 * "Pages" are the vendor's documentation, "specification" is its OpenAPI file, "observed" is what its
 * own test records say about a running service.
 * The first position is the default: the newest text of the vendor. What can be done with data in the
 * store (equal times, names that two sources share, an unknown channel) or with a planted fault (500
 * before or after a write, a lost connection) has no switch.
 */
import { defaultConditionsV2, type ConditionsV2 } from './conditions';

/** Each with its positions. */
export interface SwitchesV2 {
	// --- Every request ---

	/** Whether the plan includes the API, else the code of the 403, new and old. */
	plan: 'sufficient' | 'SUBSCRIPTION_API_RESTRICTED_PLAN' | 'SUBSCRIPTION_PLAN_REQUIRED';
	/** Whether the right key still works. A wrong or a missing one is up to the request. */
	key: 'valid' | 'expired';
	/** Scopes that the key lacks, such as `chatlogs:write`. Observed: 403 before a 404. */
	missingScopes: string[];
	/** Agent that does not exist. Observed: lists that are empty, and 500 for a new source; the plugin: a plain 403. */
	unknownAgent: 'notFound' | 'emptyLists' | 'forbidden';
	/** Whether an agent's ID is the chatbot's of version 1. Likely, and stated nowhere. `own` is `agent-` and the chatbot's ID. */
	agentId: 'chatbotId' | 'own';
	/** Body of an error. Only the envelope is documented. */
	errorBody: 'envelope' | 'withoutDetails' | 'unknownCode' | 'html' | 'empty';

	// --- Lists ---

	/** How the last page says so. Specification: no cursor and `hasMore` false; clients rely on either one. */
	lastPage: 'closed' | 'hasMoreWithoutCursor' | 'cursorWithoutMore' | 'repeatedCursor';
	/** `total` of a list. Whether it is exact while rows come and go isn't stated. */
	total: 'exact' | 'tooHigh' | 'tooLow' | 'absent';

	// --- Conversations ---

	/** Export of a conversation that does not exist. By the shape an empty list; not stated. */
	exportUnknownConversation: 'empty' | 'notFound' | 'filterIgnored';
	/**
	 * Dates and order of an export. Specification: to the millisecond, with both bounds; the vendor's client: newest first.
	 * The others depart from it: the parts in which the node reads must never make an export wrong.
	 */
	exportDates:
		| 'exact'
		| 'withoutBounds'
		| 'wholeDays'
		| 'startOnFirstPage'
		| 'ignored'
		| 'refused'
		| 'oldestFirst'
		| 'timelessInEach';
	/** Fields and parts of messages. Optional in the specification; third-party types know a role `system`. */
	messageFields:
		| 'all'
		| 'withoutCreatedAt'
		| 'withoutFeedback'
		| 'withoutMetadata'
		| 'systemRole'
		| 'unknownPart'
		| 'emptyParts';
	/** Pages of a search: full, half as long, or every second one empty. Pages: short or empty ones occur. */
	searchPages: 'full' | 'short' | 'empty';
	/** Text search. Pages: 403 for HIPAA accounts and redacting agents, while filters go on working. */
	searchText: 'available' | 'unavailable';
	/** Dates before the first day of the month twelve months ago. Pages: must lie inside; the error isn't stated. */
	searchWindow: 'twelveMonths' | 'unlimited';
	/** Conversations whose answers can be rated. Observed for those of the API; not stated for others. */
	rateChannels: 'all' | 'API';
	/** Code of the 404 for a conversation to pause that does not exist. The specification lists the second only. */
	pauseUnknownConversation: 'RESOURCE_NOT_FOUND' | 'AGENT_NOT_FOUND';

	// --- Chat ---

	/** A `conversationId` that does not exist, or is another agent's. Not stated. */
	chatUnknownConversation: 'notFound' | 'mismatch403' | 'mismatch400' | 'startsAnother';
	/** Whose conversations the list of a user has: the user's, or also those of IDs in other letters, or everybody's. */
	userConversations: 'exact' | 'ignoresCase' | 'everybody';
	/** Order of the list of a user. Pages: by last activity; in which direction isn't stated. */
	userConversationsOrder: 'newestFirst' | 'oldestFirst';
	/** The list of a user without conversations. Not stated. */
	userUnknown: 'emptyList' | 'notFound';
	/** Status of `CHAT_CONVERSATION_NOT_ONGOING`. The page lists it beside 403 codes; clients expect 400. */
	chatNotOngoing: 403 | 400 | 409;
	/** A message to a paused conversation. Not stated; paused ones record messages and don't reply. */
	chatPaused: 'refused' | 'recorded';
	/** Credits that are left, or the code of the 402. */
	credits: 'enough' | 'CHAT_CREDITS_EXHAUSTED' | 'CHAT_AGENT_CREDITS_EXHAUSTED';
	/** What the agent answers: parts, finish reason, and a `userMessageId` that is null in SDK tests. */
	chatAnswer: 'text' | 'severalTexts' | 'emptyParts' | 'toolCalls' | 'error' | 'nullUserMessageId';

	/**
	 * Form of a stream. Newest page: lines of data, `start`, text with an ID, metadata and reason in `finish`.
	 * Specification: lines of event and data, `message-start`, the metadata flat in an event of its own. Older page:
	 * bare lines of JSON, `finish.metadata`. Tests of the vendor's command line: neither `start` nor IDs, nested metadata.
	 * Old tests of its SDKs: the type in the line of event only, and `text` for `delta`.
	 */
	streamForm: 'newest' | 'specification' | 'olderPage' | 'clientTests' | 'sdkTests';
	/** An error while the answer is made: before or after its text, an abort, or JSON in place of a stream. */
	streamError: 'none' | 'afterText' | 'beforeText' | 'abort' | 'json';
	/** End: `[DONE]`, the finish event alone, neither, in the middle of an event, or `[DONE]` after a silence. */
	streamEnd: 'done' | 'finish' | 'unfinished' | 'cut' | 'silence';
	/** Events between the others: tools, reasoning and a type that nobody knows, or one that is no JSON. */
	streamExtras: 'none' | 'events' | 'brokenJson';

	// --- Sources ---

	/** What becomes of a source that was written. */
	training: 'succeeds' | 'fails' | 'never';
	/** How names of sources are stored: as sent, without outer spaces, in lower case, or in a form of Unicode. Not stated. */
	sourceNames: 'asSent' | 'trimmed' | 'lower' | 'NFC' | 'NFD';
	/** Whether a source can be written while it is in training. Specification: 409 occurs. */
	sourceUpdate: 'accepted' | 'refusedInTraining';
	/** A deletion: done, so that a second one is a 404, or announced, and then gone or still in the list, with a 409. Documents have each. */
	sourceDelete: 'deleted' | 'toBeDeleted' | 'stillListed';
	/** Code of the 404 for a source. Specification: the last; not observed. */
	sourceNotFound: 'RESOURCE_NOT_FOUND' | 'SOURCE_NOT_FOUND' | 'AGENT_NOT_FOUND';
	/** Who takes files: a host of its own; a preview of the vendor had none. Hosts that are not the vendor's take all. */
	fileHost: 'own' | 'none';
	/** Answer to a file that was sent. Specification: the source; the vendor's client reads it from `data`. */
	fileAnswer: 'bare' | 'data';
	/** The text that is found in a file. In a scan there is none, and its training fails. */
	fileText: 'found' | 'none';

	// --- Helpdesk ---

	helpdesk: 'on' | 'off';
	/** Whether tickets have a priority. A copy of the specification of August 2026 has none. */
	ticketPriority: 'present' | 'absent';
	/** A reply: recorded, or refused as one in a conversation that nobody has taken over. */
	ticketReply: 'recorded' | 'notTakenOver';

	// --- Clones ---

	/** What a clone could not do, without an effect on its status 201. Documented. */
	clonePendingSteps: Array<'ADD_SOURCE' | 'TRAIN_AGENT'>;

	// --- WhatsApp ---

	/** Numbers to send from, in the list of templates. A copy of the specification of August 2026 lacks them. */
	templateSenders: 'listed' | 'absent';
	/** What WhatsApp does with a template that the service takes: the IDs may be null, or a code of a refusal. */
	templateSend:
		| 'accepted'
		| 'withoutIds'
		| 'SEND_BLOCKED'
		| 'TEMPLATE_PARAMS_REJECTED'
		| 'RECIPIENT_NOT_REACHABLE'
		| 'WHATSAPP_SEND_FAILED'
		| 'MEDIA_UPLOAD_FAILED';
}

export const defaultSwitchesV2: SwitchesV2 = {
	plan: 'sufficient',
	key: 'valid',
	missingScopes: [],
	unknownAgent: 'notFound',
	agentId: 'chatbotId',
	errorBody: 'envelope',

	lastPage: 'closed',
	total: 'exact',

	exportUnknownConversation: 'empty',
	exportDates: 'exact',
	messageFields: 'all',
	searchPages: 'full',
	searchText: 'available',
	searchWindow: 'twelveMonths',
	rateChannels: 'all',
	pauseUnknownConversation: 'RESOURCE_NOT_FOUND',

	chatUnknownConversation: 'notFound',
	userConversations: 'exact',
	userConversationsOrder: 'newestFirst',
	userUnknown: 'emptyList',
	chatNotOngoing: 403,
	chatPaused: 'refused',
	credits: 'enough',
	chatAnswer: 'text',

	streamForm: 'newest',
	streamError: 'none',
	streamEnd: 'done',
	streamExtras: 'none',

	training: 'succeeds',
	sourceNames: 'asSent',
	sourceUpdate: 'accepted',
	sourceDelete: 'deleted',
	sourceNotFound: 'RESOURCE_NOT_FOUND',
	fileHost: 'own',
	fileAnswer: 'bare',
	fileText: 'found',

	helpdesk: 'on',
	ticketPriority: 'present',
	ticketReply: 'recorded',

	clonePendingSteps: [],

	templateSenders: 'listed',
	templateSend: 'accepted',
};

/** The switches, and what a test sets beside them. It may change at any time; the next request sees it. */
export type BehaviourV2 = SwitchesV2 & ConditionsV2;

export const defaultBehaviourV2: BehaviourV2 = { ...defaultSwitchesV2, ...defaultConditionsV2 };
