/** For each switch of the simulated service: the question that recognizes its positions, or why none can. */
import type { QuestionName } from '../../probe/questions';
import type { Behaviour, Switches, SwitchesV2 } from '../../service';

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

/** How many a page has at the most. */
const pageSizes = (maximum: number, question: QuestionName): Position[] => [
	{ value: { standard: 10, maximum }, question, answer: 'full' },
	{ value: { standard: 10, maximum: 50 }, question, answer: 'fewer', behaviour: clamping },
];

type Recognition = Position[] | { reason: string };

const eitherWay: Recognition = {
	reason: 'The node handles each position, so no answer changes it.',
};

export const switches: Record<keyof Switches, Recognition> = {
	issues: eitherWay,
	notFoundMessage: positions('named', 'Resource not found'),
	endpoints: positions('all', 'withoutAttributeList', 'contract'),

	pageBeyondEnd: [
		...positions('badRequest', 'empty', 'lastPage'),
		{ value: 'lastPage', isEmpty: true },
		{ value: 'empty', isEmpty: true },
	],
	contactOrder: eitherWay,
	contactPathId: eitherWay,
	missingFields: eitherWay,
	paymentField: positions('payment_accounts', 'stripe_accounts'),

	attributesOnPatch: positions('merge', 'replace'),
	nullInWrite: positions('clears', 'badRequest'),
	clearedText: eitherWay,
	emailCase: eitherWay,
	emailUnique: positions(true, false),
	phoneForm: positions('asSent', 'e164'),
	phoneUnique: positions(false, true),
	createExisting: positions('conflict', 'upsert'),
	createReply: positions('data', 'created'),
	deleteReply: eitherWay,

	existingAttribute: [400, 409].map((value) => ({ value, question: 'duplicateAttribute' })),

	streamFraming: positions('text', 'events', 'eventsAsPlainText'),

	chatbotListShape: positions('chatbots', 'chatbots.data'),
	chatbotRecord: eitherWay,

	leadsShape: positions('collectedCustomers', 'collectedCustomers.data', 'data'),
	leadConversation: eitherWay,
	conversationRecord: eitherWay,
	conversationSize: pageSizes(100, 'conversationPage'),
	leadSize: pageSizes(1000, 'leadPage'),
	sizeAboveMaximum: eitherWay,
};

const access = (answer: string) => ({ question: 'v2Access' as const, answer });

export const switchesV2: Record<keyof SwitchesV2, Recognition> = {
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
	errorBody: eitherWay,

	lastPage: positions('closed', 'hasMoreWithoutCursor', 'cursorWithoutMore', 'repeatedCursor'),
	total: positions('exact', 'tooHigh', 'tooLow', 'absent'),

	exportUnknownConversation: positions('empty', 'notFound', 'filterIgnored'),
	exportDates: eitherWay,
	messageFields: eitherWay,
	searchPages: eitherWay,
	searchText: eitherWay,
	searchWindow: eitherWay,
	rateChannels: { reason: 'The probe makes conversations of the API only.' },
	pauseUnknownConversation: positions('RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'),

	chatUnknownConversation: positions('notFound', 'mismatch403', 'mismatch400', 'startsAnother'),
	userConversations: eitherWay,
	userConversationsOrder: eitherWay,
	userUnknown: eitherWay,
	chatNotOngoing: [403, 400, 409].map((value) => ({ value, question: 'v2ChatPaused' })),
	chatPaused: [{ value: 'refused', answer: '403' }, { value: 'recorded' }],
	credits: eitherWay,
	chatAnswer: eitherWay,

	streamForm: eitherWay,
	streamError: { reason: 'No message makes a chatbot fail.' },
	streamEnd: [
		...positions('done', 'finish', 'unfinished', 'cut'),
		{ value: 'silence', answer: 'done' },
	],
	streamExtras: positions('none', 'events', 'brokenJson'),

	training: eitherWay,
	// Other spellings show in no ASCII name; the node says so in its first run.
	sourceNames: positions('asSent', 'trimmed'),
	sourceUpdate: positions('accepted', 'refusedInTraining'),
	sourceDelete: positions('deleted', 'toBeDeleted', 'stillListed'),
	sourceNotFound: positions('RESOURCE_NOT_FOUND', 'SOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'),
	fileHost: [
		{ value: 'own', question: 'v2File', answer: 'bare' },
		{ value: 'none', question: 'v2File' },
	],
	fileAnswer: positions('bare', 'data').map((position) => ({ ...position, question: 'v2File' })),
	fileText: { reason: 'It depends on the file.' },

	helpdesk: eitherWay,
	ticketPriority: eitherWay,
	ticketReply: { reason: 'A reply would reach a customer.' },

	clonePendingSteps: { reason: 'A clone is a chatbot of the plan, so the probe makes none.' },

	templateSenders: eitherWay,
	templateSend: { reason: 'A message costs money and reaches a person.' },
};
