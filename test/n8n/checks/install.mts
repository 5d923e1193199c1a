/** The packed package in a real n8n: what n8n knows about it, and how a user finds it. */
import { type Checks } from '../expectations.mjs';
import { type Stage } from '../stage.mjs';

const searches = ['chatbase', 'contacts', 'chatbot'];
const wanted = ['chatbase', 'chatbaseTrigger', 'chatbaseTool'].map(
	(name) => `n8n-nodes-chatbase.${name}`,
);

export async function packageIsInstalled({ api, n8n }: Stage, checks: Checks): Promise<string> {
	const types = (await api.nodeTypes()).filter(({ name }) => name.includes('chatbase'));
	const names = types.map(({ name }) => name);
	checks.expectEqual('n8n knows the node, the trigger and the tool', names.sort(), wanted.sort());
	for (const type of types) {
		const { light, dark } = type.iconUrl as { light: string; dark: string };
		const [lightIcon, darkIcon] = await Promise.all(
			[light, dark].map(async (path) => await readIcon(`${n8n.baseUrl}/${path}`)),
		);
		checks.expect(
			`"${type.displayName}" has an icon for light and another for dark`,
			isSvg(lightIcon!) && isSvg(darkIcon!) && lightIcon !== darkIcon,
		);
	}
	return `${types.length} node types, ${types.length * 2} icons`;
}

export async function nodeIsFound({ editor }: Stage, checks: Checks): Promise<string> {
	await editor!.newWorkflow();
	for (const search of searches) {
		const isFound = await editor!.findsNode(search, 'Chatbase');
		checks.expect(`"${search}" finds Chatbase among the triggers`, isFound);
	}
	await editor!.screenshot('found-trigger');
	await editor!.addNode('chatbase', 'Chatbase', 'On contact created');
	await editor!.closePanel();
	for (const search of searches) {
		const isFound = await editor!.findsNode(search, 'Chatbase');
		checks.expect(`"${search}" finds Chatbase among the nodes`, isFound);
	}
	await editor!.screenshot('found-node');
	return `${searches.length} searches in both lists`;
}

async function readIcon(url: string): Promise<string> {
	const response = await fetch(url);
	return response.ok ? await response.text() : '';
}

function isSvg(text: string): boolean {
	return text.includes('<svg');
}
