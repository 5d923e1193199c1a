/**
 * Switches for what the documents of version 2 leave open or contradict each other about.
 *
 * "Pages" are the vendor's documentation, "specification" is its OpenAPI file, "observed" is what its
 * own test records say about a running service.
 * The first position is the default: the newest text of the vendor. What can be done with data in the
 * store (equal times, names that two sources share, an unknown channel) or with a planted fault (500
 * before or after a write, a lost connection) has no switch.
 */
import type { RateLimit } from '../core/rateLimit';

export interface BehaviourV2 {
	// --- Every request ---

	/** Newest page: 1,000 in 10 seconds; older page: 100. The option `rateLimit` of the service wins. */
	rateLimit: RateLimit;
	/** Unit of `X-RateLimit-Reset`. Pages: milliseconds; specification: seconds. */
	rateLimitReset: 'milliseconds' | 'seconds' | 'absent';
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
	/** How many of the next requests get 503 `SERVICE_UNDER_MAINTENANCE` before anything is read or written. */
	maintenance: number;
	/** Endpoints that are switched off, such as `DELETE /agents/{agentId}/sources/{sourceId}`. Observed. */
	disabledEndpoints: string[];
	/** Body of an error. Only the envelope is documented. */
	errorBody: 'envelope' | 'withoutDetails' | 'unknownCode' | 'html' | 'empty';

	// --- Lists ---

	/** How the last page says so. Specification: no cursor and `hasMore` false; clients rely on either one. */
	lastPage: 'closed' | 'hasMoreWithoutCursor' | 'cursorWithoutMore' | 'repeatedCursor';
	/** `total` of a list. Whether it is exact while rows come and go isn't stated. */
	total: 'exact' | 'tooHigh' | 'tooLow' | 'absent';
	/** What the second page does when rows moved after the first. Not stated. */
	pagesUnderChange: 'stable' | 'rowTwice' | 'rowSkipped';

	// --- Conversations ---

	/** Export of a conversation that does not exist. By the shape an empty list; not stated. */
	exportUnknownConversation: 'empty' | 'notFound' | 'filterIgnored';
	/** The vendor's client: newest first; not stated. */
	exportOrder: 'newestFirst' | 'oldestFirst';
	/** Dates of an export. Specification: to the millisecond, with both bounds; the others depart from it. */
	exportDates: 'exact' | 'withoutBounds' | 'wholeDays' | 'startOnFirstPage' | 'ignored' | 'refused';
	/** Whether an export with dates has conversations without a time of their creation. Not stated. */
	exportWithoutTime: 'inNoRange' | 'inEveryRange';
	/** Fields and parts of messages. Optional in the specification; third-party types know a role `system`. */
	messageFields:
		| 'all'
		| 'withoutCreatedAt'
		| 'withoutFeedback'
		| 'withoutMetadata'
		| 'systemRole'
		| 'unknownPart'
		| 'emptyParts';
	/** Values of every conversation: as documented, or one that no list names, or times in another unit. */
	conversationValues: 'known' | 'unknownSource' | 'unknownStatus' | 'nullSource' | 'milliseconds';
	/** Pages of a search: full, half as long, or every second one empty. Pages: short or empty ones occur. */
	searchPages: 'full' | 'short' | 'empty';
	/** Text search. Pages: 403 for HIPAA accounts and redacting agents, while filters go on working. */
	searchText: 'available' | 'unavailable';
	/** Seconds by which the search index is behind. Pages: "a few seconds". */
	searchLagSeconds: number;
	/** Dates before the first day of the month twelve months ago. Pages: must lie inside; the error isn't stated. */
	searchWindow: 'twelveMonths' | 'unlimited';
	/** `parentConversationId`, `parentSummary` and `embedOrigin`, which fixtures of the vendor's client lack. */
	searchExtras: 'present' | 'absent';
	/** Body of the call that pauses. Specification: `paused`; another page: states, whose field name it does not show. */
	pauseForm: 'paused' | 'status' | 'both';
	/** A conversation that ended or was taken over can be paused, or is refused with a status. Not stated. */
	pauseTarget: 'any' | 400 | 409 | 422;
	/** Status for a rating of a visitor's message. Specification: 422; a page lists the code beside 400. */
	rateNotAnswer: 422 | 400;
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
	/** Credits of an answer. Tests of the vendor's SDKs have fractions. */
	creditsValue: 'integer' | 'fraction' | 'absent';
	/** What the agent answers: parts, finish reason, and a `userMessageId` that is null in SDK tests. */
	chatAnswer: 'text' | 'severalTexts' | 'emptyParts' | 'toolCalls' | 'error' | 'nullUserMessageId';

