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

/** Executes "Mirror a CRM": the first night, one with missing customers, and a CRM that returns only part of its list. */
export async function crmIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Mirror checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror a CRM', world);
		await firstNight(example, world, checks);
		checks.expectEqual('No email is sent when no contact is missing', mailbox.count, 0);

		const everybody = crm.customers;
		crm.customers = everybody.slice(missingCount);
		await example.run('Every night');
		checks.expectEqual(
			'Only missing contacts are marked with the date',
			idsOf(chatbot, isMissing),
			idsOfFirst(everybody),
		);
		const { subject } = await mailbox.take();
		checks.expectEqual(
			'An email gives the number',
			subject,
			`Contacts: ${missingCount} missing from the CRM`,
		);

		crm.customers = third(everybody);
		await expectNothingWritten(chatbot, checks, async () => {
			const { text = '' } = await example.whilePublished(async () => await mailbox.take());
			return text;
		});
	});
}

/** Executes "Mirror with approval": no missing contact, a Dry Run, a rejection, a CRM that returns only part of its list after the email, and an approval. */
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

		const { subject, text, ended } = await ask('false');
		const names = everybody.slice(0, missingCount).map(({ name }) => String(name));
		checks.expectEqual(
			'The email says how many would be deleted, and names them as plain text',
			[subject, names.filter((name) => !text.replace(/\s+/g, ' ').includes(name))],
			[`Delete ${missingCount} contacts?`, []],
		);
		checks.expectEqual('A rejection writes nothing', writes(stage), 0);
		checks.expectMatch(
			'It fails the run, which says why and what to check',
			`${ended.status}: ${textOf(ended)}`,
			/^error: Nothing was deleted: the deletion of 2 contacts was not approved\. The CRM returned 58 customers\..*check Get customers/,
		);

		await expectNothingWritten(chatbot, checks, async () => {
			const { ended: late } = await ask('true', () => (crm.customers = third(everybody)));
			return textOf(late);
		});

		crm.customers = everybody.slice(missingCount);
		await ask('true');
		checks.expectEqual(
			'After an approval, only the missing contacts are deleted',
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
	{ contacts }: Chatbot,
	checks: Checks,
	night: () => Promise<string>,
): Promise<void> {
	const before = JSON.stringify([...contacts]);
	const said = await night();
	checks.expectMatch(
		'With a third of the customers the run fails, and says what to check',
		said,
		/Too many contacts are missing from the input.*Nothing was written.*Check that the nodes before/s,
	);
	checks.expectEqual('Every contact is unchanged', JSON.stringify([...contacts]), before);
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
