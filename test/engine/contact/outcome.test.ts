import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { emptyId, titleOf } from '../../errorTexts';
import { automatic, chatbotId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** The output and the end of a run. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'plan', type: 'text' });
	store.addContact('bot', { external_id: 'same', name: 'Ada' });
	store.addContact('bot', { external_id: 'other', name: 'Old', email: 'taken@x.example' });
});

const stored = (id: string) => testbed.service.store.contact('bot', id);
const same: Row = { id: 'same', name: 'Ada' };
const changed: Row = { id: 'other', name: 'New' };
const fresh: Row = { id: 'new', name: 'Neo' };
const bad: Row = { id: 'bad', email: 'taken@x.example' };
const unread: Row = { name: 'No ID' };

const run = async (options: INodeParameters, input: Row[], others = {}) =>
	await testbed.run({ ...byColumns, options }, { input, ...others });

describe('Output', () => {
	it('has only changes, each paired with its input, when Changes Only is chosen', async () => {
		const { items } = await run({ output: 'changes' }, [same, changed, bad, fresh, same], goOn);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([1, 2, 3].map((item) => ({ item })));
		expect(outcomes(items)).toEqual(['updated', titleOf('409 email'), 'created']);
	});

	it('is empty and the run succeeds when no contact has changed', async () => {
		const { items, error } = await run({ output: 'changes' }, [same, same]);
		expect({ items, error }).toEqual({ items: [], error: undefined });
	});

	it('leaves out unchanged contacts also when a field is dropped', async () => {
		const { items } = await testbed.run(
			{ chatbotId, ...automatic(), options: { output: 'changes' } },
			{ input: [{ external_id: 'same', name: 'Ada', custom_attributes: { plam: 'pro' } }] },
		);
		expect(items).toEqual([]);
	});

	it('is one item paired with all input items when Summary is chosen', async () => {
		const { items } = await run({ output: 'summary' }, [same, changed, bad, fresh, fresh], goOn);
		expect(items).toEqual([
			{
				json: {
					items: 5,
					created: 1,
					updated: 1,
					unchanged: 1,
					skipped: 0,
					missing: 0,
					marked: 0,
					deleted: 0,
					kept: 0,
					unknown: 0,
					failed: 1,
					dropped: {},
					failures: [{ reason: titleOf('409 email'), count: 1, ids: ['bad'] }],
					requests: testbed.service.requests.length,
					waitedSeconds: 0,
					dryRun: false,
					overLimit: false,
				},
				pairedItem: [0, 1, 2, 3, 4].map((item) => ({ item })),
			},
		]);
	});

	it('has the reasons of failures with counts and IDs when Summary is chosen', async () => {
		const taken = Array.from({ length: 12 }, (_, index) => ({ ...bad, id: `bad-${index}` }));
		const { items } = await run({ output: 'summary' }, [unread, ...taken, same], goOn);
		expect(items[0].json.failures).toEqual([
			{
				reason: titleOf('409 email'),
				count: 12,
				ids: taken.slice(0, 10).map(({ id }) => id),
			},
			{ reason: emptyId, count: 1, ids: ['item 0'] },
		]);
	});

	it('has the waiting time and the number of requests when Summary is chosen', async () => {
		testbed.service.faults.add({
			when: { nth: 1 },
			fault: { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
		});
		const { items } = await run({ output: 'summary' }, [same, changed]);
		expect(items[0].json).toMatchObject({
			waitedSeconds: 1,
			requests: testbed.service.requests.length,
		});
	});

	it('has the longest wait, and no sum, when two requests are told to wait', async () => {
		const refuse = (id: string, seconds: number) =>
			testbed.service.faults.add({
				when: { times: 1, matches: ({ method, path }) => method === 'PATCH' && path.endsWith(id) },
				fault: { kind: 'status', status: 429, headers: { 'Retry-After': `${seconds}` } },
			});
		refuse('same', 3);
		refuse('other', 1);
		const { items } = await run({ output: 'summary' }, [{ ...same, name: 'Eve' }, changed]);
		const writes = testbed.service.requests.filter(({ method }) => method === 'PATCH');
		const [refused, , again] = writes.map(({ at }) => at);
		expect(writes).toHaveLength(4);
		expect(again - refused).toBeGreaterThanOrEqual(2900);
		expect(items[0].json).toMatchObject({ updated: 2, waitedSeconds: 3 });
	});

	it('has the predicted counts when Dry Run is on', async () => {
		const { items } = await run({ output: 'summary', dryRun: true }, [same, changed, fresh]);
		expect(items[0].json).toMatchObject({ created: 1, updated: 1, unchanged: 1, dryRun: true });
		expect(testbed.service.requests.every(({ method }) => method === 'GET')).toBe(true);
	});

	it('has failed items in the error output when Summary is chosen', async () => {
		const { outputs } = await run({ output: 'summary' }, [same, bad], {
			nodeSettings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0].map(({ json }) => json.failed)).toEqual([1]);
		expect(outputs[1].map(({ json }) => json.id)).toEqual(['bad']);
	});
});

describe('If Contacts Fail: Write the Rest, Then Fail', () => {
	const finish = { onFailedItems: 'finish' };
	const many = (count: number): Row[] =>
		Array.from({ length: count }, (_, index) => ({ id: `p-${index}`, name: 'Ada' }));

	it('writes all others, then fails once with reasons and IDs', async () => {
		const input = [changed, bad, unread, fresh, { ...bad, id: 'bad-2' }];
		const { items, error } = await run(finish, input);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: '3 of 5 contacts failed' });
		expect(error?.description).toContain('The email is taken by another contact (2): bad, bad-2.');
		expect(error?.description).toContain(`${emptyId} (1): item 2.`);
		expect(error?.description).toContain('All others were written or unchanged.');
		expect([stored('other')?.name, stored('new')?.name]).toEqual(['New', 'Neo']);
	});

	it('says that some of the others were skipped', async () => {
		const { error } = await run(finish, [changed, bad, { id: '', name: ' ' }]);
		expect(error?.description).toContain('All others were written, unchanged or skipped.');
	});

	it('names an item by its ID when it is invalid', async () => {
		const { error } = await testbed.run(
			{
				...byColumns,
				additionalFields: { customAttributesJson: '={{ $json.json }}' },
				options: finish,
			},
			{
				input: [
					{ ...fresh, json: '{ no JSON' },
					{ ...changed, json: '{}' },
				],
			},
		);
		expect(error?.description).toMatch(/^Custom Attributes JSON is not valid JSON: new\./);
	});

	it('says that nothing was written when Dry Run is on', async () => {
		const { error } = await run({ ...finish, dryRun: true }, [changed, unread]);
		expect(error).toMatchObject({ message: '1 of 2 contacts would fail' });
		expect(error?.description).toContain('Nothing was written.');
		expect(error?.description).not.toContain('All others');
	});

	it('fails when every item is invalid', async () => {
		const { items, error } = await run(finish, [unread, unread]);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ message: '2 of 2 contacts failed' });
		expect(error?.description).not.toContain('All others');
		expect(testbed.service.requests).toEqual([]);
	});

	it('follows the settings of the first valid item', async () => {
		const { error } = await run({ onFailedItems: '={{ $json.end }}' }, [
			{ ...unread, end: 'stop' },
			{ ...fresh, end: 'finish' },
		]);
		expect(error).toMatchObject({ message: '1 of 2 contacts failed' });
		expect(stored('new')?.name).toBe('Neo');
	});

	it('has a short error when many items fail', async () => {
		const rows = many(1100).map(({ id }) => ({ id, email: 'taken@x.example' }));
		testbed.service.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'status', status: 403, body: { message: 'No' } },
		});
		const { error } = await run(finish, rows);
		expect(error?.message).toBe('1,100 of 1,100 contacts failed');
		expect(error?.description?.length).toBeLessThan(1000);
	});

	it('ends at once when the key is not accepted', async () => {
		testbed.service.faults.add({
			when: { method: 'PATCH', nth: 2 },
			fault: { kind: 'status', status: 401, body: { message: 'Unauthorized' } },
		});
		many(20).forEach(({ id }) =>
			testbed.service.store.addContact('bot', { external_id: id as string, name: 'Old' }),
		);
		const { error } = await run({ ...finish, maxConcurrency: 1 }, many(20));
		expect(error).toMatchObject({ message: titleOf('401'), httpCode: '401' });
		expect(testbed.service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
	});

	it('answers every item with the error when On Error says Continue', async () => {
		const { items } = succeeded(await run(finish, [changed, bad, unread], goOn));
		expect(items.map(({ json }) => json.error === undefined)).toEqual([true, false, false]);
	});
});

