/** The pictures of README and examples, as the editor shows them. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { type IDataObject } from 'n8n-workflow';
import { type Locator } from 'playwright-core';

import { type StoredWorkflow } from '../../lab/api.mjs';
import { type Clip, type Editor } from '../../lab/browser.mjs';
import { HelpfulError } from '../../lab/help.mjs';
import { Panel } from '../../lab/panel.mjs';
import { projectFolder } from '../../lab/paths.mjs';
import { supportBot, type Stage } from '../../lab/stage.mjs';
import {
	chooseChatbot,
	chooseTemplate,
	enterAddresses,
	fileNameOf,
	readExamples,
	type Workflow,
	type WorkflowNode,
} from '../../lab/workflow.mjs';
import { orderTemplate } from '../../service/core/demoData.js';
import { type Chatbot, type Contact } from '../../service/index.js';

/** A picture as the browser takes it, and the name of its file. */
export interface Picture {
	name: string;
	png: Buffer;
}

const question = 'Do you ship to Norway?';
export const answer = 'Yes, we do. A parcel takes three to five days.';

/** Contacts of the picture of a run, and how many of them differ from the customers. */
const contactCount = 10_000;
const changedOneIn = 100;

/** Shows only the workflow and the log with the chat. */
const withoutControls = `
	body { visibility: hidden }
	.vue-flow, [data-test-id=logs-panel] { visibility: visible }
	.vue-flow { background: #f5f5f5 }
	.vue-flow__panel, .vue-flow__background { display: none }
	[data-test-id=canvas-node-toolbar], [data-test-id^=execute-workflow-button] { display: none }
`;

/** Most pixels from one row of nodes to the next: as much as a node with its name and the line below it needs. */
const mostBetweenRows = 224;

/** Hides the message of success, and the button that leads to the node before. */
const onlyThePanel = '.el-notification, [data-test-id=floating-nodes] { display: none }';

/** The drawing of the loop: npmjs.com shows no SVG of the README. */
export async function drawingPicture({ page }: Editor): Promise<Picture> {
	const drawing = await readFile(resolve(projectFolder, 'docs/images/loop.svg'), 'utf8');
	await page.setContent(`<body style="margin: 0">${drawing}</body>`);
	return { name: 'loop', png: await page.locator('svg').screenshot() };
}

/**
 * The nodes of every example, with chatbot, credentials and addresses chosen. A README's column is too narrow for the
 * texts of notes, so they are checked and left out.
 */
export async function* canvasPictures(
	stage: Stage,
	editor: Editor,
	isWanted: (name: string) => boolean,
): AsyncGenerator<Picture> {
	// So large that n8n shows each workflow in its own size, or nearly.
	await editor.page.setViewportSize({ width: 1640, height: 1500 });
	for (const example of (await readExamples()).filter((one) => isWanted(fileNameOf(one)))) {
		await showCanvas(stage, editor, example);
		await expectWholeNotes(editor.page.getByTestId('sticky'), example.name);
		await showCanvas(stage, editor, withoutNotes(example));
		const workflow = editor.page.locator('.vue-flow__node *, .vue-flow__edge *');
		yield { name: fileNameOf(example), png: await editor.still(await areaOf(workflow, 24)) };
	}
}

/** Shows nothing but an example, in its own size. */
async function showCanvas(stage: Stage, editor: Editor, example: Workflow): Promise<void> {
	await editor.openWorkflow(await importExample(stage, example));
	await editor.page.addStyleTag({ content: withoutControls });
	await editor.page.keyboard.press('1');
	await editor.still();
}

/** The example without its notes, and without the room that they take between rows of nodes. */
function withoutNotes(example: Workflow): Workflow {
	const nodes = example.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const tops = [...new Set(nodes.map(topOf))].sort((one, other) => one - other);

	const moved = new Map<number, number>();
	for (const [index, top] of tops.entries()) {
		const before = tops[index - 1] ?? top;
		moved.set(top, (moved.get(before) ?? 0) + Math.min(top - before, mostBetweenRows));
	}

	const placed = nodes.map((node) => {
		const [left] = node.position as [number, number];
		return { ...node, position: [left, moved.get(topOf(node))] };
	});
	return { ...example, nodes: placed };
}

function topOf({ position }: WorkflowNode): number {
	return (position as [number, number])[1];
}

/** The example that chats, after an answer. */
export async function chatPicture(stage: Stage, editor: Editor): Promise<Picture> {
	const { page } = editor;
	const examples = await readExamples();
	const example = examples.find(({ name }) => name === 'Chat with history')!;
	await page.setViewportSize({ width: 1280, height: 1060 });
	await editor.openWorkflow(await importExample(stage, example));
	await page.getByTestId('workflow-chat-button').click();
	await page.getByTestId('zoom-to-fit').click();
	await page.addStyleTag({ content: withoutControls });
	await page.getByTestId('chat-input').fill(question);
	await page.keyboard.press('Enter');
	await page.locator('.chat-message-from-bot').filter({ hasText: answer }).waitFor();
	await page.getByTestId('logs-overview').getByText('Ask chatbot').click();
	await page.mouse.move(0, 0);
	const area = page.getByTestId('canvas-wrapper').or(page.getByTestId('logs-panel'));
	return { name: 'chat', png: await editor.still(await areaOf(area)) };
}

