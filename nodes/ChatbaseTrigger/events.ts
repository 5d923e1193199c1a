import type { IDataObject } from 'n8n-workflow';

import type { Contact } from '../Chatbase/resources/contact/contact';
import { readTimestamp } from '../Chatbase/values/time';
import type { Source } from './sources';
import { contactList, conversationList, leadList } from './sources';

type EventFilter = 'customAttributes' | 'hasEmail' | 'sources';

export interface TriggerEvent {
	name: string;
	value: string;
	description: string;
	/** What a poll costs, and what can go wrong. */
	notice: string;
	source: Source;
	records: string;
	filters: EventFilter[];
	/** Tells records apart. A record without an identity is told apart by its content. */
	identityOf(record: IDataObject): unknown;
	/** When the event happened to a record, as the service wrote it. */
	timeOf(record: IDataObject): unknown;
	/** Whether a record with this time, in milliseconds, has had the event. By default each has. */
	hasHappened?(record: IDataObject, time: number): boolean;
}

/** The service may count whole seconds. */
const second = 1000;

const contactEvent: Pick<TriggerEvent, 'source' | 'records' | 'filters' | 'identityOf'> = {
	source: contactList,
	records: 'contacts',
	filters: ['customAttributes', 'hasEmail'],
	identityOf: ({ id, external_id }: Contact) => id ?? external_id,
};

/** A contact that was never updated may lack the time of its last update. */
const lastChange = ({ created_at, updated_at }: Contact): unknown => updated_at ?? created_at;

const createdAt = ({ created_at }: IDataObject): unknown => created_at;

const contactNotice = 'Each poll reads the whole contact list: one request per 1,000 contacts.';
const updateNotice = `${contactNotice} If the workflow updates contacts of the same chatbot, use Create or Update to avoid a loop.`;

/** Every event, in the order of the panel. Fields, settings and requests follow from these entries. */
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
		...contactEvent,
		name: 'Contact Created or Updated',
		value: 'contactCreatedOrUpdated',
		description: 'A contact was added, or its data changed',
		notice: updateNotice,
		timeOf: lastChange,
	},
	{
		...contactEvent,
		name: 'Contact Updated',
		value: 'contactUpdated',
		description: 'The data of a contact changed after it was added',
		notice: updateNotice,
		timeOf: lastChange,
		// A new contact has two equal times, or two that are less than a second apart.
		hasHappened: ({ created_at }, time) =>
			time - (readTimestamp(created_at) ?? -Infinity) >= second,
	},
	{
		name: 'Conversation Started',
		value: 'conversationStarted',
		description: 'A visitor started a conversation with the chatbot',
		notice:
			'Each poll reads the newest conversations: one request per 100 conversations, and one more.',
		source: conversationList,
		records: 'conversations',
		filters: ['sources'],
		identityOf: ({ id }) => id,
		timeOf: createdAt,
	},
	{
		name: 'Lead Created',
		value: 'leadCreated',
		description: 'A visitor left a name, email or phone number in the form of the chatbot',
		notice:
			'Each poll reads the newest leads: one request per 100 leads, and one more. To get leads at once, use a Webhook node and enter its URL in Chatbase (Settings, Webhooks, Leads Submitted).',
		source: leadList,
		records: 'leads',
		filters: ['hasEmail'],
		identityOf: ({ id }) => id,
		timeOf: createdAt,
	},
];
