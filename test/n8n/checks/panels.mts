/** Every operation and every event in the panel, with every field that it can have. */
import { type INodeTypeDescription } from 'n8n-workflow';

import { windowSize, type Editor } from '../../../lab/browser.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { FilledNode, operationsOf, valuesOf, type Choices } from '../../../lab/filledNode.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { supportBot, type Stage } from '../../../lab/stage.mjs';
import { waitUntil } from '../../../lab/waitUntil.mjs';

const chosen: Choices = {
	chatbotId: {
		__rl: true,
		mode: 'list',
		value: supportBot.id,
		cachedResultName: supportBot.name,
	},
	contactId: { __rl: true, mode: 'id', value: 'customer-000001' },
	conversationId: { __rl: true, mode: 'id', value: '1785371a-63bb-4625-b20d-bcf91276567a' },
	template: { __rl: true, mode: 'list', value: 'order_update|en_US|account-1' },
	ticketNumber: { __rl: true, mode: 'id', value: '1' },
	contactFields: { mappingMode: 'defineBelow', value: { external_id: 'customer-000001' } },
	sourceId: { __rl: true, mode: 'id', value: '7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f' },
	attributeName: { __rl: true, mode: 'name', value: 'company' },
};

/** As wide as a small notebook. High, so that a panel is seen whole. */
const narrowWindow = { width: 1280, height: 2000 };

export async function everyPanelIsComplete(stage: Stage, checks: Checks): Promise<string> {
	const types = (await stage.api.nodeTypes()) as unknown as INodeTypeDescription[];
	const find = (name: string) => types.find((type) => type.name === `n8n-nodes-chatbase.${name}`)!;
	const node = find('chatbase');
	const trigger = find('chatbaseTrigger');
	const operations = operationsOf(node);
	const events = valuesOf(trigger.properties.find(({ name }) => name === 'event')!);
	const filled = [
		...operations.map((choice) => [node, choice] as const),
		...events.map((event) => [trigger, { event }] as const),
	].map(([type, choice]) => ({
		name: nameOf(choice),
		node: new FilledNode(type, { ...chosen, ...choice }),
	}));

	const nodes = filled.map(({ name, node: one }, index) =>
		one.placedAs(name, [(index % 7) * 240, Math.floor(index / 7) * 200]),
	);
	const workflow = { name: 'Every panel', nodes, connections: {} };
	const editor = stage.editor!;
	await editor.openWorkflow(await stage.api.importWorkflow(workflow, [stage.credential]));
	editor.takeComplaints();
	await editor.page.setViewportSize(narrowWindow);
	for (const { name, node: one } of filled) await lookAtPanel(stage, name, one, checks);
	await editor.page.setViewportSize(windowSize);
	return `${operations.length} operations and ${events.length} events, each with every field`;
}

async function lookAtPanel(stage: Stage, name: string, node: FilledNode, checks: Checks) {
	const { takesPictures } = stage;
	const editor = stage.editor!;
	await editor.openPanel(name);
	const panel = new Panel(editor.page);
	// The lists and mappers of the panel ask the service; nothing is asked for once they are filled.
	await editor.page.waitForLoadState('networkidle');
	if (takesPictures) await takePictures(editor, `panel-${name.replaceAll(' ', '-')}`);
	let text = '';
	let missing: string[] = [];
	const isComplete = async () => {
		text = await panel.locator.getByTestId('node-parameters').innerText();
		const lines = new Set(text.split('\n').map((line) => plain(line)));
		missing = node.labels().filter((label) => !lines.has(plain(label)));
		return missing.length === 0;
	};
	// n8n draws the fields of collections later. Labels that are missing then are told below.
	await waitUntil(isComplete, 10).catch(() => undefined);
	const raw = text.match(/\b(undefined|null|NaN)\b|\[object Object\]/g) ?? [];
	const issues = await panel.locator.getByTestId('parameter-issues').count();
	const cut = await panel.cutLabels();
	await panel.close();
	checks.expectEqual(
		`"${name}" shows every label whole, and the browser has nothing to complain of`,
		{ missing, cut, raw, issues, complaints: editor.takeComplaints() },
		{ missing: [], cut: [], raw: [], issues: 0, complaints: [] },
	);
}

async function takePictures(editor: Editor, picture: string): Promise<void> {
	await editor.screenshot(picture);
	await editor.page.emulateMedia({ colorScheme: 'dark' });
	await editor.screenshot(`${picture}-dark`);
	await editor.page.emulateMedia({ colorScheme: 'light' });
}

function nameOf({ resource, operation, event }: Choices): string {
	const words = event ? `on ${String(event)}` : `${String(resource)} ${String(operation)}`;
	return words.replace(/([A-Z])/g, ' $1').toLowerCase();
}

function plain(label: string): string {
	return label.replace(/\*$/, '').trim().toLowerCase();
}
