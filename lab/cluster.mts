import { randomUUID } from 'node:crypto';

import { startN8n, startWorker, type N8n, type Worker, type WorkerOptions } from './instance.mjs';
import { installNode } from './package.mjs';
import { startPostgres, startRedis, type Server, type ServerPrograms } from './servers.mjs';

/** Executions of a killed worker fail after seconds instead of a minute. */
const impatient = {
	QUEUE_WORKER_LOCK_DURATION: '4000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** n8n in queue mode: a main process, workers, and the servers between them. */
export class Cluster {
	private readonly servers: Server[] = [];
	private readonly workers: Worker[] = [];
	main!: N8n;

	private constructor(
		private readonly concurrency: number,
		private readonly runtime: WorkerOptions['runtime'],
		private env: Record<string, string>,
	) {}

	/**
	 * Starts it without a worker.
	 *
	 * @param concurrency how many executions each worker takes at a time
	 * @param runtime which n8n; without it the pinned one
	 * @param env settings of n8n beyond those of every instance here
	 */
	static async start(
		programs: ServerPrograms,
		concurrency: number,
		runtime?: WorkerOptions['runtime'],
		env: Record<string, string> = {},
	): Promise<Cluster> {
		const cluster = new Cluster(concurrency, runtime, env);
		try {
			await cluster.startMain(programs);
			return cluster;
		} catch (error) {
			await cluster.stop();
			throw error;
		}
	}

	/** Starts one more worker, with the package in a separate folder. */
	async addWorker(): Promise<Worker> {
		const { concurrency, runtime, env } = this;
		const worker = await startWorker(concurrency, { runtime, env, prepare: installNode });
		this.workers.push(worker);
		return worker;
	}

	/** Ends all processes, also those that were killed or did not start. */
	async stop(): Promise<void> {
		for (const worker of this.workers) await worker.stop();
		await this.main?.stop();
		for (const server of this.servers.reverse()) await server.stop();
	}

	private async startMain(programs: ServerPrograms): Promise<void> {
		const redis = await startRedis(programs.redis);
		this.servers.push(redis);
		const postgres = await startPostgres(programs);
		this.servers.push(postgres);
		this.env = {
			...this.env,
			...impatient,
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: randomUUID(),
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
		};
		// It makes the tables that the workers expect.
		const { runtime, env } = this;
		this.main = await startN8n({ runtime, env, prepare: installNode });
	}
}
