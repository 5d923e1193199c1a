/** Queue mode: a main process and two workers, one of which is killed during its work. */
import fastify from 'fastify';

import { startService, type Chatbot, type SimulatedService } from '../../../service/index.js';
import { Api, type Credential } from '../../../lab/api.mjs';
import { Cluster } from '../../../lab/cluster.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Worker, type WorkerOptions } from '../../../lab/instance.mjs';
import { findServers, serversHelp } from '../../../lab/servers.mjs';
import { saveCredential } from '../../../lab/stage.mjs';
import { SyncJobs } from '../../../lab/syncJobs.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';
import { expectRemembered } from './knowledge.mjs';
import { often, pollingWorkflow, waitForExecutions } from './trigger.mjs';

const jobCount = 40;
const contactsPerJob = 10;
const contactCount = jobCount * contactsPerJob;

/** How many executions a worker takes at a time. */
const concurrency = 5;

/** The default of Max Concurrency: the requests of one run at a time. */
const maxConcurrency = 5;

/** Milliseconds that a request takes. */
const quick = 20;
const slow = 250;

/** The servers and clients of the checks. */
interface Scene {
	cluster: Cluster;
	api: Api;
	service: SimulatedService;
	credential: Credential;
	chatbot: Chatbot;
	checks: Checks;
}

export async function jobsAreSpread(checks: Checks): Promise<string> {
	return await withCluster(checks, {}, async (scene) => {
		const workers = await startWorkersAfterPoll(scene);
		await jobsReachEachWorker(scene, workers);
		await workerDies(scene, workers[1]);
		const third = await scene.cluster.addWorker();
		await jobsRunAgain(scene);
		await jobsOverlap(scene);
		await triggersKeepTheirPlace(scene);
		await memoryOutlivesWorker(scene, [workers[0], third]);
		return `a poll, ${jobCount} jobs over 2 workers, ${jobCount} with one killed, all again, all twice at a time, two triggers beside sources, an example with another killed`;
	});
}

export async function workersRememberSources(
	checks: Checks,
	options: WorkerOptions,
): Promise<void> {
	await withCluster(checks, options, async (scene) => {
		const { cluster } = scene;
		await memoryOutlivesWorker(scene, [await cluster.addWorker(), await cluster.addWorker()]);
		return '';
	});
}

async function withCluster(
	checks: Checks,
	{ runtime, env }: WorkerOptions,
	task: (scene: Scene) => Promise<string>,
): Promise<string> {
	const programs = await findServers();
	if ('missing' in programs) {
		checks.skip(`the queue mode: ${programs.missing} not found`, serversHelp);
		return '';
	}
	const service = await startService({ delayMs: quick });
	let cluster: Cluster | undefined;
	try {
		cluster = await Cluster.start(programs, concurrency, runtime, env);
		const api = new Api(cluster.main.baseUrl);
		await api.session.setUpOwner();
		const credential = await saveCredential(api, service);
		const chatbot = service.store.addChatbot({ name: 'Queue checks' });
		return await task({ cluster, api, service, credential, chatbot, checks });
	} finally {
		await cluster?.stop();
		await service.close();
	}
}

/** The trigger polls while there is no worker; what it starts waits for one. */
async function startWorkersAfterPoll(scene: Scene): Promise<[Worker, Worker]> {
	const { cluster, api, service, credential, checks } = scene;
	const polled = service.store.addChatbot({ name: 'Polled by the main process' });
	const workflow = await api.importWorkflow(pollingWorkflow(polled.id), [credential]);
	await api.activate(workflow);
	service.store.addContact(polled.id, { external_id: 'new' });
	let [execution] = await api.listExecutions(workflow);
	await waitUntil(async () => {
		[execution] = await api.listExecutions(workflow);
		return execution !== undefined;
	});
	checks.expectEqual('The main process polls without a worker', execution?.status, 'new');
	const workers: [Worker, Worker] = [await cluster.addWorker(), await cluster.addWorker()];
	const done = await api.waitForExecution(execution!.id);
	checks.expectEqual(
		'A worker executes the workflow that the poll has started',
		[done.status, done.json('Next').map((contact) => contact.external_id)],
		['success', ['new']],
	);
	await api.deactivate(workflow);
	return workers;
}

