/** A WhatsApp template chosen in the editor, mapped, sent, and exchanged for another one. */
import { join } from 'node:path';

import { type Checks } from '../../../lab/expectations.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { examplesFolder } from '../../../lab/paths.mjs';
import { supportBot, type Stage } from '../../../lab/stage.mjs';

export async function templateIsSent(stage: Stage, checks: Checks): Promise<string> {
	const { service, credential } = stage;
	const { whatsapp } = service.store.chatbot(supportBot.id).agent;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	await editor.newWorkflow();
	editor.takeComplaints();
	await editor.addNode('whatsapp template', 'Chatbase', 'Send WhatsApp template');
	await panel.waitFor();
	await panel.chooseCredential(credential.name);
	await panel.chooseFromList('chatbotId', supportBot.name);
	await panel.chooseFromList('template', 'order_update (en_US), utility');
	await panel.box('to').fill('0415 555 2671');
	await panel.box('body.3').waitFor();
	await editor.screenshot('template-order');
	const shown = await panel.locator.innerText();
	checks.expectMatch(
		'The fields are the variables of the template, each with its component',
		shown,
		/Body 1[^]*Body 2[^]*Body 3/,
	);
	checks.expectMatch('The panel names the cost', shown, /Meta charges for each message/);
	checks.expectMatch(
		'The panel says where the whole text is',
		shown,
		/Dry Run and Get Many show the whole text/,
	);
	checks.expectMatch('The panel asks for the country code', shown, /The country code is needed/);

	await panel.execute();
	checks.expect(
		'A number without a country code is refused with the way to write it',
		await panel.outputShows(/country code/),
	);
	await editor.screenshot('template-number');
	// As an address book copies it: with marks of direction, and hyphens that don't break.
	const filled = editor.savedWith('2671');
	await panel.box('to').fill('\u202a+1 415\u2011555\u20112671\u202c');
	await filled;

	await panel.execute();
	checks.expect('Without values, nothing is sent', await panel.outputShows(/Body 1 is empty/));
	checks.expect('The error says so', await panel.outputShows(/Nothing was sent\./));
	checks.expectEqual('Nobody got a message', whatsapp.sent.length, 0);
	for (const [id, value] of Object.entries({
		'body.1': 'Jane',
		'body.2': '1042',
		'body.3': 'Friday',
	})) {
		const saved = editor.savedWith(`"${value}"`);
		await panel.box(id).fill(value);
		await saved;
	}
	await panel.execute();
	checks.expect('The output has the message ID', await panel.outputShows(/wamid/));
	checks.expect(
		'The output has the text that the customer reads',
		await panel.outputShows(/Hi Jane, your order 1042 arrives on Friday\./),
	);
	checks.expectEqual(
		'The customer got the template with its values',
		whatsapp.sent.map(({ to, template }) => [to, template.variables]),
		[['14155552671', { body: { '1': 'Jane', '2': '1042', '3': 'Friday' } }]],
	);
	await editor.screenshot('template-sent');

	await panel.chooseFromList('template', 'appointment_reminder (en_US), utility');
	await panel.box('body.first_name').waitFor();
	checks.expectEqual('Another template has other fields', await panel.box('body.1').count(), 0);
	checks.expect(
		'A variable in the header and named ones have fields too',
		(await panel.box('header.shop').count()) === 1 && (await panel.box('body.day').count()) === 1,
	);
	checks.expectEqual('They are empty', await panel.box('body.first_name').inputValue(), '');
	await editor.screenshot('template-changed');
	checks.expectEqual('The console of the browser has no errors', editor.takeComplaints(), []);
	await panel.close();

	await exampleGetsVariables(stage, checks);
	return 'a template chosen, mapped and sent, and another one chosen, also in an example';
}

/** n8n keeps the fields of an imported workflow until somebody refreshes them. */
async function exampleGetsVariables(stage: Stage, checks: Checks): Promise<void> {
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	const example = join(examplesFolder, 'order-updates-by-whatsapp.json');
	await editor.importFile(example, ['Import', 'From file']);
	await editor.openPanel('Send order update');
	await panel.chooseFromList('chatbotId', supportBot.name);
	await panel.chooseFromList('template', 'appointment_reminder (en_US), utility');

	await panel.locator.getByTitle('Refresh').click();
	await panel.box('body.first_name').waitFor();
	checks.expectEqual(
		'In an example, the refresh button shows the fields of the template alone',
		[await panel.box('body.day').count(), await panel.box('body.1').count()],
		[1, 0],
	);
	await panel.close();
}
