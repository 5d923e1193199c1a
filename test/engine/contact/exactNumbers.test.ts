import type { INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, mapped } from '../parameters';
import { byId, succeeded, useTestbed } from '../testbed';

/** Numbers of a service that keeps more digits than JavaScript. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', big: 'number' });
	store.addAttribute('bot', { name: 'old', type: 'number', archived: true });
	store.addAttribute('bot', { name: 'managed_by', type: 'text' });
	store.addContact('bot', { external_id: 'a' });
});

const record = (attributes: string, id = '"a"') =>
	`{ "id": "1", "external_id": ${id}, "name": "Ada", "email": "a@x.example", "custom_attributes": ${attributes} }`;

/** Answers with a contact whose attributes are this JSON. */
function answer(attributes: string, id?: string) {
	const body = record(attributes, id);
	const { faults } = testbed.service;
	const one = { kind: 'status' as const, status: 200 };
	faults.add({
		when: { path: /contacts\/a/ },
		fault: { ...one, body: `{ "message": "Success", "data": ${body} }` },
	});
	faults.add({
		when: { method: 'GET', path: /contacts$/ },
		fault: { ...one, body: `{ "data": [${body}], "total": 1, "pages": { "total_pages": 1 } }` },
	});
}

const plan = mapped({ external_id: '={{ $json.external_id }}', 'custom_attributes.plan': 'pro' });
const upsert = { operation: 'upsert', chatbotId, ...plan };
const run = async (parameters: INodeParameters, ...ids: string[]) =>
	await testbed.run(parameters, { input: ['a', ...ids].map((external_id) => ({ external_id })) });

it('sends a text with 16 digits along with another attribute, also without a list of attributes', async () => {
	testbed.service.behaviour.endpoints = 'withoutAttributeList';
	const { store } = testbed.service;
	const card = '1234567890123456';
	store.addAttribute('bot', { name: 'card', type: 'text' });
	store.contact('bot', 'a')!.custom_attributes = { plan: 'free', card };
	succeeded(await run(upsert));
	expect(store.contact('bot', 'a')?.custom_attributes).toEqual({ plan: 'pro', card });
});

it('changes the contact that has exactly the External ID of the list', async () => {
	answer('{}', '24031234567890123');
	await testbed.run(
		{ operation: 'upsert', chatbotId, ...automatic([{ id: 'name' }]) },
		{ input: [{ email: 'a@x.example', name: 'New' }] },
	);
	expect(testbed.writes.map(({ path }) => path)).toEqual([
		expect.stringMatching(/contacts\/24031234567890123$/),
	]);
});

it('returns every digit of a number in Get, as text', async () => {
	answer('{ "big": 24031234567890123, "small": 42, "deep": [0.12345678901234567890] }');
	const get = { operation: 'get', chatbotId, contactId: byId('a') };
	const { items } = succeeded(await testbed.run(get));
	expect(items[0].json.custom_attributes).toEqual({
		big: '24031234567890123',
		small: 42,
		deep: ['0.12345678901234567890'],
	});
});