async function jobsReachEachWorker(scene: Scene, workers: Worker[]): Promise<void> {
	const { chatbot, checks } = scene;
	const before = workers.map((worker) => finished(worker));
	const jobs = await publishJobs(scene);
	await jobs.post(customers('First'));
	checks.expectEqual('Every job succeeds', await jobs.wait(), { success: jobCount });
	checks.expectEqual('The service has every contact once', count(chatbot, 'First'), everyContact);
	const shares = workers.map((worker, index) => finished(worker) - before[index]!);
	checks.expectEqual('The workers executed all of them', sum(shares), jobCount);
	checks.expect(
		`Each worker did its part (${shares.join(' and ')})`,
		Math.min(...shares) >= jobCount / 10,
	);
}

async function workerDies(scene: Scene, dying: Worker): Promise<void> {
	const { service, chatbot, checks } = scene;
	const jobs = await publishJobs(scene);
	service.delayMs = slow;
	service.clearRequests();
	await jobs.post(customers('Second'));
	await jobs.wait(jobCount * 0.7);
	const inHands = started(dying) - finished(dying);
	checks.expect(`A worker is killed during its jobs (${inHands})`, inHands > 0);
	await dying.kill();
	const outcome = await jobs.wait();
	const failed = jobCount - (outcome.success ?? 0);
	checks.expect(
		`What it had in its hands fails, the other worker does the rest (${JSON.stringify(outcome)})`,
		failed > 0 && failed <= concurrency,
	);
	const most = 2 * concurrency * maxConcurrency;
	checks.expect(
		`Each job had its own limit of requests (${service.maxInFlight} at a time in all)`,
		service.maxInFlight > maxConcurrency && service.maxInFlight <= most,
	);
	const missing = contactCount - count(chatbot, 'Second').named;
	checks.expect(
		`Only contacts of the jobs that failed are missing (${missing})`,
		missing <= failed * contactsPerJob,
	);
	service.delayMs = quick;
}

async function jobsRunAgain(scene: Scene): Promise<void> {
	const { service, chatbot, checks } = scene;
	const due = contactCount - count(chatbot, 'Second').named;
	const jobs = await publishJobs(scene);
	service.clearRequests();
	const busy = service.faults.add({
		when: { times: jobCount },
		fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
	});
	await jobs.post(customers('Second'));
	checks.expectEqual('All jobs succeed in a second run', await jobs.wait(), {
		success: jobCount,
	});
	checks.expectEqual('No job fails because of a rate limit', busy.struck, jobCount);
	service.faults.remove(busy);
	checks.expectEqual(
		'The service then has every contact once, with the new values',
		count(chatbot, 'Second'),
		everyContact,
	);
	const writes = service.requests.filter(
		({ method, status }) => method !== 'GET' && status === 200,
	);
	checks.expect(
		`Only missing contacts are written (${writes.length} writes)`,
		writes.length <= due,
	);
}

/** Two runs at a time create the same contacts in a chatbot that has none. */
async function jobsOverlap(scene: Scene): Promise<void> {
	const { service, checks } = scene;
	const chatbot = service.store.addChatbot({ name: 'Overlap checks' });
	const jobs = await publishJobs({ ...scene, chatbot });
	const twice = customers('Third').flatMap((batch) => [batch, batch]);
	service.clearRequests();
	service.delayMs = slow;
	await jobs.post(twice);
	checks.expectEqual('Jobs that overlap succeed', await jobs.wait(), { success: twice.length });
	const conflicts = service.requests.filter(({ status }) => status === 409).length;
	checks.expect(`The jobs did overlap (${conflicts} conflicts)`, conflicts > 0);
	checks.expectEqual('They create every contact once', count(chatbot, 'Third'), everyContact);
}

