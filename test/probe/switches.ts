/** For each switch of the simulated service: the question that recognizes its positions, or why none can. */
import type { QuestionName } from '../../probe/questions';
import type { Behaviour, BehaviourV2 } from '../../service';

export interface Position {
	value: unknown;
	/** Name of the expected answer. Default: the value as text. */
	answer?: string;
	/** Default: the question with the name of the switch, after `v2` for version 2. */
	question?: QuestionName;
	/** Further switches, without which nobody could see this one. */
	behaviour?: Partial<Behaviour>;
	/** Further questions that show that the node cannot handle it. */
	differs?: QuestionName[];
	/** Whether the chatbot must have no contacts. */
	isEmpty?: boolean;
}

/** Positions whose answers have the same names. */
const positions = (...values: unknown[]): Position[] => values.map((value) => ({ value }));

/** A service that returns fewer than requested. */
const clamping: Partial<Behaviour> = { sizeAboveMaximum: 'clamp' };

/** How many a page has, when no size is asked for and at the most. */
const pageSizes = (maximum: number, question: QuestionName): Position[] => [
	{ value: { standard: 10, maximum }, answer: '10' },
	{ value: { standard: 20, maximum }, answer: 'other' },
	{ value: { standard: 10, maximum }, question, answer: 'full' },
	{ value: { standard: 10, maximum: 50 }, question, answer: 'fewer', behaviour: clamping },
];

type Switches = Position[] | { reason: string };

const passedOn: Switches = { reason: 'No answer changes the node: it passes on what it reads.' };

export const switches: Record<keyof Behaviour, Switches> = {
	issues: positions('contactsFamily', 'everywhere', 'never'),
	notFoundMessage: positions('named', 'Resource not found'),
	endpoints: positions('all', 'withoutAttributeList', 'contract'),

	pageBeyondEnd: [
		...positions('badRequest', 'empty', 'lastPage'),
		{ value: 'lastPage', isEmpty: true },
		{ value: 'empty', isEmpty: true },
	],
	contactOrder: positions('oldestFirst', 'newestFirst'),
	contactPathId: positions('external', 'externalOrInternal'),
	missingFields: positions('null', 'absent'),
	paymentField: positions('payment_accounts', 'stripe_accounts'),

	attributesOnPatch: positions('merge', 'replace'),
	nullInWrite: positions('clears', 'badRequest'),
	clearedText: positions('null', 'empty'),
	emailCase: positions('asSent', 'lower'),
	emailUnique: positions(true, false),
	phoneForm: positions('asSent', 'e164'),
	phoneUnique: positions(false, true),
	createComparesIds: { reason: 'A fault: it would leave two contacts that nobody can tell apart.' },
	refusedBatch: { reason: 'A fault: the probe asks for no creation that fails in the middle.' },
	nulInText: { reason: 'A fault: the probe makes no service fail.' },
	createExisting: positions('conflict', 'upsert'),
	createWithoutExternalId: {
		reason:
			'Nobody can ask: nothing would tell the contact from those of customers, to delete it again.',
	},
	createReply: positions('data', 'created'),
	maximumContacts: {
		reason: 'A client finds it by filling the chatbot with contacts, which nobody would forgive.',
	},
	deleteReply: positions('contact', 'empty'),

	attributeNameRule: positions('contract', 'lowercase'),
	attributeLabel: positions('optional', 'required'),
	existingAttribute: [400, 409].map((value) => ({ value, question: 'duplicateAttribute' })),
	reservedAttributeNames: {
		reason: 'No list is public, and each try with a name that is free makes a permanent attribute.',
	},
	putWithoutArchived: positions('unarchives', 'keeps'),

	chatUnknownChatbot: positions(400, 403, 404),
	earlierChatModels: positions('accepted', 'refused'),
	maximumMessageLength: [
		{ value: Infinity, answer: 'taken' },
		{ value: 8000, answer: 'refused' },
		{ value: 8000, answer: 'refused', behaviour: { unknownConversation: 'badRequest' } },
	],
	unknownConversation: positions('creates', 'badRequest'),
	streamFraming: positions('text', 'events', 'eventsAsPlainText'),
	streamChunkBytes: {
		reason: 'Where chunks end is decided anew by everything between service and client.',
	},
	streamDelayMs: { reason: 'How long an answer takes says nothing that a client could rely on.' },

	chatbotListShape: positions('chatbots', 'chatbots.data'),
	chatbotRecord: passedOn,
	chatbotId: positions('string', 'number'),
	settingsModels: positions('contract', 'asForChat'),

	leadsShape: positions('collectedCustomers', 'collectedCustomers.data', 'data'),
	leadId: positions('string', 'integer'),
	leadConversation: passedOn,
	conversationTimeField: positions('updated_at', 'last_message_at'),
	conversationExtras: positions('none', 'returned'),
	conversationSize: pageSizes(100, 'conversationPage'),
	leadSize: pageSizes(1000, 'leadPage'),
	sizeAboveMaximum: positions('badRequest', 'clamp'),
};

