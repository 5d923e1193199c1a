/** A plain HTTP client for the tests of the service, without retries. */
import { startService, type ServiceOptions, type SimulatedService } from '../../service';

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed text; undefined when it isn't JSON. */
	body: ReturnType<typeof JSON.parse>;
}

/** The chatbot that every test finds in its service. */
export const chatbotId = 'bot';

/** A service with one chatbot that has no contacts. */
export async function serviceWithChatbot(options?: ServiceOptions): Promise<SimulatedService> {
	const service = await startService(options);
	service.store.addChatbot({ id: chatbotId, name: 'Bot' });
	return service;
}

/** A function that asks the service, with its key and a JSON body, and reads the whole answer. */
export function clientOf(service: SimulatedService) {
	return async (
		method: string,
		path: string,
		body?: unknown,
		{ headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
	): Promise<Answer> => {
		const response = await fetch(service.baseUrl + path, {
			method,
			redirect: 'manual',
			signal,
			headers: {
				authorization: `Bearer ${service.apiKey}`,
				...(body !== undefined &&
					!(body instanceof FormData) && { 'content-type': 'application/json' }),
				...headers,
			},
			body: body === undefined || body instanceof FormData ? (body as undefined) : textOf(body),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: parsed(text) };
	};
}

/** The body of a response in the pieces in which it arrives. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
	const reader = response.body!.getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		yield value;
	}
}

/** A string is sent unchanged, so a test can send invalid JSON. */
function textOf(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body);
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
