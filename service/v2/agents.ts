/** Health and agents. Reference of version 2. */
import type { Chatbot } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import { endpoints } from './contract';
import { ApiError } from './errors';
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
				record: ({ chatbot }) => agentRecord(chatbot, call),
			},
			call,
		);
	}),

	route(endpoints.agent, (call) => agentRecord(call.agent, call)),

	route(endpoints.createAgent, ({ body, behaviour, store, response }) => {
		const { url, ...settings } = body;
		if (store.chatbots.size >= behaviour.agentLimit) throw new ApiError('AGENT_LIMIT_REACHED');

		const chatbot = store.addChatbot(settings);
		const pendingSteps = url === undefined ? [] : behaviour.clonePendingSteps;
		if (url !== undefined && !pendingSteps.includes('ADD_SOURCE')) {
			const metadata = { type: 'individual' } as const;
			store.addSource(chatbot.id, { type: 'link', name: url, status: 'untrained', metadata });
		}

		void response.code(201);
		return newAgentReply(chatbot, pendingSteps, behaviour);
	}),

	route(endpoints.updateAgent, ({ agent, body }) => {
		const { name, ...changes } = body;
		if (name !== undefined) agent.settings.name = name;
		Object.assign(agent.agent, changes);
		return { success: true };
	}),

	route(endpoints.autoRetrain, ({ agent, body }) => {
		const isTrained = agent.agent.sources.some(({ status }) => status === 'trained');
		if (!isTrained) throw new ApiError('AGENT_NOT_TRAINED');

		agent.agent.autoRetrain = body.enabled;
		return { success: true };
	}),

	route(endpoints.clone, ({ agent, behaviour, store, response }) => {
		const { agentLimit, clonePendingSteps, cloneLagSeconds } = behaviour;
		if (store.chatbots.size >= agentLimit) throw new ApiError('AGENT_LIMIT_REACHED');

		const { settings, sourceText } = structuredClone({ ...agent, agent: undefined });
		const clone = store.addChatbot(settings);
		clone.sourceText = sourceText;
		clone.knownFrom = store.clock.now() + 1000 * cloneLagSeconds;
		addSources(clone, sourcesToCopy(agent, behaviour), { store, behaviour });

		void response.code(201);
		return newAgentReply(clone, clonePendingSteps, behaviour);
	}),
];

function newAgentReply(
	chatbot: Chatbot,
	pendingSteps: BehaviourV2['clonePendingSteps'],
	behaviour: BehaviourV2,
): object {
	const id = agentIdOf(chatbot, behaviour);
	return pendingSteps.length > 0 ? { id, pendingSteps } : { id };
}

/** All sources except Notion's; the first one only if the clone could not add the rest. */
function sourcesToCopy({ agent }: Chatbot, { clonePendingSteps }: BehaviourV2): Source[] {
	const copied = agent.sources.filter(({ type, isGone }) => type !== 'notionPage' && !isGone);
	return clonePendingSteps.includes('ADD_SOURCE') ? copied.slice(0, 1) : copied;
}

/** The training of the sources begins, unless the clone could not start it. */
function addSources(
	{ id }: Chatbot,
	sources: Source[],
	{ store, behaviour }: Pick<ContextV2, 'store' | 'behaviour'>,
): void {
	const isTrained = !behaviour.clonePendingSteps.includes('TRAIN_AGENT');
	const looks = isTrained ? 0 : -Infinity;
	const createdAt = store.clock.iso();
	for (const source of structuredClone(sources)) {
		store.addSource(id, { ...source, id: store.newId(), createdAt, status: 'untrained', looks });
	}
}

function agentRecord(chatbot: Chatbot, { behaviour }: ContextV2) {
	const { settings, agent, sourceText, conversations } = chatbot;
	const moments = conversations.map(({ lastMessageAt }) => lastMessageAt).sort();
	const sizes = agent.sources.map(({ size, isGone }) => (isGone ? 0 : size));

	return {
		id: agentIdOf(chatbot, behaviour),
		name: settings.name,
		instructions: settings.instructions,
		channelInstructions: agent.channelInstructions,
		model: settings.model,
		autoRetrain: agent.autoRetrain,
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
		blockedCountries: agent.blockedCountries,
		createdAt: chatbot.createdAt,
		lastMessageAt: moments.at(-1) ?? null,
		lastTrainedAt: chatbot.trainedAt,
		status: statusOf(agent.sources),
		size: sizes.reduce((sum, size) => sum + size, Buffer.byteLength(sourceText)),
	};
}

function statusOf(sources: Source[]): string {
	const states = sources.filter(({ isGone }) => !isGone).map(({ status }) => status);
	if (states.length === 0) return 'untrained';
	if (states.includes('untrained') || states.includes('updated')) return 'training';
	return states.includes('failed') ? 'failed' : 'trained';
}
