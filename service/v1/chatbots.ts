/** Chatbots and their settings. Settings: contract; the rest: public pages. */
import type { FastifyInstance } from 'fastify';

import { chatbotOf, type Context, knownChatbots } from './context';
import {
	chatbotCreateRequest,
	chatbotDataUpdateRequest,
	chatbotQuery,
	settingsUpdateRequest,
	settingsUpdateRequestOfVendor,
} from './contract';
import { Refusal, validated } from '../core/refusal';
import type { Chatbot } from '../core/store';
import { wireId } from './wireId';

/** Fields that running clients meet in a chatbot, most of them without a value. Public pages. */
const sparseFields = {
	ip_limit: null,
	ip_limit_timeframe: null,
	ip_limit_message: null,
	custom_domains: null,
	index_name: null,
	initial_messages: null,
	retraining_interval: null,
	size: null,
	styles: null,
	user_id: null,
};

export function chatbotRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour, store } = context;

	app.post('/api/v1/update-chatbot-settings', ({ body }, reply) => {
		const isAsForChat = behaviour.settingsModels === 'asForChat';
		const schema = isAsForChat ? settingsUpdateRequestOfVendor : settingsUpdateRequest;
		const { chatbotId, ...settings } = validated(schema, body);

		const chatbot = chatbotOf(context, chatbotId);
		chatbot.settings = merged(chatbot.settings, settings) as Chatbot['settings'];
		chatbot.updatedAt = store.clock.iso();
		void reply.code(202);
		return { message: 'Your changes are saved.' };
	});

	app.get('/api/v1/get-chatbots', () => {
		const chatbots = knownChatbots(store).map(record);
		const isBare = behaviour.chatbotListShape === 'chatbots';
		return { chatbots: isBare ? chatbots : { data: chatbots, error: null } };
	});

	app.post('/api/v1/create-chatbot', ({ body }) => {
		const { chatbotName, sourceText } = validated(chatbotCreateRequest, body);
		const chatbot = store.addChatbot({ name: chatbotName });
		train(chatbot, sourceText);
		return { chatbotId: wireId(chatbot.id, behaviour.chatbotId) };
	});

	app.post('/api/v1/update-chatbot-data', ({ body }) => {
		refuseMissingName(body);
		const { chatbotId, chatbotName, sourceText } = validated(chatbotDataUpdateRequest, body);
		const chatbot = chatbotOf(context, chatbotId);
		chatbot.settings.name = chatbotName;
		chatbot.updatedAt = store.clock.iso();
		train(chatbot, sourceText);
		return { chatbotId };
	});

	app.delete('/api/v1/delete-chatbot', ({ query }) => {
		const { chatbotId } = validated(chatbotQuery, query);
		store.chatbots.delete(chatbotOf(context, chatbotId).id);
		return { message: 'Deleted successfully' };
	});

	/** In the words that a running client met. */
	function refuseMissingName(body: unknown): void {
		const isNamed = isPlainObject(body) && 'chatbotName' in body;
		if (!isNamed) throw new Refusal(400, 'Chatbot name is required');
	}

	function train(chatbot: Chatbot, text: string | undefined): void {
		if (text === undefined) return;
		chatbot.sourceText = text;
		chatbot.trainedAt = store.clock.iso();
	}

	/** The fields of the reference, and what running code reports beside them, in snake case. */
	function record(chatbot: Chatbot): Record<string, unknown> {
		const isSparse = behaviour.chatbotRecord === 'sparse';
		return {
			...(isSparse && sparseFields),
			id: wireId(chatbot.id, behaviour.chatbotId),
			...snakeCased(chatbot.settings),
			// As running clients meet it.
			status: 'trained',
			num_of_characters: chatbot.sourceText.length,
			created_at: chatbot.createdAt,
			...(!isSparse && { updated_at: chatbot.updatedAt }),
			last_trained_at: chatbot.trainedAt,
			last_message_at: chatbot.conversations.at(-1)?.lastMessageAt ?? null,
		};
	}
}

/** Nested settings are merged too: omitted values stay. */
function merged(before: object, changes: object): object {
	const result: Record<string, unknown> = { ...before };
	for (const [name, value] of Object.entries(changes)) {
		const old = result[name];
		result[name] = isPlainObject(old) && isPlainObject(value) ? merged(old, value) : value;
	}
	return result;
}

function snakeCased(value: object): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			isPlainObject(inner) ? snakeCased(inner) : inner,
		]),
	);
}

function isPlainObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
