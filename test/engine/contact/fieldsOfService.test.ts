import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

/** Records of a service that has fields named like those that the node adds. */
const testbed = useTestbed({ resource: 'contact' });

const own = { _sync: { at: 5 }, error: 'none' };
const record = (id: string) => ({ id: `internal-${id}`, external_id: id, name: id, ...own });
const answer = (data: unknown, more: IDataObject = {}) => ({
	kind: 'otherShape' as const,
	body: { message: 'Success', data, ...more },
});
const byColumns: INodeParameters = {
	chatbotId,
	...mapped({ external_id: '={{ $json.id }}', name: 'New' }),
};

function answerWithOwnFields(ids: string[]) {
	const { faults } = testbed.service;
	faults.add({ when: { method: 'PATCH' }, fault: answer({ ...record('a'), name: 'New' }) });
	faults.add({ when: { method: 'POST' }, fault: answer([{ ...record('a'), name: 'New' }]) });
	faults.add({ when: { path: /contacts\/a/ }, fault: answer(record('a')) });
	const pages = { total_pages: 1 };
	const list = answer(ids.map(record), { total: ids.length, pages });
	faults.add({ when: { path: /contacts\?/ }, fault: list });
	faults.add({ when: { path: /contacts$/ }, fault: list });
}

it.each<[operation: string, action: string, parameters: INodeParameters]>([
	['upsert', 'updated', byColumns],
	['update', 'updated', { chatbotId, contactId, ...mapped({ name: 'New' }) }],
	['mirror', 'updated', { ...byColumns, manage: 'all', onMissing: 'report' }],
])('%s puts its own _sync in place of that of the service', async (operation, action, more) => {
	answerWithOwnFields(['a']);
	const { items, hints } = await testbed.succeed({ operation, ...more }, { input: [{ id: 'a' }] });
	expect(items).toHaveLength(1);
	expect(items[0].json).toMatchObject({ _sync: { action }, external_id: 'a', error: 'none' });
	expect(Object.keys(items[0].json)[0]).toBe('_sync');
	expect(hints[0].message).toMatch(/^1 contact updated \(a: name\)\./);
});

it('counts a created contact whose record has _sync, and puts its own in place of it', async () => {
	answerWithOwnFields([]);
	const { items, hints } = await testbed.succeed(
		{ operation: 'create', ...byColumns },
		{ input: [{ id: 'a' }] },
	);
	const _sync = { action: 'created', changed: ['external_id', 'name'] };
	expect(items[0].json).toEqual({ ...record('a'), name: 'New', _sync });
	expect(hints[0].message).toBe('1 contact created. 1 API request.');
});

it('does not count a missing contact as failed because its record has an error', async () => {
	answerWithOwnFields(['a', 'b']);
	const { faults } = testbed.service;
	faults.add({ when: { method: 'DELETE' }, fault: answer(record('b')) });
	faults.add({ when: { path: /contacts\/b/ }, fault: answer(record('b')) });
	const { items, hints } = await testbed.succeed(
		{ operation: 'mirror', ...byColumns, manage: 'all', onMissing: 'delete' },
		{ input: [{ id: 'a' }] },
	);
	expect(items[1].json).toEqual({
		...record('b'),
		_sync: expect.objectContaining({ action: 'deleted' }) as unknown,
	});
	expect(hints.map(({ message }) => message).join()).not.toContain('could not be');
});
