/** The examples that make the contacts of a chatbot the customers of a CRM: who leaves, and who does not. */
import { type Chatbot } from '../../service/store.js';
import { customersFrom, startCrm, type Crm } from '../crm.mjs';
import { ExampleInUse, type Surroundings } from '../exampleInUse.mjs';
import { type Execution } from '../execution.mjs';
import { type Checks } from '../expectations.mjs';
import { Mailbox } from '../mailbox.mjs';
import { type Stage } from '../stage.mjs';

const customerCount = 60;
const changedOneIn = 8;
const leaverCount = 2;
const website = { external_id: 'website-1', name: 'Came by Herself' };

/** A chatbot that holds the customers of a CRM and a contact that the website made. */
interface World extends Required<Surroundings> {
	chatbot: Chatbot;
}

/** Executes "Mirror a CRM": the first night, one with leavers, their return, and a CRM that answers short. */
export async function crmIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Mirror checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror a CRM', world);
		const mirror = async () => (await example.run('Every night')).json('Mirror contacts')[0]!;
		await firstNight(example, world, checks);
		checks.expectEqual('A night on which nothing has changed sends no mail', mailbox.count, 0);

		const everybody = crm.customers;
		crm.customers = everybody.slice(leaverCount);
		const { marked, unchanged } = await mirror();
		checks.expectEqual(
			'Those who left are marked with the date',
			[marked, unchanged],
			[leaverCount, customerCount - leaverCount],
		);
		checks.expectEqual('They carry it', idsOf(chatbot, hasLeft), idsOfFirst(everybody));
		const { subject } = await mailbox.take();
		checks.expectEqual('A person is told', subject, `Contacts: ${leaverCount} have left the CRM`);

		crm.customers = everybody;
		await mirror();
		checks.expectEqual('The date goes when they come back', idsOf(chatbot, hasLeft), []);

		crm.customers = third(everybody);
		mailbox.clear();
		await expectNothingWritten(stage, chatbot, checks, async () => {
			const { text = '' } = await example.whilePublished(async () => await mailbox.take());
			return text;
		});
	});
}

/** Executes "Mirror with approval": nobody to ask about, a yes, a no, and a CRM that answers short before and after the yes. */
export async function leaversAreApproved(stage: Stage, checks: Checks): Promise<void> {
	await inWorld(stage, 'Approval checks', async (world) => {
		const { chatbot, crm, mailbox } = world;
		const example = await ExampleInUse.import(stage, 'Mirror with approval', world);
		await firstNight(example, world, checks);
		checks.expectEqual('Nobody is asked where nobody leaves', mailbox.count, 0);

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
		crm.customers = everybody.slice(leaverCount);
		const refused = await ask('false');
		checks.expectEqual(
			'The mail says how many',
			refused.subject,
			`Delete ${leaverCount} contacts?`,
		);
		checks.expectEqual(
			'It names them',
			idsOfFirst(everybody).filter((id) => !refused.text.includes(id)),
			[],
		);
		expectRed(checks, 'A no ends it', refused.ended, /^Nothing was written: nobody has approved/);
		checks.expectEqual('A no writes nothing', writes(stage), 0);

		await expectNothingWritten(stage, chatbot, checks, async () => {
			const { ended } = await ask('true', () => (crm.customers = third(everybody)));
			return textOf(ended);
		});
		crm.customers = third(everybody);
		const { text, ended } = await ask('false');
		checks.expectMatch(
			'The question tells how few the CRM has named',
			text,
			new RegExp(`names ${customerCount / 3} customers\\. ${(customerCount / 3) * 2} contacts`),
		);
		expectRed(checks, 'A no to it helps', ended, /If these are not all, look at Get customers/);

		crm.customers = everybody.slice(leaverCount);
		const approved = await ask('true');
		checks.expectEqual('A yes lets it run', approved.ended.status, 'success');
		const gone = approved.ended.json('Mirror contacts').map(({ external_id }) => external_id);
		checks.expectEqual('Their last records are kept', gone.sort(), idsOfFirst(everybody));
		checks.expectEqual(
			'They are gone, and nobody else',
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

/** The run that marks the contacts in the list, after the attributes for the marks were created. */
async function firstNight(
	example: ExampleInUse,
	{ chatbot }: World,
	checks: Checks,
): Promise<void> {
	await example.run('Once, at the beginning');
	await example.run('Once, at the beginning');
	await example.run('Every night');
	const isMarked = ({ custom_attributes: { managed_by: mark } }: Attributed) => mark === 'crm';
	checks.expectEqual(
		'The first night marks the customers, and nobody else',
		[idsOf(chatbot, isMarked).length, chatbot.contacts.size],
		[customerCount, customerCount + 1],
	);
}

/** A night on which the CRM answers with a third of its customers. Its task returns what was said. */
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
		'With a third of the customers the run fails, and says what to look at',
		said,
		/Too many contacts have left the list at once.*Nothing was written.*look at the nodes before/s,
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

type Attributed = Parameters<typeof hasLeft>[0];

function hasLeft({ custom_attributes }: { custom_attributes: Record<string, unknown> }): boolean {
	return Boolean(custom_attributes.left_crm_at);
}

function idsOf({ contacts }: Chatbot, isWanted: (contact: Attributed) => boolean = () => true) {
	return [...contacts]
		.filter(isWanted)
		.map(({ external_id }) => external_id)
		.sort();
}

function idsOfFirst(customers: Crm['customers']): string[] {
	return customers.slice(0, leaverCount).map(({ external_id }) => external_id);
}

function third(customers: Crm['customers']): Crm['customers'] {
	return customers.slice(0, customerCount / 3);
}

function writes({ service }: Stage): number {
	return service.requests.filter(({ method }) => method !== 'GET').length;
}
