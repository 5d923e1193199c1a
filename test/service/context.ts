/** What every group of endpoints works with. */
import type { Behaviour } from './behaviour';
import { Refusal } from './refusal';
import type { Chatbot, Message, Store } from './store';

export interface Context {
	store: Store;
	/** Read anew for each request: a test may change it at any time. */
	behaviour: Behaviour;
	/** Makes the chatbot's answer. */
	reply: (messages: Message[]) => string;
}

/**
 * The chatbot that a request names.
 *
 * @throws Refusal with status 404. Contract, "Errors": the resource does not exist
 */
export function chatbotOf({ store }: Context, chatbotId: string): Chatbot {
	const chatbot = store.chatbots.get(chatbotId);
	if (!chatbot) throw new Refusal(404, 'Chatbot not found');
	return chatbot;
}
