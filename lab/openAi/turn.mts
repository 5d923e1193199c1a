/** A turn of a chat model, in either of OpenAI's interfaces. */

/** A call of a tool, as a model asks for it. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** A tool as n8n describes it to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	/** The words that explain each argument, by its name. */
	parameters: Record<string, string>;
}

/** A call and its result. */
export interface ToolResult extends ToolCall {
	output: string;
}

/** The content of one request to the model. */
export interface Turn {
	/** The texts of the workflow's prompts and of the conversation. */
	messages: string[];
	tools: OfferedTool[];
	/** Of all calls up to now, in the order in which the model asked for them. */
	results: ToolResult[];
}

/** Text in the pieces in which the model writes it. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** What the model does in one turn: asks for calls of tools, all at once, or writes something. */
export type Answer = { calls: Array<ToolCall & { id: string }> } | { text: Pieces };

/** One of OpenAI's interfaces, as far as n8n uses it. */
export interface Interface {
	/** Below the version of the interface, as `/responses`. */
	path: string;
	/**
	 * Reads a request.
	 *
	 * @throws ZodError when it isn't one of this interface
	 */
	read(body: unknown): { turn: Turn; stream: boolean };
	/** The data of the server-sent events of a streamed response. */
	stream(answer: Answer): AsyncIterable<unknown>;
	/** The body of a response that isn't streamed. */
	respond(answer: Answer): Promise<unknown>;
}

/** Pairs each call with its result. */
export function pair(
	calls: Array<{ id: string; name: string; arguments: string }>,
	outputs: Map<string, string>,
): ToolResult[] {
	return calls.map((call) => ({
		tool: call.name,
		args: JSON.parse(call.arguments) as Record<string, unknown>,
		output: outputs.get(call.id) ?? '',
	}));
}
