import type { IDataObject } from 'n8n-workflow';

import type { Contact } from '../Chatbase/resources/contact/contact';
import { readTimestamp } from '../Chatbase/values/time';
import type { EventList } from './lists';
import { contactList, conversationList, conversationSearch, leadList, ticketList } from './lists';

export type EventFilter = 'customAttributes' | 'hasEmail' | 'sources';

export interface TriggerEvent {
	name: string;
	value: string;
	description: string;
	/** What a poll costs, and how a loop is avoided. */
	notice?: string;
	list: EventList;
	records: string;
	filters?: EventFilter[];
	/** Identifies a record. A record without an identity is identified by its content. */
	identityOf(record: IDataObject): unknown;
	/** When the event happened to a record, as the service returns it. */
	timeOf(record: IDataObject): unknown;
	/** Whether the event happened to a record with this time, in milliseconds. True if absent. */
	hasHappened?(record: IDataObject, time: number): boolean;
}

/** The two times of a new record are equal or less than a second apart. The service may count whole seconds. */
const isUpdate = (created: unknown, time: number) =>
	time - (readTimestamp(created) ?? -Infinity) >= 1000;

const contactNotice = 'Each poll reads the whole contact list: one request per 1,000 contacts.';
const contactEvent = {
	list: contactList,
	records: 'contacts',
	filters: ['customAttributes', 'hasEmail'] satisfies EventFilter[],
	identityOf: ({ id, external_id }: Contact) => id ?? external_id,
};

const contactChanged = {
	...contactEvent,
	notice: `${contactNotice} If the workflow updates contacts of the same chatbot, use Create or Update to avoid a loop.`,
	// A contact that was never updated may have no `updated_at`.
	timeOf: ({ created_at, updated_at }: Contact): unknown => updated_at ?? created_at,
};

const createdAt = ({ created_at }: IDataObject): unknown => created_at;

const conversationEvent = { records: 'conversations', identityOf: ({ id }: IDataObject) => id };

const ticketEvent = {
	records: 'tickets',
	identityOf: ({ ticketNumber }: IDataObject) => ticketNumber,
};
const ticketUpdated = {
	...ticketEvent,
	notice:
		'A reply and an update by the workflow are changes too. To avoid a loop, check the status of the ticket before.',
	list: ticketList('updatedAt'),
	timeOf: ({ updatedAt }: IDataObject): unknown => updatedAt,
};

/** Every event, in the order of the panel. Fields, settings and requests are derived from these entries. */
export const events: TriggerEvent[] = [
	{
		...contactEvent,
		name: 'Contact Created',
		value: 'contactCreated',
		description: 'A contact was added to the chatbot',
		notice: contactNotice,
		timeOf: createdAt,
	},
	{
		...contactChanged,
		name: 'Contact Created or Updated',
		value: 'contactCreatedOrUpdated',
		description: 'A contact was added or changed',
	},
	{
		...contactChanged,
		name: 'Contact Updated',
		value: 'contactUpdated',
		description: 'A contact was changed after it was added',
		hasHappened: ({ created_at }, time) => isUpdate(created_at, time),
	},
	{
		...conversationEvent,
		name: 'Conversation Ended',
		value: 'conversationEnded',
		description: 'A conversation ended, in any channel. Needs a plan with API access.',
		list: conversationSearch(),
		timeOf: ({ updatedAt }) => updatedAt,
		hasHappened: ({ status }) => status === 'ended',
	},
	{
		...conversationEvent,
		name: 'Conversation Escalated',
		value: 'conversationEscalated',
		description:
			'The chatbot handed a conversation to a person, in any channel. Needs a plan with API access.',
		list: conversationSearch({ escalated: true }),
		timeOf: ({ updatedAt }) => updatedAt,
	},
	{
		...conversationEvent,
		name: 'Conversation Started',
		value: 'conversationStarted',
		description: 'A visitor started a conversation with the chatbot',
		list: conversationList,
		filters: ['sources'],
		timeOf: createdAt,
	},
	{
		name: 'Lead Created',
		value: 'leadCreated',
		description: 'A visitor left a name, email or phone number in the lead form of the chatbot',
		list: leadList,
		records: 'leads',
		filters: ['hasEmail'],
		identityOf: ({ id }) => id,
		timeOf: createdAt,
	},
	{
		...ticketEvent,
		name: 'Ticket Created',
		value: 'ticketCreated',
		description: 'A ticket was added to the helpdesk. Needs a plan with API access.',
		list: ticketList('createdAt'),
		timeOf: (ticket) => ticket.createdAt,
	},
	{
		...ticketUpdated,
		name: 'Ticket Created or Updated',
		value: 'ticketCreatedOrUpdated',
		description: 'A ticket was added or changed. Needs a plan with API access.',
	},
	{
		...ticketUpdated,
		name: 'Ticket Updated',
		value: 'ticketUpdated',
		description: 'A ticket was changed after it was added. Needs a plan with API access.',
		hasHappened: (ticket, time) => isUpdate(ticket.createdAt, time),
	},
];
