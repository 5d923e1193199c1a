/** Chatbots and their settings. Settings: contract; the rest: public pages. */
import { z } from 'zod';

import { Refusal, validated } from '../core/refusal';
import type { Chatbot, Store } from '../core/store';
import type { Behaviour } from './behaviour';
import { chatbotOf, knownChatbots } from './context';
import { chatbotDataUpdateRequest } from './contract';
import { endpoints } from './endpoints';
import { route } from './route';

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

export const chatbotRoutes = [
	route(endpoints.settings, (call) => {
		const { chatbotId, ...settings } = call.body;
		const chatbot = chatbotOf(call, chatbotId);
		chatbot.settings = merged(chatbot.settings, settings) as Chatbot['settings'];
		chatbot.updatedAt = call.store.clock.iso();
		void call.response.code(202);
		return { message: 'Your changes are saved.' };
	}),

	route(endpoints.chatbots, ({ store, behaviour }) => {
		const chatbots = knownChatbots(store).map((chatbot) => record(chatbot, behaviour));
		const isBare = behaviour.chatbotListShape === 'chatbots';
		return { chatbots: isBare ? chatbots : { data: chatbots, error: null } };
	}),

	route(endpoints.createChatbot, ({ body, store }) => {
		const chatbot = store.addChatbot({ name: body.chatbotName });
		train(chatbot, body.sourceText, store);
		return { chatbotId: chatbot.id };
	}),

	route(
		endpoints.updateChatbot,
		(call) => {
			const { body, store } = call;
			refuseMissingName(body);
			const { chatbotId, chatbotName, sourceText } = validated(chatbotDataUpdateRequest, body);

			const chatbot = chatbotOf(call, chatbotId);
			chatbot.settings.name = chatbotName;
			chatbot.updatedAt = store.clock.iso();
			train(chatbot, sourceText, store);
			return { chatbotId };
		},
		// A name that is missing has a message of its own.
		z.unknown(),
	),

	route(endpoints.deleteChatbot, (call) => {
		call.store.chatbots.delete(chatbotOf(call, call.query.chatbotId).id);
		return { message: 'Deleted successfully' };
	}),
];

/** In the words that a running client met. */
function refuseMissingName(body: unknown): void {
	const isNamed = isPlainObject(body) && 'chatbotName' in body;
	if (!isNamed) throw new Refusal(400, 'Chatbot name is required');
}

function train(chatbot: Chatbot, text: string | undefined, { clock }: Store): void {
	if (text === undefined) return;
	chatbot.sourceText = text;
	chatbot.trainedAt = clock.iso();
}

/** The fields of the reference, and what running code reports beside them, in snake case. */
function record(chatbot: Chatbot, { chatbotRecord }: Behaviour): Record<string, unknown> {
	const isSparse = chatbotRecord === 'sparse';
	return {
		...(isSparse && sparseFields),
		id: chatbot.id,
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
