/** Questions that need scratch contacts, and custom attributes if allowed. */
import { asAssumed, differs, handled, questionsOf } from '../answer';

export const writingQuestions = questionsOf('write', {
	createReply: [
		'Where created contacts stand in the response',
		'in data, or in data.created',
		{ data: asAssumed('in data'), created: handled('in data.created') },
	],
	createdStatus: [
		'Status of a creation',
		'any of 200 to 299',
		{ 200: asAssumed('200'), 201: handled('201'), other: handled('another one of 200 to 299') },
	],
	createdRecord: [
		'What comes back of a created contact',
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
		'What an update answers',
		'the contact as it is afterwards',
		{
			contact: asAssumed('the contact as it is afterwards'),
			stale: differs('the contact as it was before'),
			nothing: differs('no contact'),
		},
	],
	updatedAt: [
		'Time of the last update, after an update',
		'later than before: the trigger finds changes by it',
		{ later: asAssumed('later than before'), earlier: differs('earlier, or none') },
	],
	omittedFields: [
		'Fields that an update leaves out',
		'they stay',
		{ stay: asAssumed('they stay'), go: differs('they go') },
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
		'null, left out, or empty text',
		{ null: asAssumed('null, or left out'), empty: handled('empty text') },
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
		'dropped, refused or kept: what is not kept is named',
		{ drop: asAssumed('dropped'), refuse: handled('refused'), keep: handled('kept') },
	],
	unknownAttributes: [
		'A custom attribute that is not defined',
		'dropped, refused or kept: what is not kept is named',
		{ drop: asAssumed('dropped'), refuse: handled('refused'), keep: handled('kept') },
	],
	emailUnique: [
		'An email that another contact has',
		'refused with 409, or taken',
		{
			true: asAssumed('409'),
			false: handled('taken'),
			badRequest: differs('refused, but not with 409'),
		},
	],
	externalIdUnique: [
		'An External ID that another contact has',
		'refused with 409',
		{
			conflict: asAssumed('409'),
			taken: differs('taken: two contacts have it'),
			ignored: handled('ignored'),
			badRequest: differs('refused, but not with 409'),
		},
	],
	paymentAccountRule: [
		'A payment account with a label alone',
		'refused or taken',
		{ labelAndOneMore: asAssumed('refused'), none: handled('taken') },
	],
	createExisting: [
		'Creating a contact whose External ID exists',
		'refused, or an update: the node looks',
		{
			conflict: asAssumed('409'),
			upsert: handled('answered as a success'),
			badRequest: handled('400'),
		},
	],
	createBatch: [
		'Creating two contacts of which the second is bad',
		'none is created, or the first: the node looks',
		{ atomic: asAssumed('none is created'), upToFirstBad: handled('the first is created') },
	],
	attributesOnPatch: [
		'Custom attributes that an update leaves out',
		'they stay or go: the node sends what must stay',
		{ merge: asAssumed('they stay'), replace: handled('they go') },
	],
	booleanValues: [
		'How true comes back',
		'true, or 1',
		{
			boolean: asAssumed('true'),
			number: handled('1'),
			text: handled('text'),
		},
	],
	deleteReply: [
		'What a deletion answers',
		'the contact, or nothing',
		{
			contact: asAssumed('the contact'),
			empty: handled('nothing'),
			other: handled('something else'),
		},
	],
	secondDelete: [
		'Deleting a contact that is gone',
		'404 in JSON',
		{ notFound: asAssumed('404 in JSON'), taken: differs('answered as a success') },
	],
	settingsModels: [
		'Models for a chatbot that only the newer list has',
		'taken; a refusal is explained',
		{ contract: asAssumed('taken'), asForChat: handled('refused') },
	],
	missingNameMessage: [
		'New training text without a name',
		'refused: the node sends the name along',
		{
			'Chatbot name is required': asAssumed('400 "Chatbot name is required"'),
			'Invalid input parameters': handled('400 and another message'),
		},
	],
});

export const attributeQuestions = questionsOf('attributes', {
	attributeNameRule: [
		'An attribute’s name with capitals and hyphens',
		'taken; a refusal is explained',
		{ contract: asAssumed('taken'), lowercase: handled('refused') },
	],
	attributeLabel: [
		'A custom attribute without a label',
		'taken; a refusal is explained',
		{ optional: asAssumed('taken'), required: handled('refused') },
	],
	duplicateAttribute: [
		'Creating a custom attribute that exists',
		'400 or 409',
		{ 400: asAssumed('400'), 409: handled('409'), taken: differs('answered as a success') },
	],
	archivedAttributeInWrite: [
		'A value for an archived attribute',
		'refused, dropped or taken: the node leaves it out',
		{ badRequest: asAssumed('refused'), drop: handled('dropped'), keep: handled('taken') },
	],
	archivedValues: [
		'Values of an archived attribute in a contact',
		'there, or hidden',
		{ returned: asAssumed('there'), hidden: handled('hidden') },
	],
	putWithoutArchived: [
		'Changing an archived attribute without saying archived',
		'any: the node always says it',
		{ unarchives: asAssumed('it is no longer archived'), keeps: handled('it stays archived') },
	],
});
