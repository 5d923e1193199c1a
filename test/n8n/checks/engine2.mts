/** n8n's Engine 2.0, which calls the node once for each item and shows it no other. */
import getPort from 'get-port';

import { type Chatbot } from '../../../service/index.js';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { findPostgres, startPostgres } from '../../../lab/servers.mjs';
import { setTheStage, type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const list = 'Customers';
const last = 'Chatbase';

const refusal = 'This n8n runs the node once for each item';

/** What the workflow does with the contacts of a chatbot, each of which is an item. */
interface Job {
	name: string;
	/** Most contacts that are read, and so items. */
	limit: number;
	parameters: Record<string, unknown>;
	/** Of the node, in its settings. */
	onError?: string;
}

const byExternalId = {
	contactFields: {
		mappingMode: 'defineBelow',
		value: { external_id: '={{ $json.external_id }}', name: 'New' },
		matchingColumns: [],
		schema: [],
	},
};

const mirror = {
	resource: 'contact',
	operation: 'mirror',
	dryRun: false,
	manage: 'all',
	onMissing: 'delete',
	options: { maxMissing: 10 },
	...byExternalId,
};

const update = {
	resource: 'contact',
	operation: 'update',
	contactId: { __rl: true, mode: 'id', value: '={{ $json.external_id }}' },
	...byExternalId,
};

export async function listsSurviveEngine2(checks: Checks): Promise<string> {
	const programs = await findPostgres();
	if (!programs) {
		const help = 'It keeps its executions there (on Debian: apt-get install postgresql).';
		checks.skip('Engine 2.0: PostgreSQL is not installed', help);
		return '';
	}

	const postgres = await startPostgres(programs);
	try {
		const stage = await setTheStage({
			env: {
				N8N_ENABLED_MODULES: 'engine-v2',
				N8N_ENGINE_DATABASE_URL: `postgresql://n8n@127.0.0.1:${postgres.port}/postgres`,
				N8N_ENGINE_HOST: '127.0.0.1',
				N8N_ENGINE_PORT: String(await getPort({ host: '127.0.0.1' })),
				N8N_ENGINE_CONTROL_PLANE_PORT: String(await getPort({ host: '127.0.0.1' })),
			},
		});
		try {
			await listIsNotTorn(stage, checks);
			await listOfOneIsMirrored(stage, checks);
			await itemsAreUpdated(stage, checks);
			await itemFailsAlone(stage, checks);
		} finally {
			await stage.close();
		}
	} finally {
		await postgres.stop();
	}
	return 'a mirror of two contacts, which is refused, one of a single contact, updates, and updates of which one fails';
}

async function listIsNotTorn(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = addChatbot(stage, 2);
	const job = { name: 'Mirror of two', limit: 2, parameters: mirror };
	const execution = await run(stage, chatbot, job);

	checks.expectEqual('A mirror of two items fails', execution.status, 'error');
	const said = JSON.stringify([execution.error, execution.runs[last]]);
	checks.expect('The error says that the node gets one item at a time', said.includes(refusal));
	checks.expectEqual('Both contacts are still there', [...chatbot.contacts].length, 2);
	checks.expectEqual('Nothing is written', writes(stage), 0);
}

async function listOfOneIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = addChatbot(stage, 1);
	const job = { name: 'Mirror of one', limit: 1, parameters: mirror };
	const execution = await run(stage, chatbot, job);

	checks.expectEqual('A mirror of a single item succeeds', execution.status, 'success');
	const names = [...chatbot.contacts].map(({ name }) => name);
	checks.expectEqual('It updates the contact', names, ['New']);
}

async function itemsAreUpdated(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = addChatbot(stage, 2);
	const job = { name: 'Updates', limit: 2, parameters: update };
	const execution = await run(stage, chatbot, job);

	checks.expectEqual('An update of two items succeeds', execution.status, 'success');
	const names = [...chatbot.contacts].map(({ name }) => name);
	checks.expectEqual('Both contacts are updated', names, ['New', 'New']);
	checks.expectEqual('Each item gives one', execution.items(last).length, 2);
}

async function itemFailsAlone(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = addChatbot(stage, 2);
	stage.service.faults.add({
		when: { method: 'PATCH', path: /\/c0$/ },
		fault: { kind: 'status', status: 403 },
	});
	const onError = 'continueRegularOutput';
	const job = { name: 'Continue', limit: 2, parameters: update, onError };
	const execution = await run(stage, chatbot, job);

	checks.expectEqual('With On Error: Continue, the workflow succeeds', execution.status, 'success');
	const failed = execution.json(last).map(({ error }) => error !== undefined);
	checks.expectEqual('One of the two items has an error', failed.sort(), [false, true]);
}

function addChatbot({ service }: Stage, contacts: number): Chatbot {
	service.clearRequests();
	const chatbot = service.store.addChatbot({ name: 'Engine 2.0' });
	for (let number = 0; number < contacts; number++) {
		service.store.addContact(chatbot.id, { external_id: `c${number}`, name: 'Old' });
	}
	return chatbot;
}

function writes({ service }: Stage): number {
	return service.requests.filter(({ method }) => method !== 'GET').length;
}

async function run(stage: Stage, chatbot: Chatbot, job: Job): Promise<Execution> {
	const workflow = workflowOf(chatbot, job);
	return await stage.api.runWorkflow(await stage.api.importWorkflow(workflow, [stage.credential]));
}

function workflowOf(chatbot: Chatbot, { name, limit, parameters, onError }: Job): Workflow {
	const chatbotId = { __rl: true, mode: 'id', value: chatbot.id };
	const chatbase = { type: 'n8n-nodes-chatbase.chatbase', typeVersion: 1 };
	const credentials = { chatbaseV1Api: { id: '', name: '' } };
	const getContacts = { resource: 'contact', operation: 'getAll', limit, simplify: false };
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{ name: list, ...chatbase, credentials, parameters: { ...getContacts, chatbotId } },
		{ name: last, ...chatbase, credentials, onError, parameters: { ...parameters, chatbotId } },
	].map((node, index) => ({ ...node, id: `engine-${index}`, position: [index * 240, 0] }));

	const lineTo = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		name: `Engine 2.0: ${name}`,
		nodes,
		connections: { Start: lineTo(list), [list]: lineTo(last) },
		settings: { executionOrder: 'v1', engineType: 'v2' },
	};
}
