/** Questions that need scratch contacts, and custom attributes if allowed. */
import { questionsOf } from '../answer';

export const writingQuestions = questionsOf('write', {
	createReply: ['Place of created contacts', 'data: in data | created: in data.created'],
	externalIdOfNew: ['External ID of a created contact', 'asSent | !own: another one, or none'],
	emailCase: ['Case of an email with capitals', 'asSent | lower: in lower case | !other'],
	updateReply: [
		'Response to an update',
		'contact: the updated contact | !stale: the contact before the update | !nothing: no contact',
	],
	updatedAt: [
		'updated_at after an update',
		'later: later than before | !earlier: earlier, or none',
	],
	omittedFields: ['Fields that an update omits', 'stay: kept | !go: removed'],
	nullInWrite: ['null for a field', 'clears: clears it | badRequest: refused | ignored'],
	clearedText: ['A text field that null has cleared', 'null: null, or absent | empty: empty text'],
	emailUnique: [
		'An email that another contact has',
		'true: 409 | false: accepted | !badRequest: refused, but not with 409',
	],
	externalIdUnique: [
		'An External ID that another contact has',
		'conflict: 409 | !taken: accepted: two contacts have it | ignored | !badRequest: refused, but not with 409',
	],
	paymentAccountRule: [
		'A payment account with only a label',
		'labelAndOneMore: refused | none: taken',
	],
	createExisting: [
		'Creating a contact whose External ID exists',
		'conflict: 409 | upsert: answered as a success | badRequest: 400',
	],
	createBatch: [
		'Creating two, the second invalid',
		'atomic: none is created | !upToFirstBad: the first is',
	],
	attributesOnPatch: ['Custom attributes that an update omits', 'merge: kept | replace: removed'],
	deleteReply: ['Response to a deletion', 'contact: the contact | empty | other: something else'],
	secondDelete: [
		'Deleting a contact again',
		'notFound: 404 in JSON | !taken: answered as a success',
	],
	settingsModels: ['A newer model for a chatbot', 'contract: accepted | asForChat: refused'],
	missingNameMessage: [
		'New training text without a name',
		'Chatbot name is required: 400 "Chatbot name is required" | Invalid input parameters: 400 and another message',
	],
});

export const attributeQuestions = questionsOf('attributes', {
	attributeNameRule: [
		'Capitals and hyphens in an attribute’s name',
		'contract: accepted | lowercase: refused',
	],
	attributeLabel: ['A custom attribute without a label', 'optional: accepted | required: refused'],
	duplicateAttribute: [
		'Creating an existing attribute',
		'400 | !409 | !taken: answered as a success',
	],
	putWithoutArchived: [
		'Changing an archived attribute without "archived"',
		'unarchives: it is no longer archived | keeps: it stays archived',
	],
});
