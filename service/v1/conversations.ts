/** Saved conversations. Public pages; the contract says only that they can be listed. */
import type { Chatbot, Conversation } from '../core/store';
import type { Behaviour } from './behaviour';
import { chatbotOf } from './context';
import { dayPage } from './dayPages';
import { endpoints } from './endpoints';
import { route } from './route';

/** Values of the reference's enum by the names of its filter; every other source is the website. */
const lowerCaseSources: Record<string, string> = {
	API: 'api',
	WhatsApp: 'whatsapp',
	Messenger: 'messenger',
	Instagram: 'instagram',
	Slack: 'slack',
};

export const conversationRoutes = [
	route(endpoints.conversations, (call) => {
		const { query, behaviour } = call;
		const { chatbotId, filteredSources, ...range } = query;
		const chatbot = chatbotOf(call, chatbotId);
		const sources = filteredSources?.split(',').map((source) => source.trim().toLowerCase());
		const chosen = chatbot.conversations.filter(
			({ source }) => sources?.includes(source.toLowerCase()) ?? true,
		);

		const { conversationSize, sizeAboveMaximum: aboveMaximum } = behaviour;
		const page = dayPage(chosen, range, { ...conversationSize, aboveMaximum });
		return { data: page.map((conversation) => record(conversation, chatbot, behaviour)) };
	}),
];

function record(
	conversation: Conversation,
	chatbot: Chatbot,
	{ conversationRecord }: Behaviour,
): Record<string, unknown> {
	const isOfClients = conversationRecord === 'clients';
	const { id, source, country, contactId, messages, createdAt, lastMessageAt } = conversation;
	return {
		id,
		chatbot_id: chatbot.id,
		created_at: createdAt,
		[isOfClients ? 'last_message_at' : 'updated_at']: lastMessageAt,
		country,
		customer: contactId,
		source: lowerCaseSources[source] ?? 'website',
		messages: messages.map(({ role, content }, index) => ({
			// Assistant messages are often seen without an ID.
			...(role === 'user' && { id: `${id}-${index + 1}` }),
			role,
			content,
			type: 'text',
			...(isOfClients && {
				createdAt,
				...(role === 'assistant' && { score: 0.5, source: 'AI' }),
			}),
		})),
		...(isOfClients && { form_submission: formSubmission(conversation, chatbot) }),
	};
}

/** The form values of the conversation. Running clients read these two fields. */
function formSubmission({ id }: Conversation, { leads }: Chatbot) {
	const lead = leads.find(({ conversationId }) => conversationId === id);
	return lead ? { name: lead.name, phone: lead.phone } : null;
}
