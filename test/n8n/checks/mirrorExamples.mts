/** The examples that mirror a CRM: which contacts are missing from it, and what happens to them. */
import { type Chatbot } from '../../service/store.js';
import { customersFrom, startCrm, type Crm } from '../crm.mjs';
import { ExampleInUse, type Surroundings } from '../exampleInUse.mjs';
import { type Execution } from '../execution.mjs';
import { type Checks } from '../expectations.mjs';
import { Mailbox } from '../mailbox.mjs';
import { type Stage } from '../stage.mjs';

const customerCount = 60;
const changedOneIn = 8;
const missingCount = 2;
const website = { external_id: 'website-1', name: 'Came by Herself' };

/** A chatbot that holds the customers of a CRM and a contact that the website made. */
interface World extends Required<Surroundings> {
	chatbot: Chatbot;
}

/** Executes "Mirror a CRM": the first night, one with missing customers, their return, and a CRM that returns only part of its list. */
export async function crmIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Mirror checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror a CRM', world);
		const mirror = async () => (await example.run('Every night')).json('Mirror contacts')[0]!;
		await firstNight(example, world, checks);
		checks.expectEqual('A night on which nothing has changed sends no mail', mailbox.count, 0);

		const everybody = crm.customers;
		crm.customers = everybody.slice(missingCount);
		const { marked, unchanged } = await mirror();
		checks.expectEqual(
			'Missing contacts are marked with the date',
			[marked, unchanged],
			[missingCount, customerCount - missingCount],
		);
		checks.expectEqual('They have it', idsOf(chatbot, isMissing), idsOfFirst(everybody));
		const { subject } = await mailbox.take();
		checks.expectEqual(
			'A person is told',
			subject,
			`Contacts: ${missingCount} missing from the CRM`,
		);

		crm.customers = everybody;
		await mirror();
		checks.expectEqual('The date is cleared when they return', idsOf(chatbot, isMissing), []);

		crm.customers = third(everybody);
		mailbox.clear();
		await expectNothingWritten(stage, chatbot, checks, async () => {
			const { text = '' } = await example.whilePublished(async () => await mailbox.take());
			return text;
		});
	});
}

/** Executes "Mirror with approval": no missing contact, a no, a yes, and a CRM that returns only part of its list before and after the mail. */
export async function deletionIsApproved(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Approval checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror with approval', world);
		await firstNight(example, world, checks);
		checks.expectEqual('No approval is asked for when no contact is missing', mailbox.count, 0);

		/** Runs until the mail, lets things change, and clicks. */
		const ask = async (click: 'true' | 'false', meanwhile = () => {}) => {
			stage.service.clearRequests();
			const { id, status } = await example.execute('Every night');
			const { subject, text = '', html } = await mailbox.take();
			checks.expectEqual(
				'It waits for an answer, and has written nothing',
				[status, writes(stage)],
				['waiting', 0],
			);
			meanwhile();
			await followLink(String(html), click);
			return { subject, text, ended: await stage.api.waitForAnsweredExecution(id) };
		};

		const everybody = crm.customers;
		crm.customers = everybody.slice(missingCount);
		const refused = await ask('false');
		checks.expectEqual(
			'The mail says how many',
			refused.subject,
			`Delete ${missingCount} contacts?`,
		);
		checks.expectEqual(
			'It names them',
			idsOfFirst(everybody).filter((id) => !refused.text.includes(id)),
			[],
		);
		expectRed(
			checks,
			'A no ends it',
			refused.ended,
			/^Nothing was written: the deletion of \d+ contacts was not approved/,
		);
		checks.expectEqual('A no writes nothing', writes(stage), 0);

		await expectNothingWritten(stage, chatbot, checks, async () => {
			const { ended } = await ask('true', () => (crm.customers = third(everybody)));
			return textOf(ended);
		});
		crm.customers = third(everybody);
		const { text, ended } = await ask('false');
		checks.expectMatch(
			'The mail says how few customers the CRM returned',
			text,
			new RegExp(`returned ${customerCount / 3} customers\\. ${(customerCount / 3) * 2} contacts`),
		);
		expectRed(
			checks,
			'A no to it helps',
			ended,
			/If that is not the complete list, check Get customers/,
		);

		crm.customers = everybody.slice(missingCount);
		const approved = await ask('true');
		checks.expectEqual('The run goes on after a yes', approved.ended.status, 'success');
		const gone = approved.ended.json('Mirror contacts').map(({ external_id }) => external_id);
		checks.expectEqual('Their last records are kept', gone.sort(), idsOfFirst(everybody));
		checks.expectEqual(
			'They are deleted, and no other contact',
			idsOf(chatbot),
			[website, ...crm.customers].map(({ external_id }) => external_id).sort(),
		);
	});
}

