/** Imports and executes the examples that sync contacts, and checks the contacts of the service afterwards. */
import { tryToParseDateTime } from 'n8n-workflow';

import { type Contact } from '../../../service/index.js';
import { customersFrom, startCrm, type Customer } from '../../../lab/crm.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { readExamples } from '../../../lab/workflow.mjs';
import { customersGetChatbots } from './customerExample.mjs';
import { sourcesFollowFolder } from './folderExample.mjs';
import { sourcesFollowDocuments } from './knowledge.mjs';
import { crmIsMirrored, deletionIsApproved } from './mirrorExamples.mjs';
import { customersHearOfOrders } from './orderExample.mjs';

/** The check that executes each example. */
const executedIn: Record<string, string> = {
	'A chatbot for each customer': 'examples',
	'Agent that knows the customer': 'agent',
	'Answer incoming questions': 'chat',
	'Chat that looks up orders': 'loop',
	'Chat that remembers': 'chat',
	'Chat with history': 'chat',
	'Check the answers': 'loop',
	'Contacts from a spreadsheet': 'examples',
	'Conversations of the week': 'examples',
	'Escalations to the team': 'examples',
	'Knowledge from a folder': 'examples',
	'Knowledge from your documents': 'examples',
	'Mirror a CRM': 'examples',
	'Mirror with approval': 'examples',
	'New lead by webhook': 'trigger',
	'New lead to CRM': 'trigger',
	'Nightly contact sync': 'examples',
	'Order status for the chatbot': 'loop',
	'Order updates by WhatsApp': 'examples',
	'Questions without a good answer': 'loop',
	'Ratings from your chat': 'loop',
	'Recognize the customer': 'loop',
};

const contactCount = 40;
const changedOneIn = 8;
const newCustomers: Customer[] = [
	{ external_id: 'new-1', name: 'Ada New', email: 'ada.new@example.com', phonenumber: '' },
	{ external_id: 'new/2?', name: 'Slash & Question', email: 'slash@example.com' },
];

export async function examplesDoTheirWork(stage: Stage, checks: Checks): Promise<string> {
	const names = (await readExamples()).map(({ name }) => name);
	checks.expectEqual('Every example is executed', names.sort(), Object.keys(executedIn).sort());
	await contactsAreSynced(stage, checks);
	await rowsBecomeContacts(stage, checks);
	await conversationsAreMailed(stage, checks);
	await escalationsReachTheTeam(stage, checks);
	await crmIsMirrored(stage, checks);
	await deletionIsApproved(stage, checks);
	await sourcesFollowDocuments(stage, checks);
	await sourcesFollowFolder(stage, checks);
	await customersHearOfOrders(stage, checks);
	await customersGetChatbots(stage, checks);
	return 'a sync, a spreadsheet, a week of conversations, escalations, two mirrors, documents, a folder, orders and new customers, each on good nights and bad ones';
}

async function contactsAreSynced(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Sync checks' });
	service.store.seedContacts(chatbot.id, contactCount);
	const customers = [...customersFrom(chatbot.contacts, changedOneIn), ...newCustomers];
	const crm = await startCrm(customers);
	const mailbox = await Mailbox.open();
	try {
		const world = { chatbotId: chatbot.id, crm, mailbox };
		const example = await ExampleInUse.import(stage, 'Nightly contact sync', world);
		await example.run('Every night');
		checks.expectEqual(
			'The contacts equal the customers of the CRM',
			customers.map(({ external_id }) => fieldsOf(chatbot.contacts.find(external_id))),
			customers.map(fieldsOf),
		);
		checks.expectEqual('No email is sent about it', mailbox.count, 0);

		const [taken] = newCustomers;
		const rival = { external_id: 'R&D "<1>"', name: 'Rival', email: taken!.email };
		const late = { external_id: 'late', name: 'Late', email: 'late@example.com' };
		crm.customers = [...customers, rival, late];
		const { text = '' } = await example.whilePublished(async () => await mailbox.take());
		checks.expectMatch(
			'If a customer cannot be written, the run fails, and an email says which and why',
			text,
			new RegExp(`^1 of ${crm.customers.length} contacts failed.*taken.*: R&D "<1>"\\.`, 's'),
		);
		checks.expect('The others are written', chatbot.contacts.find('late') !== undefined);
	} finally {
		await Promise.all([crm.close(), mailbox.close()]);
	}
}

async function rowsBecomeContacts(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = stage.service.store.addChatbot({ name: 'Spreadsheet checks' });
	const world = { chatbotId: chatbot.id };
	const example = await ExampleInUse.import(stage, 'Contacts from a spreadsheet', world);
	const execution = await example.run('When clicking Execute');
	checks.expectEqual(
		'The attributes that the columns need are created',
		Array.from(chatbot.attributes.values(), ({ name, type }) => `${name}: ${type}`),
		['company: text', 'lifetime_value: number', 'newsletter: boolean', 'signed_up: date'],
	);
	checks.expectEqual(
		'A row is a contact with values in the types of the attributes',
		chatbot.contacts.find('1001')?.custom_attributes,
		{
			company: 'Analytical Engines',
			lifetime_value: 1250.5,
			newsletter: true,
			signed_up: '2026-01-15T00:00:00.000Z',
		},
	);
	const written = ['1001', '1002', '1003'];
	const idsOf = (contacts: Array<{ external_id?: unknown }>) =>
		contacts.map(({ external_id }) => external_id);
	checks.expectEqual(
		'All rows but one are contacts, which the next node gets',
		[idsOf([...chatbot.contacts]), idsOf(execution.json('Continue with contacts'))],
		[written, written],
	);
	const file = await stage.api.readBinary(execution.items('Save failed rows')[0]!);
	checks.expectMatch(
		'A file has the failed row and its reason',
		file,
		/^\W*External ID[^\n]*,error\s+1004,[^\n]*must be a number[^\n]*\s*$/,
	);
}

