/** Queue mode: one main process, two workers, one of which dies in the middle of its work. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { startService, type SimulatedService } from '../../service/index.js';
import { Api, type Credential, type StoredWorkflow } from '../api.mjs';
import { type Checks } from '../expectations.mjs';
import { startN8n, startWorker, type N8n, type Worker } from '../instance.mjs';
import { installNode } from '../package.mjs';
import { findServers, serversHelp, startPostgres, startRedis, type Server } from '../servers.mjs';
import { saveCredential } from '../stage.mjs';
import { type Workflow } from '../workflow.mjs';

const jobCount = 40;
const contactsPerJob = 10;
const concurrency = 5;
const patience = 120_000;

/** Jobs of a worker that died are given up within seconds instead of a minute. */
const impatient = {
	QUEUE_WORKER_LOCK_DURATION: '4000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

interface Cluster {
	main: N8n;
	workers: [Worker, Worker];
	startWorker: () => Promise<Worker>;
	servers: Server[];
}

export async function jobsAreSpread(checks: Checks): Promise<string> {
	const programs = await findServers();
	if ('missing' in programs) {
		checks.skip(`the queue mode: no ${programs.missing} was found`, serversHelp);
		return '';
	}
	const cluster: Partial<Cluster> = { servers: [] };
	const service = await startService({ delayMs: 20 });
	try {
		cluster.servers!.push(await startRedis(programs.redis));
		cluster.servers!.push(await startPostgres(programs));
		await startProcesses(cluster as Cluster);
		await useCluster(cluster as Cluster, service, checks);
	} finally {
		for (const worker of cluster.workers ?? []) await worker.stop();
		await cluster.main?.stop();
		for (const server of cluster.servers!.reverse()) await server.stop();
		await service.close();
	}
	return `${jobCount} jobs over 2 workers; ${jobCount} more, a worker killed; all of them once more`;
}

async function startProcesses(cluster: Cluster): Promise<void> {
	const [redis, postgres] = cluster.servers;
	const env = {
		...impatient,
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_ENCRYPTION_KEY: randomUUID(),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis!.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres!.port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
	};
	const options = { env, prepare: installNode };
	cluster.startWorker = async () => await startWorker(concurrency, options);
	// The main process makes the tables that the workers expect.
	cluster.main = await startN8n(options);
	cluster.workers = [await cluster.startWorker(), await cluster.startWorker()];
}

async function useCluster(
	cluster: Cluster,
	service: SimulatedService,
	checks: Checks,
): Promise<void> {
	const { main, workers } = cluster;
	const api = new Api(main.baseUrl);
	await api.session.setUpOwner();
	const credential = await saveCredential(api, service);
	const chatbot = service.store.addChatbot({ name: 'Queue checks' });
	const contactCount = jobCount * contactsPerJob;
	const named = (name: string) =>
		Array.from(chatbot.contacts).filter((contact) => contact.name === name).length;

	const first = await importJob(api, credential, chatbot.id);
	await postJobs(main, first, 'First');
	const statuses = await waitForJobs(api, first, (open) => open === 0);
	checks.expectEqual('Every job succeeds', count(statuses), { success: jobCount });
	checks.expectEqual(
		'The service has every contact once',
		[chatbot.contacts.size, named('First')],
		[contactCount, contactCount],
	);
	const shares = workers.map((worker) => finished(worker));
	checks.expectEqual('The workers did all of them', sum(shares), jobCount);
	checks.expect(
		`Each worker did its part (${shares.join(' and ')})`,
		Math.min(...shares) >= jobCount / 10,
	);

	const second = await importJob(api, credential, chatbot.id);
	service.delayMs = 250;
	await postJobs(main, second, 'Second');
	await waitForJobs(api, second, (open) => open <= jobCount * 0.7);
	const dying = workers[1];
	checks.expect(
		`A worker is killed with jobs in its hands (${started(dying) - finished(dying)})`,
		started(dying) > finished(dying),
	);
	await dying.kill();
	// What it had in its hands is given up; the other worker does the rest.
	const lost = started(dying) - finished(dying);
	await waitForJobs(api, second, (open) => open <= lost);
	service.delayMs = 20;
	const missing = contactCount - named('Second');
	checks.expect(
		`The other worker goes on: at most what was in those hands is missing (${missing} contacts)`,
		missing <= lost * contactsPerJob,
	);

	cluster.workers[1] = await cluster.startWorker();
	const third = await importJob(api, credential, chatbot.id);
	const due = contactCount - named('Second');
	service.clearRequests();
	await postJobs(main, third, 'Second');
	const again = await waitForJobs(api, third, (open) => open === 0);
	checks.expectEqual('All jobs succeed when they run again', count(again), { success: jobCount });
	checks.expectEqual(
		'The service is right then: every contact once, with the new values',
		[chatbot.contacts.size, named('Second')],
		[contactCount, contactCount],
	);
	const writes = service.requests.filter(({ method }) => method !== 'GET').length;
	checks.expect(`Only what was missing is written (${writes} writes)`, writes <= due);
}

/** A published job that takes contacts by a webhook and syncs them. */
async function importJob(
	api: Api,
	credential: Credential,
	chatbotId: string,
): Promise<StoredWorkflow> {
	const path = randomUUID();
	const place = (name: string, type: string, typeVersion: number, index: number) => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [index * 240, 0],
	});
	const workflow: Workflow = {
		name: 'Sync job',
		nodes: [
			{
				...place('Job', 'n8n-nodes-base.webhook', 2, 0),
				parameters: { httpMethod: 'POST', path, options: {} },
				webhookId: path,
			},
			{
				...place('Split', 'n8n-nodes-base.splitOut', 1, 1),
				parameters: { fieldToSplitOut: 'body.customers', options: {} },
			},
			{
				...place('Sync', 'n8n-nodes-chatbase.chatbase', 1, 2),
				parameters: {
					resource: 'contact',
					operation: 'upsert',
					chatbotId: { __rl: true, mode: 'id', value: chatbotId },
					contactFields: { mappingMode: 'autoMapInputData', value: null },
				},
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
		],
		connections: {
			Job: { main: [[{ node: 'Split', type: 'main', index: 0 }]] },
			Split: { main: [[{ node: 'Sync', type: 'main', index: 0 }]] },
		},
	};
	const stored = await api.importWorkflow(workflow, [credential]);
	await api.activate(stored);
	return stored;
}

