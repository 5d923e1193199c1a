/** Files as shops export them, from an empty workflow: each node is added and set by clicks, and what people read is looked at. */
import { type Checks } from '../../../lab/expectations.mjs';
import { fileNodes } from '../../../lab/fileNodes.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { type Cell, type SpreadsheetFormat } from '../../../lab/spreadsheet.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { inARow } from '../../../lab/workflow.mjs';
import { type Chatbot } from '../../../service/core/store.js';
import { realExports } from '../../realExports.js';
import { addChatbase } from '../addChatbase.mjs';

export async function exportsBecomeContacts(stage: Stage, checks: Checks): Promise<string> {
	await shopExportWorksAtSecondTry(stage, checks);
	await emptyCellsAreCleared(stage, checks);
	return 'a shop’s export as CSV, and an Excel file with empty cells';
}

async function shopExportWorksAtSecondTry(stage: Stage, checks: Checks): Promise<void> {
	const { idColumn, row, contact, notSent } = realExports.Shopify!;
	const others = [2, 3].map((number) => ({
		...row,
		'Customer ID': `'700${number}`,
		Email: `customer${number}@x.example`,
		Phone: '',
	}));
	const table = [row, ...others].map((cells) => Object.values(cells));
	const { chatbot, panel } = await addNodes(stage, 'Shop export', {
		table: [Object.keys(row), ...table],
		format: 'csv',
	});
	const editor = stage.editor!;
	const dry = editor.savedWith('"dryRun":true');
	await panel.addOption('Dry Run');
	await dry;

	await panel.execute();
	checks.expect(
		'The first Dry Run of a shop’s export names the column of the ID',
		// n8n keeps the mark at the start of a CSV file in the first header.
		await panel.outputShows(/columns of the input are \ufeff?Customer ID, First Name/),
	);
	checks.expect('It names the option', await panel.outputShows(/External ID Column/));
	await editor.screenshot('export-refused');

	const set = editor.savedWith(`"idColumn":"${idColumn}"`);
	await panel.addOption('External ID Column');
	await panel.box('idColumn').fill(idColumn);
	await panel.box('idColumn').press('Tab');
	await set;
	await panel.execute();
	checks.expect(
		'The second Dry Run would create the contacts',
		await panel.outputShows(/3 contacts would be created/),
	);
	checks.expect(
		'It says what is not sent, and what to do',
		await panel.outputShows(
			new RegExp(`Not sent: .*${notSent[0]!}.*Custom Attribute: Create`, 's'),
		),
	);
	checks.expectEqual('Nothing is written', chatbot.contacts.size, 0);
	await editor.screenshot('export-dry-run');

	const real = editor.savedWith('"dryRun":false');
	await panel.field('dryRun').locator('.switch-input').click();
	await real;
	await panel.execute();
	checks.expect('Then the run creates them', await panel.outputShows(/3 contacts created/));
	await panel.close();
	const { external_id, email, phonenumber } = chatbot.contacts.find(contact.external_id)!;
	checks.expectEqual(
		'They have what the export says, without the apostrophes of spreadsheets',
		{ external_id, email, phonenumber },
		contact,
	);
}

const phone = '+44 20 7946 0100';

async function emptyCellsAreCleared(stage: Stage, checks: Checks): Promise<void> {
	const editor = stage.editor!;
	const { chatbot, panel } = await addNodes(stage, 'Excel with empty cells', {
		table: [
			['External ID', 'Name', 'Phone Number', 'Signed up'],
			['E-1', 'Ada Lovelace', '', { day: '2026-07-02' }],
			['E-2', 'Grace Hopper', phone, ''],
			[' ', '', '', ''],
		],
		format: 'xlsx',
	});
	stage.service.store.addAttribute(chatbot.id, { name: 'signed_up', type: 'date' });
	stage.service.store.addContact(chatbot.id, { external_id: 'E-1', phonenumber: phone });
	const clear = editor.savedWith('"emptyValues":"clear"');
	await panel.addOption('Empty Values');
	await panel.chooseOption('emptyValues', 'Clear');
	await clear;

	await panel.execute();
	checks.expect(
		'An Excel file without the cell clears nothing, and says what to turn on',
		await panel.outputShows(/Some items lack Phone Number.*Include Empty Cells/s),
	);
	checks.expect(
		'It says how a day of Excel was read',
		await panel.outputShows(/46205.* was read as 2026-07-02/),
	);
	checks.expect('It counts the blank row', await panel.outputShows(/1 skipped/));
	checks.expectEqual('The number is kept', chatbot.contacts.find('E-1')!.phonenumber, phone);
	await editor.screenshot('excel-empty-cells');
	await panel.close();

	await editor.openPanel(readFile);
	const included = editor.savedWith('"includeEmptyCells":true');
	await panel.addOption('Include Empty Cells');
	await panel.field('includeEmptyCells').locator('.switch-input').click();
	await included;
	await panel.close();
	await editor.openPanel(contacts);
	await panel.execute();
	checks.expect('With it, the contact changes', await panel.outputShows(/E-1: phonenumber/));
	checks.expectEqual('The number is cleared', chatbot.contacts.find('E-1')!.phonenumber, null);
	await panel.close();
}

const readFile = 'Extract from File';
const contacts = 'Create or update contact (upsert)';

interface File {
	table: Cell[][];
	format: SpreadsheetFormat;
}

/** Adds *Extract from File* and *Create or Update* to a file by clicks, and sets what every user sets. */
async function addNodes(
	stage: Stage,
	name: string,
	{ table, format }: File,
): Promise<{ chatbot: Chatbot; panel: Panel }> {
	const chatbot = stage.service.store.addChatbot({ name });
	const editor = stage.editor!;
	const workflow = inARow(name, fileNodes(table, format));
	await editor.openWorkflow(await stage.api.importWorkflow(workflow, []));
	await editor.node('File').click();
	await editor.addNode('extract from file', readFile, `Extract from ${format.toUpperCase()}`);
	const reader = new Panel(editor.page);
	await reader.waitFor();
	await reader.execute();
	await reader.close();

	const panel = await addChatbase(stage, { after: readFile, action: contacts, chatbot: name });
	await panel.mapAutomatically();
	return { chatbot, panel };
}
