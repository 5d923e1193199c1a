/** The trigger and its examples in a real n8n: polls, restarts, tests in the editor, and posted leads. */
import { createHmac } from 'node:crypto';

import { type StoredWorkflow } from '../../../lab/api.mjs';
import { startCrm } from '../../../lab/crm.mjs';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';
import {
	chooseChatbot,
	fillIn,
	findTrigger,
	readExamples,
	type Workflow,
} from '../../../lab/workflow.mjs';

/** n8n refuses a schedule of less than a minute, but accepts several: together they poll every 3 seconds. */
export const often = {
	item: Array.from({ length: 20 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 3} * * * * *`,
	})),
};

/** Each change in the service starts one execution, also after the workflow was off for a while. */
export async function triggerStartsWorkflows(stage: Stage, checks: Checks): Promise<string> {
	await contactsStartWorkflow(stage, checks);
	await leadReachesCrm(stage, checks);
	await postedLeadIsChecked(stage, checks);
	return 'polls for contacts and leads, a test in the editor, leads that are posted';
}

/** Each new contact starts one execution. */
export async function contactsStartWorkflow({ api, service, credential }: Stage, checks: Checks) {
	const { store } = service;
	const chatbot = store.addChatbot({ name: 'Trigger checks' });
	store.addContact(chatbot.id, { external_id: 'old' });
	const workflow = await api.importWorkflow(pollingWorkflow(chatbot.id), [credential]);

	const test = await api.runWorkflow(workflow);
	checks.expectEqual('A test in the editor shows the existing contact', idsIn([test]), ['old']);

	await api.activate(workflow);
	store.addContact(chatbot.id, { external_id: 'new' });
	const first = await waitForExecutions(api, workflow, 2);
	checks.expectEqual('A new contact starts an execution', idsIn(first.slice(1)), ['new']);

	await api.deactivate(workflow);
	store.addContact(chatbot.id, { external_id: 'while off' });
	await api.activate(workflow);
	const second = await waitForExecutions(api, workflow, 3);
	checks.expectEqual(
		'So does a contact that was created while the workflow was off',
		idsIn(second.slice(2)),
		['while off'],
	);
	const polls = service.requests.length;
	await waitUntil(() => service.requests.length >= polls + 2);
	checks.expectEqual(
		'No contact is reported twice',
		(await api.listExecutions(workflow)).length,
		second.length,
	);
	await api.deactivate(workflow);
}

/** The example that polls for leads: each reaches the CRM once, with the transcript if it names its conversation. */
export async function leadReachesCrm({ api, service, credential }: Stage, checks: Checks) {
	const { store, behaviour } = service;
	const crm = await startCrm([]);
	const received = crm.leads;
	const { leadConversation } = behaviour;
	try {
		const chatbot = store.addChatbot({ name: 'Lead checks' });
		const timeBefore = (hours: number) =>
			new Date(store.clock.now() - hours * 3_600_000).toISOString();
		const conversationFrom = (hoursAgo: number) => {
			const content = `Do you ship to Norway? I asked ${hoursAgo} hours ago.`;
			const messages = [{ role: 'user' as const, content }];
			return store.addConversation(chatbot.id, { createdAt: timeBefore(hoursAgo), messages }).id;
		};
		const recent = conversationFrom(20);
		const old = conversationFrom(120);
		store.addLead(chatbot.id, {
			name: 'Of last week',
			conversationId: old,
			createdAt: timeBefore(119),
		});
		store.addLead(chatbot.id, { name: 'Of today', conversationId: recent });
		const example = fillIn(await readExample('New lead to CRM'), {
			'https://crm.example.com': crm.baseUrl,
		});
		findTrigger(example).parameters.pollTimes = often;
		const chosen = chooseChatbot(example, chatbot.id, chatbot.settings.name);
		const workflow = await api.importWorkflow(chosen, [credential]);
		/** The transcripts in the CRM, without the times in front of the lines. */
		const transcripts = () =>
			Object.fromEntries(
				received.map(({ name, transcript }) => [
					name,
					transcript && String(transcript).replace(/^\[.*?\] /, ''),
				]),
			);

		const exportPath = `/agents/${chatbot.id}/conversations/export`;
		behaviour.leadConversation = 'named';
		await api.runWorkflow(workflow);
		checks.expectEqual(
			'A test in the editor finds the conversations of several days',
			transcripts(),
			{
				'Of today': 'User: Do you ship to Norway? I asked 20 hours ago.',
				'Of last week': 'User: Do you ship to Norway? I asked 120 hours ago.',
			},
		);
		received.length = 0;
		behaviour.leadConversation = 'absent';
		await api.activate(workflow);
		service.clearRequests();
		const conversationReads = () =>
			service.requests.filter(({ path }) => path === exportPath).length;
		const lead = store.addLead(chatbot.id, {
			name: 'Ada',
			email: 'ada@example.com',
			conversationId: recent,
		});
		await waitUntil(() => received.length > 0);
		checks.expectEqual('A new lead reaches the CRM', received, [
			{
				name: 'Ada',
				email: 'ada@example.com',
				phone: null,
				source: 'Chatbot, lead 3',
				submittedAt: lead.createdAt,
				transcript: null,
			},
		]);
		checks.expectEqual('No conversation is read when leads name none', conversationReads(), 0);

		behaviour.leadConversation = 'named';
		store.addLead(chatbot.id, { name: 'Bea', conversationId: recent });
		store.addLead(chatbot.id, { name: 'Cleo' });
		store.addLead(chatbot.id, { name: 'Dora', conversationId: 'not there' });
		store.addLead(chatbot.id, { name: 'Emil', conversationId: old });
		await waitUntil(() => received.length >= 5);
		const { Bea, Emil, ...others } = transcripts();
		checks.expectEqual(
			'A lead that names its conversation comes with the transcript, however old it is',
			[Bea, Emil],
			[20, 120].map((hours) => `User: Do you ship to Norway? I asked ${hours} hours ago.`),
		);
		checks.expectEqual(
			'Leads that name none, or one that does not exist, come without',
			Object.fromEntries(Object.entries(others).sort()),
			{ Ada: null, Cleo: null, Dora: null },
		);
		checks.expectEqual('Each conversation costs one request', conversationReads(), 3);

		const fault = service.faults.add({
			when: { path: exportPath },
			fault: { kind: 'status', status: 403 },
		});
		store.addLead(chatbot.id, { name: 'Finn', conversationId: recent });
		await waitUntil(() => received.length >= 6);
		service.faults.remove(fault);
		checks.expect('Reading its conversation fails', fault.struck > 0);
		checks.expectEqual('The lead still reaches the CRM', transcripts().Finn, null);

		const polls = service.requests.length;
		await waitUntil(() => service.requests.length >= polls + 4);
		checks.expectEqual(
			'Each lead reaches the CRM once, with its own number',
			received.map(({ name, source }) => `${String(name)}: ${String(source)}`).sort(),
			['Ada', 'Bea', 'Cleo', 'Dora', 'Emil', 'Finn'].map(
				(name, index) => `${name}: Chatbot, lead ${index + 3}`,
			),
		);
		const executions = await api.listExecutions(workflow);
		checks.expectEqual(
			'No execution failed',
			executions.map(({ status }) => status),
			Array(4).fill('success'),
		);
		await api.deactivate(workflow);
	} finally {
		behaviour.leadConversation = leadConversation;
		await crm.close();
	}
}

async function postedLeadIsChecked({ api, n8n }: Stage, checks: Checks) {
	const secret = 'only-for-this-check';
	const credential = await api.createCredential('crypto', 'Webhook secret', {
		hmacSecret: secret,
	});
	const workflow = await api.importWorkflow(await readExample('New lead by webhook'), [credential]);
	await api.activate(workflow);
	const url = `${n8n.baseUrl}/webhook/${String(findTrigger(workflow).parameters.path)}`;
	// Not as JSON.stringify writes it: only a signature of the original bytes can match.
	const body =
		'{ "eventType": "leads.submit",  "chatbotId": "bot-1",\n"payload": {"customerName":"Zoë","customerEmail":"z@example.com"} }';
	const sign = (text: string, key: string, algorithm = 'sha1') =>
		createHmac(algorithm, key).update(text).digest('hex');
	const post = async (signature?: string) => {
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, {
			method: 'POST',
			headers:
				signature === undefined ? headers : { ...headers, 'x-chatbase-signature': signature },
			body,
		});
		return response.status;
	};
	const refused = [
		await post(),
		await post(''),
		await post(sign(body, 'another secret')),
		await post(sign(`${body} `, secret)),
		await post(sign(body, secret, 'sha256')),
	];
	checks.expectEqual('A post without a valid signature gets 401', refused, Array(5).fill(401));
	checks.expectEqual('A signed post gets 200', await post(sign(body, secret)), 200);
	const executions = await waitForExecutions(api, workflow, 6);
	const added = executions.flatMap((execution) => execution.json('Add lead to CRM'));
	checks.expectEqual('Only the signed lead reaches the CRM', added, [
		{
			name: 'Zoë',
			email: 'z@example.com',
			phone: null,
			conversationId: null,
			chatbotId: 'bot-1',
		},
	]);
	await api.deactivate(workflow);
}

/** A workflow that polls as often as n8n allows. */
export function pollingWorkflow(chatbotId: string, event = 'contactCreated'): Workflow {
	return {
		name: `Started by ${event}`,
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: 'n8n-nodes-chatbase.chatbaseTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					event,
					chatbotId: { __rl: true, mode: 'id', value: chatbotId },
					pollTimes: often,
				},
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
			{
				id: 'next',
				name: 'Next',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Next', type: 'main', index: 0 }]] } },
	};
}

async function readExample(name: string): Promise<Workflow> {
	const example = (await readExamples()).find((workflow) => workflow.name === name);
	if (!example) throw new Error(`There is no example "${name}"`);
	return example;
}

function idsIn(executions: Execution[]): unknown[] {
	return executions.flatMap((execution) => execution.json('Next').map((json) => json.external_id));
}

/** Waits until a workflow has so many executions; the oldest comes first. */
export async function waitForExecutions(
	api: Stage['api'],
	workflow: StoredWorkflow,
	count: number,
): Promise<Execution[]> {
	let listed = await api.listExecutions(workflow);
	await waitUntil(async () => {
		listed = await api.listExecutions(workflow);
		return listed.length >= count;
	});
	const oldestFirst = [...listed].reverse();
	return await Promise.all(oldestFirst.map(async ({ id }) => await api.waitForExecution(id)));
}
