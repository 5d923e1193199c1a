/** Questions that need scratch contacts, and custom attributes if allowed. */
import { assumed, differs, handled, questionsOf } from '../answer';

export const writingQuestions = questionsOf('write', {
	createReply: {
		asked: 'Place of created contacts',
		answers: {
			data: assumed('in data'),
			created: handled('in data.created'),
		},
	},
	externalIdOfNew: {
		asked: 'External ID of a created contact',
		answers: {
			asSent: assumed('as sent'),
			own: differs('another one, or none'),
		},
	},
	updateReply: {
		asked: 'Response to an update',
		answers: {
			contact: assumed('the updated contact'),
			stale: differs('the contact before the update'),
			nothing: differs('no contact'),
		},
	},
	updatedAt: {
		asked: 'updated_at after an update',
		answers: {
			later: assumed('later than before'),
			earlier: differs('earlier, or none'),
		},
	},
	omittedFields: {
		asked: 'Fields that an update omits',
		answers: {
			stay: assumed('kept'),
			go: differs('removed'),
		},
	},
	nullInWrite: {
		asked: 'null for a field',
		answers: {
			clears: assumed('clears it'),
			badRequest: handled('refused'),
			ignored: handled('ignored'),
		},
	},
	emailUnique: {
		asked: 'An email that another contact has',
		answers: {
			true: assumed('409'),
			false: handled('accepted'),
			badRequest: differs('refused, but not with 409'),
		},
	},
	phoneForm: {
		asked: 'A phone number with spaces and brackets',
		answers: {
			asSent: assumed('as sent'),
			e164: handled('as E.164'),
			other: differs('other'),
		},
	},
	phoneUnique: {
		asked: 'A phone number that another contact has, in another form',
		answers: {
			false: assumed('accepted'),
			true: handled('409'),
			badRequest: differs('refused, but not with 409'),
		},
	},
	externalIdUnique: {
		asked: 'An External ID that another contact has',
		answers: {
			conflict: assumed('409'),
			taken: differs('accepted: two contacts have it'),
			ignored: handled('ignored'),
			badRequest: differs('refused, but not with 409'),
		},
	},
	createExisting: {
		asked: 'Creating a contact whose External ID exists',
		answers: {
			conflict: assumed('409'),
			upsert: handled('answered as a success'),
			badRequest: handled('400'),
		},
	},
	createBatch: {
		asked: 'Creating two, the second invalid',
		answers: {
			atomic: assumed('none is created'),
			upToFirstBad: differs('the first is'),
		},
	},
	attributesOnPatch: {
		asked: 'Custom attributes that an update omits',
		answers: {
			merge: assumed('kept'),
			replace: handled('removed'),
		},
	},
	secondDelete: {
		asked: 'Deleting a contact again',
		answers: {
			notFound: assumed('404 in JSON'),
			taken: differs('answered as a success'),
		},
	},
});

export const attributeQuestions = questionsOf('attributes', {
	duplicateAttribute: {
		asked: 'Creating an existing attribute',
		answers: {
			'400': assumed('400'),
			'409': handled('409'),
			taken: differs('answered as a success'),
		},
	},
});