/** Posts every job at once; each has contacts of its own, all with one name. */
async function postJobs(main: N8n, job: StoredWorkflow, name: string): Promise<void> {
	const url = `${main.baseUrl}/webhook/${String(job.nodes[0]!.parameters.path)}`;
	const answers = Array.from({ length: jobCount }, async (_, index) => {
		const customers = Array.from({ length: contactsPerJob }, (__, row) => ({
			external_id: `job-${index}-${row}`,
			name,
		}));
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ customers }),
		});
		if (!response.ok) throw new Error(`POST ${url}: ${response.status}`);
	});
	await Promise.all(answers);
}

/** Waits until few enough jobs are open. Returns the status of each. */
async function waitForJobs(
	api: Api,
	job: StoredWorkflow,
	isEnough: (open: number) => boolean,
): Promise<string[]> {
	const end = Date.now() + patience;
	for (;;) {
		const statuses = (await api.listExecutions(job)).map(({ status }) => status);
		const closed = statuses.filter((status) => !['new', 'running', 'waiting'].includes(status));
		if (statuses.length === jobCount && isEnough(jobCount - closed.length)) return statuses;
		if (Date.now() > end) {
			throw new Error(`The jobs do not end: ${JSON.stringify(count(statuses))}`);
		}
		await sleep(100);
	}
}

function started(worker: Worker): number {
	return worker.log().match(/Worker started execution/g)?.length ?? 0;
}

function finished(worker: Worker): number {
	return worker.log().match(/Worker finished execution/g)?.length ?? 0;
}

function sum(numbers: number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

function count(names: string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}
