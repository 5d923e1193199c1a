import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
import { byName, useTestbed } from '../testbed';

/** n8n's table shows the fields of a record from left to right, so the ones that people know come first. */
const testbed = useTestbed({ resource: 'contact' });

const leading = ['external_id', 'name', 'email', 'phonenumber', 'custom_attributes'];
const fields = { external_id: '={{ $json.id }}', email: '={{ $json.id }}@x.example' };
const columns = { chatbotId, ...mapped({ ...fields, 'custom_attributes.plan': 'pro' }) };
const missing = { ...columns, operation: 'mirror', manage: 'all' };

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', gone: 'date' });
	const names = ['a', 'b', 'c'];
	names.forEach((id) => store.addContact('bot', { external_id: id, name: id }));
});

it.each<[does: string, parameters: INodeParameters, ids: string[]]>([
	['creates', { ...columns, operation: 'create' }, ['new']],
	['creates or updates', { ...columns, operation: 'upsert' }, ['new', 'a']],
	['updates', { chatbotId, contactId, ...mapped({ name: 'New' }), operation: 'update' }, ['a']],
	['tries', { ...columns, operation: 'upsert', options: { dryRun: true } }, ['new', 'a']],
	['finds missing', { ...missing, onMissing: 'report' }, ['a', 'b']],
	['deletes', { ...missing, onMissing: 'delete' }, ['a', 'b']],
	['marks', { ...missing, onMissing: 'mark', missingSinceAttribute: byName('gone') }, ['a', 'b']],
])('puts _sync and what people know first, and id last, in what it %s', async (_, more, ids) => {
	const input = ids.map((id) => ({ id }));
	const { items } = await testbed.succeed(more, { input });
	expect(items.length).toBeGreaterThan(0);
	for (const { json } of items) expect(orderIn(json)).toEqual([]);
});

/** The fields that stand elsewhere. */
function orderIn(json: IDataObject): string[] {
	const names = Object.keys(json);
	const first = ['_sync', ...leading].filter((name) => name in json);
	const rest = names.filter((name) => !first.includes(name) && name !== 'id');
	const expected = [...first, ...rest, ...('id' in json ? ['id'] : [])];
	return names.filter((name, index) => name !== expected[index]);
}
