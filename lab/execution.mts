import { parse } from 'flatted';

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
}

interface NodeRun {
	data?: { [connection: string]: Array<Item[] | null> };
	error?: { message: string; description?: string | null; [field: string]: unknown };
	executionStatus?: string;
	hints?: Array<{ message: string }>;
	executionTime: number;
}

/** An execution as n8n's REST interface returns it, its data still packed. */
export interface PackedExecution {
	id: string;
	status: string;
	data: string;
}

/** What a workflow did in one execution. */
export class Execution {
	readonly id: string;
	/** `success`, `error`, `canceled`, `crashed` or `waiting`. */
	readonly status: string;
	/** The runs of each node, by the node's name. */
	readonly runs: Record<string, NodeRun[]>;
	/** Why the execution failed. */
	readonly error?: NodeRun['error'];

	constructor(packed: PackedExecution) {
		const { resultData } = parse(packed.data) as {
			resultData: { runData: Record<string, NodeRun[]>; error?: NodeRun['error'] };
		};
		this.id = packed.id;
		this.status = packed.status;
		this.runs = resultData.runData;
		this.error = resultData.error;
	}

	/** The items of all runs at one output of a node. */
	items(node: string, output = 0, connection = 'main'): Item[] {
		return (this.runs[node] ?? []).flatMap((run) => run.data?.[connection]?.[output] ?? []);
	}

	/** The same items as plain data. */
	json(node: string, output = 0): Array<Record<string, unknown>> {
		return this.items(node, output).map((item) => item.json);
	}

	/** The hints that the editor shows at a node. */
	hints(node: string): string[] {
		return (this.runs[node] ?? []).flatMap(({ hints = [] }) => hints.map(({ message }) => message));
	}
}
