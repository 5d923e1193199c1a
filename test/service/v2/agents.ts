/** Health and agents. Reference of version 2, 6. */
import type { Chatbot } from '../store';
import type { BehaviourV2 } from './behaviour';
import { endpoints } from './contract';
import { pageOf } from './paging';
import { agentIdOf, route, type ContextV2 } from './route';
import type { Source } from './state';

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
	const sizes = agent.sources.map(({ size, isGone }) => (isGone ? 0 : size));
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
		status: statusOf(agent.sources, behaviour),
		size: sizes.reduce((sum, size) => sum + size, Buffer.byteLength(sourceText)),
	};
}

function statusOf(sources: Source[], { agentStatus }: BehaviourV2): string | null {
	if (agentStatus === 'null') return null;
	if (agentStatus === 'unknown') return 'resting';
	const states = sources.filter(({ isGone }) => !isGone).map(({ status }) => status);
	if (states.length === 0) return 'untrained';
	if (states.includes('untrained') || states.includes('updated')) return 'training';
	return states.includes('failed') ? 'failed' : 'trained';
}
