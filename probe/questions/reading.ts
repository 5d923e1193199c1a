/** Questions that only need reads. */
import { assumed, differs, handled, questionsOf } from '../answer';

export const generalQuestions = questionsOf('read', {
	endpoints: {
		asked: 'Which lists exist',
		answers: {
			all: assumed('chatbots and custom attributes'),
			withoutAttributeList: handled('chatbots, but no custom attributes'),
			withoutChatbotList: handled('custom attributes, but no chatbots'),
			contract: handled('neither chatbots nor custom attributes'),
		},
	},
	wrongKey: {
		asked: 'Status of a request with a wrong key',
		answers: {
			'401': assumed('401'),
			'403': differs('403'),
		},
	},
	notFoundMessage: {
		asked: '404 of a contact and of a chatbot',
		answers: {
			named: assumed('each names what is missing'),
			'Resource not found': handled('both "Resource not found"'),
			otherMessage: handled('other messages'),
		},
	},
	issues: {
		asked: 'Where a 400 lists invalid fields',
		answers: {
			contactsFamily: assumed('with contacts only'),
			everywhere: handled('with contacts and conversations'),
			never: handled('nowhere'),
			elsewhere: handled('with conversations only'),
		},
	},
});

export const chatbotQuestions = questionsOf('read', {
	chatbotListShape: {
		asked: 'List of chatbots',
		answers: {
			'chatbots.data': assumed('in chatbots.data'),
			chatbots: handled('in chatbots'),
		},
	},
	chatbotId: {
		asked: 'Type of a chatbot’s ID',
		answers: {
			string: assumed('text'),
			number: handled('a number'),
		},
	},
});

export const contactListQuestions = questionsOf('read', {
	contactList: {
		asked: 'Fields of the contact list',
		answers: {
			documented: assumed('data, total and pages'),
			withoutPages: differs('data, but no usable total or pages'),
		},
	},
	contactTotal: {
		asked: 'If total counts the whole list',
		answers: {
			counts: assumed('it does'),
			wrong: differs('it does not'),
		},
	},
	perPageLimits: {
		asked: 'Pages of 10 and of 1,000 contacts',
		answers: {
			both: assumed('both work'),
			fewer: differs('too short'),
		},
	},
	pageBeyondEnd: {
		asked: 'A page after the last one',
		answers: {
			badRequest: assumed('400'),
			empty: handled('empty'),
			lastPage: handled('an earlier page'),
		},
	},
	contactPathId: {
		asked: 'Reading a contact by internal ID',
		answers: {
			external: assumed('not found'),
			externalOrInternal: handled('found'),
		},
	},
});

/** About the contacts of the list. */
export const contactQuestions = questionsOf('read', {
	contactId: {
		asked: 'Type of a contact’s internal ID',
		answers: {
			string: assumed('text'),
			number: differs('a number'),
			repeated: differs('some are the same'),
			missing: differs('some contacts have none'),
		},
	},
	externalIds: {
		asked: 'External IDs',
		answers: {
			all: assumed('each contact has one'),
			some: handled('some contacts have none'),
			repeated: differs('some contacts share one'),
			number: differs('some are not text'),
		},
	},
	timestampUnit: {
		asked: 'Format of times of a contact',
		answers: {
			seconds: assumed('seconds since 1970'),
			milliseconds: differs('milliseconds since 1970'),
			iso: differs('ISO 8601'),
			other: differs('other'),
		},
	},
	missingFields: {
		asked: 'A field of a contact without a value',
		answers: {
			null: assumed('null'),
			absent: handled('absent'),
			empty: handled('empty text'),
		},
	},
	paymentField: {
		asked: 'Name of the payment accounts in a contact',
		answers: {
			payment_accounts: assumed('payment_accounts'),
			stripe_accounts: handled('stripe_accounts'),
		},
	},
	contactOrder: {
		asked: 'Order of the contact list',
		answers: {
			oldestFirst: assumed('oldest first'),
			newestFirst: handled('newest first'),
			other: handled('other'),
		},
	},
});

export const conversationListQuestions = questionsOf('read', {
	conversationList: {
		asked: 'List of conversations',
		answers: {
			data: assumed('in data'),
			missing: handled('there is no such list'),
		},
	},
	conversationSize: {
		asked: 'Default page size of conversations',
		answers: {
			'10': assumed('10'),
			other: handled('#'),
		},
	},
	conversationPage: {
		asked: 'Conversations on a page of 100',
		answers: {
			full: assumed('100'),
			fewer: handled('# although more follow'),
			refused: differs('refused'),
			tooMany: differs('more than requested'),
		},
	},
	sizeAboveMaximum: {
		asked: '1,001 conversations on a page',
		answers: {
			badRequest: assumed('refused'),
			clamp: handled('accepted'),
		},
	},
});

/** About the conversations of the list. */
export const conversationQuestions = questionsOf('read', {
	conversationTimeField: {
		asked: 'Time of the last message of a conversation',
		answers: {
			last_message_at: assumed('last_message_at'),
			updated_at: handled('updated_at'),
			both: handled('updated_at and last_message_at'),
			none: handled('neither, but created_at'),
		},
	},
	conversationTimes: {
		asked: 'Format of times of a conversation',
		answers: {
			iso: assumed('ISO 8601'),
			number: differs('numbers'),
			other: differs('other'),
		},
	},
	conversationExtras: {
		asked: 'Fields of conversations beyond the reference',
		answers: {
			returned: assumed('form_submission, createdAt or score'),
			none: handled('none of form_submission, createdAt, score'),
		},
	},
});

export const leadQuestions = questionsOf('read', {
	leadsShape: {
		asked: 'Place of the list of leads',
		answers: {
			'collectedCustomers.data': assumed('in collectedCustomers.data'),
			collectedCustomers: handled('in collectedCustomers'),
			data: handled('in data'),
			missing: handled('there is no such list'),
		},
	},
	leadId: {
		asked: 'Type of a lead’s ID',
		answers: {
			string: assumed('text'),
			integer: handled('a number'),
			missing: differs('some have none'),
		},
	},
	leadTimes: {
		asked: 'Format of times of a lead',
		answers: {
			iso: assumed('ISO 8601'),
			number: differs('numbers'),
			other: differs('other'),
		},
	},
	leadSize: {
		asked: 'Default page size of leads',
		answers: {
			'10': assumed('10'),
			other: handled('#'),
		},
	},
	leadPage: {
		asked: 'Leads on a page of 100',
		answers: {
			full: assumed('100'),
			fewer: handled('# although more follow'),
			refused: differs('refused'),
			tooMany: differs('more than requested'),
		},
	},
});
