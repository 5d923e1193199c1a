import jsonwebtoken from 'jsonwebtoken';

import { type Checks } from '../lab/expectations.mjs';
import { executable } from './guide.mjs';
import { type Loop } from './loop.mjs';
import {
	changedCount,
	chatbotId,
	contactCount,
	credentialText,
	documentCount,
	mirrorId,
	visitorId,
	type Stage,
} from './stage.mjs';
import { rewrittenCount, type Story } from './story.mjs';
import { type Run } from './sync.mjs';

const pages = contactCount / 1000;

/** Checks the two runs: their summaries, their requests, and the contacts of the service afterwards. */
export async function verify(
	stage: Stage,
	[first, second]: [Run, Run],
	checks: Checks,
): Promise<void> {
	const test = await stage.api.testCredential(stage.credential);
	checks.expectEqual("n8n's test of the credential passes", test.status, 'OK');

	const own = /API Key +(\S+)\s+Base URL +(\S+)/.exec(credentialText(stage))!;
	const created = await stage.api.createCredential('chatbaseV1Api', 'My credential', {
		apiKey: own[1],
		baseUrl: own[2],
	});
	const ownTest = await stage.api.testCredential(created);
	checks.expectEqual('So does a credential from the printed values', ownTest.status, 'OK');

	const known = new Set((await stage.api.nodeTypes()).map(({ name }) => name));
	const types = stage.workflows.flatMap(({ nodes }) => nodes.map(({ type }) => type));
	const unknown = types.filter((type) => !known.has(type));
	checks.expectEqual(`n8n knows every node of ${stage.workflows.length} examples`, unknown, []);

	checks.expectEqual('The first run updates only contacts that differ', first.counts, {
		updated: changedCount,
		unchanged: contactCount - changedCount,
	});
	checks.expectEqual('It updates each of them once', first.requests.PATCH, changedCount);
	checks.expectEqual('It reads the list in the largest pages', first.pages, pages);
	checks.expectEqual('The second run changes nothing', second.counts, {
		unchanged: contactCount,
	});
	checks.expectEqual('It reads the list again', second.pages, pages);
	checks.expectEqual('It sends only reads', Object.keys(second.requests), ['GET']);

	const { contacts } = stage.service.store.chatbot(chatbotId);
	checks.expectEqual('The service has as many contacts as before', contacts.size, contactCount);
	const differing = stage.customers.filter((customer) => {
		const contact = contacts.find(customer.external_id);
		return ['name', 'email', 'phonenumber'].some(
			(field) => customer[field] !== contact?.[field as 'name'],
		);
	});
	checks.expectEqual('No contact differs from its customer in the CRM', differing.length, 0);
}

/** Checks the mirror: it has filled a chatbot, and a CRM that returned only part of its list has changed nothing. */
export function verifyMirror(
	{ service, customers }: Stage,
	{ first, short }: Story['mirror'],
	checks: Checks,
): void {
	checks.expectEqual('The mirror creates every customer', first.counts, {
		created: customers.length,
	});
	checks.expectMatch(
		'If the CRM returns only part of its list, the run fails and says what to check',
		short.error ?? '',
		/^Too many contacts are missing from the input\. 6,667 of 10,000 .*Nothing was written\. Check that the nodes before/,
	);
	checks.expectEqual('It sends only reads', Object.keys(short.requests), ['GET']);
	const { contacts } = service.store.chatbot(mirrorId);
	const marked = [...contacts].filter(({ custom_attributes }) => custom_attributes.missing_since);
	checks.expectEqual(
		'Every contact is unchanged',
		[contacts.size, marked.length],
		[customers.length, 0],
	);
}

