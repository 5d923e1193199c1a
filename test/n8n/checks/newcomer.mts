/** The first hour of a user: three customers become contacts, a second run writes nothing, a mirror is tried. */
import { type Checks } from '../../../lab/expectations.mjs';
import { supportBot, type Stage } from '../../../lab/stage.mjs';
import { pinnedRows } from '../../../lab/workflow.mjs';
import { addChatbase } from '../addChatbase.mjs';

const customers = ['Ada', 'Bea', 'Cleo'].map((customer, index) => ({
	number: `walk-${index + 1}`,
	customer,
	mail: `${customer.toLowerCase()}@walk.example`,
}));

const workflow = pinnedRows('First contacts', 'Get customers', customers);

export async function newcomerSyncsContacts(stage: Stage, checks: Checks): Promise<string> {
	const { service } = stage;
	const editor = stage.editor!;
	await editor.openWorkflow(await stage.api.importWorkflow(workflow, []));
	const panel = await addChatbase(stage, {
		after: 'Get customers',
		action: 'Create or update contact (upsert)',
		chatbot: supportBot.name,
	});
	await panel.dragInput('number', 'external_id');
	await panel.dragInput('customer', 'name');
	const mapped = editor.savedWith('$json.mail');
	await panel.dragInput('mail', 'email');
	await mapped;

	await panel.execute();
	checks.expect('The contacts are created', await panel.outputShows(/3 contacts created\./));
	await editor.screenshot('newcomer-created');
	await panel.execute();
	checks.expect('A second run writes nothing', await panel.outputShows(/3 contacts unchanged\./));
	await editor.screenshot('newcomer-unchanged');

	await panel.field('operation').click();
	await editor.page.getByRole('option', { name: /^Mirror\b/ }).click();
	const saved = editor.savedWith('"tagValue":"walk"');
	// Dry Run is on from the start.
	await panel.box('tagValue').fill('walk');
	await saved;
	await panel.execute();
	checks.expect(
		'The dry run says what a mirror would do',
		await panel.outputShows(
			/Nothing was written\. 3 contacts would be updated \(walk-1: managed_by; walk-2: managed_by; walk-3: managed_by\), [\d,]+ others aren't managed/,
		),
	);
	await editor.screenshot('newcomer-mirror');
	await panel.close();
	const ours = customers.map(({ number }) => service.store.contact(supportBot.id, number));
	checks.expectEqual(
		'The dry run has tagged no contact',
		ours.map((contact) => contact?.custom_attributes?.managed_by ?? null),
		[null, null, null],
	);
	return 'a table of three customers, two runs, and a mirror with Dry Run';
}
