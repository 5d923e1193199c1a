/** Times where people meet them, from an empty workflow: in a text attribute, in a filter, and until a source is learned. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { pinnedRows } from '../../../lab/workflow.mjs';
import { addChatbase } from '../addChatbase.mjs';

export async function timesAreUnderstood(stage: Stage, checks: Checks): Promise<string> {
	await textTakesDate(stage, checks);
	await wrongTimeIsRefused(stage, checks);
	await trainingIsExplained(stage, checks);
	return 'a date in a text attribute, three filters with a number that is no time, and a source in training';
}

const attributes = [
	{ name: 'last_order', type: 'text', label: 'Last order' },
	{ name: 'plan', type: 'text', label: 'Plan' },
] as const;

async function textTakesDate(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const name = 'A date as text';
	const chatbot = service.store.addChatbot({ name });
	for (const attribute of attributes) service.store.addAttribute(chatbot.id, attribute);

	const action = 'Create or update contact (upsert)';
	const panel = await addChatbase(stage, { action, chatbot: name });
	await panel.box('external_id').fill('T-1');
	const field = 'custom_attributes.last_order';
	await panel.addField('Attribute: Last order');
	const saved = editor.savedWith('$now');
	await panel.typeExpression(field, '$now');
	await saved;

	await panel.execute();
	checks.expect('A text attribute takes a date', await panel.outputShows(/1 contact created/));
	checks.expectMatch(
		'It is stored as people and services read it',
		String(chatbot.contacts.find('T-1')?.custom_attributes?.last_order),
		/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
	);
	await editor.screenshot('date-as-text');
	await panel.close();
}

const filters = [
	['Get many contacts', 'Created After', 'createdAfter'],
	['Get many leads', 'Start Date', 'startDate'],
	['Get many conversations', 'Start Date', 'startDate'],
] as const;

/** A day as a number, as some programs write it. */
const lastRun = pinnedRows('A filter of times', 'Last run', [{ day: 20260702 }]);

async function wrongTimeIsRefused(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const chatbot = 'A filter of times';
	service.store.addChatbot({ name: chatbot });

	for (const [action, label, parameter] of filters) {
		await editor.openWorkflow(await stage.api.importWorkflow(lastRun, []));
		const panel = await addChatbase(stage, { after: 'Last run', action, chatbot });
		await panel.execute();
		await panel.addFilter(label);
		const saved = editor.savedWith('$json.day');
		await panel.dragInput('day', parameter);
		await saved;

		service.clearRequests();
		await panel.execute();
		checks.expect(
			`"${action}" refuses a number that is no time, by the name of the filter`,
			await panel.outputShows(new RegExp(`${label} is not a date`)),
		);
		checks.expectEqual('Nothing is sent', service.requests.length, 0);
		await editor.screenshot(`no-time-${action.replaceAll(' ', '-').toLowerCase()}`);
		await panel.close();
	}
}

async function trainingIsExplained(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const name = 'Opening hours';
	service.store.addChatbot({ name });
	const action = 'Create or update source (upsert)';
	const panel = await addChatbase(stage, { action, chatbot: name });
	await panel.box('name').fill('Opening hours');
	const saved = editor.savedWith('from nine to five');
	await panel.box('content').fill('We are open from nine to five.');
	await saved;

	await panel.execute();
	checks.expect(
		'A source that was just sent is said to be in training, and for how long',
		await panel.outputShows(/still in training, which takes a moment/),
	);
	await editor.screenshot('source-in-training');
	await panel.close();
}