async function conversationsAreMailed(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Conversation checks' });
	const mailbox = await Mailbox.open();
	try {
		const day = 24 * 3_600_000;
		// The default time zone of n8n.
		const now = tryToParseDateTime(service.clock.iso()).setZone('America/New_York');
		const monday = now.startOf('week').minus({ weeks: 1 }).toMillis();
		const add = (id: string, createdAt: number, source: string, title?: string) =>
			service.store.addConversation(chatbot.id, {
				id,
				title,
				source,
				createdAt: new Date(createdAt).toISOString(),
				messages: [{ role: 'user', content: `Hello, "${id}"\nfrom ${source}` }],
			});
		const formula = '=HYPERLINK("https://example.org")';
		add('the week before', monday - 3 * day, 'WhatsApp');
		add('on Tuesday', monday + day, 'WhatsApp', formula);
		add('on Thursday', monday + 3 * day, 'Widget or Iframe');
		add('this week', monday + 10 * day, 'Email');
		const world = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, 'Conversations of the week', world);
		await example.run('Every Monday');
		const { subject, attachments } = await mailbox.take();
		checks.expectEqual('A mail says how many there were', subject, '2 conversations last week');
		const csv = attachments[0]!.content.toString();
		checks.expectMatch(
			'Its file has those of every channel, with their transcripts',
			csv,
			/^\W*started,channel,.*User: Hello, ""on Thursday""\s+from Widget.*User: Hello, ""on Tuesday""\s+from WhatsApp/s,
		);
		checks.expectMatch('A title of a visitor is no formula', csv, /,"'=HYPERLINK\(/);
		checks.expect('None of another week', !/the week before|this week/.test(csv));
		service.behaviourV2.total = 'tooHigh';
		const { status } = await example.execute('Every Monday');
		checks.expectEqual(
			'A list that is not complete ends the run, and nobody gets a file',
			[status, mailbox.count],
			['error', 0],
		);
	} finally {
		service.behaviourV2.total = 'exact';
		await mailbox.close();
	}
}

async function escalationsReachTheTeam(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const { store } = service;
	const chatbot = store.addChatbot({ name: 'Escalation checks' });
	const mailbox = await Mailbox.open();
	try {
		const add = (id: string, content: string, minutesAgo: number, escalated = true) =>
			store.addConversation(chatbot.id, {
				id,
				title: `About ${id}`,
				source: 'WhatsApp',
				createdAt: new Date(service.clock.now() - minutesAgo * 60_000).toISOString(),
				messages: [
					{ role: 'user', content },
					{ role: 'assistant', content: 'I ask a person. Or write to help@example.com' },
				],
				facets: { escalated },
			});
		add('parcel', 'Where is it? I am Ada@example.com', 3);
		add('nobody', 'Hello?', 2);
		add('fine', 'Thanks, bea@example.com', 1, false);
		const world = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, 'Escalations to the team', world);
		const trigger = 'When a conversation is escalated';
		const mails = async (count: number) => {
			const texts: string[] = [];
			while (texts.length < count) {
				const { subject, text } = await mailbox.take();
				texts.push(`${subject!}\n${text!}`);
			}
			return texts.sort();
		};
		const tickets = () =>
			chatbot.agent.tickets.map(({ subject, customer }) => [subject, customer.email]);
		const parcelTicket = ['Escalated conversation parcel', 'ada@example.com'];
		await example.run(trigger);
		const [nobody, parcel] = await mails(2);
		checks.expectMatch(
			'An email has the transcript, the channel and the customer',
			parcel!,
			/^Escalated: About parcel\nChannel: WhatsApp\nCustomer: ada@example.com\n.*User: Where is it/s,
		);
		checks.expectMatch('It says if there is no ticket', nobody!, /no ticket was created/);
		checks.expectEqual('The customer who left an email has a ticket', tickets(), [parcelTicket]);
		checks.expectMatch(
			'It has the transcript',
			chatbot.agent.tickets[0]?.description ?? '',
			/^Conversation parcel \(WhatsApp\)\n\n.*User: Where is it/,
		);
		add('refund', 'Money back! cleo@example.com', 0);
		await example.run(trigger);
		await mails(3);
		checks.expectEqual('A second run opens a ticket only for what is new', tickets(), [
			parcelTicket,
			['Escalated conversation refund', 'cleo@example.com'],
		]);
		const fault = service.faults.add({
			when: { path: `/agents/${chatbot.id}/conversations/export` },
			fault: { kind: 'status', status: 403 },
		});
		await example.run(trigger);
		service.faults.remove(fault);
		const [first] = await mails(3);
		checks.expectMatch(
			'Without the transcript the team gets its emails all the same',
			first!,
			/^Escalated: About nobody\nChannel: WhatsApp\n.*The transcript could not be read/s,
		);
		service.behaviourV2.helpdesk = 'off';
		const { status } = await example.execute(trigger);
		checks.expectEqual(
			'Without the helpdesk the run fails, after the team has got its emails',
			[status, (await mails(3)).length],
			['error', 3],
		);
	} finally {
		service.behaviourV2.helpdesk = 'on';
		await mailbox.close();
	}
}

function fieldsOf(contact?: Customer | Contact) {
	return [contact?.name, contact?.email, contact?.phonenumber || null];
}
