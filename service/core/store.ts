/** The data of the simulated service. Tests read and change it directly. */
import type { z } from 'zod';

import type { Clock } from './clock';
import { ContactBook, type Contact } from './contactBook';
import type { settingsUpdateRequest } from '../v1/contract';
import type { CustomAttribute } from './customAttribute';
import type { CustomAction } from '../page/customAction';
import type { ClientAction } from '../v2/clientAction';
import { Random } from './random';
import { demoAttributes, seededContact } from './seed';
import {
	newAgentState,
	type AgentState,
	type ConversationState,
	type MessageState,
	type Source,
	type Ticket,
} from '../v2/state';

export interface Message extends MessageState {
	role: string;
	content: string;
}

export interface Conversation extends ConversationState {
	id: string;
	/** External ID of the contact, when the chat named one. */
	contactId: string | null;
	/** In the spelling of the filter, such as `Widget or Iframe`. */
	source: string;
	country: string | null;
	messages: Message[];
	/** ISO 8601. */
	createdAt: string;
	/** ISO 8601. */
	lastMessageAt: string;
}

/** A visitor on a page with the chatbot's widget. */
export interface Visit {
	chatbot: Chatbot;
	/** The ID of the verified visitor; null for an unknown one. */
	userId: string | null;
	/** Begins with the first message. */
	conversation?: Conversation;
}

export interface Lead {
	number: number;
	name: string | null;
	email: string | null;
	phone: string | null;
	conversationId: string | null;
	/** ISO 8601. */
	createdAt: string;
}

export interface Image {
	filename: string;
	size: number;
}

export type ChatbotSettings = Omit<z.output<typeof settingsUpdateRequest>, 'chatbotId'>;

export interface Chatbot {
	id: string;
	/** Settings under the names that the contract gives them. */
	settings: ChatbotSettings & { name: string };
	sourceText: string;
	/** ISO 8601. */
	createdAt: string;
	/** ISO 8601. */
	updatedAt: string;
	/** ISO 8601. */
	trainedAt: string;
	/** When version 1 comes to know the chatbot, in milliseconds since 1970. */
	knownFrom?: number;
	contacts: ContactBook;
	attributes: Map<string, CustomAttribute>;
	conversations: Conversation[];
	leads: Lead[];
	icon: Image | null;
	profilePicture: Image | null;
	/** Signs the tokens that identify visitors of a website. Shown in the dashboard only. Public pages. */
	verificationSecret: string;
	/** Set up in the dashboard only: `setUpAction` of the service. Public pages. */
	actions: CustomAction[];
	/** Set up in the dashboard only. Reference of version 2. */
	clientActions: ClientAction[];
	/** By the ID of the session. */
	visits: Map<string, Visit>;
	/** What version 2 of the API adds. */
	agent: AgentState;
}

export class Store {
	/** By ID, in the order of their creation. */
	readonly chatbots = new Map<string, Chatbot>();
	private readonly random: Random;

	/**
	 * @param clock gives every timestamp
	 * @param seed decides every generated ID; the same calls in the same order give the same IDs
	 * @param contactId makes the internal ID of each contact; default: a UUID
	 */
	constructor(
		readonly clock: Clock,
		seed = 1,
		private readonly contactId = () => this.random.uuid(),
	) {
		this.random = new Random(seed);
	}

	/** An identifier that nothing else has. */
	newId(): string {
		return this.random.uuid();
	}

	/** @param settings settings the chatbot starts with; an `id` is made when none is given */
	addChatbot({ id: ownId, ...settings }: { id?: string } & ChatbotSettings = {}): Chatbot {
		const now = this.clock.iso();
		const id = ownId ?? this.random.nanoid();

		const chatbot: Chatbot = {
			id,
			settings: {
				instructions: 'Answer politely and briefly.',
				visibility: 'private',
				model: 'gpt-4o-mini',
				temp: 0,
				...settings,
				name: settings.name ?? 'Chatbot',
			},
			sourceText: '',
			createdAt: now,
			updatedAt: now,
			trainedAt: now,
			contacts: new ContactBook(),
			attributes: new Map(),
			conversations: [],
			leads: [],
			icon: null,
			profilePicture: null,
			verificationSecret: `verification-secret-of-${id}`,
			actions: [],
			clientActions: [],
			visits: new Map(),
			agent: newAgentState(),
		};

		this.chatbots.set(chatbot.id, chatbot);
		return chatbot;
	}

	/** @throws Error when the chatbot does not exist: a mistake of the test */
	chatbot(chatbotId: string): Chatbot {
		const chatbot = this.chatbots.get(chatbotId);
		if (!chatbot) throw new Error(`The store has no chatbot "${chatbotId}"`);
		return chatbot;
	}

