/** The examples that mirror a CRM: which contacts are missing from it, and what happens to them. */
import { type Chatbot } from '../../../service/core/store.js';
import { customersFrom, startCrm, type Crm } from '../../../lab/crm.mjs';
import { ExampleInUse, type Surroundings } from '../../../lab/exampleInUse.mjs';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const customerCount = 60;
const changedOneIn = 8;
const missingCount = 2;
const website = { external_id: 'website-1', name: 'Came by Herself' };

/** A chatbot with the customers of a CRM and a contact from the website. */
interface World extends Required<Omit<Surroundings, 'credentials' | 'library'>> {
	chatbot: Chatbot;
}

/** Executes "Mirror a CRM": the first night, one with missing customers, their return, and a CRM that returns only part of its list. */
export async function crmIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Mirror checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror a CRM', world);
		const mirror = async () => (await example.run('Every night')).json('Mirror contacts')[0]!;
		await firstNight(example, world, checks);
		checks.expectEqual('No email is sent when no contact is missing', mailbox.count, 0);

		const everybody = crm.customers;
		crm.customers = everybody.slice(missingCount);
		const { marked, unchanged } = await mirror();
		checks.expectEqual(
			'Missing contacts are marked with the date',
			[marked, unchanged],
			[missingCount, customerCount - missingCount],
		);
		checks.expectEqual(
			'The service has the date of each missing contact',
			idsOf(chatbot, isMissing),
			idsOfFirst(everybody),
		);
		const { subject } = await mailbox.take();
		checks.expectEqual(
			'An email gives the number',
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

/** Executes "Mirror with approval": no missing contact, a rejection, an approval, and a CRM that returns only part of its list before and after the email. */
export async function deletionIsApproved(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Approval checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror with approval', world);
		await firstNight(example, world, checks);
		checks.expectEqual('No approval is asked for when no contact is missing', mailbox.count, 0);

		/** Runs until the email arrives, changes the CRM, and clicks. */
		const ask = async (click: 'true' | 'false', meanwhile = () => {}) => {
			stage.service.clearRequests();
			const { id, status } = await example.execute('Every night');
			const { subject, text = '', html } = await mailbox.take();
			checks.expectEqual(
				'It waits for the click and has written nothing',
				[status, writes(stage)],
				['waiting', 0],
			);
			meanwhile();
			await followLink(String(html), click);
			return { subject, text, ended: await stage.api.waitForAnsweredExecution(id) };
		};

		const everybody = crm.customers;
		crm.customers = everybody.slice(missingCount);
		const preview = await example.with('Update contacts', { dryRun: true });
		stage.service.clearRequests();
		const { status } = await preview.execute('Every night');
		checks.expectEqual(
			'A Dry Run ends without an email, and writes nothing',
			[status, mailbox.count, writes(stage)],
			['success', 0, 0],
		);

		const refused = await ask('false');
		checks.expectEqual(
			'The email says how many',
			refused.subject,
			`Delete ${missingCount} contacts?`,
		);
		checks.expectEqual(
			'It names them as plain text',
			everybody
				.slice(0, missingCount)
				.map(({ external_id, name }) => `${external_id} ${String(name)}`)
				.filter((line) => !refused.text.replace(/\s+/g, ' ').includes(line)),
			[],
		);
		expectRed(
			checks,
			'A rejection fails the run',
			refused.ended,
			/^Nothing was deleted: the deletion of \d+ contacts was not approved/,
		);
		checks.expectEqual('A rejection writes nothing', writes(stage), 0);

		await expectNothingWritten(stage, chatbot, checks, async () => {
			const { ended } = await ask('true', () => (crm.customers = third(everybody)));
			return textOf(ended);
		});
		crm.customers = third(everybody);
		const { text, ended } = await ask('false');
		checks.expectMatch(
			'The email says how many customers the CRM returned',
			text,
			new RegExp(`returned ${customerCount / 3} customers\\. ${(customerCount / 3) * 2} contacts`),
		);
		expectRed(
			checks,
			'The error of a rejected run says what to check',
			ended,
			/If that is not the complete list, check Get customers/,
		);

		crm.customers = everybody.slice(missingCount);
		const approved = await ask('true');
		checks.expectEqual('The run continues after an approval', approved.ended.status, 'success');
		const gone = approved.ended.json('Delete missing').map(({ external_id }) => external_id);
		checks.expectEqual('Their last records are kept', gone.sort(), idsOfFirst(everybody));
		checks.expectEqual(
			'Only these contacts are deleted',
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
	const customers = customersFrom(chatbot.contacts, changedOneIn);
	customers[0]!.name = 'Tom & "Jerry" <Co>';
	const crm = await startCrm(customers);
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

/** A night on which the CRM returns a third of its customers. The task returns the error. */
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
	checks.expectEqual('Every contact is unchanged', JSON.stringify([...contacts]), before);
}

function expectRed(checks: Checks, what: string, execution: Execution, text: RegExp): void {
	checks.expectEqual(`${what}: the run has failed`, execution.status, 'error');
	checks.expectMatch(`${what}: the error says why`, textOf(execution), text);
}

function textOf({ error }: Execution): string {
	return `${error?.message} ${error?.description ?? ''}`;
}

/** Clicks a button of an email. n8n treats clients without a browser's name as virus scanners. */
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