describe('On Error: Continue', () => {
	it.each<[string, INodeParameters, () => void]>([
		['a key that is not accepted', {}, () => fail(401)],
		['a list that cannot be read', {}, () => fail(403)],
		['an option that cannot work', { output: 'everything' }, () => undefined],
		[
			'an expression in an option that fails',
			{ output: "={{ $('Missing').item.json.a }}" },
			() => undefined,
		],
		[
			'an expression in an option that fails',
			{ onFailedItems: "={{ $('Missing').item.json.a }}" },
			() => undefined,
		],
		['a Max Concurrency that cannot work', { maxConcurrency: 'many' }, () => undefined],
	])('answers every item with the error after %s', async (_, options, prepare) => {
		prepare();
		const { items } = succeeded(await run(options, [same, changed, fresh], goOn));
		expect(items).toHaveLength(3);
		for (const { json } of items) expect(json.error).toEqual(expect.any(String));
	});

	function fail(status: number) {
		testbed.service.faults.add({ fault: { kind: 'status', status, body: { message: 'No' } } });
	}
});

describe('the hint in the editor', () => {
	it('gives the counts of contacts and requests after a run', async () => {
		const { hints } = await run({}, [same, changed, fresh, fresh]);
		expect(hints[0]).toMatchObject({
			type: 'info',
			message: '1 contact created, 1 updated (other: name), 1 unchanged. 3 API requests.',
		});
	});

	it('names the first five contacts that changed, and what changed of each', async () => {
		const ids = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
		ids.forEach((id) => testbed.service.store.addContact('bot', { external_id: id, name: 'Old' }));
		const columns = { external_id: '={{ $json.id }}', 'custom_attributes.plan': 'pro' };
		const several = { ...columns, name: 'New', email: '={{ $json.email }}', phonenumber: '+1' };
		const told = async (fields: IDataObject, input: Row[]) =>
			(await testbed.run({ chatbotId, ...mapped(fields) }, { input })).hints[0].message;

		expect(await told(columns, [{ id: 'u1' }, { id: 'u2' }])).toMatch(
			/^2 contacts updated \(u1: plan; u2: plan\)\./,
		);
		const rows = ids.map((id) => ({ id, email: `${id}@x.example` }));
		expect(await told({ ...columns, email: '={{ $json.email }}' }, rows)).toMatch(
			/^6 contacts updated \(u1: email; u2: email; u3: plan, email; u4: plan, email; u5: plan, email …\)\./,
		);
		testbed.service.store.addContact('bot', { external_id: 'u7' });
		expect(await told(several, [{ id: 'u7', email: 'u7@x.example' }])).toMatch(
			/^1 contact updated \(u7: plan, name, email …\)\./,
		);
	});

	it.each([
		['upsert', {}],
		['update', { contactId: { __rl: true, mode: 'id', value: 'other' } }],
	])('warns that Dry Run wrote nothing (%s)', async (operation, parameters) => {
		const { hints } = await testbed.run({
			operation,
			chatbotId,
			...parameters,
			...mapped({ name: 'New', ...(operation === 'upsert' && { external_id: 'other' }) }),
			options: { dryRun: true },
		});
		expect(hints.map(({ type, message }) => [type, message])).toEqual([
			['warning', 'Nothing was written. 1 contact would be updated (other: name). 1 API request.'],
		]);
	});

	it('warns of dropped fields, escaped for HTML', async () => {
		const { hints } = await testbed.run({
			chatbotId,
			...mapped({ external_id: 'same' }),
			additionalFields: { customAttributesJson: '{ "<b>plam": "pro" }' },
		});
		expect(hints[1]).toMatchObject({
			type: 'warning',
			message: 'Dropped fields: custom_attributes.&lt;b&gt;plam (1).',
		});
	});
});
