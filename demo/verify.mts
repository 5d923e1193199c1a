import { type Checks } from '../test/n8n/expectations.mjs';
import { changedCount, chatbotId, contactCount, type Stage } from './stage.mjs';
import { type Run } from './sync.mjs';

const pages = contactCount / 1000;

/** Judges the two runs by what they say, by what reached the service and by what it holds now. */
export async function verify(
	stage: Stage,
	[first, second]: [Run, Run],
	checks: Checks,
): Promise<void> {
	const test = await stage.api.testCredential(stage.credential);
	checks.expectEqual("n8n's test of the credential passes", test.status, 'OK');

	const known = new Set((await stage.api.nodeTypes()).map(({ name }) => name));
	const types = stage.workflows.flatMap(({ nodes }) => nodes.map(({ type }) => type));
	const unknown = types.filter((type) => !known.has(type));
	checks.expectEqual(`n8n knows every node of ${stage.workflows.length} examples`, unknown, []);

	checks.expectEqual(
		'The first run updates the contacts that differ, and no other',
		first.actions,
		{
			updated: changedCount,
			unchanged: contactCount - changedCount,
		},
	);
	checks.expectEqual('It patches each of them once', first.requests.PATCH, changedCount);
	checks.expectEqual('It reads the list by the largest pages', first.pages, pages);
	checks.expectEqual('The second run finds nothing to do', second.actions, {
		unchanged: contactCount,
	});
	checks.expectEqual('It reads the list again', second.pages, pages);
	checks.expectEqual('It sends nothing but reads', Object.keys(second.requests), ['GET']);

	const { contacts } = stage.service.store.chatbot(chatbotId);
	checks.expectEqual('The service holds as many contacts as before', contacts.size, contactCount);
	const differing = stage.customers.filter((customer) => {
		const contact = contacts.find(customer.external_id);
		return ['name', 'email', 'phonenumber'].some(
			(field) => customer[field] !== contact?.[field as 'name'],
		);
	});
	checks.expectEqual('No contact differs from what the CRM has', differing.length, 0);
}

/** Judges the two runs of the spreadsheet, whose three rows are people that the service did not know. */
export function verifySpreadsheet([first, second]: [Run, Run], checks: Checks): void {
	checks.expectEqual('Each row of the spreadsheet becomes a contact', first.actions, {
		created: 3,
	});
	checks.expectEqual('They leave with one request', first.requests.POST, 1);
	checks.expectEqual('A second run finds nothing to do', second.actions, { unchanged: 3 });
	checks.expectEqual('It sends nothing but reads', Object.keys(second.requests), ['GET']);
}