/** The panel of Create or Update, after fields were mapped and the changed contacts of a CRM were updated. */
export async function panelPicture(stage: Stage, editor: Editor): Promise<Picture> {
	const { service, api, credential } = stage;
	const chatbot = service.store.addChatbot({ name: supportBot.name });
	service.store.seedContacts(chatbot.id, contactCount);
	const contacts = [...chatbot.contacts];
	for (const [index, contact] of contacts.entries())
		chatbot.contacts.change(contact, { external_id: `C-${1001 + index}` });
	// The company of the first seeded contact needs a font that few machines have.
	contacts[0]!.custom_attributes.company = 'Analytical Engines';
	const customers = contacts.map(customerOf);
	const workflow = syncOf(customers, chatbot);

	await editor.page.setViewportSize({ width: 1400, height: 1110 });
	await editor.openWorkflow(await api.importWorkflow(workflow, [credential]));
	await editor.openPanel('Sync contacts');
	const panel = new Panel(editor.page);
	await panel.addField('Attribute: Lifetime value');
	await panel.dragInput('number', 'external_id');
	await panel.dragInput('customer', 'name');
	await panel.dragInput('mail', 'email');
	await panel.dragInput('phone', 'phonenumber');
	const saved = editor.savedWith('$json.revenue');
	await panel.dragInput('revenue', 'custom_attributes.lifetime_value');
	await saved;

	await panel.execute();
	await panel.locator.getByTestId('output-panel').getByText('Schema', { exact: true }).click();
	if (!(await panel.outputShows(/100 contacts updated.* 9,900 unchanged/)))
		throw new HelpfulError('The run did not end with 100 updated and 9,900 unchanged contacts');
	await editor.page.addStyleTag({ content: onlyThePanel });
	const png = await editor.still((await panel.locator.boundingBox())!);
	return { name: 'create-or-update', png };
}

/** What a CRM knows of a contact; of some, it knows a new revenue. */
function customerOf(contact: Contact, index: number): IDataObject {
	const { external_id, name, email, phonenumber, custom_attributes } = contact;
	const isChanged = index % changedOneIn === 0;
	return {
		number: external_id,
		customer: name,
		mail: email ?? undefined,
		phone: phonenumber ?? undefined,
		revenue: isChanged ? 1250.5 + index : custom_attributes.lifetime_value,
	};
}

/** Customers, and the node that makes contacts of them. */
function syncOf(customers: IDataObject[], { id, settings }: Chatbot): Workflow {
	const get = 'Get customers';
	const chatbotId = { __rl: true, mode: 'list', value: id, cachedResultName: settings.name };
	return {
		name: 'Customers',
		nodes: [
			{
				id: 'customers',
				name: get,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'contacts',
				name: 'Sync contacts',
				type: 'n8n-nodes-chatbase.chatbase',
				typeVersion: 1,
				position: [240, 0],
				parameters: { resource: 'contact', operation: 'upsert', chatbotId },
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
		],
		connections: { [get]: { main: [[{ node: 'Sync contacts', type: 'main', index: 0 }]] } },
		pinData: { [get]: customers.map((json) => ({ json })) },
	};
}

async function importExample(
	{ api, credential }: Stage,
	example: Workflow,
): Promise<StoredWorkflow> {
	const signing = await api.createCredential('crypto', 'Webhook secret', { hmacSecret: 'none' });
	const openAi = await api.createCredential('openAiApi', 'OpenAI', { apiKey: 'none' });
	const smtp = await api.createCredential('smtp', 'SMTP', { host: 'none' });
	const headerAuth = { name: 'x-secret', value: 'none' };
	const header = await api.createCredential('httpHeaderAuth', 'Header Auth', headerAuth);
	const login = { user: 'team', password: 'none' };
	const basic = await api.createCredential('httpBasicAuth', 'Basic Auth', login);
	const secret = { keyType: 'passphrase', secret: 'none', algorithm: 'HS256' };
	const jwt = await api.createCredential('jwtAuth', 'Verification secret', secret);
	const chosen = chooseChatbot(enterAddresses(example), supportBot.id, supportBot.name);
	const workflow = chooseTemplate(chosen, orderTemplate.choice);
	return await api.importWorkflow(workflow, [
		credential,
		signing,
		openAi,
		smtp,
		header,
		basic,
		jwt,
	]);
}

/** The part of the page that elements take up, and a margin. */
async function areaOf(elements: Locator, margin = 0): Promise<Clip> {
	const boxes = await elements.evaluateAll((all) =>
		all
			.filter((element) => element.checkVisibility())
			.map((element) => element.getBoundingClientRect().toJSON() as DOMRect)
			// Some parts of lines have no size, and stand at the origin of the canvas.
			.filter(({ width, height }) => width > 0 && height > 0),
	);
	const x = Math.min(...boxes.map(({ left }) => left)) - margin;
	const y = Math.min(...boxes.map(({ top }) => top)) - margin;
	const right = Math.max(...boxes.map((box) => box.right)) + margin;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + margin;
	return { x, y, width: right - x, height: bottom - y };
}

/** Refuses a note whose text is cut off. */
async function expectWholeNotes(notes: Locator, workflow: string): Promise<void> {
	const cut = await notes.evaluateAll((all) =>
		all
			.filter((note) => {
				const end = note.getBoundingClientRect().bottom;
				const texts = Array.from(note.querySelectorAll('p, li, td, pre'));
				return texts.some((text) => text.getBoundingClientRect().bottom > end);
			})
			.map((note) => note.querySelector('h2, h3')?.textContent),
	);
	if (cut.length > 0)
		throw new HelpfulError(`"${workflow}" has notes that are cut off: ${cut.join(', ')}`);
}
