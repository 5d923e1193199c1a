/** An answer before it is put into JSON or events. */
import type { Part } from './state';

export interface ChatAnswer {
	id: string;
	parts: Part[];
	finishReason: 'stop' | 'error' | 'tool-calls';
	userMessageId: string | null;
	conversationId: string;
	userId: string | null;
	usage?: { credits: number };
}
