/** Leads that a chatbot's form collected. Public pages; the contract says only that they exist. */
import type { Chatbot, Lead } from '../core/store';
import type { Behaviour } from './behaviour';
import { chatbotOf } from './context';
import { dayPage } from './dayPages';
import { endpoints } from './endpoints';
import { route } from './route';

export const leadRoutes = [
	route(endpoints.leads, (call) => {
		const { query, behaviour } = call;
		const { chatbotId, ...range } = query;
		const chatbot = chatbotOf(call, chatbotId);
		const { leadSize, sizeAboveMaximum: aboveMaximum } = behaviour;
		const page = dayPage(chatbot.leads, range, { ...leadSize, aboveMaximum });

		const leads = page.map((lead) => record(lead, chatbot, behaviour));
		switch (behaviour.leadsShape) {
			case 'collectedCustomers':
				return { collectedCustomers: leads };
			case 'collectedCustomers.data':
				return { collectedCustomers: { data: leads } };
			case 'data':
				return { data: leads };
		}
	}),
];

function record(
	lead: Lead,
	chatbot: Chatbot,
	{ leadsShape, leadConversation }: Behaviour,
): Record<string, unknown> {
	const { number, name, email, phone, conversationId, createdAt } = lead;
	return {
		// The example of the guide has the bare list and whole numbers.
		id: leadsShape === 'data' ? number : String(number),
		chatbot_id: chatbot.id,
		name,
		email,
		phone,
		created_at: createdAt,
		...(leadConversation === 'named' && conversationId !== null && { conversationId }),
	};
}
