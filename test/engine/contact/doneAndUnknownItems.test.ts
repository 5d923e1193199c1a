import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** What a run says of its items comes from what was written, not from what failed. */
const testbed = useTestbed({ resource: 'contact' });

const store = () => testbed.service.store;
const finish = { options: { onFailedItems: 'finish', maxConcurrency: 1 } };
const rows = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ id: `c-${index}`, name: 'New' }));
const addContacts = (count: number) =>
	rows(count).forEach(({ id }) =>
		store().addContact('bot', { external_id: String(id), name: 'Old' }),
	);
const run = async (parameters: INodeParameters, input: Row[], options = {}) =>
	await testbed.run({ operation: 'upsert', ...byColumns, ...parameters }, { input, ...options });

it.each([
	['Stop', { options: { maxConcurrency: 1 } }],
	['Write the Rest, Then Fail', finish],
])('names what is done when the key is revoked half-way (%s)', async (_, parameters) => {
	addContacts(6);
	testbed.service.faults.add({
		when: { method: 'PATCH', nth: 4 },
		fault: { kind: 'status', status: 401 },
	});
	const { error } = await run(parameters, rows(6));
	expect(error?.message).toBe(titleOf('401'));
	expect(error?.description).toMatch(/Done: items 0 to 2\.$/);
});

it('calls dropped fields a failure that was written', async () => {
	addContacts(2);
	const dropped = {
		...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
		additionalFields: { extraFieldsJson: '{ "nickname": "A" }' },
	};
	const options = { ...finish.options, onDroppedFields: 'error' };
	const { error } = await run({ chatbotId, ...dropped, options }, rows(2));
	expect(error?.message).toBe('2 of 2 contacts failed');
	expect(error?.description).toContain('Everything else was written');
	expect(error?.description).not.toContain('not written');
	expect(store().contact('bot', 'c-1')?.name).toBe('New');
});

it('names all items of which it is not known whether they were written', async () => {
	const fault = { kind: 'stall' } as const;
	testbed.service.faults.add({ when: { method: 'POST' }, fault });
	const requestOptions = { timeout: 200 };
	const { error } = await run({ ...finish, requestOptions }, rows(3));
	expect(error?.message).toBe('3 of 3 contacts failed');
	expect(error?.description).toContain('Unknown: items 0 to 2.');
});

it('does not count a contact that was not found as done', async () => {
	addContacts(1);
	testbed.service.faults.add({
		when: { method: 'PATCH', path: '/chatbots/bot/contacts/c-9' },
		fault: { kind: 'status', status: 403 },
	});
	const parameters = {
		operation: 'update',
		chatbotId,
		contactId: { ...chatbotId, value: '={{ $json.id }}' },
		...mapped({ name: 'New' }),
		options: { onNotFound: 'mark', maxConcurrency: 1 },
	};
	const { error } = await testbed.run(parameters, {
		input: [{ id: 'c-0' }, { id: 'nobody' }, { id: 'c-9' }],
	});
	expect(error?.description).toMatch(/Done: item 0\.$/);
});

it('does not say of an update without an answer that it may have created the contact', async () => {
	addContacts(2);
	testbed.service.faults.add({ when: { method: 'PATCH' }, fault: { kind: 'stall' } });
	const timeout = { requestOptions: { timeout: 200 } };
	const [{ items }, { error }] = await Promise.all([
		run(timeout, rows(2), goOn),
		run(timeout, rows(2)),
	]);
	expect(outcomes(items)).toEqual(Array(2).fill(titleOf('timeout')));
	for (const { json } of items) expect(json.error).not.toContain('created');
	expect(error?.description).toContain('Unknown: items 0, 1.');
	expect(error?.description).not.toContain('created');
});
