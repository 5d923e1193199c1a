/** Health and agents. Reference of version 2, 6. */
import { endpoints } from './contract';
import { pageOf } from './paging';
import { agentIdOf, route, type ContextV2 } from './route';
import type { Chatbot } from '../store';

export const agentRoutes = [
	route(endpoints.health, ({ store }) => ({ status: 'ok', timestamp: store.clock.seconds() })),

	route(endpoints.agents, (call) => {
		const rows = [...call.store.chatbots.values()].map((chatbot, index) => ({ chatbot, index }));
		return pageOf(
			call.query,
			{
				rows,
				sortedBy: ({ index }) => index,
				id: ({ index }) => index,
				ascending: true,
				record: ({ chatbot }) => record(chatbot, call),
			},
			call.behaviour,
		);
	}),

	route(endpoints.agent, (call) => record(call.agent, call)),
];

function record(chatbot: Chatbot, { behaviour }: ContextV2) {
	const { settings, agent, sourceText, conversations } = chatbot;
	const moments = conversations.map(({ lastMessageAt }) => lastMessageAt).sort();
	return {
		id: agentIdOf(chatbot, behaviour),
		name: settings.name,
		instructions: settings.instructions,
		channelInstructions: null,
		model: settings.model,
		autoRetrain: false,
		temp: settings.temp,
		visibility: settings.visibility,
		allowedDomains: null,
		suggestedMessages: null,
		initialMessages: [],
		creditLimit: agent.creditLimit,
		creditsUsed: agent.creditsUsed,
		notificationsSettings: null,
		ipRateLimits: null,
		voiceSettings: null,
		styles: {},
		spamSettings: null,
		blockedCountries: [],
		createdAt: chatbot.createdAt,
		lastMessageAt: moments.at(-1) ?? null,
		lastTrainedAt: chatbot.trainedAt,
		status: 'trained',
		size: Buffer.byteLength(sourceText),
	};
}
