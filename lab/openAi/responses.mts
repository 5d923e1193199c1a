/**
 * The Responses API, which n8n's OpenAI Chat Model uses unless it is told otherwise. From
 * https://platform.openai.com/docs/api-reference/responses
 */
import { z } from 'zod';

import { content, functionTool, offered, textOf } from './requests.mjs';
import { pair, type Answer, type Interface } from './turn.mjs';

const request = z.object({
	stream: z.boolean().default(false),
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
			z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content }),
		]),
	),
	tools: z.array(functionTool.extend({ type: z.literal('function') })).default([]),
});

interface Event {
	type: string;
	[field: string]: unknown;
}

const response = { id: 'response', object: 'response', created_at: 0, model: 'scripted' };
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

export const responsesApi: Interface = {
	path: '/responses',

	read(body) {
		const { stream, input, tools } = request.parse(body);
		const calls = input.flatMap((item) =>
			'name' in item ? [{ id: item.call_id, name: item.name, arguments: item.arguments }] : [],
		);
		const outputs = input.flatMap((item) =>
			'output' in item ? [[item.call_id, item.output] as const] : [],
		);
		const turn = {
			messages: input.flatMap((item) => ('role' in item ? textOf(item.content) : [])),
			tools: tools.map(offered),
			results: pair(calls, new Map(outputs)),
		};
		return { turn, stream };
	},

	async *stream(answer) {
		yield { type: 'response.created', response: { ...response, status: 'in_progress' } };
		const output: unknown[] = [];
		for await (const event of eventsOf(answer)) {
			yield event;
			if (event.type === 'response.output_item.done') output.push(event.item);
		}
		const completed = { ...response, status: 'completed', error: null, output, usage };
		yield { type: 'response.completed', response: completed };
	},

	async respond(answer) {
		const output: unknown[] = [];
		for await (const { type, item } of eventsOf(answer)) {
			if (type === 'response.output_item.done') output.push(item);
		}
		return { ...response, status: 'completed', error: null, output, usage };
	},
};

/** The events of each item of the response. */
async function* eventsOf(answer: Answer): AsyncGenerator<Event> {
	if ('text' in answer) {
		const item = { type: 'message', id: 'message', role: 'assistant' };
		const position = { output_index: 0, content_index: 0 };
		yield { type: 'response.output_item.added', ...position, item: { ...item, content: [] } };
		let text = '';
		for await (const delta of answer.text) {
			text += delta;
			yield { type: 'response.output_text.delta', ...position, delta };
		}
		const parts = [{ type: 'output_text', text, annotations: [] }];
		yield { type: 'response.output_item.done', ...position, item: { ...item, content: parts } };
		return;
	}
	for (const [output_index, { id, tool, args }] of answer.calls.entries()) {
		const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name: tool };
		const text = JSON.stringify(args);
		yield { type: 'response.output_item.added', output_index, item: { ...item, arguments: '' } };
		yield { type: 'response.function_call_arguments.delta', output_index, delta: text };
		yield { type: 'response.output_item.done', output_index, item: { ...item, arguments: text } };
	}
}
