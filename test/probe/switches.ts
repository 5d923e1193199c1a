/** For each switch of the simulated service: the question that recognizes its positions, or why none can. */
import type { QuestionName } from '../../probe/questions';
import type { Behaviour } from '../service';

export interface Position {
	value: unknown;
	/** Name of the expected answer. Default: the value as text. */
	answer?: string;
	/** Default: the question with the name of the switch. */
	question?: QuestionName;
	/** Further switches, without which nobody could see this one. */
	behaviour?: Partial<Behaviour>;
	/** Whether the chatbot must have no contacts. */
	isEmpty?: boolean;
}

/** Positions whose answers have the same names. */
const positions = (...values: unknown[]): Position[] => values.map((value) => ({ value }));

/** A service that returns fewer than requested. */
const clamping: Partial<Behaviour> = { sizeAboveMaximum: 'clamp' };

export const switches: Record<keyof Behaviour, Position[] | { reason: string }> = {
	issues: positions('contactsFamily', 'everywhere', 'never'),
	unauthorizedMessage: positions('Unauthorized access', 'No API key provided.'),
	notFoundMessage: positions('named', 'Resource not found'),
	endpoints: positions('all', 'withoutAttributeList', 'contract'),

	perPageOutOfRange: positions('badRequest', 'clamp'),
	contactId: positions('string', 'number'),
	archivedValues: positions('returned', 'hidden'),
	dateValues: { reason: 'The node takes every form for the same date.' },
	booleanValues: positions('boolean', 'number'),
	defaultPerPage: [{ value: 100 }, { value: 25, answer: 'other' }],
	pageBeyondEnd: [
		...positions('badRequest', 'empty', 'lastPage'),
		{ value: 'lastPage', isEmpty: true },
		{ value: 'empty', isEmpty: true },
	],
	emptyListPages: [
		{ value: 0, isEmpty: true },
		{ value: 1, isEmpty: true },
	],
	contactOrder: positions('oldestFirst', 'newestFirst'),
	contactPathId: positions('external', 'externalOrInternal'),
	timestampUnit: positions('seconds', 'milliseconds'),
	missingFields: positions('null', 'absent'),
	paymentField: positions('payment_accounts', 'stripe_accounts'),

	attributesOnPatch: positions('merge', 'replace'),
	nullInWrite: positions('clears', 'badRequest'),
	clearedText: positions('null', 'empty'),
	emptyTextInWrite: positions('keeps', 'clears', 'badRequest'),
	emailCase: positions('asSent', 'lower'),
	unknownContactFields: positions('drop', 'refuse'),
	unknownAttributes: positions('drop', 'keep'),
	archivedAttributeInWrite: positions('badRequest', 'drop'),
	emailUnique: positions(true, false),
	paymentAccountRule: [
		...positions('labelAndOneMore', 'none'),
		{ value: 'none', behaviour: { paymentField: 'stripe_accounts' } },
	],
	blankPaymentLabel: { reason: 'The node takes both for the same account.' },
	externalIdMatch: { reason: 'The node goes by the internal ID of the contact that comes back.' },
	createExisting: positions('conflict', 'upsert'),
	createWithoutExternalId: {
		reason:
			'Nobody can ask: nothing would tell the contact from those of customers, to delete it again.',
	},
	createBatch: [
		...positions('atomic', 'upToFirstBad'),
		{ value: 'atomic', behaviour: { createExisting: 'upsert' } },
		{ value: 'upToFirstBad', behaviour: { createExisting: 'upsert' } },
	],
	createReply: positions('data', 'created'),
	createdStatus: positions(200, 201),
	maximumContacts: {
		reason: 'A client finds it by filling the chatbot with contacts, which nobody would forgive.',
	},
	deleteReply: positions('contact', 'empty'),

	attributeNameRule: positions('contract', 'lowercase'),
	attributeLabel: positions('optional', 'required'),
	reservedAttributeNames: {
		reason: 'No list is public, and each try with a name that is free makes a permanent attribute.',
	},
	duplicateAttribute: positions(400, 409),
	putWithoutArchived: positions('unarchives', 'keeps'),

	chatUnknownChatbot: positions(400, 403, 404),
	chatIdAlias: positions('refused', 'accepted'),
	earlierChatModels: positions('accepted', 'refused'),
	maximumMessageLength: [
		{ value: Infinity, answer: 'taken' },
		{ value: 8000, answer: 'refused' },
		{ value: 8000, answer: 'refused', behaviour: { unknownConversation: 'badRequest' } },
	],
	unknownConversation: [
		...positions('creates', 'badRequest'),
		{ value: 'badRequest', behaviour: { chatIdAlias: 'accepted' } },
	],
	conversationHistory: positions('append', 'override'),
	streamFraming: positions('text', 'events', 'eventsAsPlainText'),
	streamEventData: [
		{ value: 'text', behaviour: { streamFraming: 'events' } },
		{ value: 'json', behaviour: { streamFraming: 'events' } },
	],
	streamChunkBytes: {
		reason: 'Where chunks end is decided anew by everything between service and client.',
	},
	streamDelayMs: { reason: 'How long an answer takes says nothing that a client could rely on.' },

	chatbotListShape: positions('chatbots', 'chatbots.data'),
	chatbotRecord: positions('reference', 'sparse'),
	chatbotId: positions('string', 'number'),
	readyStatus: positions('ready', 'trained'),
	failedStatus: positions('failed', 'oneFailed', 'limitExceeded'),
	settingsModels: positions('contract', 'asForChat'),
	missingNameMessage: positions('Invalid input parameters', 'Chatbot name is required'),
	trainingText: {
		reason: 'To see it, the training text of a real chatbot would have to be replaced.',
	},
	trainingMs: { reason: 'To see it, a real chatbot would have to be trained.' },

	leadsShape: positions('collectedCustomers', 'collectedCustomers.data', 'data'),
	leadId: positions('string', 'integer'),
	leadConversation: positions('absent', 'named'),
	conversationTimeField: positions('updated_at', 'last_message_at'),
	conversationSource: positions('lowerCase', 'titleCase'),
	conversationExtras: positions('none', 'returned'),
	conversationDate: positions('created', 'lastMessage'),
	endDate: positions('inclusive', 'exclusive'),
	listOrder: positions('newestFirst', 'oldestFirst'),
	conversationSize: [
		{ value: { standard: 10, maximum: 100 }, answer: '10' },
		{ value: { standard: 20, maximum: 100 }, answer: 'other' },
		{ value: { standard: 10, maximum: 100 }, question: 'conversationPage', answer: 'full' },
		{
			value: { standard: 10, maximum: 50 },
			question: 'conversationPage',
			answer: 'fewer',
			behaviour: clamping,
		},
	],
	leadSize: [
		{ value: { standard: 10, maximum: 1000 }, answer: '10' },
		{ value: { standard: 20, maximum: 1000 }, answer: 'other' },
		{ value: { standard: 10, maximum: 1000 }, question: 'leadPage', answer: 'full' },
		{
			value: { standard: 10, maximum: 50 },
			question: 'leadPage',
			answer: 'fewer',
			behaviour: clamping,
		},
	],
	sizeAboveMaximum: positions('badRequest', 'clamp'),
};
