/** What one operation returns is the input of the next one. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId } from '../parameters';
import { byId, useTestbed } from '../testbed';
import { goOn, idsIn, outcomes } from './rows';

const testbed = useTestbed();

/** Contacts of both chatbots. Of the input, `gone` is missing. */
beforeEach(() => {
	const { store } = testbed.service;
	store.addChatbot({ id: 'second' });
	for (const chatbot of ['bot', 'second']) {
		for (const id of ['a', 'b', 'gone']) {
			const contact = { external_id: id, name: id, custom_attributes: {} };
			if (chatbot === 'bot' || id !== 'gone') store.addContact(chatbot, contact);
		}
	}
});

const contact = (operation: string, parameters: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation,
	chatbotId,
	...automatic([{ id: 'external_id' }, { id: 'name' }]),
	...parameters,
});
const mirror = (parameters: INodeParameters = {}) =>
	contact('mirror', { dryRun: false, manage: 'all', onMissing: 'delete', ...parameters });

const input: IDataObject[] = [
	{ external_id: 'a', name: 'Ada' },
	{ external_id: 'b', name: 'b' },
];

async function inARow(first: INodeParameters, second: INodeParameters, onError?: object) {
	const { nodes } = await testbed.engine.runWorkflow({
		nodes: [
			{ name: 'First', parameters: first },
			{ name: 'Second', parameters: second, ...onError },
		],
		input,
	});
	expect(nodes.First.error).toBeUndefined();
	return nodes.Second;
}

const held = (chatbot?: string) => idsIn(testbed, chatbot);

describe('Mirror after an operation of this node', () => {
	const notAList = 'The input of Mirror is a result, not a list';

	it('creates nobody in a second chatbot whom the first mirror has deleted', async () => {
		const { error } = await inARow(mirror(), mirror({ chatbotId: byId('second') }));
		expect(error?.message).toBe(notAList);
		expect(error?.description).toMatch(/^Item 0 has _sync, .* Connect Mirror to the list itself\./);
		expect([held('bot'), held('second')]).toEqual([
			['a', 'b'],
			['a', 'b'],
		]);
	});

	it.each([
		['a Dry Run of a mirror', mirror({ dryRun: true })],
		['Create or Update', contact('upsert')],
		['the changes of Create or Update', contact('upsert', { options: { output: 'changes' } })],
	])('does nothing with the output of %s', async (_, first) => {
		for (const second of [mirror(), mirror({ dryRun: true }), mirror({ onMissing: 'report' })]) {
			const { contacts } = testbed.service.store.chatbot('bot');
			contacts.change(contacts.find('a')!, { name: 'a' });
			const { error } = await inARow(first, second);
			expect(error?.message).toBe(notAList);
			expect(held()).toEqual(['a', 'b', 'gone']);
		}
	});

	it('takes what Get Many returns', async () => {
		const second = mirror({ chatbotId: byId('second') });
		const { items } = await inARow(contact('getAll', { returnAll: true }), second);
		expect(items.length).toBeGreaterThan(0);
		expect(held('second')).toContain('gone');
	});
});

describe.each(['upsert', 'create'])('a contact that a mirror has deleted (%s)', (operation) => {
	const second = contact(operation, { chatbotId: byId('second') });

	it('is not created again', async () => {
		const { error } = await inARow(mirror(), second);
		expect(error?.message).toBe('A mirror has deleted this contact');
		expect(error?.description).toMatch(/^Contact gone: .* Filter node\./);
		expect(held('second')).toEqual(['a', 'b']);
	});

	it('fails alone when the workflow continues', async () => {
		const { items } = await inARow(mirror(), second, goOn);
		expect(outcomes(items).at(-1)).toBe('A mirror has deleted this contact');
		expect(held('second')).toEqual(['a', 'b']);
	});
});

it('updates in another node what a mirror has deleted elsewhere', async () => {
	const second = contact('update', {
		chatbotId: byId('second'),
		contactId: byId('a'),
		...automatic([{ id: 'name' }]),
	});
	const { error } = await inARow(mirror(), second);
	expect(error).toBeUndefined();
});

describe.each<[string, (action: string) => IDataObject]>([
	['text, as a data table has it', (action) => ({ _sync: JSON.stringify({ action }) })],
	['a column of its action, as a CSV file has it', (action) => ({ '_sync.action': action })],
])('an output that was kept with `_sync` as %s', (_, kept) => {
	const rows = ['unchanged', 'deleted'].map((action, index) => ({
		...input[index],
		...kept(action),
	}));
	const run = async (operation: string) =>
		await testbed.run({ ...mirror(), ...contact(operation) }, { input: rows as never, ...goOn });

	it('is no list for a mirror', async () => {
		const { items } = await run('mirror');
		expect(new Set(outcomes(items))).toEqual(
			new Set(['The input of Mirror is a result, not a list']),
		);
		expect(testbed.writes).toEqual([]);
	});

	it.each(['create', 'upsert'])('creates nobody again who was deleted (%s)', async (operation) => {
		const { items } = await run(operation);
		expect(outcomes(items)[1]).toBe('A mirror has deleted this contact');
	});
});
