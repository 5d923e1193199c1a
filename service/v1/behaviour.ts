/**
 * Switches for everything that the documents leave open or disagree on.
 *
 * "Contract" is the API document of version 1, "public pages" are Chatbase's reference (newer),
 * guides (older) and third-party code. "Running clients" are public programs of others. What the contract
 * states has no switch.
 */
import { defaultConditions, type Conditions } from './conditions';

/** Each with its positions. */
export interface Switches {
	// --- Errors ---

	/**
	 * Where a 400 carries `issues`. The contract knows `message` alone; the guides add `issues` to the
	 * contacts family (contacts and custom attributes). Where they are left out, the message holds them.
	 */
	issues: 'contactsFamily' | 'everywhere' | 'never';
	/** Text of a 404: names what is missing (guides), or says neither contact nor chatbot (an example of Chatbase's reference). */
	notFoundMessage: 'named' | 'Resource not found';
	/**
	 * Endpoints that exist; any other path is a 404. The contract has seven and no list of attributes;
	 * the public pages add the others.
	 */
	endpoints: 'all' | 'withoutAttributeList' | 'contract';

	// --- Contacts: reading ---

	/** A page after the last one. Guides: 400; other services answer an empty or the last page; contract: not shown. */
	pageBeyondEnd: 'badRequest' | 'empty' | 'lastPage';
	/** Order of the contact list: where a new contact moves the others while the list is read. Not shown anywhere. */
	contactOrder: 'oldestFirst' | 'newestFirst';
	/** The contract: `{contactId}` is the external ID. A guide's example passes the internal one. */
	contactPathId: 'external' | 'externalOrInternal';
	/** A field without a value: null, or left out of the record. Not shown anywhere. */
	missingFields: 'null' | 'absent';
	/**
	 * Name of the payment field, in what the service reads and in what it answers. Contract:
	 * `payment_accounts` with `payment_id` and `payment_email`; every page of Chatbase: `stripe_accounts`
	 * with `stripe_id` and `stripe_email`. The other name is an unknown field.
	 */
	paymentField: 'payment_accounts' | 'stripe_accounts';

	// --- Contacts: writing ---

	/** Custom attributes that a PATCH does not mention: kept, or gone with the old map. Not stated; one clone replaces. */
	attributesOnPatch: 'merge' | 'replace';
	/** Null in a write. One clone clears the field; the guides name null for archived attributes only. */
	nullInWrite: 'clears' | 'badRequest';
	/** What a text field holds that null has cleared. Chatbase's schema of contacts has no nullable field. */
	clearedText: 'null' | 'empty';
	/** Spelling of an email that is kept, a payment account's too. Not stated; lower case is usual where addresses must be unique. */
	emailCase: 'asSent' | 'lower';
	/** Whether an email may belong to one contact only, else 409. Guides: yes; the contract is silent. */
	emailUnique: boolean;
	/**
	 * Spelling of a phone number that is kept. The guide of the dashboard's import brings numbers to E.164; what is
	 * stored for the API is not stated.
	 */
	phoneForm: 'asSent' | 'e164';
	/** Whether a phone number, as E.164, may belong to one contact only, else 409. The guide of the import: yes; the rest is silent. */
	phoneUnique: boolean;
	/** Creating a contact whose external ID exists. Not stated; a clone and the dashboard's import update it. */
	createExisting: 'conflict' | 'upsert';
	/** `data` of a creation: the list itself (newer reference) or `{ created: [...] }` (guides). */
	createReply: 'data' | 'created';
	/** Response of a deletion: the contact (contract, newer reference) or 204 without a body (guides). */
	deleteReply: 'contact' | 'empty';

	// --- Custom attributes ---

	/** Status for a name that exists. Guides: 400 alone for attributes, and 409 for a contact's email that exists. */
	existingAttribute: 400 | 409;

	// --- Chat ---

	/**
	 * Framing of a streamed response. Contract: not shown; newer reference: raw `text/plain`; guides' prose:
	 * events that hold data only and end with `data: [DONE]`. The third value sends events under the
	 * content type of the reference, which holds if both are right.
	 */
	streamFraming: 'text' | 'events' | 'eventsAsPlainText';

	// --- Chatbots ---

	/** Where the list of chatbots stands: reference, or as running clients read it (beside an `error` of null). */
	chatbotListShape: 'chatbots' | 'chatbots.data';
	/** Fields of a chatbot: the reference's, or as running clients meet them (no `styles` or `updated_at`, many nulls). */
	chatbotRecord: 'reference' | 'sparse';

	// --- Conversations and leads ---

	/** Shape of the leads response: newer reference, third-party code, guide's example, which has whole numbers as IDs. */
	leadsShape: 'collectedCustomers' | 'collectedCustomers.data' | 'data';
	/**
	 * Whether a lead that came from a conversation names it, as `conversationId`. No page lists the field;
	 * a running client asked leads for it once, and was changed to say that they have none.
	 */
	leadConversation: 'absent' | 'named';
	/**
	 * Fields of a conversation: the reference's, or as running clients read them (the time `last_message_at`, and
	 * `form_submission`, `createdAt`, `score` and `source` besides).
	 */
	conversationRecord: 'reference' | 'clients';
	/** Page size of conversations when absent, and its maximum. Guides: 10 and 100; the reference gives neither. */
	conversationSize: { standard: number; maximum: number };
	/** The same for leads. Not stated; code in the wild asks for 100 and 1000. */
	leadSize: { standard: number; maximum: number };
	/** A page size above the maximum: refused, or answered with fewer than asked for. Not stated. */
	sizeAboveMaximum: 'badRequest' | 'clamp';
}

/** What the service does unless a test says otherwise: the contract's reading, else what running clients agree on, else the newer reference's. */
export const defaultSwitches: Switches = {
	issues: 'contactsFamily',
	notFoundMessage: 'named',
	endpoints: 'all',

	pageBeyondEnd: 'badRequest',
	contactOrder: 'oldestFirst',
	contactPathId: 'external',
	missingFields: 'null',
	paymentField: 'payment_accounts',

	attributesOnPatch: 'merge',
	nullInWrite: 'clears',
	clearedText: 'null',
	emailCase: 'asSent',
	emailUnique: true,
	phoneForm: 'asSent',
	phoneUnique: false,
	createExisting: 'conflict',
	createReply: 'data',
	deleteReply: 'contact',

	existingAttribute: 400,

	streamFraming: 'text',

	chatbotListShape: 'chatbots.data',
	chatbotRecord: 'sparse',

	leadsShape: 'collectedCustomers.data',
	leadConversation: 'absent',
	conversationRecord: 'clients',
	conversationSize: { standard: 10, maximum: 100 },
	leadSize: { standard: 10, maximum: 1000 },
	sizeAboveMaximum: 'badRequest',
};

/** The switches, and what a test sets beside them. It may change at any time; the next request sees it. */
export type Behaviour = Switches & Conditions;

export const defaultBehaviour: Behaviour = { ...defaultSwitches, ...defaultConditions };
