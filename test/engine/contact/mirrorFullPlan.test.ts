import type { INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn } from './rows';

/** A mirror whose new contacts have no room, while missing contacts take some. */
const testbed = useTestbed({ resource: 'contact', operation: 'mirror' });

const ids = Array.from({ length: 12 }, (_, index) => `crm-${index}`);
/** The last two are missing, and there are three new ones. */
const input = [...ids.slice(0, -2), 'crm-n1', 'crm-n2', 'crm-n3'].map((id) => ({ json: { id } }));

beforeEach(() => {
	const { store, behaviour } = testbed.service;
	for (const id of ids) store.addContact('bot', { external_id: id, name: id });
	behaviour.maximumContacts = ids.length;
});

const parameters: INodeParameters = {
	chatbotId,
	manage: 'idPrefix',
	idPrefix: 'crm-',
	onMissing: 'delete',
	...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.id }}' }),
};
const titleOfRefusal = 'The plan has no room for more contacts';
const room =
	'Contacts that are missing from the input take up room (2): crm-10, crm-11. A run in which an item fails leaves them as they are. Delete them with Contact: Delete, then run again.';
const held = () => testbed.service.store.chatbot('bot').contacts.size;

it.each(['report', 'delete'])('names the missing contacts in Stop mode: %s', async (onMissing) => {
	const { error } = await testbed.run({ ...parameters, onMissing }, { input });
	expect(error?.message).toBe(titleOfRefusal);
	expect(error?.description).toContain('The service says: "The maximum contacts limit');
	expect(error?.description).toContain(room);
	expect(held()).toBe(ids.length);
});

it('names those, too, that an earlier run has marked', async () => {
	const { store } = testbed.service;
	store.addAttribute('bot', { name: 'missing_since', type: 'date' });
	Object.assign(store.chatbot('bot').contacts.find('crm-10')!.custom_attributes, {
		missing_since: '2026-01-01',
	});
	const { error } = await testbed.run({ ...parameters, onMissing: 'mark' }, { input });
	expect(error?.description).toContain(room);
});

it('names them in the error of a run that writes the rest', async () => {
	const options = { onFailedItems: 'finish' };
	const { error } = await testbed.run({ ...parameters, options }, { input });
	expect(error?.message).toBe('3 of 13 contacts failed');
	expect(error?.description).toContain(`${titleOfRefusal}: crm-n1, crm-n2, crm-n3.`);
	expect(error?.description).toContain(room);
});

it('names them in each item when the workflow continues, and keeps them', async () => {
	const { items } = await testbed.run(parameters, { input, ...goOn });
	const errors = items.flatMap(({ json }) => json.error ?? []) as string[];
	expect(errors).toHaveLength(3);
	for (const error of errors) expect(error).toContain(room);
	expect(items.slice(-2).map(({ json }) => json._sync)).toEqual([
		{ action: 'kept' },
		{ action: 'kept' },
	]);
});

it('names at most five of many', async () => {
	const few = [...input.slice(0, 6), input.at(-1)!];
	const { error } = await testbed.run({ ...parameters, onMissing: 'report' }, { input: few });
	expect(error?.description).toContain(
		'missing from the input take up room (6): crm-6, crm-7, crm-8, crm-9, crm-10 and 1 more. A run',
	);
});

it('says nothing of missing contacts when none is missing', async () => {
	const all = [...ids, 'crm-n1'].map((id) => ({ json: { id } }));
	const { error } = await testbed.run(parameters, { input: all });
	expect(error?.message).toBe(titleOfRefusal);
	expect(error?.description).toContain('or change the plan.');
	expect(error?.description).not.toContain('missing');
});

it('says nothing of them when the service refuses a contact for another reason', async () => {
	testbed.service.behaviour.maximumContacts = Infinity;
	testbed.service.faults.add({
		when: { method: 'POST' },
		fault: { kind: 'status', status: 400, body: { message: 'Contact name exceeds the limit' } },
	});
	const { error } = await testbed.run(parameters, { input });
	expect(error?.message).toBe('The service rejected the contact data');
	expect(error?.description).not.toContain('missing');
});
