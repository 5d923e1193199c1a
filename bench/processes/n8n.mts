/** n8n's engine as n8n itself sets it up, and one way to run a workflow in it. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { GlobalConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { Expression, type IDataObject, type IExecuteFunctions, type INodeType } from 'n8n-workflow';

import { EngineCredentials } from '../../test/engine/harness/credentials.js';
import { RunNodeTypes } from '../../test/engine/harness/runNodeTypes.js';
import { execute } from '../../test/engine/harness/runs.js';
import { startNodeType } from '../../test/engine/harness/standIns.js';
import { connect, createNode } from '../../test/engine/harness/workflows.js';
import { start, type Plan } from '../peers/plan.mjs';
import { runnable, type BenchNodeTypes } from './nodeTypes.mjs';
import type { Target } from './service.mjs';

/** What a workflow did. */
export interface Ran {
	/** From the moment that the first node has the input. */
	ms: number;
	/** The output of the last node. */
	items: IDataObject[];
	error?: string;
	/** The longest time for which its thread did nothing else. */
	heldMs?: number;
	/** When the first piece of a streamed answer came, on the same clock. */
	firstChunkMs?: number;
}

/** Starts the engine of expressions by n8n's own defaults, as n8n's start command does it. */
export async function startExpressions(): Promise<string> {
	const { idleTimeout, ...config } = Container.get(GlobalConfig).expressionEngine;
	await Expression.initExpressionEngine({
		...config,
		idleTimeoutMs: idleTimeout === undefined ? undefined : idleTimeout * 1000,
	});
	countEvaluations();
	return Expression.getActiveImplementation();
}

/** How many expressions n8n has evaluated since the process began. */
export let evaluations = 0;

function countEvaluations(): void {
	const { vmEvaluator: evaluator } = Expression as unknown as {
		vmEvaluator: { evaluate(...rest: unknown[]): unknown };
	};
	const { evaluate } = evaluator;
	evaluator.evaluate = (...rest) => {
		evaluations++;
		return evaluate.apply(evaluator, rest);
	};
}

/** Runs the workflow of a plan. */
export async function runPlan(plan: Plan, types: BenchNodeTypes, target: Target): Promise<Ran> {
	const { apiKey, baseUrl } = target;
	const credentials = new EngineCredentials(types, {
		chatbaseV1Api: { apiKey, baseUrl },
		httpBearerAuth: { token: apiKey },
	});
	let began = 0;
	const startType: INodeType = {
		...startNodeType,
		async execute(this: IExecuteFunctions) {
			const items = this.getInputData();
			began = performance.now();
			held.enable();
			return [items];
		},
	};
	const nodeTypes = new RunNodeTypes(types, {
		'harness.start': startType,
		...Object.fromEntries(
			Object.entries(plan.nodeTypes ?? {}).map(([name, type]) => [name, runnable(type)]),
		),
	});
	const nodes = [{ node: 'harness.start', name: start }, ...plan.nodes].map((node, index) => {
		const created = createNode(node, nodeTypes, credentials);
		// The node shows its generic credentials by a parameter, not by its description.
		if (created.parameters.genericAuthType) {
			created.credentials = { httpBearerAuth: { id: 'httpBearerAuth', name: 'httpBearerAuth' } };
		}
		created.position = [0, index];
		return created;
	});
	const chain = plan.nodes.map(({ name }, index) => ({ from: nodes[index].name, to: name }));

	const held = monitorEventLoopDelay({ resolution: 1 });
	let firstChunk: number | undefined;
	const result = await execute({
		nodes,
		connections: plan.connections ?? connect(chain),
		nodeTypes,
		credentials,
		input: plan.input,
		memory: plan.memory,
		processed: plan.processed,
		mode: plan.streaming ? 'webhook' : 'trigger',
		streaming: plan.streaming,
		onChunk: ({ type }) => {
			if (type === 'item') firstChunk ??= performance.now();
		},
	});
	const ms = performance.now() - began;
	held.disable();
	const last = plan.nodes.at(-1)!.name;
	return {
		ms,
		heldMs: held.max / 1e6,
		items: result.nodes[last].items.map(({ json }) => json),
		error: result.error?.message,
		firstChunkMs: firstChunk && firstChunk - began,
	};
}
