/** A spreadsheet with headers of people, from an empty workflow: the second Dry Run works, with what the first one says. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { pinnedRows } from '../../../lab/workflow.mjs';
import { addChatbase } from '../addChatbase.mjs';

const rows = [1, 2, 3].map((number) => ({
	'Customer ID': `sheet-${number}`,
	Name: `Person ${number}`,
	'E-mail': `person${number}@sheet.example`,
	Phone: `+44 20 7946 010${number}`,
	Plan: 'pro',
	'Signed up': `${number + 20}/12/2025`,
	VIP: number === 2 ? 'no' : 'yes',
	'Lifetime value': `1,23${number}.50`,
}));

const attributes = [
	{ name: 'plan', type: 'text', label: 'Plan' },
	{ name: 'signed_up', type: 'date', label: 'Signed up' },
	{ name: 'vip', type: 'boolean', label: 'VIP' },
	{ name: 'lifetime_value', type: 'number', label: 'Lifetime value' },
] as const;

const workflow = pinnedRows('A spreadsheet at first try', 'Get rows', rows);

export async function spreadsheetWorksAtFirstTry(stage: Stage, checks: Checks): Promise<string> {
	const { service } = stage;
	const editor = stage.editor!;
	const name = 'Chatbot of a spreadsheet';
	const chatbot = service.store.addChatbot({ name });
	for (const attribute of attributes) service.store.addAttribute(chatbot.id, attribute);

	await editor.openWorkflow(await stage.api.importWorkflow(workflow, []));
	const panel = await addChatbase(stage, {
		after: 'Get rows',
		action: 'Create or update contact (upsert)',
		chatbot: name,
	});
	await panel.mapAutomatically();
	const dry = editor.savedWith('"dryRun":true');
	await panel.addOption('Dry Run');
	await dry;

	await panel.execute();
	for (const [what, text] of Object.entries(firstWords)) {
		checks.expect(`The first Dry Run ${what}`, await panel.outputShows(text));
	}
	await editor.screenshot('first-try-refused');

	await panel.addOption('External ID Column');
	await panel.addOption('Dates and Numbers in Text');
	await panel.box('idColumn').fill('Customer ID');
	const chosen = editor.savedWith('"textFormat":"dayPoint"');
	await panel.chooseOption('textFormat', '31/12/2026 and 1,234.50');
	await chosen;
	await panel.execute();
	checks.expect(
		'The second Dry Run would create the contacts',
		await panel.outputShows(/3 contacts would be created/),
	);
	checks.expect(
		'It shows how a date was read',
		await panel.outputShows(/21\/12\/2025.* was read as 2025-12-21/),
	);
	await editor.screenshot('first-try-dry-run');
	checks.expectEqual('Nothing is written', chatbot.contacts.size, 0);

	const real = editor.savedWith('"idColumn":"Customer ID"');
	await panel.field('dryRun').locator('.switch-input').click();
	await real;
	await panel.execute();
	checks.expect('Then the run creates them', await panel.outputShows(/3 contacts created/));
	await panel.close();
	const contact = chatbot.contacts.find('sheet-2')!;
	const { email, phonenumber, custom_attributes } = contact;
	checks.expectEqual(
		'They have what the spreadsheet says',
		{ name: contact.name, email, phonenumber, ...custom_attributes },
		{
			name: 'Person 2',
			email: 'person2@sheet.example',
			phonenumber: '+44 20 7946 0102',
			plan: 'pro',
			signed_up: '2025-12-22T00:00:00.000Z',
			vip: false,
			lifetime_value: 1232.5,
		},
	);
	return 'a spreadsheet with eight human headers, a refused Dry Run, one that works, and the run';
}

/** What the first Dry Run says, all at once. */
const firstWords = {
	'names the dates': /Signed up: 3 values are not dates, such as 21\/12\/2025/,
	'names the numbers': /Lifetime value: 3 values are not numbers, such as 1,231\.50/,
	'names the choice that reads them':
		/set Dates and Numbers in Text to "31\/12\/2026 and 1,234\.50"/,
};
