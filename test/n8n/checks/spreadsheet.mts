/** Spreadsheets as people save them, read by n8n and mapped automatically: nothing goes missing in silence. */
import { type Checks } from '../../../lab/expectations.mjs';
import { type Execution } from '../../../lab/execution.mjs';
import { fileNodes } from '../../../lab/fileNodes.mjs';
import { type Cell, type SpreadsheetFormat } from '../../../lab/spreadsheet.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { inARow, type Workflow } from '../../../lab/workflow.mjs';
import { type Chatbot } from '../../../service/core/store.js';

const contacts = 'Contacts';

const header = [
	'External ID',
	'Name',
	'E-Mail',
	'Phone Number',
	'Lifetime value',
	'Signed up',
	'Plan',
];
const phone = '+44 20 7946 0100';
const ada = ['C-1', 'Ada Lovelace', 'ada@example.com', phone, 1250.5, { day: '2026-07-02' }, 'pro'];
const grace = ['C-2', 'Grace Hopper', 'grace@example.com', '+1 555 0100', '', '', ''];

/** A row of which every cell is blank: n8n leaves out rows of Excel without any cell. */
const blank = [' ', '', '', '', '', '', ''];
const rows: Cell[][] = [header, ada, blank, grace, blank];

const notSent =
	'Not sent: Plan. No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.';

interface Settings {
	/** *Include Empty Cells* of Extract from File. */
	includesEmptyCells?: boolean;
	/** Of Create or Update. */
	options?: Record<string, unknown>;
}

type RunFile = (table: Cell[][], settings?: Settings) => Promise<Execution>;

export async function spreadsheetIsMapped(stage: Stage, checks: Checks): Promise<string> {
	for (const format of ['csv', 'xlsx'] as const) {
		await fileBecomesContacts(stage, checks, format);
	}
	return 'a CSV file and an Excel file with human headers, blank rows, empty cells and a date';
}

async function fileBecomesContacts(
	stage: Stage,
	checks: Checks,
	format: SpreadsheetFormat,
): Promise<void> {
	const { api, credential, service } = stage;
	const chatbot = service.store.addChatbot({ name: `Spreadsheet with headers (${format})` });
	service.store.addAttribute(chatbot.id, { name: 'lifetime_value', type: 'number' });
	service.store.addAttribute(chatbot.id, { name: 'signed_up', type: 'date' });
	const run: RunFile = async (table, settings = {}) => {
		const workflow = workflowOf(chatbot.id, { table, format, ...settings });
		return await api.runWorkflow(await api.importWorkflow(workflow, [credential]));
	};
	const all = { chatbot, run, checks, title: format.toUpperCase() };

	await rowsAreWritten(all);
	await emptyCellsClear(all);
}

interface FileCheck {
	chatbot: Chatbot;
	run: RunFile;
	checks: Checks;
	/** Begins each expectation. */
	title: string;
}

async function rowsAreWritten({ chatbot, run, checks, title }: FileCheck): Promise<void> {
	const execution = await run(rows);
	const hints = execution.hints(contacts);

	checks.expectEqual(
		`${title}: columns with the names of people become contacts`,
		Array.from(chatbot.contacts, ({ external_id, name, email, phonenumber, custom_attributes }) => [
			external_id,
			name,
			email,
			phonenumber,
			custom_attributes.lifetime_value,
		]),
		[
			['C-1', 'Ada Lovelace', 'ada@example.com', phone, 1250.5],
			['C-2', 'Grace Hopper', 'grace@example.com', '+1 555 0100', undefined],
		],
	);
	checks.expectMatch(
		`${title}: a date cell is its day`,
		String(chatbot.contacts.find('C-1')!.custom_attributes.signed_up),
		/^2026-07-02(T00:00:00(\.000)?(Z|\+00:00)?)?$/,
	);
	checks.expectEqual(
		`${title}: a hint says how a number of Excel was read`,
		hints.some((hint) => /"46205" \(C-1\) was read as 2026-07-02/.test(hint)),
		title === 'XLSX',
	);
	checks.expectEqual(
		`${title}: blank rows are skipped and come out as such`,
		execution.json(contacts).map(({ _sync }) => (_sync as { action: string }).action),
		['created', 'skipped', 'created', 'skipped'],
	);
	checks.expectMatch(`${title}: a hint counts them`, hints.join('\n'), /2 skipped/);
	checks.expectEqual(`${title}: a hint names the column that is not sent`, notSentIn(hints), [
		notSent,
	]);
}

async function emptyCellsClear({ chatbot, run, checks, title }: FileCheck): Promise<void> {
	const withoutPhone = rows.map((row) => row.map((cell) => (cell === phone ? '' : cell)));
	const options = { emptyValues: 'clear' };
	const phoneOfAda = () => chatbot.contacts.find('C-1')!.phonenumber;

	const first = await run(withoutPhone, { options });
	checks.expectEqual(`${title}: a cell that n8n leaves out clears nothing`, phoneOfAda(), phone);
	checks.expectMatch(
		`${title}: a hint says what to turn on`,
		first.hints(contacts).join('\n'),
		/Some items lack .*Phone Number.*turn on Include Empty Cells/,
	);

	const second = await run(withoutPhone, { options, includesEmptyCells: true });
	checks.expectEqual(`${title}: an empty cell clears the value`, phoneOfAda(), null);
	checks.expectEqual(
		`${title}: blank rows are still skipped`,
		second.json(contacts).map(({ _sync }) => (_sync as { action: string }).action),
		['updated', 'skipped', 'unchanged', 'skipped'],
	);
}

function notSentIn(hints: string[]): string[] {
	return hints.filter((hint) => hint.startsWith('Not sent'));
}

interface Source extends Settings {
	table: Cell[][];
	format: SpreadsheetFormat;
}

function workflowOf(
	chatbotId: string,
	{ table, format, includesEmptyCells, options = {} }: Source,
): Workflow {
	return inARow('Spreadsheet', [
		...fileNodes(table, format),
		{
			name: 'Read file',
			type: 'n8n-nodes-base.extractFromFile',
			typeVersion: 1.1,
			parameters: {
				operation: format,
				options: includesEmptyCells ? { includeEmptyCells: true } : {},
			},
		},
		{
			name: contacts,
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
				options,
			},
		},
	]);
}
