/**
 * The Chat Completions API, which other makers of models speak too, and which the older versions of
 * n8n's AI Agent need. From https://platform.openai.com/docs/api-reference/chat
 */
import { z } from 'zod';

import { content, functionTool, offered, textOf } from './requests.mjs';
import { pair, type Answer, type Interface, type Pieces, type ToolCall } from './turn.mjs';

const toolCall = z.object({
	id: z.string(),
	function: z.object({ name: z.string(), arguments: z.string() }),
});

const request = z.object({
	stream: z.boolean().default(false),
	messages: z.array(
		z.object({
			role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
			content: content.nullish(),
			tool_calls: z.array(toolCall).default([]),
			tool_call_id: z.string().optional(),
		}),
	),
	tools: z.array(z.object({ type: z.literal('function'), function: functionTool })).default([]),
});

const completion = { id: 'completion', created: 0, model: 'scripted' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

export const completionsApi: Interface = {
	path: '/chat/completions',

	read(body) {
		const { stream, messages, tools } = request.parse(body);
		const calls = messages
			.flatMap((message) => message.tool_calls)
			.map((call) => ({ id: call.id, ...call.function }));
		const outputs = messages.flatMap((message) =>
			message.tool_call_id ? [[message.tool_call_id, textOf(message.content ?? '')] as const] : [],
		);
		const turn = {
			messages: messages.flatMap(({ role, content }) =>
				role === 'tool' ? [] : textOf(content ?? ''),
			),
			tools: tools.map((tool) => offered(tool.function)),
			results: pair(calls, new Map(outputs)),
		};
		return { turn, stream };
	},

	async *stream(answer) {
		const chunk = (delta: object, finish_reason: string | null) => ({
			...completion,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, delta, finish_reason }],
		});
		if ('calls' in answer) {
			yield chunk({ role: 'assistant', tool_calls: toolCalls(answer.calls) }, null);
		} else {
			for await (const piece of answer.text)
				yield chunk({ role: 'assistant', content: piece }, null);
		}
		yield chunk({}, finishOf(answer));
	},

	async respond(answer) {
		const message =
			'calls' in answer
				? { role: 'assistant', content: null, tool_calls: toolCalls(answer.calls) }
				: { role: 'assistant', content: await joined(answer.text) };
		const choices = [{ index: 0, message, finish_reason: finishOf(answer) }];
		return { ...completion, object: 'chat.completion', choices, usage };
	},
};

function toolCalls(calls: Array<ToolCall & { id: string }>) {
	return calls.map(({ id, tool, args }, index) => ({
		index,
		id,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(args) },
	}));
}

function finishOf(answer: Answer): string {
	return 'calls' in answer ? 'tool_calls' : 'stop';
}

async function joined(pieces: Pieces): Promise<string> {
	let text = '';
	for await (const piece of pieces) text += piece;
	return text;
}
