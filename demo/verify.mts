import { type Checks } from '../test/n8n/expectations.mjs';
import {
	changedCount,
	chatbotId,
	contactCount,
	credentialText,
	mirrorId,
	type Stage,
} from './stage.mjs';
import { type Story } from './story.mjs';
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

	checks.expectEqual('The first run updates only contacts that differ', first.contacts, {
		updated: changedCount,
		unchanged: contactCount - changedCount,
	});
	checks.expectEqual('It updates each of them once', first.requests.PATCH, changedCount);
	checks.expectEqual('It reads the list in the largest pages', first.pages, pages);
	checks.expectEqual('The second run changes nothing', second.contacts, {
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
	checks.expectEqual('The mirror creates every customer', first.contacts, {
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

/** Checks the two runs of the spreadsheet, whose valid rows are new contacts. */
export function verifySpreadsheet([first, second]: [Run, Run], checks: Checks): void {
	checks.expectEqual('Each valid row of the spreadsheet becomes a contact', first.contacts, {
		created: 3,
	});
	checks.expectEqual('They are created with one request', first.requests.POST, 1);
	checks.expectEqual('A second run changes nothing', second.contacts, {});
	checks.expectEqual('It sends only reads', Object.keys(second.requests), ['GET']);
}
