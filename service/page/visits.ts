/** Visitors of a website, and what they say to the chatbot of its widget. */
import type { z } from 'zod';

import { answerTo } from '../core/answer';
import { Refusal } from '../core/refusal';
import type { Chatbot, Visit } from '../core/store';
import type { Context } from '../v1/context';
import type { pageFeedbackRequest } from './contract';
import { verifiedToken } from './token';
import { writeVisitor } from './visitorContact';

/** Null takes a rating back. */
type Feedback = z.output<typeof pageFeedbackRequest>['feedback'];

interface SentAnswer {
	conversationId: string;
	messageId: string;
	text: string;
}

/**
 * Begins a visit.
 *
 * @param token by which the website vouches for the visitor; none for an unknown one
 */
export function beginVisit(
	chatbot: Chatbot,
	token: string | undefined,
	context: Context,
): { sessionId: string; userId: string | null } {
	const userId = token === undefined ? null : verified(token, chatbot, context);
	const sessionId = `session-${chatbot.visits.size + 1}`;
	chatbot.visits.set(sessionId, { chatbot, userId });
	return { sessionId, userId };
}

/** Returns the ID of the visitor, whose contact has what the token says. */
function verified(token: string, chatbot: Chatbot, context: Context): string {
	const now = context.store.clock.seconds();
	const visitor = verifiedToken(token, chatbot.verificationSecret, now);
	writeVisitor(visitor, chatbot, context);
	return visitor.userId;
}

/** @throws Refusal with status 404 */
export function visitOf(chatbot: Chatbot, sessionId: string): Visit {
	const visit = chatbot.visits.get(sessionId);
	if (!visit) throw new Refusal(404, 'Session not found');
	return visit;
}

/** Adds a message to the conversation of a visit, and the answer of the chatbot. */
export async function ask(visit: Visit, message: string, context: Context): Promise<SentAnswer> {
	const { store } = context;
	const { chatbot, userId } = visit;

	visit.conversation ??= store.addConversation(chatbot.id, {
		source: 'Widget or Iframe',
		userId,
		contactId: userId,
		title: message.slice(0, 50),
	});

	const { conversation } = visit;
	const { messages } = conversation;
	const createdAt = store.clock.iso();
	conversation.lastMessageAt = createdAt;
	messages.push({ role: 'user', content: message, createdAt });

	// Exactly and with case: an ID that is spelled otherwise is another contact.
	const contact = userId === null ? undefined : chatbot.contacts.find(userId);
	const { text, score, parts } = await answerTo(context, { chatbot, messages, contact });

	messages.push({ role: 'assistant', content: text, parts, score, createdAt });
	const messageId = `${conversation.id}-${messages.length}`;
	return { conversationId: conversation.id, messageId, text };
}

/** Rates an answer. */
export function rate({ conversation }: Visit, messageId: string, feedback: Feedback): void {
	const index = Number(messageId.split('-').pop()) - 1;
	const message = conversation?.messages[index];
	if (message?.role !== 'assistant') throw new Refusal(404, 'Message not found');
	message.feedback = feedback;
}
