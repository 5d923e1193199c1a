/**
 * A simulated page of a website with the chatbot's widget on it. Its endpoints stand outside of `/api` and are ours:
 * the widget's own requests aren't documented. What they do is: public pages, 11.
 */
import type { FastifyInstance } from 'fastify';

import { answerTo } from '../answer';
import { attributesAfter, contactChanges } from '../contactRecord';
import { chatbotOf, type Context } from '../context';
import { Refusal, validated } from '../refusal';
import type { Chatbot, Conversation } from '../store';
import { pageFeedbackRequest, pageMessageRequest, sessionRequest } from './contract';
import { verifiedToken, type VerifiedToken } from './token';

/** Where the endpoints of the page begin. */
export const pagePath = '/page';

/** A visitor on the page. */
interface Session {
	chatbot: Chatbot;
	/** The ID of the verified visitor; null for an unknown one. */
	userId: string | null;
	/** Begins with the first message. */
	conversation?: Conversation;
}

interface Path {
	chatbotId: string;
	sessionId: string;
	messageId: string;
}

export function pageRoutes(app: FastifyInstance, context: Context): void {
	const { store } = context;
	const sessions = new Map<string, Session>();

	app.post<{ Params: Path }>(`${pagePath}/:chatbotId/sessions`, async ({ params, body }, reply) => {
		const chatbot = chatbotOf(context, params.chatbotId);
		const { token } = validated(sessionRequest, body ?? {});

		let userId: string | null = null;
		if (token !== undefined) {
			const verified = verifiedToken(token, chatbot.verificationSecret, store.clock.seconds());
			writeContact(chatbot, verified);
			userId = verified.userId;
		}

		const sessionId = `session-${sessions.size + 1}`;
		sessions.set(sessionId, { chatbot, userId });
		return await reply.code(201).send({ sessionId, userId });
	});

	const messages = `${pagePath}/:chatbotId/sessions/:sessionId/messages`;

	app.post<{ Params: Path }>(messages, async ({ params, body }) => {
		const session = sessionOf(params);
		const { chatbot, userId } = session;
		const { message } = validated(pageMessageRequest, body);

		session.conversation ??= store.addConversation(chatbot.id, {
			source: 'Widget or Iframe',
			userId,
			contactId: userId,
			title: message.slice(0, 50),
		});

		const { conversation } = session;
		const createdAt = store.clock.iso();
		conversation.lastMessageAt = createdAt;
		conversation.messages.push({ role: 'user', content: message, createdAt });

		// Exactly and with case: an ID that is spelled otherwise is another contact.
		const contact = userId === null ? undefined : chatbot.contacts.find(userId);
		const { text, score, parts } = await answerTo(context, {
			chatbot,
			messages: conversation.messages,
			contact,
		});

		conversation.messages.push({ role: 'assistant', content: text, parts, score, createdAt });
		const messageId = `${conversation.id}-${conversation.messages.length}`;
		return { conversationId: conversation.id, messageId, text };
	});

	app.post<{ Params: Path }>(`${messages}/:messageId/feedback`, ({ params, body }) => {
		const { conversation } = sessionOf(params);
		const { feedback } = validated(pageFeedbackRequest, body);
		const index = Number(params.messageId.split('-').pop()) - 1;
		const message = conversation?.messages[index];
		if (message?.role !== 'assistant') throw new Refusal(404, 'Message not found');
		message.feedback = feedback;
		return { feedback };
	});

	function sessionOf({ chatbotId, sessionId }: Path): Session {
		const session = sessions.get(sessionId);
		if (session?.chatbot.id !== chatbotId) throw new Refusal(404, 'Session not found');
		return session;
	}

	/** Creates or updates the contact of a visitor: what the token lacks stays, and null clears. */
	function writeContact(chatbot: Chatbot, { userId, payload }: VerifiedToken): void {
		const { name, email, phonenumber, custom_attributes, stripe_accounts } = payload;
		const sent = { name, email, phonenumber, custom_attributes, stripe_accounts };
		const behaviour = { ...context.behaviour, nullInWrite: 'clears' } as const;
		const changes = contactChanges(withoutAbsent(sent), chatbot, behaviour);

		const { contacts } = chatbot;
		const known = contacts.find(userId);
		if (behaviour.emailUnique && contacts.isTaken(changes.email, known)) {
			throw new Refusal(409, 'Email already exists');
		}
		if (behaviour.phoneUnique && contacts.isPhoneTaken(changes.phonenumber, known)) {
			throw new Refusal(409, 'Phone number already exists');
		}

		const { custom_attributes: attributes, ...fields } = changes;
		const before = known?.custom_attributes ?? {};
		const written = {
			...fields,
			...(attributes !== undefined && {
				custom_attributes: attributesAfter(before, attributes, 'merge'),
			}),
			updated_at: store.clock.seconds(),
		};
		if (known) contacts.change(known, written);
		else contacts.add(store.newContact({ ...written, external_id: userId }));
	}
}

function withoutAbsent(values: object): object {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
