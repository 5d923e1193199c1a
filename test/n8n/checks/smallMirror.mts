/** Eleven managed contacts and one in the input: nothing is deleted until a person has entered a number. */
import { type Checks } from '../../../lab/expectations.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { inARow, type Workflow } from '../../../lab/workflow.mjs';

const contactCount = 11;
const mirror = 'Mirror contacts';

export async function smallListIsMirrored(stage: Stage, checks: Checks): Promise<string> {
	const { api, credential, service } = stage;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	const chatbot = service.store.addChatbot({ name: 'Small mirror' });
	const customers = Array.from({ length: contactCount }, (_, index) => ({
		external_id: `K${1011 + index}`,
		name: `Customer ${index}`,
	}));
	const importFor = async (rows: object[]) =>
		await api.importWorkflow(mirrorOf(chatbot.id, rows), [credential]);
	const first = await api.runWorkflow(await importFor(customers));
	checks.expectEqual('The first run creates and tags all', first.json(mirror).length, contactCount);

	for (const executionOrder of ['v0', 'v1']) {
		const workflow = pairedBehind(mirrorOf(chatbot.id, customers.slice(0, 1)), executionOrder);
		const run = await api.runWorkflow(await api.importWorkflow(workflow, [credential]));
		const [own, ...missing] = run.json('Name of the customer');
		checks.expectEqual(`The next node knows the customer of an item (${executionOrder})`, own, {
			customer: 'Customer 0',
		});
		checks.expectEqual(
			`It gets no other customer's data for a missing contact (${executionOrder})`,
			[missing.length, missing.filter(({ customer }) => customer !== undefined)],
			[contactCount - 1, []],
		);
	}

	await editor.openWorkflow(await importFor(customers.slice(0, 1)));
	await editor.openPanel(mirror);
	const expectRefused = async (when: string) => {
		service.clearRequests();
		await panel.execute();
		checks.expect(
			`${when}, the run fails`,
			await panel.outputShows(/Too many contacts are missing from the input/),
		);
		checks.expectEqual(
			`${when}, only reads are sent`,
			[...new Set(service.requests.map(({ method }) => method))],
			['GET'],
		);
	};
	await expectRefused('With 1 of 11 managed contacts in the input');
	await editor.screenshot('small-mirror-refused');

	const added = editor.savedWith('"maxMissing"');
	await panel.addOption('Max Missing Contacts');
	await added;
	await expectRefused('With Max Missing Contacts added and not filled in');
	await editor.screenshot('small-mirror-option');

	const filled = editor.savedWith('"maxMissing":"10"');
	await panel.box('maxMissing').fill('10');
	await panel.field('dryRun').locator('.switch-input').click();
	await filled;
	await panel.execute();
	checks.expect(
		'A Dry Run names whom a real run would delete',
		await panel.outputShows(/10 would be deleted \(K1012, K1013, K1014/),
	);
	checks.expect('And says which limit is off', await panel.outputShows(/The 10% limit is off/));
	await editor.screenshot('small-mirror-dry-run');
	checks.expectEqual('Nothing was deleted', chatbot.contacts.size, contactCount);

	const real = editor.savedWith('"dryRun":false');
	await panel.field('dryRun').locator('.switch-input').click();
	await real;
	await panel.execute();
	checks.expect('The real run deletes them', await panel.outputShows(/10 (contacts )?deleted/));
	checks.expectEqual(
		'The contact in the input stays',
		Array.from(chatbot.contacts, ({ external_id }) => external_id),
		['K1011'],
	);
	await editor.screenshot('small-mirror-deleted');
	await panel.close();

	return 'a mirror of eleven contacts with one in the input, refused twice, tried, and executed';
}

function mirrorOf(chatbotId: string, rows: object[]): Workflow {
	const start = 'Get customers';
	const parameters = {
		resource: 'contact',
		operation: 'mirror',
		dryRun: false,
		chatbotId: { __rl: true, mode: 'id', value: chatbotId },
		contactFields: { mappingMode: 'autoMapInputData', value: null, schema: [] },
		onMissing: 'delete',
		tagValue: 'walk',
	};
	const nodes = [
		{ name: start, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: mirror,
			type: 'n8n-nodes-chatbase.chatbase',
			typeVersion: 1,
			parameters,
			credentials: { chatbaseV1Api: { id: '', name: '' } },
		},
	];
	return {
		...inARow(`Mirror of ${rows.length}`, nodes),
		pinData: { [start]: rows.map((json) => ({ json })) },
	};
}

/** Reports missing contacts, and reads the paired customer of each item in the next node. */
function pairedBehind({ nodes, pinData }: Workflow, executionOrder: string): Workflow {
	const [trigger, node] = nodes;
	const reporting = { ...node!, parameters: { ...node!.parameters, onMissing: 'report' } };
	const customer = "={{ $('Get customers').item.json.name }}";
	const set = {
		name: 'Name of the customer',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: {
			assignments: {
				assignments: [{ id: '1', name: 'customer', type: 'string', value: customer }],
			},
			options: {},
		},
		onError: 'continueRegularOutput',
	};
	const workflow = inARow(`Paired ${executionOrder}`, [trigger!, reporting, set]);
	return { ...workflow, pinData, settings: { executionOrder } };
}
