/** Visitors of a website, and what they say to the chatbot of its widget. */
import type { z } from 'zod';

import { answerTo } from '../core/answer';
import { chatbotOf, type Context } from '../v1/context';
import { Refusal } from '../core/refusal';
import type { Chatbot, Conversation } from '../core/store';
import type { pageFeedbackRequest } from './contract';
import { verifiedToken } from './token';
import { writeVisitor } from './visitorContact';

/** A visitor on the page. */
interface Session {
	chatbot: Chatbot;
	/** The ID of the verified visitor; null for an unknown one. */
	userId: string | null;
	/** Begins with the first message. */
	conversation?: Conversation;
}

/** The names that the path of a session has. */
export interface SessionPath {
	chatbotId: string;
	sessionId: string;
}

/** The names that the path of a message has. */
export interface MessagePath extends SessionPath {
	messageId: string;
}

/** Null takes a rating back. */
type Feedback = z.output<typeof pageFeedbackRequest>['feedback'];

interface SentAnswer {
	conversationId: string;
	messageId: string;
	text: string;
}

export class Visits {
	private readonly sessions = new Map<string, Session>();

	constructor(private readonly context: Context) {}

	/**
	 * Begins a session.
	 *
	 * @param token by which the website vouches for the visitor; none for an unknown one
	 */
	begin(chatbotId: string, token?: string): { sessionId: string; userId: string | null } {
		const chatbot = chatbotOf(this.context, chatbotId);
		const userId = token === undefined ? null : this.verify(token, chatbot);

		const sessionId = `session-${this.sessions.size + 1}`;
		this.sessions.set(sessionId, { chatbot, userId });
		return { sessionId, userId };
	}

	/** Adds a message to the conversation of a session, and the answer of the chatbot. */
	async ask(path: SessionPath, message: string): Promise<SentAnswer> {
		const { store } = this.context;
		const session = this.sessionOf(path);
		const { chatbot, userId } = session;

		session.conversation ??= store.addConversation(chatbot.id, {
			source: 'Widget or Iframe',
			userId,
			contactId: userId,
			title: message.slice(0, 50),
		});

		const { conversation } = session;
		const { messages } = conversation;
		const createdAt = store.clock.iso();
		conversation.lastMessageAt = createdAt;
		messages.push({ role: 'user', content: message, createdAt });

		// Exactly and with case: an ID that is spelled otherwise is another contact.
		const contact = userId === null ? undefined : chatbot.contacts.find(userId);
		const { text, score, parts } = await answerTo(this.context, { chatbot, messages, contact });

		messages.push({ role: 'assistant', content: text, parts, score, createdAt });
		const messageId = `${conversation.id}-${messages.length}`;
		return { conversationId: conversation.id, messageId, text };
	}

	/** Rates an answer. */
	rate(path: MessagePath, feedback: Feedback): void {
		const { conversation } = this.sessionOf(path);
		const index = Number(path.messageId.split('-').pop()) - 1;

		const message = conversation?.messages[index];
		if (message?.role !== 'assistant') throw new Refusal(404, 'Message not found');
		message.feedback = feedback;
	}

	private sessionOf({ chatbotId, sessionId }: SessionPath): Session {
		const session = this.sessions.get(sessionId);
		if (session?.chatbot.id !== chatbotId) throw new Refusal(404, 'Session not found');
		return session;
	}

	/** Returns the ID of the visitor, whose contact has what the token says. */
	private verify(token: string, chatbot: Chatbot): string {
		const now = this.context.store.clock.seconds();
		const visitor = verifiedToken(token, chatbot.verificationSecret, now);
		writeVisitor(visitor, chatbot, this.context);
		return visitor.userId;
	}
}
