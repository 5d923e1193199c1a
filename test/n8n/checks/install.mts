/** The packed package in a real n8n: installed, and found by a user. */
import { type INodeTypeDescription } from 'n8n-workflow';

import { type Checks } from '../../../lab/expectations.mjs';
import { operationsOf } from '../../../lab/filledNode.mjs';
import { type Stage } from '../../../lab/stage.mjs';

/** What people type who look for the node. */
const searches = [
	'chatbase',
	'contacts',
	'chatbot',
	'upsert',
	'sync contacts from crm',
	'mirror',
	'ticket',
	'helpdesk',
	'escalat',
	'knowledge',
	'document',
	'send message',
];
const wanted = [
	'n8n-nodes-chatbase.chatbase',
	'n8n-nodes-chatbase.chatbaseTool',
	'n8n-nodes-chatbase.chatbaseTrigger',
];

export async function packageIsInstalled({ api, n8n }: Stage, checks: Checks): Promise<string> {
	const types = (await api.nodeTypes()).filter(({ name }) => name.includes('chatbase'));
	const names = types.map(({ name }) => name);
	checks.expectEqual('n8n knows the node, the trigger and the tool', names.sort(), wanted);
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
	const operations = operationsOf(
		types.find(({ name }) => name === wanted[0]) as unknown as INodeTypeDescription,
	);
	const missing = await Promise.all(
		operations.map(async ({ resource, operation }) => {
			const path = `${String(resource)}/${String(operation)}.json`;
			const response = await fetch(`${n8n.baseUrl}/schemas/${wanted[0]}/1.0.0/${path}`, {
				headers: { cookie: api.session.cookie },
			});
			return response.ok ? [] : [path];
		}),
	);
	checks.expectEqual(
		'Every operation shows its output schema before the first run',
		missing.flat(),
		[],
	);
	return `${types.length} node types, ${types.length * 2} icons, ${operations.length} outputs`;
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
	const icons = [];
	for (const colorScheme of ['light', 'dark'] as const) {
		await editor!.page.emulateMedia({ colorScheme });
		await editor!.screenshot(`canvas-${colorScheme}`);
		icons.push(await editor!.node('Chatbase Trigger').locator('img').getAttribute('src'));
	}
	await editor!.page.emulateMedia({ colorScheme: 'light' });
	checks.expect(
		'The canvas shows the light icon and, in dark mode, the dark one',
		/chatbase\.svg$/.test(icons[0] ?? '') && /chatbase\.dark\.svg$/.test(icons[1] ?? ''),
	);
	return `${searches.length} searches in both lists, a look at light and dark`;
}

async function readIcon(url: string): Promise<string> {
	const response = await fetch(url);
	return response.ok ? await response.text() : '';
}

function isSvg(text: string): boolean {
	return text.includes('<svg');
}
