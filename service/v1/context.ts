/** What every group of endpoints works with. */
import type { Answering } from '../core/answer';
import type { Behaviour } from './behaviour';
import { Refusal } from '../core/refusal';
import type { Chatbot, Store } from '../core/store';

export interface Context extends Answering {
	store: Store;
	/** Read anew for each request: a test may change it at any time. */
	behaviour: Behaviour;
}

/**
 * The chatbot that a request names.
 *
 * @throws Refusal with status 404. Contract, "Errors": the resource does not exist
 */
export function chatbotOf(context: Context, chatbotId: string): Chatbot {
	const chatbot = findChatbot(context, chatbotId);
	if (!chatbot) throw notFound(context, 'Chatbot');
	return chatbot;
}

/** The same, for callers with another message for a missing chatbot. */
export function findChatbot({ store }: Context, chatbotId: string): Chatbot | undefined {
	return knownChatbots(store).find(({ id }) => id === chatbotId);
}

/** Those that version 1 knows by now. */
export function knownChatbots({ chatbots, clock }: Store): Chatbot[] {
	return [...chatbots.values()].filter(({ knownFrom = 0 }) => knownFrom <= clock.now());
}

/** Status 404, in the words that the behaviour has for it. */
export function notFound({ behaviour }: Context, what: string): Refusal {
	const isNamed = behaviour.notFoundMessage === 'named';
	return new Refusal(404, isNamed ? `${what} not found` : behaviour.notFoundMessage);
}
