import type { INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { goOn } from './rows';

/** Dry Run by an expression that is on for some items and off for others. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	['a', 'b', 'c'].forEach((id) => store.addContact('bot', { external_id: id }));
});

const dryRun = '={{ $json.dry }}';
const options = { dryRun };
const fields = mapped({ external_id: '={{ $json.id }}', name: 'New' });
// Reading this item takes a request.
const additionalFields = { customAttributesJson: '{ "plan": "pro" }' };

describe.each<[string, INodeParameters]>([
	['update', { contactId, options, ...fields, additionalFields }],
	['upsert', { options, ...fields, additionalFields }],
	['mirror', { dryRun, manage: 'all', onMissing: 'delete', ...fields, additionalFields }],
	['delete', { contactId, options }],
])('%s', (operation, parameters) => {
	const run = async (values: unknown[], others: object = {}) =>
		await testbed.run(
			{ operation, chatbotId, ...parameters },
			{ input: values.map((dry, index) => ({ id: 'abc'[index], dry }) as never), ...others },
		);

	it('sends nothing and names the item when Dry Run is on for only some items', async () => {
		const { error } = await run([true, 'on', 0]);
		expect(error?.message).toBe('Items use different settings');
		expect(error?.description).toContain('Item 2: Dry Run is off for this item and on for item 0');
		expect(testbed.sent).toEqual([]);
	});

	it('answers every item with the error when the workflow continues', async () => {
		const { items } = succeeded(await run([false, true, undefined], goOn));
		expect(items).toHaveLength(3);
		for (const { json } of items) expect(json.error).toMatch(/^Items use different settings/);
		expect(testbed.sent).toEqual([]);
	});

	it.each([[undefined], [null]])('sends nothing when its expression gives %s', async (value) => {
		const { error } = await run([value, value, value]);
		expect(error?.message).toBe('Dry Run has no value');
		expect(testbed.sent).toEqual([]);
	});

	it('is refused when it is neither on nor off', async () => {
		const { error } = await run(['maybe', 'maybe', 'maybe']);
		expect(error?.message).toBe('Dry Run is not true or false');
		expect(testbed.sent).toEqual([]);
	});

	it('writes when it is off for all items in any spelling', async () => {
		succeeded(await run([false, 'no', '']));
		expect(testbed.service.requests.some(({ method }) => method !== 'GET')).toBe(true);
	});

	it('writes nothing when it is on for all items in any spelling', async () => {
		succeeded(await run([true, 'yes', 1]));
		expect(testbed.service.requests.every(({ method }) => method === 'GET')).toBe(true);
	});
});

it.each([
	['upsert', { options }],
	['mirror', { dryRun, manage: 'all' }],
])(
	'shows the record that a real run then leaves, and the old values (%s)',
	async (operation, more) => {
		const { store } = testbed.service;
		store.addAttributes('bot', { plan: 'text', seats: 'number' });
		store.addContact('bot', {
			external_id: 'd',
			name: 'Old',
			email: 'd@x.example',
			custom_attributes: { seats: 3 },
		});
		const run = async (dry: boolean) => {
			const parameters = { operation, chatbotId, ...fields, additionalFields, ...more };
			const input = ['a', 'b', 'c', 'd'].map((id) => ({ id, dry }));
			const { items } = succeeded(await testbed.run(parameters, { input }));
			return items.map(({ json }) => json).filter(({ external_id: id }) => id === 'd');
		};

		const [{ _sync: planned, ...shown }] = await run(true);
		const [{ _sync: done, ...left }] = await run(false);

		const before = { name: 'Old', 'custom_attributes.plan': null };
		const changed = Object.keys(before);
		expect(planned).toEqual({ action: 'wouldUpdate', changed, before });
		expect(done).toEqual({ action: 'updated', changed, before });
		expect({ ...shown, updated_at: left.updated_at }).toEqual(left);
	},
);
