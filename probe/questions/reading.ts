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
});

export const chatbotQuestions = questionsOf('read', {
	chatbotListShape: {
		asked: 'List of chatbots',
		answers: {
			'chatbots.data': assumed('in chatbots.data'),
			chatbots: handled('in chatbots'),
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
	paymentField: {
		asked: 'Name of the payment accounts in a contact',
		answers: {
			payment_accounts: assumed('payment_accounts'),
			stripe_accounts: handled('stripe_accounts'),
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
	conversationPage: {
		asked: 'Conversations on a page of 100',
		answers: {
			full: assumed('100'),
			fewer: handled('# although more follow'),
			refused: differs('refused'),
			tooMany: differs('more than requested'),
		},
	},
});

/** About the conversations of the list. */
export const conversationQuestions = questionsOf('read', {
	conversationTimes: {
		asked: 'Format of times of a conversation',
		answers: {
			iso: assumed('ISO 8601'),
			number: differs('numbers'),
			other: differs('other'),
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
	leadTimes: {
		asked: 'Format of times of a lead',
		answers: {
			iso: assumed('ISO 8601'),
			number: differs('numbers'),
			other: differs('other'),
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