const access = (answer: string) => ({ question: 'v2Access' as const, answer });

export const switchesV2: Record<keyof BehaviourV2, Switches> = {
	rateLimit: [
		{ value: { requests: 1000, windowMs: 10_000, retryAfter: 'seconds' }, answer: '1000' },
		{ value: { requests: 100, windowMs: 10_000, retryAfter: 'seconds' }, answer: '100' },
		{ value: { requests: 500, windowMs: 10_000, retryAfter: 'seconds' }, answer: 'other' },
	],
	rateLimitReset: { reason: 'The node reads Retry-After only.' },
	plan: [
		{ value: 'sufficient', ...access('accepted') },
		...['SUBSCRIPTION_API_RESTRICTED_PLAN', 'SUBSCRIPTION_PLAN_REQUIRED'].map((value) => ({
			value,
			...access(value),
		})),
	],
	key: [
		{ value: 'valid', ...access('accepted') },
		{ value: 'expired', ...access('AUTH_EXPIRED_API_KEY') },
	],
	missingScopes: [{ value: ['agents:read'], ...access('AUTH_INSUFFICIENT_PERMISSIONS') }],
	unknownAgent: positions('notFound', 'emptyLists', 'forbidden'),
	agentId: positions('chatbotId', 'own'),
	maintenance: { reason: 'It comes and goes, and leaves every question open.' },
	disabledEndpoints: { reason: 'They come and go, and leave their questions open.' },
	errorBody: [
		...positions('envelope', 'withoutDetails', 'unknownCode'),
		// A 404 without JSON means a wrong Base URL.
		{ value: 'html', differs: ['v2UnknownAgent', 'v2SourceNotFound'] },
		{ value: 'empty', differs: ['v2UnknownAgent', 'v2SourceNotFound'] },
	],

	lastPage: positions('closed', 'hasMoreWithoutCursor', 'cursorWithoutMore', 'repeatedCursor'),
	total: positions('exact', 'tooHigh', 'tooLow', 'absent'),
	pagesUnderChange: { reason: 'Customers would have to write while a list is read.' },

	exportUnknownConversation: positions('empty', 'notFound', 'filterIgnored'),
	exportOrder: positions('newestFirst', 'oldestFirst'),
	exportDates: { reason: 'If the dates do not hold, the node reads page by page.' },
	exportWithoutTime: { reason: 'The node returns a conversation without a time either way.' },
	messageFields: positions(
		'all',
		'withoutCreatedAt',
		'withoutFeedback',
		'withoutMetadata',
		'systemRole',
		'unknownPart',
		'emptyParts',
	),
	conversationValues: positions(
		'known',
		'unknownSource',
		'unknownStatus',
		'nullSource',
		'milliseconds',
	),
	searchPages: positions('full', 'short', 'empty'),
	searchText: positions('available', 'unavailable'),
	searchLagSeconds: [
		{ value: 0, question: 'v2SearchLag', answer: 'none' },
		{ value: 60, question: 'v2SearchLag', answer: 'later' },
	],
	searchWindow: positions('twelveMonths', 'unlimited'),
	searchExtras: passedOn,
	pauseForm: positions('paused', 'status', 'both'),
	pauseTarget: { reason: 'No request ends a conversation of the probe or takes it over.' },
	rateNotAnswer: { reason: 'The node goes by the code of the refusal.' },
	rateChannels: { reason: 'The probe makes conversations of the API only.' },
	pauseUnknownConversation: positions('RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'),

	chatUnknownConversation: positions('notFound', 'mismatch403', 'mismatch400', 'startsAnother'),
	userConversations: { reason: 'The node looks at the user ID of each conversation.' },
	userConversationsOrder: { reason: 'The node compares the times.' },
	userUnknown: { reason: 'The node begins a conversation either way.' },
	chatNotOngoing: [403, 400, 409].map((value) => ({ value, question: 'v2ChatPaused' })),
	chatPaused: [{ value: 'refused', answer: '403' }, { value: 'recorded' }],
	credits: positions('enough', 'CHAT_CREDITS_EXHAUSTED', 'CHAT_AGENT_CREDITS_EXHAUSTED'),
	creditsValue: positions('integer', 'fraction', 'absent'),
	chatAnswer: positions(
		'text',
		'severalTexts',
		'emptyParts',
		'toolCalls',
		'error',
		'nullUserMessageId',
	),

	streamFraming: positions('dataLines', 'eventAndData', 'typeInEvent', 'jsonLines'),
	streamStart: positions('start', 'message-start', 'none'),
	streamText: positions('delta', 'withoutId', 'text'),
	streamMetadata: positions('finish', 'message-metadata', 'flat', 'finish.metadata', 'none'),
	streamFinishReason: positions('top', 'inside', 'none'),
	streamError: { reason: 'No message makes a chatbot fail.' },
	streamEnd: [
		...positions('done', 'finish', 'unfinished', 'cut'),
		{ value: 'silence', answer: 'done' },
	],
	streamSilenceMs: { reason: 'How long an answer takes says nothing that a client could rely on.' },
	streamChunks: {
		reason: 'Where chunks end is decided anew by everything between service and client.',
	},
	streamExtras: positions('none', 'events', 'brokenJson'),

	training: positions('succeeds', 'fails', 'never'),
	trainingPolls: { reason: 'How long training takes depends on the text and the time of day.' },
	crawlPolls: { reason: 'The probe adds no website to a chatbot.' },
	sourceNameForm: { reason: 'The node takes all forms.' },
	sourceNames: positions('asSent', 'trimmed'),
	sourceNameCase: { reason: 'The node says so in its first run.' },
	sourceUpdate: positions('accepted', 'refusedInTraining'),
	sourceDelete: positions('deleted', 'toBeDeleted', 'stillListed'),
	sourceSecondDelete: positions(404, 409, 200),
	sourceNotFound: positions('RESOURCE_NOT_FOUND', 'SOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'),
	fileHost: [
		{ value: 'own', question: 'v2File', answer: 'bare' },
		{ value: 'none', question: 'v2File' },
	],
	fileAnswer: positions('bare', 'data').map((position) => ({ ...position, question: 'v2File' })),
	fileErrorCode: { reason: 'The probe sends only a valid file. The node takes all codes.' },
	smallestFile: { reason: 'The probe sends only a valid file. The node quotes the refusal.' },
	fileRate: { reason: 'A client finds it by using up the uploads of the account.' },
	fileText: { reason: 'It depends on the file.' },
	storageLimit: { reason: 'A client finds it by filling the chatbot with sources.' },

	helpdesk: positions('on', 'off'),
	ticketPriority: positions('present', 'absent'),
	ticketUpdate: { reason: 'Tickets cannot be deleted, so the probe makes none.' },
	ticketReply: { reason: 'A reply would reach a customer.' },
	ticketReplyStatus: { reason: 'A reply would reach a customer.' },

	agentLimit: { reason: 'A client finds it by filling the workspace with chatbots.' },
	clonePendingSteps: { reason: 'A clone is a chatbot of the plan, so the probe makes none.' },
	cloneLagSeconds: { reason: 'A clone is a chatbot of the plan, so the probe makes none.' },

	partialTemplateLists: [
		{ value: 0, question: 'v2Templates', answer: 'listed' },
		{ value: 1, question: 'v2Templates', answer: 'partial' },
	],
	templateSenders: positions('listed', 'absent'),
	templateSend: { reason: 'A message costs money and reaches a person.' },
};
