/** Queue mode: a main process and two workers, one of which is killed during its work. */
import { startService, type Chatbot, type SimulatedService } from '../../service/index.js';
import { Api, type Credential } from '../api.mjs';
import { Cluster } from '../cluster.mjs';
import { type Checks } from '../expectations.mjs';
import { type Worker, type WorkerOptions } from '../instance.mjs';
import { publishOnPost } from '../publishOnPost.mjs';
import { findServers, serversHelp } from '../servers.mjs';
import { saveCredential } from '../stage.mjs';
import { SyncJobs } from '../syncJobs.mjs';
import { waitUntil } from '../waitUntil.mjs';
import { expectRemembered, expectWrittenAgain } from './knowledge.mjs';
import { pollingWorkflow } from './trigger.mjs';

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
		await memoryOutlivesWorker(scene, [workers[0], third]);
		return `a poll, ${jobCount} jobs over 2 workers, ${jobCount} with one killed, all again, all twice at a time, an example with another killed`;
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

/** What the node remembers is kept when the worker that executed it is gone, if n8n hands it to workers at all. */
async function memoryOutlivesWorker(scene: Scene, workers: Worker[]): Promise<void> {
	const { service, checks } = scene;
	service.delayMs = quick;
	const before = workers.map((worker) => started(worker));
	const killWriter = async () => {
		const writer = workers.find((worker, index) => started(worker) > before[index]!);
		await writer!.kill();
	};
	if (await workersRemember(scene)) {
		await expectRemembered(scene, checks, 'the end of the worker that wrote them', killWriter);
		return;
	}
	checks.skip('sources unchanged in queue mode: this n8n gives workers no memory of nodes');
	await expectWrittenAgain(scene, checks);
}

/** Counts the executions of a node of n8n in its memory. n8n 2.41.1 leaves the memory out of what it hands to workers. */
async function workersRemember({ api }: Scene): Promise<boolean> {
	const node = (name: string, type: string, typeVersion: number, parameters: object) => {
		return { id: name, name, type, typeVersion, position: [0, 0], parameters: { ...parameters } };
	};
	const jsCode = `const memory = $getWorkflowStaticData('node');
memory.count = (memory.count ?? 0) + 1;
return [{ json: { count: memory.count } }];`;
	const workflow = {
		name: 'Executions counted',
		nodes: [
			node('Start', 'n8n-nodes-base.scheduleTrigger', 1.2, {}),
			node('Count', 'n8n-nodes-base.code', 2, { jsCode }),
		],
		connections: { Start: { main: [[{ node: 'Count', type: 'main', index: 0 }]] } },
	};
	const execute = await publishOnPost({ api }, workflow, []);
	await execute();
	const [{ count = 0 } = {}] = (await execute()).json('Count');
	return Number(count) > 1;
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
