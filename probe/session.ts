/** What the inquiries of a run share. */
import type { Client } from './client';
import type { Findings } from './findings';
import type { Scratch } from './scratch';
import type { JsonObject } from './shapes';

export interface Session {
	client: Client;
	findings: Findings;
	scratch: Scratch;
	chatbotId: string;
	/** Of the chatbot, relative to the base address. */
	paths: { contacts: string; attributes: string };
	/** Whether custom attributes may be made. */
	mayMakeAttributes: boolean;
	/** The first page of the contact list, as long as it may be. */
	contacts: JsonObject[];
	/** Sentences about what is left behind, for the user. */
	left: string[];
	/** Custom attributes of the chatbot; undefined when they cannot be listed. */
	attributes?: JsonObject[];
}

/** Requests that belong together, and the questions that they answer. */
export interface Inquiry {
	/** Shown while it runs. */
	title: string;
	/** Its maximum of requests, without those that a rate limit refused. */
	requests: number;
	run: (session: Session) => Promise<void>;
}
