/** Times where people meet them, from an empty workflow: in a text attribute, in a filter, and until a source is learned. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { addChatbase } from '../addChatbase.mjs';

export async function timesAreUnderstood(stage: Stage, checks: Checks): Promise<string> {
	await textTakesDate(stage, checks);
	await wrongTimeIsRefused(stage, checks);
	await trainingIsExplained(stage, checks);
	return 'a date in a text attribute, a filter with a number that is no time, and a source in training';
}

async function textTakesDate(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const name = 'A date as text';
	const chatbot = service.store.addChatbot({ name });
	const attribute = { name: 'last_order', type: 'text', label: 'Last order' } as const;
	service.store.addAttribute(chatbot.id, attribute);

	const action = 'Create or update contact (upsert)';
	const panel = await addChatbase(stage, { action, chatbot: name });
	await panel.box('external_id').fill('T-1');
	const field = 'custom_attributes.last_order';
	if ((await panel.field(field).count()) === 0) await panel.addField('Attribute: Last order');
	const saved = editor.savedWith('2026-07-02');
	await panel.typeExpression(field, "DateTime.fromISO('2026-07-02T08:00:00Z')");
	await saved;

	await panel.execute();
	checks.expect('A text attribute takes a date', await panel.outputShows(/1 contact created/));
	checks.expectEqual(
		'It is stored as people and services read it',
		chatbot.contacts.find('T-1')?.custom_attributes?.last_order,
		'2026-07-02T08:00:00.000Z',
	);
	await editor.screenshot('date-as-text');
	await panel.close();
}

async function wrongTimeIsRefused(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const name = 'A filter of times';
	const { id } = service.store.addChatbot({ name });
	service.store.addContact(id, { external_id: 'F-1', name: 'Ada' });
	const panel = await addChatbase(stage, { action: 'Get many contacts', chatbot: name });
	await panel.execute();
	checks.expect('Without a filter, the contact is read', await panel.outputShows(/F-1/));

	await panel.addFilter('Created After');
	const saved = editor.savedWith('20260702');
	await panel.typeExpression('createdAfter', '20260702');
	await saved;
	service.clearRequests();
	await panel.execute();
	checks.expect(
		'A number that is no time is refused by the name of the filter',
		await panel.outputShows(/Created After is not a date/),
	);
	checks.expectEqual('Nothing is sent', service.requests.length, 0);
	await editor.screenshot('filter-no-time');
	await panel.close();
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
