/** Questions that need scratch contacts, and custom attributes if allowed. */
import { asAssumed, differs, handled, questionsOf } from '../answer';

export const writingQuestions = questionsOf('write', {
	createReply: [
		'Place of created contacts in the response',
		'in data, or in data.created',
		{ data: asAssumed('in data'), created: handled('in data.created') },
	],
	createdStatus: [
		'Status of a creation',
		'any of 200 to 299',
		{ 200: asAssumed('200'), 201: handled('201'), other: handled('another one of 200 to 299') },
	],
	createdRecord: [
		'Fields of a created contact in the response',
		'every field that was sent',
		{ whole: asAssumed('every field that was sent'), partly: handled('not every field') },
	],
	emailCase: [
		'Spelling of an email with capitals',
		'as sent, or in lower case',
		{
			asSent: asAssumed('as sent'),
			lower: handled('in lower case'),
			other: differs('in another way'),
		},
	],
	updateReply: [
		'Response to an update',
		'the updated contact',
		{
			contact: asAssumed('the updated contact'),
			stale: differs('the contact before the update'),
			nothing: differs('no contact'),
		},
	],
	updatedAt: [
		'Time of the last update, after an update',
		'later than before: the trigger finds changes by it',
		{ later: asAssumed('later than before'), earlier: differs('earlier, or none') },
	],
	omittedFields: [
		'Fields that an update omits',
		'kept',
		{ stay: asAssumed('kept'), go: differs('removed') },
	],
	nullInWrite: [
		'null for a field',
		'it clears the field; a refusal is explained',
		{
			clears: asAssumed('clears it'),
			badRequest: handled('refused'),
			ignored: handled('ignored'),
		},
	],
	clearedText: [
		'A text field that null has cleared',
		'null, absent, or empty text',
		{ null: asAssumed('null, or absent'), empty: handled('empty text') },
	],
	emptyTextInWrite: [
		'Empty text for a field',
		'it stays empty text, or clears the field; a refusal is explained',
		{
			keeps: asAssumed('stays empty text'),
			clears: handled('clears the field'),
			badRequest: handled('refused'),
			ignored: handled('ignored'),
		},
	],
	unknownContactFields: [
		'A field that no document names',
		'dropped, refused or kept: dropped fields are named',
		{ drop: asAssumed('dropped'), refuse: handled('refused'), keep: handled('kept') },
	],
	unknownAttributes: [
		'A custom attribute that is not defined',
		'dropped, refused or kept: dropped fields are named',
		{ drop: asAssumed('dropped'), refuse: handled('refused'), keep: handled('kept') },
	],
	emailUnique: [
		'An email that another contact has',
		'refused with 409, or accepted',
		{
			true: asAssumed('409'),
			false: handled('accepted'),
			badRequest: differs('refused, but not with 409'),
		},
	],
	externalIdUnique: [
		'An External ID that another contact has',
		'refused with 409',
		{
			conflict: asAssumed('409'),
			taken: differs('accepted: two contacts have it'),
			ignored: handled('ignored'),
			badRequest: differs('refused, but not with 409'),
		},
	],
	paymentAccountRule: [
		'A payment account with only a label',
		'refused or accepted',
		{ labelAndOneMore: asAssumed('refused'), none: handled('accepted') },
	],
	createExisting: [
		'Creating a contact whose External ID exists',
		'refused, or an update: the node checks',
		{
			conflict: asAssumed('409'),
			upsert: handled('answered as a success'),
			badRequest: handled('400'),
		},
	],
	createBatch: [
		'Creating two contacts, the second one invalid',
		'none is created, or the first: the node checks',
		{ atomic: asAssumed('none is created'), upToFirstBad: handled('the first is created') },
	],
	attributesOnPatch: [
		'Custom attributes that an update omits',
		'kept or removed: the node sends those to keep',
		{ merge: asAssumed('kept'), replace: handled('removed') },
	],
	booleanValues: [
		'Form of true in a response',
		'true, or 1',
		{
			boolean: asAssumed('true'),
			number: handled('1'),
			text: handled('text'),
		},
	],
	deleteReply: [
		'Response to a deletion',
		'the contact, or no body',
		{
			contact: asAssumed('the contact'),
			empty: handled('nothing'),
			other: handled('something else'),
		},
	],
	secondDelete: [
		'Deleting a contact that no longer exists',
		'404 in JSON',
		{ notFound: asAssumed('404 in JSON'), taken: differs('answered as a success') },
	],
	settingsModels: [
		'Models for a chatbot that only the newer list has',
		'accepted; a refusal is explained',
		{ contract: asAssumed('accepted'), asForChat: handled('refused') },
	],
	missingNameMessage: [
		'New training text without a name',
		'refused: the node also sends the name',
		{
			'Chatbot name is required': asAssumed('400 "Chatbot name is required"'),
			'Invalid input parameters': handled('400 and another message'),
		},
	],
});

export const attributeQuestions = questionsOf('attributes', {
	attributeNameRule: [
		'An attribute’s name with capitals and hyphens',
		'accepted; a refusal is explained',
		{ contract: asAssumed('accepted'), lowercase: handled('refused') },
	],
	attributeLabel: [
		'A custom attribute without a label',
		'accepted; a refusal is explained',
		{ optional: asAssumed('accepted'), required: handled('refused') },
	],
	duplicateAttribute: [
		'Creating a custom attribute that exists',
		'400 or 409',
		{ 400: asAssumed('400'), 409: handled('409'), taken: differs('answered as a success') },
	],
	archivedAttributeInWrite: [
		'A value for an archived attribute',
		'refused, dropped or accepted: the node omits it',
		{ badRequest: asAssumed('refused'), drop: handled('dropped'), keep: handled('accepted') },
	],
	archivedValues: [
		'Values of an archived attribute in a contact',
		'visible, or hidden',
		{ returned: asAssumed('visible'), hidden: handled('hidden') },
	],
	putWithoutArchived: [
		'Changing an archived attribute without "archived"',
		'any: the node always sends it',
		{ unarchives: asAssumed('it is no longer archived'), keeps: handled('it stays archived') },
	],
});
