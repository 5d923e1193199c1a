/** Questions that only need reads. */
import { asAssumed, differs, handled, questionsOf } from '../answer';

export const generalQuestions = questionsOf('read', {
	endpoints: [
		'Which lists exist',
		'chatbots and custom attributes, or neither',
		{
			all: asAssumed('chatbots and custom attributes'),
			withoutAttributeList: handled('chatbots, but no custom attributes'),
			withoutChatbotList: handled('custom attributes, but no chatbots'),
			contract: handled('neither chatbots nor custom attributes'),
		},
	],
	unauthorizedMessage: [
		'Response to a wrong key',
		'status 401 and a message',
		{
			'Unauthorized access': asAssumed('401 "Unauthorized access"'),
			'No API key provided.': handled('401 "No API key provided."'),
			otherMessage: handled('401 and another message'),
			forbidden: differs('403'),
		},
	],
	notFoundMessage: [
		'404 of a contact and of a chatbot',
		'a JSON message that may say which of the two',
		{
			named: asAssumed('each names what is missing'),
			'Resource not found': handled('both "Resource not found"'),
			otherMessage: handled('other messages'),
		},
	],
	unknownPath: [
		'404 of an unknown path',
		'anything: such a 404 means a wrong Base URL',
		{ json: asAssumed('404 in JSON'), text: handled('404 that is not JSON') },
	],
	issues: [
		'Where a 400 lists invalid fields',
		'with contacts, or nowhere; the message is always shown',
		{
			contactsFamily: asAssumed('with contacts only'),
			everywhere: handled('with contacts and conversations'),
			never: handled('nowhere'),
			elsewhere: handled('with conversations only'),
		},
	],
});

export const chatbotQuestions = questionsOf('read', {
	chatbotListShape: [
		'Place of the list of chatbots',
		'in chatbots, or in chatbots.data',
		{ chatbots: asAssumed('in chatbots'), 'chatbots.data': handled('in chatbots.data') },
	],
	chatbotRecord: [
		'Fields of a chatbot',
		'an ID; every other field may be missing or null',
		{
			reference: asAssumed('all of the reference have a value'),
			sparse: handled('some of the reference are missing or null'),
		},
	],
	chatbotId: [
		'Type of a chatbot’s ID',
		'text, or a number',
		{ string: asAssumed('text'), number: handled('a number') },
	],
	readyStatus: [
		'Status of a chatbot that has been trained',
		'any: shown unchanged',
		{ ready: asAssumed('ready'), trained: handled('trained') },
	],
	failedStatus: [
		'Status of a chatbot that could not be trained',
		'any: shown unchanged',
		{
			failed: asAssumed('failed'),
			oneFailed: handled('oneFailed'),
			limitExceeded: handled('limitExceeded'),
		},
	],
	chatbotTimes: [
		'Format of times of a chatbot',
		'ISO 8601; shown unchanged',
		{ iso: asAssumed('ISO 8601'), number: handled('numbers'), other: handled('in another way') },
	],
});

export const contactQuestions = questionsOf('read', {
	contactList: [
		'Fields of the contact list',
		'message, data, total and pages',
		{
			documented: asAssumed('data, total and pages'),
			withoutPages: differs('data, but no usable total or pages'),
		},
	],
	contactTotal: [
		'If total counts the whole list',
		'yes: a list is complete when it has total contacts',
		{ counts: asAssumed('it does'), wrong: differs('it does not') },
	],
	contactId: [
		'Type of a contact’s internal ID',
		'text, or a number; each different',
		{
			string: asAssumed('text'),
			number: handled('a number'),
			repeated: differs('some are the same'),
			missing: differs('some contacts have none'),
		},
	],
	externalIds: [
		'External IDs',
		'text; a contact may have none',
		{
			all: asAssumed('each contact has one'),
			some: handled('some contacts have none'),
			repeated: differs('some contacts share one'),
			number: differs('some are not text'),
		},
	],
	timestampUnit: [
		'Format of times of a contact',
		'seconds since 1970',
		{
			seconds: asAssumed('seconds since 1970'),
			milliseconds: handled('milliseconds since 1970'),
			iso: handled('ISO 8601'),
		},
	],
	missingFields: [
		'A field of a contact without a value',
		'null, or absent',
		{ null: asAssumed('null'), absent: handled('left out'), empty: handled('empty text') },
	],
	paymentField: [
		'Name of the payment accounts in a contact',
		'payment_accounts; set another name in Extra Fields JSON',
		{
			payment_accounts: asAssumed('payment_accounts'),
			stripe_accounts: handled('stripe_accounts'),
		},
	],
	contactOrder: [
		'Order of the contact list',
		'any',
		{
			oldestFirst: asAssumed('oldest first'),
			newestFirst: handled('newest first'),
			other: handled('neither oldest nor newest first'),
		},
	],
	emptyListPages: [
		'Pages of an empty contact list',
		'0 or 1',
		{ 0: asAssumed('0'), 1: handled('1'), other: differs('more than 1') },
	],
	defaultPerPage: [
		'Default page size of contacts',
		'any: the node always sends a size',
		{ 100: asAssumed('100'), other: handled('#') },
	],
	perPageLimits: [
		'Pages of 10 and of 1,000 contacts',
		'both work',
		{ both: asAssumed('both work'), fewer: differs('fewer than requested') },
	],
	perPageOutOfRange: [
		'Pages of 9 and of 1,001 contacts',
		'any: the node requests 10 to 1,000',
		{
			badRequest: asAssumed('refused'),
			clamp: handled('answered with the nearest size'),
			other: handled('answered in another way'),
		},
	],
	pageBeyondEnd: [
		'A page after the last one',
		'400, no contacts, or an earlier page',
		{
			badRequest: asAssumed('400'),
			empty: handled('no contacts'),
			lastPage: handled('an earlier page'),
		},
	],
	contactPathId: [
		'Reading a contact by its internal ID',
		'not found: the node sends External IDs',
		{ external: asAssumed('not found'), externalOrInternal: handled('found as well') },
	],
});

