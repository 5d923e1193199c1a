/** Saved conversations. Public pages; the contract says only that they can be listed. */
import type { FastifyInstance } from 'fastify';

import { chatbotOf, type Context } from './context';
import { conversationListQuery } from './contract';
import { dayPage } from './dayPages';
import { validated } from '../core/refusal';
import type { Chatbot, Conversation } from '../core/store';
import { wireId } from './wireId';

/** Values of the reference's enum by the names of its filter; every other source is the website. */
const lowerCaseSources: Record<string, string> = {
	API: 'api',
	WhatsApp: 'whatsapp',
	Messenger: 'messenger',
	Instagram: 'instagram',
	Slack: 'slack',
};

export function conversationRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour } = context;

	app.get('/api/v1/get-conversations', (request) => {
		const { chatbotId, filteredSources, ...range } = validated(
			conversationListQuery,
			request.query,
		);
		const chatbot = chatbotOf(context, chatbotId);
		const sources = filteredSources?.split(',').map((source) => source.trim().toLowerCase());
		const chosen = chatbot.conversations.filter(
			({ source }) => sources?.includes(source.toLowerCase()) ?? true,
		);

		const { conversationSize, sizeAboveMaximum: aboveMaximum } = behaviour;
		const page = dayPage(chosen, range, { ...conversationSize, aboveMaximum });
		return { data: page.map((conversation) => record(conversation, chatbot)) };
	});

	function record(conversation: Conversation, chatbot: Chatbot): Record<string, unknown> {
		const { id, source, country, contactId, messages, createdAt, lastMessageAt } = conversation;
		return {
			id,
			chatbot_id: wireId(chatbot.id, behaviour.chatbotId),
			created_at: createdAt,
			[behaviour.conversationTimeField]: lastMessageAt,
			country,
			customer: contactId,
			source: lowerCaseSources[source] ?? 'website',
			messages: messages.map(({ role, content }, index) => ({
				// Assistant messages are often seen without an ID.
				...(role === 'user' && { id: `${id}-${index + 1}` }),
				role,
				content,
				type: 'text',
				...(behaviour.conversationExtras === 'returned' && {
					createdAt,
					...(role === 'assistant' && { score: 0.5, source: 'AI' }),
				}),
			})),
			...(behaviour.conversationExtras === 'returned' && {
				form_submission: formSubmission(conversation, chatbot),
			}),
		};
	}

	/** The form values of the conversation. Running clients read these two fields. */
	function formSubmission({ id }: Conversation, { leads }: Chatbot) {
		const lead = leads.find(({ conversationId }) => conversationId === id);
		return lead ? { name: lead.name, phone: lead.phone } : null;
	}
}