	/** Framing of a stream. Newest page: lines of data; specification, old SDK tests and older pages: the others. */
	streamFraming: 'dataLines' | 'eventAndData' | 'typeInEvent' | 'jsonLines';
	/** First event. Newest page: `start`; middle page: `message-start`. */
	streamStart: 'start' | 'message-start' | 'none';
	/** Form of a piece of text. Newest page: `id` and `delta`; the vendor's client test: no `id`; old SDK tests: `text`. */
	streamText: 'delta' | 'withoutId' | 'text';
	/** Where the metadata stands: in the finish event under two names, in an event of its own, nested or flat, or nowhere. */
	streamMetadata: 'finish' | 'message-metadata' | 'flat' | 'finish.metadata' | 'none';
	/** Where the finish reason stands: in the finish event, in the metadata, or nowhere. */
	streamFinishReason: 'top' | 'inside' | 'none';
	/** An error while the answer is made: in one of two forms, an abort, or JSON in place of a stream. */
	streamError: 'none' | 'afterText' | 'beforeText' | 'oldForm' | 'abort' | 'json';
	/** End: `[DONE]`, the finish event alone, neither, in the middle of an event, or `[DONE]` after a silence. */
	streamEnd: 'done' | 'finish' | 'unfinished' | 'cut' | 'silence';
	/** Length of that silence, in the middle of the stream. */
	streamSilenceMs: number;
	/** Where the network cuts: after events, after each byte, nowhere, or inside each character of several bytes. */
	streamChunks: 'events' | 'bytes' | 'whole' | 'insideCharacters';
	/** Events between the others: tools, reasoning and a type that nobody knows, or one that is no JSON. */
	streamExtras: 'none' | 'events' | 'brokenJson';

	// --- Sources ---

	/** What becomes of a source that was written. */
	training: 'succeeds' | 'fails' | 'never';
	/** How often a written source is seen before it has been trained. "Within seconds"; no bound is stated. */
	trainingPolls: number;
	/** The same for the pages of a sitemap or a crawl, which are fetched first. */
	crawlPolls: number;
	/** Unicode form in which names of sources are stored. Not stated. */
	sourceNameForm: 'asSent' | 'NFC' | 'NFD';
	/** Names of sources: as sent, or without outer spaces. Not stated. */
	sourceNames: 'asSent' | 'trimmed';
	/** The same for letter case. Not stated. */
	sourceNameCase: 'asSent' | 'lower';
	/** Whether a source can be written while it is in training. Specification: 409 occurs. */
	sourceUpdate: 'accepted' | 'refusedInTraining';
	/** A deletion: done, or announced, and then gone or still in the list. Observed: never shown again. */
	sourceDelete: 'deleted' | 'toBeDeleted' | 'stillListed';
	/** A second deletion of a source that is gone. Documents have each. */
	sourceSecondDelete: 404 | 409 | 200;
	/** Code of the 404 for a source. Specification: the last; not observed. */
	sourceNotFound: 'RESOURCE_NOT_FOUND' | 'SOURCE_NOT_FOUND' | 'AGENT_NOT_FOUND';
	/** Bytes that all sources of an agent may have, else 422. The figure depends on the plan. */
	storageLimit: number;
	/** Who takes files: a host of its own; a preview of the vendor had none. Hosts that are not the vendor's take all. */
	fileHost: 'own' | 'none';
	/** Answer to a file that was sent. Specification: the source; the vendor's client reads it from `data`. */
	fileAnswer: 'bare' | 'data';
	/** Code for a form that is not valid. Specification: the first; observed: the second. */
	fileErrorCode: 'VALIDATION_INVALID_BODY' | 'INVALID_BODY';
	/** Smallest file in bytes. Not stated; observed: 50. */
	smallestFile: 1 | 50;
	/** Newest page: 10 uploads a minute, and refused ones count. Older pages know no such limit. */
	fileRate: RateLimit;
	/** The text that is found in a file. In a scan there is none, and its training fails. */
	fileText: 'found' | 'none';

