import fastify from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';

/** A call of a tool, as a model asks for it. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** A tool as n8n describes it to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	/** The names of its arguments, with the words that explain them. */
	parameters: Record<string, string>;
}

/** A call with what came back for it. */
export interface ToolResult extends ToolCall {
	output: string;
}

/** What one request told the model. */
export interface Turn {
	/** The texts of the workflow's prompts and of the person. */
	messages: string[];
	tools: OfferedTool[];
	/** Of all calls up to now, in the order in which the model asked for them. */
	results: ToolResult[];
}

/** What the model does in one turn: calls tools, all at once, or says something, piece by piece. */
export type Step = ToolCall[] | ((turn: Turn) => Iterable<string> | AsyncIterable<string>);

/** The items that this model gives out. */
type OutputItem =
	| { type: 'function_call'; id: string; call_id: string; name: string; arguments: string }
	| {
			type: 'message';
			id: string;
			role: 'assistant';
			content: Array<{ type: 'output_text'; text: string; annotations: never[] }>;
	  };

interface StreamEvent {
	type: string;
	[field: string]: unknown;
}

/**
 * What n8n's OpenAI Chat Model sends by default, the option *Use Responses API* being on. From
 * https://platform.openai.com/docs/api-reference/responses/create
 */
const requestBody = z.object({
	model: z.string(),
	stream: z.boolean().optional(),
	input: z.array(
		z.union([
			z.object({
				type: z.literal('function_call'),
				call_id: z.string(),
				name: z.string(),
				arguments: z.string(),
			}),
			z.object({
				type: z.literal('function_call_output'),
				call_id: z.string(),
				output: z.string(),
			}),
			z.object({
				type: z.literal('message').optional(),
				role: z.enum(['system', 'developer', 'user', 'assistant']),
				content: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
			}),
		]),
	),
	tools: z
		.array(
			z.object({
				type: z.literal('function'),
				name: z.string().regex(/^[\w-]{1,64}$/),
				description: z.string(),
				parameters: z.object({
					properties: z.record(z.string(), z.object({ description: z.string().optional() })),
				}),
			}),
		)
		.default([]),
});

/**
 * Stands in for a chat model: speaks OpenAI's Responses API, streamed or not, and follows a script
 * where a model would think. Everything else about an agent is real.
 */
export class ChatModel {
	/** What the model was told since the script began, one entry for each step. */
	readonly turns: Turn[] = [];
	private script: Step[] = [];
	private readonly server = fastify({ forceCloseConnections: true });
	private ids = 0;

	private constructor() {
		this.server.post('/v1/responses', (request, reply) => {
			const body = requestBody.safeParse(request.body);
			const step = this.script.shift();
			if (!body.success) return reply.code(400).send(refusal(z.prettifyError(body.error)));
			if (!step) return reply.code(400).send(refusal('The script has no further step'));
			const turn = readTurn(body.data);
			this.turns.push(turn);
			const events = this.events(step, turn, body.data.model);
			return body.data.stream
				? reply.type('text/event-stream').send(Readable.from(serverSentEvents(events)))
				: lastResponse(events);
		});
	}

	/** Starts the model on a free port of the loopback interface. */
	static async start(): Promise<ChatModel> {
		const model = new ChatModel();
		await model.server.listen({ host: '127.0.0.1', port: 0 });
		return model;
	}

	/** What the credential *OpenAI* takes as its Base URL. */
	get baseUrl(): string {
		const [address] = this.server.addresses();
		return `http://127.0.0.1:${address!.port}/v1`;
	}

	/** Begins a script; what the model was told before is forgotten. */
	follow(...script: Step[]): void {
		this.script = script;
		this.turns.length = 0;
	}

	async close(): Promise<void> {
		await this.server.close();
	}

	/** The events of a streamed response; the last one holds the response as a whole. */
	private async *events(step: Step, turn: Turn, model: string): AsyncGenerator<StreamEvent> {
		const response = { id: this.newId('resp'), object: 'response', created_at: 0, model };
		yield { type: 'response.created', response: { ...response, status: 'in_progress' } };
		const output: OutputItem[] = [];
		const events = Array.isArray(step) ? this.call(step) : this.say(step(turn));
		for await (const event of events) {
			yield event;
			if (event.type === 'response.output_item.done') output.push(event.item as OutputItem);
		}
		const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
		const completed = { ...response, status: 'completed', error: null, output, usage };
		yield { type: 'response.completed', response: completed };
	}

	private *call(calls: ToolCall[]): Generator<StreamEvent> {
		for (const [output_index, { tool, args }] of calls.entries()) {
			const item = {
				type: 'function_call',
				id: this.newId('fc'),
				call_id: this.newId('call'),
				name: tool,
			};
			const text = JSON.stringify(args);
			yield { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } };
			yield { type: 'response.function_call_arguments.delta', output_index, delta: text };
			yield { type: 'response.output_item.done', output_index, item: { ...item, arguments: text } };
		}
	}

	private async *say(
		pieces: Iterable<string> | AsyncIterable<string>,
	): AsyncGenerator<StreamEvent> {
		const item = { type: 'message', id: this.newId('msg'), role: 'assistant' };
		const position = { output_index: 0, content_index: 0 };
		yield { type: 'response.output_item.added', ...position, item: { ...item, content: [] } };
		let text = '';
		for await (const delta of pieces) {
			text += delta;
			yield { type: 'response.output_text.delta', ...position, delta };
		}
		const content = [{ type: 'output_text', text, annotations: [] }];
		yield { type: 'response.output_item.done', ...position, item: { ...item, content } };
	}

	private newId(kind: string): string {
		return `${kind}_${++this.ids}`;
	}
}

function readTurn({ input, tools }: z.infer<typeof requestBody>): Turn {
	const outputs = new Map(
		input.flatMap((item) =>
			item.type === 'function_call_output' ? [[item.call_id, item.output] as const] : [],
		),
	);
	return {
		messages: input.flatMap((item) => ('role' in item ? textOf(item.content) : [])),
		tools: tools.map(({ name, description, parameters }) => ({
			name,
			description,
			parameters: Object.fromEntries(
				Object.entries(parameters.properties).map(([key, value]) => [key, value.description ?? '']),
			),
		})),
		results: input.flatMap((item) =>
			item.type === 'function_call'
				? [
						{
							tool: item.name,
							args: JSON.parse(item.arguments) as Record<string, unknown>,
							output: outputs.get(item.call_id) ?? '',
						},
					]
				: [],
		),
	};
}

function textOf(content: string | Array<{ text: string }>): string {
	return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

async function* serverSentEvents(events: AsyncIterable<StreamEvent>): AsyncGenerator<string> {
	for await (const event of events) {
		yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
	}
}

async function lastResponse(events: AsyncIterable<StreamEvent>): Promise<unknown> {
	let response: unknown;
	for await (const event of events) response = event.response ?? response;
	return response;
}

/** Status 400, which OpenAI's client does not try again. */
function refusal(message: string) {
	return { error: { message, type: 'invalid_request_error' } };
}