/** What Mirror remembers is kept when the worker that executed it is gone. */
async function memoryOutlivesWorker(scene: Scene, workers: Worker[]): Promise<void> {
	const { service, checks } = scene;
	service.delayMs = quick;
	const before = workers.map((worker) => started(worker));
	await expectRemembered(scene, checks, 'the end of the worker that wrote them', async () => {
		const writer = workers.find((worker, index) => started(worker) > before[index]!);
		await writer!.kill();
	});
}

/** A worker that writes sources leaves the place of a polling trigger in the same workflow as it is. */
async function triggersKeepTheirPlace(scene: Scene): Promise<void> {
	const { api, service, credential, checks } = scene;
	const chatbot = service.store.addChatbot({ name: 'Place checks' });
	const feed = await startFeed();
	try {
		const polling = pollingWorkflow(chatbot.id);
		const [ours, next] = polling.nodes;
		const type = 'n8n-nodes-base.rssFeedReadTrigger';
		const theirs = { ...ours!, type, parameters: { feedUrl: feed.url, pollTimes: often } };
		for (const trigger of [ours!, { ...theirs, credentials: undefined }]) {
			const nodes = [trigger, { ...next!, ...sourceWriter(chatbot.id, trigger.type) }];
			const workflow = await api.importWorkflow({ ...polling, nodes }, [credential]);
			const events: string[] = [];
			const happen = () => {
				const event = `${events.push(trigger.type)} of ${trigger.type}`;
				feed.titles.push(event);
				service.store.addContact(chatbot.id, { external_id: event });
				return event;
			};
			await api.activate(workflow);
			const first = happen();
			await waitForExecutions(api, workflow, 1);
			// When n8n publishes a workflow, it reads the place of its trigger from the database, as after a restart.
			await api.deactivate(workflow);
			const second = happen();
			await api.activate(workflow);
			const executions = await waitForExecutions(api, workflow, 2);
			await api.deactivate(workflow);
			checks.expectEqual(
				`${trigger.type} keeps its place beside a node that writes sources`,
				executions.map((execution) => [
					...execution.json('Trigger').map(({ title, external_id: id }) => title ?? id),
					...execution.json('Next').map(({ type: written }) => written),
				]),
				[
					[first, 'text'],
					[second, 'text'],
				],
			);
		}
	} finally {
		await feed.close();
	}
}

function sourceWriter(chatbotId: string, name: string) {
	return {
		type: 'n8n-nodes-chatbase.chatbase',
		typeVersion: 1,
		parameters: {
			resource: 'source',
			operation: 'upsert',
			chatbotId: { __rl: true, mode: 'id', value: chatbotId },
			sourceType: 'text',
			name,
			content: '={{ $json.title ?? $json.external_id }}',
		},
		credentials: { chatbaseV1Api: { id: '', name: '' } },
	};
}

/** A news feed whose later titles have later dates. */
async function startFeed() {
	const titles = ['Old news'];
	const server = fastify({ forceCloseConnections: true });
	server.get('/', async (_, reply) => {
		const items = titles.map((title, hours) => {
			const date = new Date(Date.UTC(2026, 0, 1, hours)).toUTCString();
			return `<item><title>${title}</title><guid>${hours}</guid><pubDate>${date}</pubDate></item>`;
		});
		const channel = `<title>News</title><link>http://127.0.0.1</link>${items.join('')}`;
		const feed = `<?xml version="1.0"?><rss version="2.0"><channel>${channel}</channel></rss>`;
		return await reply.type('application/rss+xml').send(feed);
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url, titles, close: async () => await server.close() };
}

async function publishJobs({ api, credential, chatbot }: Scene): Promise<SyncJobs> {
	return await SyncJobs.publish(api, credential, chatbot.id);
}

/** Each job has different contacts, all with one name. */
function customers(name: string): object[][] {
	return Array.from({ length: jobCount }, (_, job) =>
		Array.from({ length: contactsPerJob }, (__, row) => ({
			external_id: `job-${job}-${row}`,
			name,
		})),
	);
}

const everyContact = { all: contactCount, named: contactCount };

function count({ contacts }: Chatbot, name: string) {
	const named = Array.from(contacts).filter((contact) => contact.name === name);
	return { all: contacts.size, named: named.length };
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
