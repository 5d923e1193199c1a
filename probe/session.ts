/** What the inquiries of a run share. */
import type { Part } from './answer';
import type { Client } from './client';
import type { ServiceResponse } from './response';
import type { Findings } from './findings';
import type { Scratch } from './scratch';
import type { JsonObject } from './shapes';

export interface Session {
	client: Client;
	findings: Findings;
	scratch: Scratch;
	chatbotId: string;
	baseUrl: string;
	/** Of the chatbot, relative to the base address. */
	paths: { contacts: string; attributes: string; agent: string };
	parts: Part[];
	/** What version 2 says about the chatbot; undefined if the Base URL leads to version 1 only. */
	agent?: ServiceResponse;
	/** The first page of the contact list, as long as it may be. */
	contacts: JsonObject[];
	/** Sentences about what is left behind, for the user. */
	left: string[];
	/** The conversation that the probe began in version 2, and the user ID that it gave to it. */
	conversation?: { id: string; userId: string };
	/** Custom attributes of the chatbot; undefined when they cannot be listed. */
	attributes?: JsonObject[];
}

/** Requests that belong together, and the questions that they answer. */
export interface Inquiry {
	title: string;
	/** Its maximum of requests, without those that a rate limit refused. */
	requests: number;
	run: (session: Session) => Promise<void>;
}