export const conversationQuestions = questionsOf('read', {
	conversationList: [
		'Place of the list of conversations',
		'in data',
		{ data: asAssumed('in data'), missing: handled('there is no such list') },
	],
	conversationTimeField: [
		'Time of the last message of a conversation',
		'updated_at or last_message_at',
		{
			updated_at: asAssumed('updated_at'),
			last_message_at: handled('last_message_at'),
			both: handled('updated_at and last_message_at'),
			none: handled('neither, but created_at'),
		},
	],
	conversationTimes: [
		'Format of times of a conversation',
		'ISO 8601',
		{ iso: asAssumed('ISO 8601'), number: differs('numbers'), other: differs('in another way') },
	],
	conversationSource: [
		'Spelling of a conversation’s source',
		'any',
		{ lowerCase: asAssumed('lower case'), titleCase: handled('with capitals') },
	],
	conversationExtras: [
		'Fields of conversations beyond the reference',
		'any: passed on',
		{
			none: asAssumed('none of form_submission, createdAt, score'),
			returned: handled('form_submission, createdAt or score'),
		},
	],
	conversationSize: [
		'Default page size of conversations',
		'any: the node always sends a size',
		{ 10: asAssumed('10'), other: handled('#') },
	],
	conversationPage: [
		'Conversations on a page of 100',
		'100, or fewer before the end',
		{
			full: asAssumed('100'),
			fewer: handled('# although more follow'),
			refused: differs('refused'),
			tooMany: differs('more than requested'),
		},
	],
	sizeAboveMaximum: [
		'1,001 conversations on a page',
		'any: the node requests at most 100',
		{ badRequest: asAssumed('refused'), clamp: handled('accepted with fewer, or with all') },
	],
	listOrder: [
		'Order of conversations',
		'any',
		{
			newestFirst: asAssumed('newest first'),
			oldestFirst: handled('oldest first'),
			other: handled('neither newest nor oldest first'),
		},
	],
	conversationDate: [
		'Time that a range of days filters',
		'any: days are sent as typed; the trigger uses created_at',
		{
			created: asAssumed('that of the first message'),
			lastMessage: handled('that of the last message'),
		},
	],
	endDate: [
		'If a range includes its last day',
		'any: days are sent as typed; the trigger sends no last day',
		{ inclusive: asAssumed('it does'), exclusive: handled('it does not') },
	],
});

export const leadQuestions = questionsOf('read', {
	leadsShape: [
		'Place of the list of leads',
		'in collectedCustomers, collectedCustomers.data or data',
		{
			collectedCustomers: asAssumed('in collectedCustomers'),
			'collectedCustomers.data': handled('in collectedCustomers.data'),
			data: handled('in data'),
			missing: handled('there is no such list'),
		},
	],
	leadId: [
		'Type of a lead’s ID',
		'text, or a number',
		{
			string: asAssumed('text'),
			integer: handled('a number'),
			missing: differs('some leads have none'),
		},
	],
	leadConversation: [
		'If leads name their conversation',
		'any: passed on',
		{ absent: asAssumed('none does'), named: handled('in conversationId') },
	],
	leadTimes: [
		'Format of times of a lead',
		'ISO 8601',
		{ iso: asAssumed('ISO 8601'), number: differs('numbers'), other: differs('in another way') },
	],
	leadSize: [
		'Default page size of leads',
		'any: the node always sends a size',
		{ 10: asAssumed('10'), other: handled('#') },
	],
	leadPage: [
		'Leads on a page of 100',
		'100, or fewer before the end',
		{
			full: asAssumed('100'),
			fewer: handled('# although more follow'),
			refused: differs('refused'),
			tooMany: differs('more than requested'),
		},
	],
});
