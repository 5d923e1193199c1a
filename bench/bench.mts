/** The processes, the measurement and the comparison of peers for each job. */
import { join } from 'node:path';

import { runtimeNode } from '../lab/runtime.mjs';
import type { Task } from './peers/plan.mjs';
import { Remote } from './processes/calls.mjs';
import type { Measured, methods as engineMethods, RunRequest } from './processes/engine.mjs';
import type {
	methods as serviceMethods,
	Outcome,
	Scene,
	Seen,
	Target,
} from './processes/service.mjs';

export type Engine = Remote<typeof engineMethods>;
type Services = Remote<typeof serviceMethods>;

const processes = join(import.meta.dirname, 'processes');
const tsx = ['--import', import.meta.resolve('tsx')];

/** A service, a peer and a job. */
export interface Trial extends Pick<RunRequest, 'contender' | 'output'> {
	scene: Scene;
	task?: Partial<Omit<Task, 'target'>>;
	/** What the contacts must be in the end. Default: unchanged. */
	outcome?: Outcome;
	/** Runs before it, which don't count. */
	before?: Array<Trial['task']>;
}

export interface Result extends Measured, Seen {}

/** A peer in a comparison. */
export interface Contender {
	name: string;
	/** @param isWarmUp whether the result does not count, so that a small run will do */
	measure: (isWarmUp: boolean) => Promise<Result>;
}

export interface Standing {
	name: string;
	results: Result[];
	/** Median, as the other figures are. */
	ms: number;
	cpuMs: number;
	threadMs: number;
	evaluations: number;
	requests: number;
	together: number;
	wrong?: string;
}

export class Bench {
	private readonly open = new Map<string, Target>();

	private constructor(
		readonly packageFolder: string,
		readonly isQuick: boolean,
		readonly engine: Engine,
		private readonly services: Services,
		/** Called with a line of progress. */
		readonly report: (line: string) => void,
	) {}

	static async start(
		packageFolder: string,
		isQuick: boolean,
		report: (line: string) => void,
	): Promise<Bench> {
		const services = await Remote.start<typeof serviceMethods>(join(processes, 'service.mts'), {
			execArgv: tsx,
		});
		const engine = await startEngine(packageFolder);
		return new Bench(packageFolder, isQuick, engine, services, report);
	}

	/** A separate process of n8n's engine, for what a process can do only once. */
	async freshEngine(): Promise<Engine> {
		return await startEngine(this.packageFolder);
	}

	/** Runs one job of one peer, and checks the output and the service. */
	async measure(trial: Trial): Promise<Result> {
		return await this.withTarget(trial, async (target) => {
			for (const task of trial.before ?? []) {
				const { error } = await this.engine.call('run', this.request({ ...trial, task }, target));
				if (error) throw new Error(`A run before the measured one failed: ${error}`);
				await this.services.call('look', { target, outcome: { kind: 'untouched' } });
			}
			return await this.engine.call('run', this.request(trial, target));
		});
	}

	/** The same, in another way or in another process. */
	async withTarget<Ran extends Pick<Measured, 'wrong'>>(
		{ scene, outcome = { kind: 'untouched' } }: Pick<Trial, 'scene' | 'outcome'>,
		run: (target: Target) => Promise<Ran>,
	): Promise<Ran & Seen> {
		// A service without writes can be reused.
		const isReusable = outcome.kind === 'untouched' && !scene.fault && !scene.rateLimit;
		const key = JSON.stringify(scene);
		const known = isReusable ? this.open.get(key) : undefined;
		const target = known ?? (await this.services.call('start', scene));
		if (isReusable) this.open.set(key, target);
		const ran = await run(target);
		const seen = await this.services.call('look', { target, outcome });
		if (!isReusable) await this.services.call('stop', target);
		const wrong =
			ran.wrong ??
			(seen.wrongRecords > 0
				? `${seen.wrongRecords} records are wrong: ${seen.example}`
				: undefined);
		return { ...ran, ...seen, wrong };
	}

	request({ contender, output, scene, task }: Trial, target: Target): RunRequest {
		return { contender, output, task: { count: scene.contacts, ...task, target } };
	}

	/** Measures peers in turn, round by round, each round beginning with another one, once all are warm. */
	async compare(rounds: number, contenders: Contender[]): Promise<Standing[]> {
		const results = contenders.map((): Result[] => []);
		this.report('warming up');
		for (const { measure } of contenders) await measure(true);
		for (let round = 0; round < rounds; round++) {
			for (let turn = 0; turn < contenders.length; turn++) {
				const index = (round + turn) % contenders.length;
				const { name, measure } = contenders[index];
				this.report(`round ${round + 1} of ${rounds}: ${name}`);
				results[index].push(await measure(false));
			}
		}
		return contenders.map(({ name }, index) => ({
			name,
			results: results[index],
			ms: median(results[index].map(({ ms }) => ms)),
			cpuMs: median(results[index].map(({ cpuMs }) => cpuMs)),
			threadMs: median(results[index].map(({ threadMs }) => threadMs)),
			evaluations: median(results[index].map(({ evaluations }) => evaluations)),
			requests: median(results[index].map(({ requests }) => requests)),
			together: Math.max(...results[index].map(({ together }) => together)),
			wrong: results[index].find(({ wrong }) => wrong)?.wrong,
		}));
	}

	/** Ends services that are kept for further use. */
	async forget(): Promise<void> {
		for (const target of this.open.values()) await this.services.call('stop', target);
		this.open.clear();
	}

	async end(): Promise<void> {
		await this.engine.end();
		await this.services.end();
	}
}

async function startEngine(packageFolder: string): Promise<Engine> {
	return await Remote.start<typeof engineMethods>(join(processes, 'engine.mts'), {
		execPath: runtimeNode,
		execArgv: [...tsx, '--import', join(processes, 'runtimeModules.mts'), '--expose-gc'],
		env: { ...process.env, BENCH_PACKAGE: packageFolder },
	});
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return sorted.length % 2 === 1
		? sorted[Math.floor(middle)]
		: (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The ratio of two peers: the median of the ratios of all rounds. */
export function ratio(
	of: Standing,
	to: Standing,
	what: (result: Result) => number = ({ ms }) => ms,
): number {
	return median(of.results.map((result, round) => what(result) / what(to.results[round])));
}
