/** Questions that only need reads. */
import { questionsOf } from '../answer';

export const generalQuestions = questionsOf('read', {
	endpoints: [
		'Which lists exist',
		'all: chatbots and custom attributes | withoutAttributeList: chatbots, but no custom attributes | withoutChatbotList: custom attributes, but no chatbots | contract: neither chatbots nor custom attributes',
	],
	unauthorizedMessage: [
		'Response to a wrong key',
		'Unauthorized access: 401 "Unauthorized access" | No API key provided.: 401 "No API key provided." | otherMessage: 401 and another message | !forbidden: 403',
	],
	notFoundMessage: [
		'404 of a contact and of a chatbot',
		'named: each names what is missing | Resource not found: both "Resource not found" | otherMessage: other messages',
	],
	issues: [
		'Where a 400 lists invalid fields',
		'contactsFamily: with contacts only | everywhere: with contacts and conversations | never: nowhere | elsewhere: with conversations only',
	],
});

export const chatbotQuestions = questionsOf('read', {
	chatbotListShape: ['List of chatbots', 'chatbots: in chatbots | chatbots.data: in chatbots.data'],
	chatbotRecord: [
		'Fields of a chatbot',
		'reference: all of the reference have a value | sparse: some of the reference are missing or null',
	],
	chatbotId: ['Type of a chatbot’s ID', 'string: text | number: a number'],
	readyStatus: ['Status of a chatbot that has been trained', 'ready | trained'],
	failedStatus: [
		'Status of a chatbot that could not be trained',
		'failed | oneFailed: oneFailed | limitExceeded: limitExceeded',
	],
});

export const contactListQuestions = questionsOf('read', {
	contactList: [
		'Fields of the contact list',
		'documented: data, total and pages | !withoutPages: data, but no usable total or pages',
	],
	contactTotal: ['If total counts the whole list', 'counts: it does | !wrong: it does not'],
	perPageLimits: ['Pages of 10 and of 1,000 contacts', 'both: both work | !fewer: too short'],
	pageBeyondEnd: [
		'A page after the last one',
		'badRequest: 400 | empty | lastPage: an earlier page',
	],
	contactPathId: [
		'Reading a contact by internal ID',
		'external: not found | externalOrInternal: found',
	],
});

/** About the contacts of the list. */
export const contactQuestions = questionsOf('read', {
	contactId: [
		'Type of a contact’s internal ID',
		'string: text | !number: a number | !repeated: some are the same | !missing: some contacts have none',
	],
	externalIds: [
		'External IDs',
		'all: each contact has one | some: some contacts have none | !repeated: some contacts share one | !number: some are not text',
	],
	timestampUnit: [
		'Format of times of a contact',
		'seconds: seconds since 1970 | !milliseconds: milliseconds since 1970 | !iso: ISO 8601 | !other',
	],
	missingFields: ['A field of a contact without a value', 'null | absent | empty: empty text'],
	paymentField: ['Name of the payment accounts in a contact', 'payment_accounts | stripe_accounts'],
	contactOrder: ['Order of the contact list', 'oldestFirst | newestFirst | other'],
});

export const conversationListQuestions = questionsOf('read', {
	conversationList: ['List of conversations', 'data: in data | missing: there is no such list'],
	conversationSize: ['Default page size of conversations', '10 | other: #'],
	conversationPage: [
		'Conversations on a page of 100',
		'full: 100 | fewer: # although more follow | !refused | !tooMany: more than requested',
	],
	sizeAboveMaximum: ['1,001 conversations on a page', 'badRequest: refused | clamp: accepted'],
});

/** About the conversations of the list. */
export const conversationQuestions = questionsOf('read', {
	conversationTimeField: [
		'Time of the last message of a conversation',
		'updated_at | last_message_at | both: updated_at and last_message_at | none: neither, but created_at',
	],
	conversationTimes: [
		'Format of times of a conversation',
		'iso: ISO 8601 | !number: numbers | !other',
	],
	conversationSource: ['Case of a conversation’s source', 'lowerCase | titleCase: with capitals'],
	conversationExtras: [
		'Fields of conversations beyond the reference',
		'none: none of form_submission, createdAt, score | returned: form_submission, createdAt or score',
	],
});

export const leadQuestions = questionsOf('read', {
	leadsShape: [
		'Place of the list of leads',
		'collectedCustomers: in collectedCustomers | collectedCustomers.data: in collectedCustomers.data | data: in data | missing: there is no such list',
	],
	leadId: ['Type of a lead’s ID', 'string: text | integer: a number | !missing: some have none'],
	leadConversation: [
		'If leads name a conversation',
		'absent: none does | named: in conversationId',
	],
	leadTimes: ['Format of times of a lead', 'iso: ISO 8601 | !number: numbers | !other'],
	leadSize: ['Default page size of leads', '10 | other: #'],
	leadPage: [
		'Leads on a page of 100',
		'full: 100 | fewer: # although more follow | !refused | !tooMany: more than requested',
	],
});