/** Checks the sources that follow documents: only what differs is sent, and a short list changes nothing. */
export function verifyKnowledge(
	{ service }: Stage,
	{ first, changed, short }: Story['knowledge'],
	checks: Checks,
): void {
	checks.expectEqual('Each document becomes a source', first.counts, { created: documentCount });
	checks.expectEqual('Only documents that have changed are sent again', changed.counts, {
		updated: rewrittenCount,
		unchanged: documentCount - rewrittenCount,
	});
	checks.expectEqual('Each of them is sent once', changed.requests.PUT, rewrittenCount);
	checks.expectEqual('Nothing is created', changed.requests.POST, undefined);
	checks.expectMatch(
		'If only part of the documents arrive, the run fails and says what to check',
		short.error ?? '',
		/^Too many sources are missing from the input\. 134 of 200 .*Nothing was written\. Check that the nodes before/,
	);
	checks.expectEqual('It sends only reads', Object.keys(short.requests), ['GET']);
	const { sources } = service.store.chatbot(chatbotId).agent;
	const kept = sources.filter(({ name, isGone }) => name?.startsWith('Docs:') && !isGone);
	checks.expectEqual('Every source is still there', kept.length, documentCount);
}

/** Checks each step of the loop. */
export function verifyLoop({ service }: Stage, loop: Loop, checks: Checks): void {
	const { contacts, verificationSecret, agent } = service.store.chatbot(chatbotId);
	const { user_id, exp } = jsonwebtoken.verify(loop.token, verificationSecret, {
		algorithms: ['HS256'],
	}) as jsonwebtoken.JwtPayload;
	checks.expectEqual('n8n signs a token of the customer', user_id, visitorId);
	const minutes = Math.round((exp! * 1000 - Date.now()) / 60_000);
	checks.expect('It ends within an hour', minutes > 0 && minutes <= 60);
	checks.expect('The customer is a contact', contacts.find(visitorId) !== undefined);
	checks.expectEqual('The chatbot recognizes the customer', loop.userId, visitorId);
	checks.expectEqual(
		'It answers from the CRM',
		loop.order,
		'Order 1042: on its way. It should arrive on Friday, November 27.',
	);
	checks.expectMatch('It tells nobody else', loop.refused, /^Please sign in/);

	const { row } = loop;
	checks.expectEqual(
		'The question with a bad answer becomes a row',
		[row?.question, row?.count, row?.reason],
		[loop.question, 1, 'negative feedback'],
	);
	const source = agent.sources.find(({ name }) => name === row?.source);
	checks.expectEqual(
		'The written answer becomes knowledge',
		[source?.type, source?.status],
		['qna', 'trained'],
	);
	checks.expect('The chatbot did not know it before', !loop.before.includes(loop.written));
	checks.expectEqual('The same question is answered with it', loop.after, loop.written);
}

/** Checks the two runs of the spreadsheet, whose valid rows are new contacts. */
export function verifySpreadsheet([first, second]: [Run, Run], checks: Checks): void {
	checks.expectEqual('Each valid row of the spreadsheet becomes a contact', first.counts, {
		created: 3,
		failed: 1,
	});
	// The chatbot has the four attributes already, so only the contacts are created.
	checks.expectEqual('They are created with one request', first.requests.POST, 1);
	checks.expectEqual('A second run changes nothing', second.counts, { failed: 1 });
	checks.expectEqual('It creates nothing', second.requests.POST, undefined);
}

/** Executes the examples that the guide names, as they are. */
export async function verifyGuide(stage: Stage, checks: Checks): Promise<void> {
	const { api, workflows, mailbox, crm } = stage;
	mailbox.clear();
	for (const name of Object.keys(executable)) {
		const { status } = await api.runWorkflow(workflows.find((one) => one.name === name)!);
		const expected = name === 'Mirror with approval' ? 'waiting' : 'success';
		checks.expectEqual(`"${name}" runs`, status, expected);
	}
	checks.expectEqual(
		'The mailbox has their emails',
		mailbox.mails.map(({ subject = '' }) => subject.replace(/^\d+/, 'Some')).sort(),
		[
			'Contacts: 2 missing from the CRM',
			'Delete 2 contacts?',
			'Escalated: Refund of a broken lamp',
			'Some conversations last week',
			'Some questions without a good answer last week',
		],
	);
	checks.expectEqual(
		'The CRM has the leads with their transcripts',
		crm.leads.map(({ transcript }) => /parcel/.test(String(transcript))),
		[true, true, true],
	);
	const pageOf = await fetch(stage.page.address);
	checks.expectMatch(
		'The page shows emails and leads',
		await pageOf.text(),
		/2 missing.*Visitor 3/s,
	);
}
