import { type SimulatedService } from '../service/index.js';

interface Answer {
	conversationId: string;
	messageId: string;
	text: string;
}

/** A person on the simulated page, who chats with the chatbot of its widget. */
export class Visitor {
	private constructor(
		private readonly session: string,
		/** The ID of a verified visitor; null for an unknown one. */
		readonly userId: string | null,
	) {}

	/**
	 * Opens the page.
	 *
	 * @param token what the website's server has signed; without one, nobody is verified
	 * @throws Error if the service refuses the token
	 */
	static async arrive(
		service: SimulatedService,
		chatbotId: string,
		token?: string,
	): Promise<Visitor> {
		const sessions = `${service.pageOf(chatbotId)}/sessions`;
		const body = await post<{ sessionId: string; userId: string | null }>(sessions, { token });
		return new Visitor(`${sessions}/${body.sessionId}`, body.userId);
	}

	/** Types a message, and waits for the answer. */
	async say(message: string): Promise<Answer> {
		return await post<Answer>(`${this.session}/messages`, { message });
	}

	/** Clicks the thumb below an answer. */
	async rate({ messageId }: Answer, feedback: 'positive' | 'negative'): Promise<void> {
		await post(`${this.session}/messages/${messageId}/feedback`, { feedback });
	}
}

async function post<Reply>(address: string, body: object): Promise<Reply> {
	const response = await fetch(address, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`POST ${address}: ${response.status} ${text}`);
	return JSON.parse(text) as Reply;
}
