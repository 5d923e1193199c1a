import { type StoredWorkflow } from '../lab/api.mjs';
import { chromiumHelp, Editor, findChromium, noChromium } from '../lab/browser.mjs';
import { type Checks } from '../lab/expectations.mjs';
import { fileNameOf } from '../lab/workflow.mjs';
import { type Stage } from './stage.mjs';

/** Opens every example in the editor and the panel of each Chatbase node, and takes pictures. */
export async function takePictures(stage: Stage, checks: Checks): Promise<void> {
	if (!findChromium()) {
		checks.skip(`pictures of the editor: ${noChromium}`, chromiumHelp);
		return;
	}
	const editor = await Editor.open(stage.n8n.baseUrl);
	try {
		await editor.showList();
		for (const workflow of stage.workflows) await look(editor, workflow, checks);
	} finally {
		await editor.close();
	}
}

async function look(editor: Editor, workflow: StoredWorkflow, checks: Checks): Promise<void> {
	const fileName = fileNameOf(workflow);
	await editor.openFromList(workflow.name);
	await editor.screenshot(fileName);
	const ours = workflow.nodes.filter(({ type }) => type.startsWith('n8n-nodes-chatbase.'));
	for (const [index, node] of ours.entries()) {
		const panel = await editor.openPanel(node.name);
		await editor.screenshot(`${fileName}-panel-${index + 1}`);
		const problems = await panel.getByTestId('parameter-issues').count();
		checks.expectEqual(`"${workflow.name}": the panel of "${node.name}" is complete`, problems, 0);
		await editor.closePanel();
	}
	await editor.backToList();
}
