/** The data of the demo: two chatbots, one of them in use. */
import type { Store } from './store';
import type { WhatsAppAccount } from '../v2/state';

/** The template that the demo sends, and how the panel stores it. */
export const orderTemplate: { choice: string; accounts: WhatsAppAccount[] } = {
	choice: 'order_update|en_US|account-1',
	accounts: [
		{
			id: 'account-1',
			senders: [{ from: '14155552672', verifiedName: 'Acme Shop' }],
			templates: [
				{
					id: 'template-1',
					name: 'order_update',
					language: 'en_US',
					category: 'UTILITY',
					status: 'APPROVED',
					parameterFormat: 'POSITIONAL',
					variables: { body: ['1', '2', '3'] },
					components: [{ type: 'BODY', text: 'Hi {{1}}, your order {{2}} arrives on {{3}}.' }],
				},
				{
					id: 'template-2',
					name: 'appointment_reminder',
					language: 'en_US',
					category: 'UTILITY',
					status: 'APPROVED',
					parameterFormat: 'NAMED',
					variables: { header: ['shop'], body: ['first_name', 'day'] },
					components: [
						{ type: 'HEADER', format: 'TEXT', text: '{{shop}} is looking forward to you' },
						{ type: 'BODY', text: 'Hi {{first_name}}, your appointment is on {{day}}.' },
					],
				},
			],
		},
	],
};

/**
 * Fills an empty store.
 *
 * @param contacts how many contacts the first chatbot has
 */
export function addDemoData(store: Store, contacts: number): void {
	const support = store.addChatbot({
		id: 'support-bot',
		name: 'Support Bot',
		instructions: 'Help customers of an online shop.',
		initialMessages: ['Hi! How can I help?'],
		visibility: 'public',
	});
	store.addChatbot({ id: 'sales-bot', name: 'Sales Bot' });
	store.seedContacts(support.id, contacts);
	support.agent.whatsapp.accounts.push(...orderTemplate.accounts);
	store.addSource(support.id, { name: 'Shipping', size: 1200 });
	store.addSource(support.id, { name: 'Returns', size: 800, type: 'qna' });

	for (const [index, source] of ['Widget or Iframe', 'WhatsApp', 'API'].entries()) {
		const createdAt = new Date(store.clock.now() - (index + 1) * 86_400_000).toISOString();
		const conversation = store.addConversation(support.id, {
			source,
			createdAt,
			country: 'Norway',
			messages: [
				{ role: 'user', content: 'Where is my parcel?' },
				{ role: 'assistant', content: 'It will arrive tomorrow.' },
			],
		});
		store.addLead(support.id, {
			name: `Visitor ${index + 1}`,
			email: `visitor.${index + 1}@example.com`,
			conversationId: conversation.id,
			createdAt,
		});
		store.addTicket(support.id, {
			subject: 'Where is my parcel?',
			description: 'It was to arrive yesterday.',
			conversationId: conversation.id,
			assigneeId: index === 0 ? support.agent.teams[0].members[0].id : null,
			createdAt,
		});
	}
	// A week ago is last week on every day.
	store.addConversation(support.id, {
		title: 'Refund of a broken lamp',
		source: 'WhatsApp',
		createdAt: new Date(store.clock.now() - 7 * 86_400_000).toISOString(),
		messages: [
			{ role: 'user', content: 'My lamp is broken. I am ada@example.com' },
			{ role: 'assistant', content: 'I hand this over to a colleague.' },
		],
		facets: { escalated: true },
	});
}
