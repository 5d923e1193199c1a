/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** What the harness does as n8n does, and tests of the node would not miss. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode, INodeType, IPollFunctions } from 'n8n-workflow';

import type { EngineCredentials } from './harness/credentials';
import { Poller } from './harness/polling';
import { start, startNodeType } from './harness/standIns';
import { read } from './parameters';
import { byId, useTestbed } from './testbed';

const testbed = useTestbed(read);

beforeEach(() => {
	const { store } = testbed.service;
	for (const id of ['a', 'b']) store.addContact('bot', { external_id: id });
});

it('refuses a node without a required parameter', async () => {
	const { error, run } = await testbed.run({ contactId: byId('') }, { input: [{ id: 'a' }] });
	expect(error?.name).toBe('WorkflowHasIssuesError');
	expect(run).toBeUndefined();
	expect(testbed.sent).toEqual([]);
});

it('separates runs at the same time', async () => {
	const ids = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
	const results = await Promise.all(
		ids.map(async (id) => await testbed.run({}, { input: [{ id }] })),
	);
	expect(results.map(({ items, tries }) => [items[0].json.external_id, tries])).toEqual(
		ids.map((id) => [id, 1]),
	);
});

it('has workflows whose nodes pass items on, branch, and find the paired item of an earlier node', async () => {
	const list = { name: 'List', parameters: { ...read, operation: 'getAll' } };
	const get = (name: string, id: string) => ({
		name,
		parameters: { ...read, contactId: byId(id) },
	});
	const { nodes } = await testbed.engine.runWorkflow({
		nodes: [
			list,
			get('First', '={{ $json.external_id }}'),
			get('Back', '={{ $("List").item.json.external_id }}'),
			get('Branch', 'b'),
		],
		connections: [
			{ from: 'Start', to: 'List' },
			{ from: 'List', to: 'First' },
			{ from: 'First', to: 'Back' },
			{ from: 'Start', to: 'Branch' },
		],
	});
	const ids = (name: string) => nodes[name].items.map(({ json }) => json.external_id);
	expect([ids('First'), ids('Back'), ids('Branch')]).toEqual([['a', 'b'], ['a', 'b'], ['b']]);
});

it('refuses what the schema of a tool or the agent itself does not allow', async () => {
	const call = async (id: string) =>
		await testbed.engine.callTool({ parameters: { ...read, contactId: byId(id) }, arguments: {} });
	expect((await call("={{ $fromAI('id', 'The ID', 'string') }}")).error?.name).toBe('ZodError');
	expect((await call("={{ $fromAI('not a key!') }}")).error?.message).toContain('not a key!');
	expect(testbed.sent).toEqual([]);
});

it('drops what a failed poll or a test in the editor remembered', async () => {
	const type = {
		description: { ...startNodeType.description, polling: true },
		async poll(this: IPollFunctions) {
			this.getWorkflowStaticData('node').mode = this.getMode();
			if (this.getMode() === 'trigger') throw new Error('No answer');
			return await Promise.resolve(null);
		},
	} as INodeType;
	const types = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const node: INode = {
		id: '1',
		name: 'Trigger',
		type: start.type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const poller = new Poller(node, types, {} as EngineCredentials, {});
	await expect(poller.poll()).rejects.toThrow('No answer');
	expect((await poller.test()).staticData).toEqual({ mode: 'manual' });
	expect(poller.staticData).toEqual({});
});

it('removes the folder for n8n of a process that was killed, and no other', () => {
	const folderOf = (pid: number) => mkdtempSync(join(tmpdir(), `n8n-engine-${pid}-`));
	// No process has this ID.
	const dead = folderOf(2 ** 30);
	const alive = folderOf(process.pid);
	const own = process.env.N8N_USER_FOLDER;
	jest.isolateModules(() => {
		const { removeUserFolder } =
			jest.requireActual<typeof import('./harness/environment')>('./harness/environment');
		removeUserFolder();
	});
	process.env.N8N_USER_FOLDER = own;
	expect([existsSync(dead), existsSync(alive)]).toEqual([false, true]);
	rmSync(alive, { recursive: true });
});
