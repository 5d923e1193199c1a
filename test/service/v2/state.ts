/** What version 2 alone knows of a chatbot and its conversations. Tests read and change it directly. */
import type { z } from 'zod';

import type { conversationStates, part } from './contract';

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

/** A chatbot as version 2 sees it. */
export interface AgentState {
	creditsUsed: number;
	creditLimit: number | null;
}

export function newAgentState(): AgentState {
	return { creditsUsed: 0, creditLimit: null };
}
