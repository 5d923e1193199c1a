import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';

import { completionsApi } from './openAi/completions.mjs';
import { responsesApi } from './openAi/responses.mjs';
import { type Interface, type Pieces, type ToolCall, type Turn } from './openAi/turn.mjs';

/** What the model does in one turn: calls tools, all at once, or writes a text, piece by piece. */
export type Step = ToolCall[] | ((turn: Turn) => Pieces);

/**
 * Replaces a chat model of OpenAI and follows a script. Everything else
 * about an agent is real.
 */
export class ChatModel {
	/** The requests to the model since the script began, one entry for each step. */
	readonly turns: Turn[] = [];
	private script: Step[] = [];
	private calls = 0;
	private readonly server = fastify({ forceCloseConnections: true });

	/** What the credential *OpenAI* takes as its Base URL. */
	baseUrl = '';

	private constructor() {
		for (const api of [responsesApi, completionsApi]) {
			this.server.post(`/v1${api.path}`, async (request, reply) => {
				return await this.answer(api, request, reply);
			});
		}
	}

	/** Starts the model on a free port of the loopback interface. */
	static async start(): Promise<ChatModel> {
		const model = new ChatModel();
		const origin = await model.server.listen({ host: '127.0.0.1', port: 0 });
		model.baseUrl = `${origin}/v1`;
		return model;
	}

	/** Begins a script and forgets earlier requests. */
	follow(...script: Step[]): void {
		this.script = script;
		this.turns.length = 0;
	}

	async close(): Promise<void> {
		await this.server.close();
	}

	private async answer(api: Interface, request: FastifyRequest, reply: FastifyReply) {
		let told: ReturnType<Interface['read']>;
		try {
			told = api.read(request.body);
		} catch (error) {
			return await refuse(reply, z.prettifyError(error as z.ZodError));
		}
		const step = this.script.shift();
		if (!step) return await refuse(reply, 'The script has no further step');
		this.turns.push(told.turn);
		const answer = Array.isArray(step)
			? { calls: step.map((call) => ({ ...call, id: `call_${++this.calls}` })) }
			: { text: step(told.turn) };
		if (!told.stream) return await api.respond(answer);
		const events = Readable.from(serverSentEvents(api.stream(answer)));
		return await reply.type('text/event-stream').send(events);
	}
}

async function* serverSentEvents(events: AsyncIterable<unknown>): AsyncGenerator<string> {
	for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
	yield 'data: [DONE]\n\n';
}

/** Status 400, which OpenAI's client does not try again. */
async function refuse(reply: FastifyReply, message: string): Promise<FastifyReply> {
	return await reply.code(400).send({ error: { message, type: 'invalid_request_error' } });
}
