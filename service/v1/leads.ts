/** Leads that a chatbot's form collected. Public pages; the contract says only that they exist. */
import type { FastifyInstance } from 'fastify';

import { chatbotOf, type Context } from './context';
import { leadListQuery } from './contract';
import { dayPage } from './dayPages';
import { validated } from '../core/refusal';
import type { Chatbot, Lead } from '../core/store';
import { wireId } from './wireId';

export function leadRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour } = context;

	app.get('/api/v1/get-leads', (request) => {
		const { chatbotId, ...range } = validated(leadListQuery, request.query);
		const chatbot = chatbotOf(context, chatbotId);
		const { leadSize, sizeAboveMaximum: aboveMaximum } = behaviour;
		const page = dayPage(chatbot.leads, range, { ...leadSize, aboveMaximum });

		const leads = page.map((lead) => record(lead, chatbot));
		switch (behaviour.leadsShape) {
			case 'collectedCustomers':
				return { collectedCustomers: leads };
			case 'collectedCustomers.data':
				return { collectedCustomers: { data: leads } };
			case 'data':
				return { data: leads };
		}
	});

	function record(lead: Lead, chatbot: Chatbot): Record<string, unknown> {
		const { number, name, email, phone, conversationId, createdAt } = lead;
		return {
			id: behaviour.leadId === 'integer' ? number : String(number),
			chatbot_id: wireId(chatbot.id, behaviour.chatbotId),
			name,
			email,
			phone,
			created_at: createdAt,
			...(behaviour.leadConversation === 'named' && conversationId !== null && { conversationId }),
		};
	}
}
