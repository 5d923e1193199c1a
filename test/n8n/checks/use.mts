/** A small workflow built by hand in the editor, executed, and made to fail. */
import { type Checks } from '../../../lab/expectations.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { supportBot, type Stage } from '../../../lab/stage.mjs';

const contact = { id: 'customer-000042', email: 'customer.42@' };
const newName = 'Renamed By Hand';

export async function workflowIsBuiltByHand(stage: Stage, checks: Checks): Promise<string> {
	const { service, credential } = stage;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	await editor.newWorkflow();
	editor.takeComplaints();

	await editor.addNode('chatbase', 'Chatbase', 'Get contact');
	await panel.waitFor();
	checks.expect(
		'The first node of a workflow comes with a trigger',
		(await editor.page.getByTestId('canvas-trigger-node').count()) > 0,
	);
	await panel.chooseCredential(credential.name);
	await panel.chooseFromList('chatbotId', supportBot.name);
	await panel.chooseFromList('contactId', `(${contact.id})`, contact.email);
	await panel.execute();
	checks.expect('The chosen contact is read', await panel.outputShows(new RegExp(contact.id)));
	await editor.screenshot('use-get');
	await panel.close();

	await editor.addNode('chatbase', 'Chatbase', 'Create or update contact (upsert)');
	await panel.waitFor();
	await panel.chooseFromList('chatbotId', supportBot.name);
	await panel.dragInput('external_id', 'external_id');
	await fillName(stage, panel, newName);
	await panel.execute();
	checks.expect('The output says what was done', await panel.outputShows(/action:\s*updated/));
	checks.expectEqual(
		'The service has the new name',
		service.store.contact(supportBot.id, contact.id)?.name,
		newName,
	);
	await editor.screenshot('use-upsert');
	checks.expectEqual('The console of the browser has no errors', editor.takeComplaints(), []);

	await showError(stage, panel, checks);
	return 'two nodes added, a chatbot and a contact chosen, a field mapped, three executions';
}

/** The service refuses, and the user sees the reason and the next step. */
async function showError(stage: Stage, panel: Panel, checks: Checks): Promise<void> {
	const { service, editor } = stage;
	const fault = service.faults.add({
		when: { method: 'PATCH' },
		fault: { kind: 'status', status: 403 },
	});
	await fillName(stage, panel, `${newName} Again`);
	await panel.execute();
	service.faults.remove(fault);
	checks.expect('An error has a title', await panel.outputShows(/Access denied or quota used up/));
	checks.expect(
		'It says what to do',
		await panel.outputShows(/Check in the dashboard that the key/),
	);
	await editor!.screenshot('use-error');
	await panel.close();
}

/** Types the name, and waits until the editor has saved it: n8n may execute what was saved before. */
async function fillName({ editor }: Stage, panel: Panel, name: string): Promise<void> {
	const saved = editor!.savedWith(`"${name}"`);
	await panel.box('name').fill(name);
	await saved;
}
