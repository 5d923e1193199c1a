/** What version 2 alone knows of a chatbot and its conversations. Tests read and change it directly. */
import type { z } from 'zod';

import { Random } from '../core/random';
import { ticketCategories } from './contract';
import type {
	channelInstructions,
	conversationStates,
	part,
	source,
	storedTemplate,
	ticketMessage,
	ticketPriorities,
	ticketStatus,
	whatsappSend,
} from './contract';

export type Part = z.output<typeof part>;

/** What version 2 adds to a message. */
export interface MessageState {
	/** Default: the text of the message. */
	parts?: Part[];
	/** ISO 8601. Default: the time of the conversation. */
	createdAt?: string;
	feedback?: 'positive' | 'negative' | null;
	score?: number | null;
}

/** A tool or a procedure that ran in a conversation. */
interface Use {
	name: string;
	outcome: string;
}

/** What version 2 adds to a conversation. */
export interface ConversationState {
	title: string | null;
	userId: string | null;
	status: (typeof conversationStates)[number];
	/** What a search can be narrowed by. */
	facets: {
		sentiment?: string;
		topics?: string[];
		escalated?: boolean;
		hasVoice?: boolean;
		actionTypes?: string[];
		tools?: Use[];
		procedures?: Use[];
	};
}

/** A source of knowledge. */
export interface Source extends z.output<typeof source> {
	/** What it teaches, as it was sent. Never returned. */
	taught: object;
	/** How often it was seen since it was written. */
	looks: number;
	/** Whether it was deleted, and is kept for a second deletion only. */
	isGone: boolean;
}

export interface Ticket {
	ticketNumber: number;
	subject: string | null;
	description: string | null;
	statusId: string;
	assigneeId: string | null;
	teamId: string | null;
	priority: (typeof ticketPriorities)[number];
	customer: { id: string; name: string | null; email: string | null; phoneNumber: string | null };
	metadata: object;
	/** A service may know more of them than the documents. */
	channel: string;
	conversationId: string | null;
	/** ISO 8601, as are the next two. */
	createdAt: string;
	updatedAt: string;
	lastMessageAt: string | null;
	messages: TicketMessage[];
}

export type TicketMessage = z.output<typeof ticketMessage>;

export interface TeamMember {
	id: string;
	name: string;
	email: string;
}

/** A template, whatever its status. The list shows only approved ones, each with its account. */
export type WhatsAppTemplate = z.output<typeof storedTemplate>;

/** A WhatsApp Business Account. */
export interface WhatsAppAccount {
	id: string;
	senders: Array<{ from: string; verifiedName: string | null }>;
	templates: WhatsAppTemplate[];
}

/** A chatbot as version 2 sees it. */
export interface AgentState {
	creditsUsed: number;
	creditLimit: number | null;
	channelInstructions: z.output<typeof channelInstructions> | null;
	blockedCountries: string[] | null;
	autoRetrain: boolean;
	sources: Source[];
	statuses: Array<z.output<typeof ticketStatus>>;
	/** The first one is the default. */
	teams: Array<{ id: string; name: string; members: TeamMember[] }>;
	tickets: Ticket[];
	/** Without accounts, WhatsApp is not connected. */
	whatsapp: {
		accounts: WhatsAppAccount[];
		sent: Array<
			z.output<typeof whatsappSend> & { from: string; messageId: string; conversationId: string }
		>;
	};
}

/** Statuses, teams and members are the same for each agent. */
export function newAgentState(): AgentState {
	const random = new Random(7);

	const statuses = ticketCategories.map((category, position) => {
		const label = category.replaceAll('_', ' ');
		const labels = { externalLabel: label, internalLabel: label };
		return { id: random.uuid(), category, ...labels, color: null, isDefault: true, position };
	});

	const [ada, grace] = ['Ada', 'Grace'].map((name) => ({
		id: random.uuid(),
		name,
		email: `${name.toLowerCase()}@team.example`,
	}));
	const teams = [
		{ id: random.uuid(), name: 'Support', members: [ada, grace] },
		{ id: random.uuid(), name: 'Billing', members: [grace] },
	];

	return {
		creditsUsed: 0,
		creditLimit: null,
		channelInstructions: null,
		blockedCountries: [],
		autoRetrain: false,
		sources: [],
		statuses,
		teams,
		tickets: [],
		whatsapp: { accounts: [], sent: [] },
	};
}