async function inWorld(
	stage: Stage,
	name: string,
	task: (world: World) => Promise<void>,
): Promise<void> {
	const { store } = stage.service;
	const chatbot = store.addChatbot({ name });
	store.seedContacts(chatbot.id, customerCount);
	const crm = await startCrm(customersFrom(chatbot.contacts, changedOneIn));
	store.addContact(chatbot.id, website);
	const mailbox = await Mailbox.open();
	try {
		await task({ chatbot, chatbotId: chatbot.id, crm, mailbox });
	} finally {
		await Promise.all([crm.close(), mailbox.close()]);
	}
}

/** The run that creates the attributes of the mirror and tags the contacts in the list. */
async function firstNight(
	example: ExampleInUse,
	{ chatbot }: World,
	checks: Checks,
): Promise<void> {
	await example.run('Every night');
	const isTagged = ({ custom_attributes: { managed_by: tag } }: Attributed) => tag === 'crm';
	checks.expectEqual(
		'The first night tags the customers, and no other contact',
		[idsOf(chatbot, isTagged).length, chatbot.contacts.size],
		[customerCount, customerCount + 1],
	);
}

/** A night on which the CRM returns a third of its customers. Its task returns what was said. */
async function expectNothingWritten(
	stage: Stage,
	{ contacts }: Chatbot,
	checks: Checks,
	night: () => Promise<string>,
): Promise<void> {
	const before = JSON.stringify([...contacts]);
	stage.service.clearRequests();
	const said = await night();
	checks.expectMatch(
		'With a third of the customers the run fails, and says what to check',
		said,
		/Too many contacts are missing from the input.*Nothing was written.*Check that the nodes before/s,
	);
	checks.expectEqual('It writes nothing', writes(stage), 0);
	checks.expectEqual('Every contact is as before', JSON.stringify([...contacts]), before);
}

function expectRed(checks: Checks, what: string, execution: Execution, text: RegExp): void {
	checks.expectEqual(`${what}: the run is red`, execution.status, 'error');
	checks.expectMatch(`${what}: it says why`, textOf(execution), text);
}

function textOf({ error }: Execution): string {
	return `${error?.message} ${error?.description ?? ''}`;
}

/** Clicks a button of a mail. n8n takes clients that name no browser for programs that look for viruses. */
async function followLink(html: string, approved: 'true' | 'false'): Promise<void> {
	const links = Array.from(html.matchAll(/href="([^"]+)"/g), ([, href]) => href!);
	const link = links
		.find((href) => href.includes(`approved=${approved}`))!
		.replaceAll('&amp;', '&');
	const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
	const response = await fetch(link, { headers });
	if (!response.ok) throw new Error(`GET ${link}: ${response.status}`);
}

type Attributed = Parameters<typeof isMissing>[0];

function isMissing({ custom_attributes }: { custom_attributes: Record<string, unknown> }): boolean {
	return Boolean(custom_attributes.missing_since);
}

function idsOf({ contacts }: Chatbot, isWanted: (contact: Attributed) => boolean = () => true) {
	return [...contacts]
		.filter(isWanted)
		.map(({ external_id }) => external_id)
		.sort();
}

function idsOfFirst(customers: Crm['customers']): string[] {
	return customers.slice(0, missingCount).map(({ external_id }) => external_id);
}

function third(customers: Crm['customers']): Crm['customers'] {
	return customers.slice(0, customerCount / 3);
}

function writes({ service }: Stage): number {
	return service.requests.filter(({ method }) => method !== 'GET').length;
}
