/** Every operation of the node, with parameters of a run that succeeds for each of several chatbots. */
import type { INodeParameters } from 'n8n-workflow';

import type { SimulatedService } from '../../service';
import { itemWith, png } from './chatbot/images';
import { mapped } from './parameters';
import { byId } from './testbed';
import { orderUpdate } from './whatsAppTemplate/account';

interface Operation {
	/** The chatbot is the one that the item names as `bot`. */
	parameters: INodeParameters;
	/** Whether all items share one request, such as the list of chatbots. */
	isShared?: boolean;
}

const chatbotId = byId('={{ $json.bot }}');

/** The contact that each of the chatbots has. */
const contactId = byId('known');

/** The conversation that each of them has. */
const conversationId = 'conversation';

/** The source that each of them has. */
const sourceId = byId('source');
/** The ticket that each of them has. */
const ticketNumber = '1';

/** By resource and operation, such as `contact get`. */
export const operations: Record<string, Operation> = {
	'chat send': { parameters: { chatbotId, message: 'Hello' } },
	'chat sendToolResult': {
		parameters: {
			chatbotId,
			conversationId,
			toolCallId: 'call',
			output: '{"found": true}',
		},
	},
	'chat sendWithMemory': {
		parameters: { chatbotId, message: 'Hello', conversation: 'id', conversationId },
	},
	'chatbot clone': { parameters: { chatbotId } },
	'chatbot create': {
		parameters: { name: '={{ $json.bot }}' },
	},
	'chatbot delete': { parameters: { chatbotId } },
	'chatbot deleteIcon': { parameters: { chatbotId } },
	'chatbot deleteProfilePicture': { parameters: { chatbotId } },
	'chatbot get': { parameters: { chatbotId }, isShared: true },
	'chatbot getAll': { parameters: { limit: 1 }, isShared: true },
	'chatbot update': {
		parameters: { chatbotId, updateFields: { name: 'New name' } },
	},
	'chatbot uploadIcon': { parameters: { chatbotId } },
	'chatbot uploadProfilePicture': { parameters: { chatbotId } },
	'chatbotSettings update': {
		parameters: { chatbotId, updateFields: { temp: 0 } },
	},
	'contact create': {
		parameters: { chatbotId, ...mapped({ external_id: 'new' }) },
	},
	'contact delete': { parameters: { chatbotId, contactId } },
	'contact get': { parameters: { chatbotId, contactId } },
	'contact getAll': { parameters: { chatbotId } },
	'contact update': {
		parameters: { chatbotId, contactId, ...mapped({ name: 'New' }) },
	},
	'contact upsert': {
		parameters: { chatbotId, ...mapped({ external_id: 'known', name: 'New' }) },
	},
	'conversation export': {
		parameters: { chatbotId },
	},
	'conversation get': {
		parameters: { chatbotId, conversationId },
	},
	'conversation getAll': { parameters: { chatbotId } },
	'conversation pause': {
		parameters: { chatbotId, conversationId },
	},
	'conversation rate': {
		parameters: { chatbotId, conversationId, messageId: 'conversation-2', rating: 'positive' },
	},
	'conversation resume': {
		parameters: { chatbotId, conversationId },
	},
	'conversation search': {
		parameters: { chatbotId },
	},
	'customAttribute create': {
		parameters: { chatbotId, attributeName: 'plan' },
	},
	'customAttribute getAll': { parameters: { chatbotId } },
	'customAttribute update': {
		parameters: {
			chatbotId,
			attributeName: { __rl: true, mode: 'name', value: 'since' },
			updateFields: { archived: true },
		},
	},
	'lead getAll': { parameters: { chatbotId } },
	'source create': {
		parameters: { chatbotId, name: 'New', content: 'Words' },
	},
	'source delete': {
		parameters: { chatbotId, sourceId },
	},
	'source get': { parameters: { chatbotId, sourceId } },
	'source getAll': { parameters: { chatbotId } },
	'source update': {
		parameters: { chatbotId, sourceId, updateFields: { content: 'Words' } },
	},
	'source upsert': {
		parameters: { chatbotId, name: 'Known', content: 'Words' },
	},
	'ticket create': {
		parameters: {
			chatbotId,
			subject: 'Refund',
			description: 'I want a refund',
			customerEmail: 'jane@example.com',
		},
	},
	'ticket get': {
		parameters: { chatbotId, ticketNumber },
	},
	'ticket getAll': { parameters: { chatbotId } },
	'ticket reply': {
		parameters: { chatbotId, ticketNumber, message: 'Hello', author: 'ada@team.example' },
	},
	'ticket search': {
		parameters: { chatbotId, query: 'refund' },
	},
	'ticket update': {
		parameters: { chatbotId, ticketNumber, updateFields: { priority: 'high' } },
	},
	'whatsAppTemplate getAll': { parameters: { chatbotId } },
	'whatsAppTemplate send': {
		parameters: {
			chatbotId,
			template: byId('greeting'),
			// Messages to one number are sent one after the other.
			to: '={{ 14155552000 + $itemIndex }}',
		},
	},
};

/** Those that work on a whole list of one chatbot, which other suites run. */
export const mirrors: Record<string, Operation> = {
	'contact mirror': {
		parameters: {
			chatbotId,
			...mapped({ external_id: 'known', name: 'New' }),
			tagValue: 'crm',
		},
	},
	'source mirror': {
		parameters: { chatbotId, namePrefix: 'K', name: 'Known', content: 'Words' },
	},
};

/** An input item about a chatbot, with a picture for it. */
export const itemFor = (bot: string) => itemWith(png(9, 9), { bot });

/** Adds chatbots with one of everything that the operations read or change. */
export function addChatbots({ store }: SimulatedService, bots: string[]): void {
	const createdAt = '2026-07-01T00:00:00Z';
	for (const id of bots) {
		store.addChatbot({ id });
		store.addAttribute(id, { name: 'since', type: 'date' });
		store.addContact(id, { external_id: 'known' });
		// A search knows conversations of the last twelve months only.
		store.addConversation(id, {
			id: conversationId,
			messages: [
				{ role: 'user', content: 'Hello' },
				{
					role: 'assistant',
					content: 'Hi',
					parts: [
						{ type: 'text', text: 'Hi' },
						{ type: 'tool-call', toolCallId: 'call', toolName: 'lookupOrder' },
					],
				},
			],
		});
		store.addLead(id, { createdAt });
		store.addSource(id, { id: 'source', name: 'Known' });
		store.addTicket(id, { description: 'I want a refund' });
		store.chatbot(id).agent.whatsapp.accounts.push({
			id: 'account',
			senders: [{ from: '14155552672', verifiedName: null }],
			templates: [{ ...orderUpdate, name: 'greeting', variables: {} }],
		});
	}
}
