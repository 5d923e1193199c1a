/** The examples that sync contacts: imported, executed, and judged by what the service holds then. */
import { type Contact } from '../../service/index.js';
import { type StoredWorkflow } from '../api.mjs';
import { customersFrom, startCrm, type Crm, type Customer } from '../crm.mjs';
import { type Execution } from '../execution.mjs';
import { type Checks } from '../expectations.mjs';
import { type Stage } from '../stage.mjs';
import { chooseChatbot, fillIn, readExamples, type Workflow } from '../workflow.mjs';

/** Where each example is executed; the names of the checks. */
const executedIn: Record<string, string> = {
	'Agent that knows the customer': 'agent',
	'Answer incoming questions': 'chat',
	'Chat with history': 'chat',
	'Contacts from a spreadsheet': 'examples',
	'New lead by webhook': 'trigger',
	'New lead to CRM': 'trigger',
	'Nightly contact sync': 'examples',
};

const contactCount = 40;
const changedOneIn = 8;
const leaverCount = 6;
const newCustomers: Customer[] = [
	{ external_id: 'new-1', name: 'Ada New', email: 'ada.new@example.com', phonenumber: '' },
	{ external_id: 'new/2?', name: 'Slash & Question', email: 'slash@example.com' },
];

export async function examplesDoTheirWork(stage: Stage, checks: Checks): Promise<string> {
	const names = (await readExamples()).map(({ name }) => name);
	checks.expectEqual('Every example is executed', names.sort(), Object.keys(executedIn).sort());
	await contactsAreSynced(stage, checks);
	await rowsBecomeContacts(stage, checks);
	return 'a sync twice, its leavers twice, a spreadsheet twice';
}

async function contactsAreSynced(stage: Stage, checks: Checks): Promise<void> {
	const { service, api, credential } = stage;
	const chatbot = service.store.addChatbot({ name: 'Sync checks' });
	service.store.seedContacts(chatbot.id, contactCount);
	const customers = [
		...customersFrom(chatbot.contacts, changedOneIn).slice(leaverCount),
		...newCustomers,
	];
	const crm = await startCrm(customers);
	try {
		const example = await prepare(stage, 'Nightly contact sync', chatbot.id, crm);
		const workflow = await api.importWorkflow(example, [credential]);
		const count = async (kind: string) => await actions(stage, workflow, kind);
		const changed = customers.filter(({ phonenumber }) => String(phonenumber).startsWith('+1555'));
		checks.expectEqual('The sync writes what differs', await count('Every night'), {
			unchanged: contactCount - leaverCount - changed.length,
			updated: changed.length,
			created: newCustomers.length,
		});
		checks.expectEqual(
			'The service holds what the CRM holds',
			customers.filter(
				(customer) => !isHeld(customer, chatbot.contacts.find(customer.external_id)),
			),
			[],
		);
		service.clearRequests();
		checks.expectEqual('A second run finds nothing to do', await count('Every night'), {
			unchanged: customers.length,
		});
		checks.expectEqual('It writes nothing', methods(stage), ['GET']);

		const look = await run(stage, workflow, 'Look for leavers');
		checks.expectEqual(
			'The dry run names those who left',
			look.json('Remove contact').length,
			leaverCount,
		);
		checks.expectEqual(
			'It deletes nobody',
			chatbot.contacts.size,
			contactCount + newCustomers.length,
		);
		const real = await api.importWorkflow(withoutDryRun(example), [credential]);
		await run(stage, real, 'Look for leavers');
		checks.expectEqual(
			'Without Dry Run they are gone, and nobody else',
			Array.from(chatbot.contacts, (contact) => contact.external_id).sort(),
			customers.map((customer) => customer.external_id).sort(),
		);
	} finally {
		await crm.close();
	}
}

async function rowsBecomeContacts(stage: Stage, checks: Checks): Promise<void> {
	const { service, api, credential } = stage;
	const chatbot = service.store.addChatbot({ name: 'Spreadsheet checks' });
	service.store.seedContacts(chatbot.id, 0);
	const example = await prepare(stage, 'Contacts from a spreadsheet', chatbot.id);
	const workflow = await api.importWorkflow(example, [credential]);
	const trigger = 'When clicking Execute';
	const execution = await run(stage, workflow, trigger);
	checks.expectEqual('No row has a field that is not kept', execution.json('Look at these'), []);
	checks.expectEqual(
		'Each row is a contact, in the types of the attributes; empty cells are left out',
		Array.from(chatbot.contacts, ({ external_id, phonenumber, custom_attributes }) => [
			external_id,
			phonenumber,
			custom_attributes,
		]),
		[
			[
				'1001',
				'+44 20 7946 0100',
				{
					company: 'Analytical Engines',
					lifetime_value: 1250.5,
					newsletter: true,
					signed_up: '2026-01-15T00:00:00.000Z',
				},
			],
			[
				'1002',
				null,
				{
					company: 'Navy',
					lifetime_value: 980,
					newsletter: false,
					signed_up: '2026-02-01T00:00:00.000Z',
				},
			],
			['1003', '+1 555 0100', {}],
		],
	);
	service.clearRequests();
	await run(stage, workflow, trigger);
	checks.expectEqual('A second run writes nothing', methods(stage), ['GET']);
}

/** An example as a user fills it in. */
async function prepare(
	{ service }: Stage,
	name: string,
	chatbotId: string,
	crm?: Crm,
): Promise<Workflow> {
	const example = (await readExamples()).find((workflow) => workflow.name === name)!;
	const filledIn = crm ? fillIn(example, { 'https://crm.example.com': crm.baseUrl }) : example;
	return chooseChatbot(filledIn, chatbotId, service.store.chatbot(chatbotId).settings.name);
}

async function run({ api }: Stage, workflow: StoredWorkflow, trigger: string): Promise<Execution> {
	const execution = await api.runWorkflow(workflow, trigger);
	if (execution.status === 'success') return execution;
	throw new Error(`"${workflow.name}" ended with ${execution.status}`, { cause: execution.error });
}

/** How many contacts were created, updated and left as they were. */
async function actions(stage: Stage, workflow: StoredWorkflow, trigger: string) {
	const execution = await run(stage, workflow, trigger);
	const counts: Record<string, number> = {};
	for (const { _sync } of execution.json('Sync contacts')) {
		const { action } = _sync as { action: string };
		counts[action] = (counts[action] ?? 0) + 1;
	}
	return counts;
}

function methods({ service }: Stage): string[] {
	return [...new Set(service.requests.map(({ method }) => method))];
}

function isHeld(customer: Customer, contact: Contact | undefined): boolean {
	const fields = ['name', 'email', 'phonenumber'] as const;
	return (
		contact !== undefined &&
		fields.every((field) => (customer[field] || null) === (contact[field] || null))
	);
}

function withoutDryRun(workflow: Workflow): Workflow {
	const nodes = workflow.nodes.map((node) => {
		const options = node.parameters.options as Record<string, unknown> | undefined;
		if (!options?.dryRun) return node;
		return { ...node, parameters: { ...node.parameters, options: { ...options, dryRun: false } } };
	});
	return { ...workflow, nodes };
}
