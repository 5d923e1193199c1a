/** What every group of endpoints works with. */
import type { Answering } from '../core/answer';
import type { Behaviour } from './behaviour';
import { Refusal } from '../core/refusal';
import type { Chatbot, Store } from '../core/store';
import { wireId } from './wireId';

export interface Context extends Answering {
	store: Store;
	/** Read anew for each request: a test may change it at any time. */
	behaviour: Behaviour;
}

/** What the path of a chatbot's resources names. */
export interface ChatbotPath {
	chatbotId: string;
}

/**
 * The chatbot that a request names, by its ID as it is stored or as it is answered.
 *
 * @throws Refusal with status 404. Contract, "Errors": the resource does not exist
 */
export function chatbotOf(context: Context, chatbotId: string): Chatbot {
	const chatbot = findChatbot(context, chatbotId);
	if (!chatbot) throw notFound(context, 'Chatbot');
	return chatbot;
}

/** The same, for callers with another message for a missing chatbot. */
export function findChatbot({ store, behaviour }: Context, chatbotId: string): Chatbot | undefined {
	const known = knownChatbots(store);
	const chatbot = known.find(({ id }) => id === chatbotId);
	if (chatbot || behaviour.chatbotId === 'string') return chatbot;
	return known.find(({ id }) => String(wireId(id, 'number')) === chatbotId);
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
