/** Client-side actions of a chatbot: it calls a tool, and whoever chats by the API sends the result. Reference of version 2. */
import type { ActionResult } from '../page/customAction';
import type { Part } from './state';

/** A client-side action, as it is set up in the dashboard, and what stands for the model that decides when to use it. */
export interface ClientAction {
	name: string;
	/**
	 * Reads a message of the user, and the results that the chatbot got for it: the inputs of the next calls. None if the
	 * chatbot can answer. In the service, a model decides.
	 */
	recognize: (message: string, results: ActionResult[]) => Array<Record<string, string>>;
}

/** What a message has of itself. */
interface Said {
	role: string;
	content: string;
	parts?: Part[];
}

/** The calls that the chatbot makes before it answers the last message of the user. */
export function callsFor(actions: ClientAction[], messages: Said[], newId: () => string): Part[] {
	const message = messages.findLast(({ role }) => role === 'user')?.content ?? '';
	const results = resultsIn(messages);
	for (const { name, recognize } of actions) {
		const calls = recognize(message, results);
		if (calls.length === 0) continue;
		return calls.map((input) => ({
			type: 'tool-call',
			toolCallId: `call_${newId()}`,
			toolName: name,
			input,
		}));
	}
	return [];
}

/** What the chatbot got since the last message of the user. */
export function resultsIn(messages: Said[]): ActionResult[] {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const parts = messages.slice(asked + 1).flatMap((message) => message.parts ?? []);
	return parts.flatMap((part) => {
		if (part.type !== 'tool-result') return [];
		const { toolName, toolCallId, output } = part;
		const call = parts.find((one) => one.type === 'tool-call' && one.toolCallId === toolCallId);
		const { input = {} } = (call ?? {}) as { input?: object };
		return [{ name: toolName, inputs: input as Record<string, string>, output }];
	});
}
