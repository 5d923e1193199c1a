/** A CSV file as people make it, read by n8n and mapped automatically: nothing goes missing in silence. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const contacts = 'Contacts';

const rows = [
	['External ID', 'Name', 'E-Mail', 'Phone Number', 'Lifetime value', 'Plan'],
	['C-1', 'Ada Lovelace', 'ada@example.com', '+44 20 7946 0100', '1250.5', 'pro'],
	['C-2', 'Grace Hopper', 'grace@example.com', '', '', ''],
];

const notSent =
	'Not sent: Plan. No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.';

export async function spreadsheetIsMapped(stage: Stage, checks: Checks): Promise<string> {
	const { api, credential, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Spreadsheet with headers' });
	service.store.addAttribute(chatbot.id, { name: 'lifetime_value', type: 'number' });
	const run = async (table: string[][], dryRun = false) => {
		const workflow = spreadsheetOf(chatbot.id, table, dryRun);
		return await api.runWorkflow(await api.importWorkflow(workflow, [credential]));
	};
	const notSentIn = (hints: string[]) => hints.filter((hint) => hint.startsWith('Not sent'));

	const first = await run(rows);
	checks.expectEqual(
		'Columns with the names of people become contacts',
		Array.from(chatbot.contacts, ({ external_id, name, email, phonenumber, custom_attributes }) => [
			external_id,
			name,
			email,
			phonenumber,
			custom_attributes.lifetime_value,
		]),
		[
			['C-1', 'Ada Lovelace', 'ada@example.com', '+44 20 7946 0100', 1250.5],
			['C-2', 'Grace Hopper', 'grace@example.com', null, undefined],
		],
	);
	checks.expectEqual('A hint names the column that is not sent', notSentIn(first.hints(contacts)), [
		notSent,
	]);

	const changed = rows.map((row) =>
		row.map((cell) => (cell === 'Ada Lovelace' ? 'Ada King' : cell)),
	);
	service.clearRequests();
	const preview = await run(changed, true);
	const records = preview.json(contacts).map(({ name, _sync }) => ({ name, _sync }));
	checks.expectEqual('A Dry Run shows the new value and the old one', records, [
		{
			name: 'Ada King',
			_sync: { action: 'wouldUpdate', changed: ['name'], before: { name: 'Ada Lovelace' } },
		},
		{ name: 'Grace Hopper', _sync: { action: 'unchanged' } },
	]);
	checks.expectEqual('It names the column, too', notSentIn(preview.hints(contacts)), [notSent]);
	checks.expectEqual(
		'It writes nothing',
		service.requests.filter(({ method }) => method !== 'GET').length,
		0,
	);
	return 'a CSV file with human headers, and a Dry Run with one changed value';
}

function spreadsheetOf(chatbotId: string, table: string[][], dryRun: boolean): Workflow {
	const file = table.map((row) => row.join(',')).join('\n');
	const names = ['Start', 'Set text', 'Make file', 'Read file', contacts];
	const nodes = [
		{ type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ file }), options: {} },
		},
		{
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: { operation: 'toText', sourceProperty: 'file', options: { fileName: 'a.csv' } },
		},
		{
			// Extract from File reads CSV with the code of this node, but needs a package that n8n 2.41.1 does not install.
			type: 'n8n-nodes-base.spreadsheetFile',
			typeVersion: 2,
			parameters: { operation: 'fromFile', fileFormat: 'csv', options: {} },
		},
		{
			type: 'n8n-nodes-chatbase.chatbase',
			typeVersion: 1,
			credentials: { chatbaseV1Api: { id: '', name: '' } },
			parameters: {
				resource: 'contact',
				operation: 'upsert',
				chatbotId: { __rl: true, mode: 'id', value: chatbotId },
				contactFields: {
					mappingMode: 'autoMapInputData',
					value: null,
					matchingColumns: [],
					schema: [],
				},
				additionalFields: {},
				options: dryRun ? { dryRun: true } : {},
			},
		},
	].map((node, index) => ({
		...node,
		id: `spreadsheet-${index}`,
		name: names[index]!,
		position: [index * 220, 0] as [number, number],
	}));
	const connections = Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1]!, type: 'main', index: 0 }]] },
			]),
	);
	return {
		name: 'Spreadsheet',
		nodes,
		connections,
		settings: { executionOrder: 'v1' },
	} as Workflow;
}