	// --- Helpdesk ---

	helpdesk: 'on' | 'off';
	/** Whether tickets have a priority. A copy of the specification of August 2026 has none. */
	ticketPriority: 'present' | 'absent';
	/** An update: as a whole, or its first field and a 500. Specification: may happen. */
	ticketUpdate: 'whole' | 'half';
	/** A reply: recorded, or refused as one in a conversation that nobody has taken over. */
	ticketReply: 'recorded' | 'notTakenOver';
	/** Status of a ticket after a reply. Specification: may change. */
	ticketReplyStatus: 'kept' | 'onCustomer';

	// --- Clones ---

	/** Most chatbots that the plan allows. */
	agentLimit: number;
	/** What a clone could not do, without an effect on its status 201. Documented. */
	clonePendingSteps: Array<'ADD_SOURCE' | 'TRAIN_AGENT'>;
	/** Seconds until version 1 knows a clone. Not stated. */
	cloneLagSeconds: number;

	// --- WhatsApp ---

	/** How many of the next lists of templates lack the last account, and say so. Documented: "retry". */
	partialTemplateLists: number;
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

export const defaultBehaviourV2: BehaviourV2 = {
	rateLimit: { requests: 1000, windowMs: 10_000, retryAfter: 'seconds' },
	rateLimitReset: 'milliseconds',
	plan: 'sufficient',
	key: 'valid',
	missingScopes: [],
	unknownAgent: 'notFound',
	agentId: 'chatbotId',
	maintenance: 0,
	disabledEndpoints: [],
	errorBody: 'envelope',

	lastPage: 'closed',
	total: 'exact',
	pagesUnderChange: 'stable',

	exportUnknownConversation: 'empty',
	exportOrder: 'newestFirst',
	exportDates: 'exact',
	exportWithoutTime: 'inNoRange',
	messageFields: 'all',
	conversationValues: 'known',
	searchPages: 'full',
	searchText: 'available',
	searchLagSeconds: 0,
	searchWindow: 'twelveMonths',
	searchExtras: 'present',
	pauseForm: 'paused',
	pauseTarget: 'any',
	rateNotAnswer: 422,
	rateChannels: 'all',
	pauseUnknownConversation: 'RESOURCE_NOT_FOUND',

	chatUnknownConversation: 'notFound',
	userConversations: 'exact',
	userConversationsOrder: 'newestFirst',
	userUnknown: 'emptyList',
	chatNotOngoing: 403,
	chatPaused: 'refused',
	credits: 'enough',
	creditsValue: 'integer',
	chatAnswer: 'text',

	streamFraming: 'dataLines',
	streamStart: 'start',
	streamText: 'delta',
	streamMetadata: 'finish',
	streamFinishReason: 'top',
	streamError: 'none',
	streamEnd: 'done',
	streamSilenceMs: 0,
	streamChunks: 'events',
	streamExtras: 'none',

	training: 'succeeds',
	trainingPolls: 1,
	crawlPolls: 1,
	sourceNameForm: 'asSent',
	sourceNames: 'asSent',
	sourceNameCase: 'asSent',
	sourceUpdate: 'accepted',
	sourceDelete: 'deleted',
	sourceSecondDelete: 404,
	sourceNotFound: 'RESOURCE_NOT_FOUND',
	storageLimit: Infinity,
	fileHost: 'own',
	fileAnswer: 'bare',
	fileErrorCode: 'VALIDATION_INVALID_BODY',
	smallestFile: 1,
	fileRate: { requests: 10, windowMs: 60_000, retryAfter: 'seconds', countsRefused: true },
	fileText: 'found',

	helpdesk: 'on',
	ticketPriority: 'present',
	ticketUpdate: 'whole',
	ticketReply: 'recorded',
	ticketReplyStatus: 'kept',

	agentLimit: Infinity,
	clonePendingSteps: [],
	cloneLagSeconds: 0,

	partialTemplateLists: 0,
	templateSenders: 'listed',
	templateSend: 'accepted',
};