	/**
	 * Adds a contact at the end of the list. Only the external ID is needed.
	 *
	 * @throws Error when the external ID exists: a mistake of the test
	 */
	addContact(chatbotId: string, fields: Partial<Contact> & Pick<Contact, 'external_id'>): Contact {
		const { contacts } = this.chatbot(chatbotId);
		if (contacts.find(fields.external_id)) {
			throw new Error(`The store has a contact "${fields.external_id}" already`);
		}
		return contacts.add(this.newContact(fields));
	}

	/** A contact that is not in any list yet, with everything that was left out filled in. */
	newContact(fields: Partial<Contact> = {}): Contact {
		const id = this.contactId();
		const now = this.clock.seconds();
		return {
			id,
			external_id: id,
			name: null,
			email: null,
			phonenumber: null,
			payment_accounts: [],
			custom_attributes: {},
			created_at: now,
			updated_at: now,
			...fields,
		};
	}

	/** The contact with an external ID, if there is one. */
	contact(chatbotId: string, externalId: string): Contact | undefined {
		return this.chatbot(chatbotId).contacts.find(externalId);
	}

	/** Deletes a contact as if someone else had done it. An unknown ID is no error. */
	removeContact(chatbotId: string, externalId: string): void {
		const { contacts } = this.chatbot(chatbotId);
		const contact = contacts.find(externalId);
		if (contact) contacts.remove(contact);
	}

	/** Defines a custom attribute of a chatbot, or redefines it. */
	addAttribute(
		chatbotId: string,
		fields: Partial<CustomAttribute> & Pick<CustomAttribute, 'name' | 'type'>,
	): CustomAttribute {
		const attribute = { label: null, description: null, archived: false, ...fields };
		this.chatbot(chatbotId).attributes.set(attribute.name, attribute);
		return attribute;
	}

	/** Adds active attributes, given by name and type. */
	addAttributes(chatbotId: string, types: Record<string, CustomAttribute['type']>): void {
		for (const [name, type] of Object.entries(types)) this.addAttribute(chatbotId, { name, type });
	}

	/** Adds a saved conversation. It starts now, from the API and empty, unless told otherwise. */
	addConversation(chatbotId: string, fields: Partial<Conversation> = {}): Conversation {
		const now = this.clock.iso();
		const createdAt = fields.createdAt ?? now;

		const conversation: Conversation = {
			id: this.random.uuid(),
			contactId: null,
			source: 'API',
			country: null,
			messages: [],
			createdAt,
			lastMessageAt: createdAt,
			title: null,
			userId: null,
			status: 'ongoing',
			facets: {},
			...fields,
		};

		this.chatbot(chatbotId).conversations.push(conversation);
		return conversation;
	}

	/** Adds a source of version 2: a trained text, unless told otherwise. */
	addSource(chatbotId: string, fields: Partial<Source> = {}): Source {
		const source: Source = {
			id: this.random.uuid(),
			type: 'text',
			name: 'Source',
			size: 0,
			createdAt: this.clock.iso(),
			status: 'trained',
			metadata: null,
			taught: {},
			looks: 0,
			isGone: false,
			...fields,
		};

		this.chatbot(chatbotId).agent.sources.push(source);
		return source;
	}

	/** Adds a ticket of version 2: new, of nobody, from the API, unless told otherwise. Tickets of a chatbot count from 1. */
	addTicket(chatbotId: string, fields: Partial<Ticket> = {}): Ticket {
		const { tickets, statuses } = this.chatbot(chatbotId).agent;
		const now = this.clock.iso();

		const ticket: Ticket = {
			ticketNumber: tickets.length + 1,
			subject: 'Ticket',
			description: null,
			statusId: statuses[0].id,
			assigneeId: null,
			teamId: null,
			priority: 'none',
			customer: { id: this.random.uuid(), name: null, email: null, phoneNumber: null },
			metadata: {},
			channel: 'api',
			conversationId: null,
			createdAt: now,
			updatedAt: fields.createdAt ?? now,
			lastMessageAt: null,
			messages: [],
			...fields,
		};

		tickets.push(ticket);
		return ticket;
	}

	/** Adds a lead that was submitted now, unless told otherwise. Leads of a chatbot count from 1. */
	addLead(chatbotId: string, fields: Partial<Lead> = {}): Lead {
		const { leads } = this.chatbot(chatbotId);
		const lead: Lead = {
			number: leads.length + 1,
			name: null,
			email: null,
			phone: null,
			conversationId: null,
			createdAt: this.clock.iso(),
			...fields,
		};

		leads.push(lead);
		return lead;
	}

	/**
	 * Adds contacts that depend only on the seed and their index: the first hundred are the
	 * same whether a hundred or a hundred thousand are asked for. Defines the attributes they use.
	 *
	 * @param count how many, from index 0
	 * @param seed another seed gives other values for the same external IDs
	 */
	seedContacts(chatbotId: string, count: number, { seed = 1 } = {}): void {
		for (const attribute of demoAttributes) this.addAttribute(chatbotId, { ...attribute });
		for (let index = 0; index < count; index++) {
			this.chatbot(chatbotId).contacts.add(seededContact(seed, index));
		}
	}
}
