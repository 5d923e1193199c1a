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
	'In a mirror, a contact that is missing from the input may hold the email, or room in the plan.';
const held = () => testbed.service.store.chatbot('bot').contacts.size;

it('says in Stop mode that missing contacts may take the room, and deletes none', async () => {
	const { error } = await testbed.run(parameters, { input });
	expect(error?.message).toBe(titleOfRefusal);
	expect(error?.description).toContain('The service says: "The maximum contacts limit');
	expect(error?.description).toContain(room);
	expect(held()).toBe(ids.length);
});

it('names the refused contact, and those that were not sent', async () => {
	const options = { onFailedItems: 'finish' };
	const { error } = await testbed.run({ ...parameters, options }, { input });
	expect(error?.message).toBe('3 of 13 contacts failed');
	expect(error?.description).toContain(`${titleOfRefusal} (1): crm-n1.`);
	expect(error?.description).toContain('for more contacts (2): crm-n2, crm-n3.');
});

it('keeps the missing contacts when the workflow continues', async () => {
	const { items } = await testbed.run(parameters, { input, ...goOn });
	const errors = items.flatMap(({ json }) => json.error ?? []) as string[];
	expect(errors).toHaveLength(3);
	expect(errors[0]).toContain(room);
	// Another contact's words are not theirs.
	for (const error of errors.slice(1)) expect(error).not.toContain('The service says');
	expect(items.slice(-2).map(({ json }) => json._sync)).toEqual([
		{ action: 'kept' },
		{ action: 'kept' },
	]);
});

it('says nothing of missing contacts when the service refuses a contact for another reason', async () => {
	testbed.service.behaviour.maximumContacts = Infinity;
	testbed.service.faults.add({
		when: { method: 'POST' },
		fault: { kind: 'status', status: 400, body: { message: 'Contact name exceeds the limit' } },
	});
	const { error } = await testbed.run(parameters, { input });
	expect(error?.message).toBe('The service rejected the contact data');
	expect(error?.description).not.toContain(room);
});
