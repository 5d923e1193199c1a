/** A service may also find a contact by its internal ID: that is a different contact. */
import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { chatbotId, contactId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { taggedMirror } from './rows';

const testbed = useTestbed({ resource: 'contact', chatbotId });

beforeEach(() => {
	const { store, behaviour } = testbed.service;
	behaviour.contactPathId = 'externalOrInternal';
	store.addAttributes('bot', { plan: 'text', source: 'text' });
	store.addContact('bot', { id: '7', external_id: 'other', name: 'Other' });
});

const path = '/chatbots/bot/contacts';
const run = async (parameters: INodeParameters, ids = ['7']) =>
	await testbed.run(parameters, { input: ids.map((id) => ({ id })) });
const names = () =>
	[...testbed.service.store.chatbot('bot').contacts].map(({ external_id, name }) => [
		external_id,
		name,
	]);
const lines = () => testbed.sent.map(([line]) => line);
const untouched = [['other', 'Other']];
const newValues = mapped({ external_id: '={{ $json.id }}', name: 'New' });

describe('a contact that the service returns for an internal ID', () => {
	it.each([
		['get', { operation: 'get' }],
		['update', { operation: 'update', ...mapped({ 'custom_attributes.plan': 'pro' }) }],
		['delete as a dry run', { operation: 'delete', options: { dryRun: true } }],
	])('is not found when the operation is %s', async (_, parameters) => {
		const { error, items } = await run({ contactId, ...parameters });
		expect(error).toMatchObject({ message: 'Contact or chatbot not found', httpCode: '404' });
		expect(items).toEqual([]);
		expect(lines().filter((line) => String(line).includes('/contacts'))).toEqual([`GET ${path}/7`]);
		expect(names()).toEqual(untouched);
	});

	it.each([
		['get', {}, { found: false, external_id: '7' }],
		['delete', { dryRun: true }, { deleted: false, found: false, external_id: '7' }],
	])(
		'is marked as not found when the option of %s says so',
		async (operation, options, expected) => {
			const { items } = await run({
				operation,
				contactId,
				options: { onNotFound: 'mark', ...options },
			});
			expect(items.map(({ json }) => json)).toEqual([expected]);
		},
	);

	it.each([[['7']], [['7', '8']]])('is unchanged when upsert names %j', async (ids) => {
		succeeded(await run({ operation: 'upsert', ...newValues }, ids));
		expect(names()).toEqual([...untouched, ...ids.map((id) => [id, 'New'])]);
	});

	it('is kept when the missing contact of a mirror no longer exists', async () => {
		const { store, onRequest } = testbed.service;
		const custom_attributes = { source: 'crm' };
		store.addContact('bot', { external_id: '7', custom_attributes });
		store.addContact('bot', { external_id: 'kept', custom_attributes });
		store.contact('bot', 'other')!.custom_attributes = custom_attributes;
		const stop = onRequest(({ url }) => {
			const { contacts } = store.chatbot('bot');
			const gone = contacts.find('7');
			if (url.endsWith('/contacts/7') && gone) contacts.remove(gone);
		});
		const { error } = await run(
			{ ...taggedMirror, ...mapped({ external_id: '={{ $json.id }}' }) },
			['kept', 'other'],
		);
		stop();
		expect(error).toBeUndefined();
		expect(names().map(([id]) => id)).toEqual(['other', 'kept']);
		expect(lines().filter((line) => String(line).startsWith('DELETE'))).toEqual([]);
	});
});

it.each<[string, string, INodeParameters]>([
	['update', 'changed', mapped({ name: 'New' })],
	['delete', 'deleted', {}],
])(
	'a write that the service carries out on another contact is no success of %s',
	async (operation, deed, parameters) => {
		for (const onNotFound of ['error', 'mark']) {
			testbed.service.clearRequests();
			const options = { onNotFound };
			const { error, items } = await run({ operation, contactId, ...parameters, options });
			expect(error?.message).toBe(titleOf('unexpectedResponse'));
			expect(error?.description?.replaceAll('&quot;', '"')).toContain(
				`The service ${deed} the contact with the External ID "other", perhaps because "7" is`,
			);
			expect(items).toEqual([]);
			expect(lines()).toHaveLength(1);
			if (!testbed.service.store.contact('bot', 'other'))
				testbed.service.store.addContact('bot', { id: '7', external_id: 'other' });
		}
	},
);

it.each([
	['in case', 'Cust-1', 'CUST-1'],
	['in spaces', 'cust-1', ' cust-1 '],
])('is not found when its ID differs %s', async (_, stored, asked) => {
	const body = { message: 'Success', data: { id: 'x', external_id: stored } };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { error } = await run({ operation: 'get', contactId }, [asked]);
	expect(error?.message).toBe('Contact or chatbot not found');
});

it.each([{}, { external_id: null }, { external_id: '' }, { external_id: {} }])(
	'is an error when the service responds with %j',
	async (fields) => {
		const body = { message: 'Success', data: { id: 'x', ...fields } };
		for (const parameters of [
			{ operation: 'get', contactId },
			{ operation: 'delete', contactId, options: { dryRun: true } },
			{ operation: 'update', contactId, ...mapped({ 'custom_attributes.plan': 'pro' }) },
			{ operation: 'upsert', ...newValues },
		]) {
			testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
			const { error, items } = await run(parameters);
			expect(error?.message).toBe(titleOf('unexpectedResponse'));
			expect(items).toEqual([]);
			expect(lines().filter((line) => !String(line).startsWith('GET'))).toEqual([]);
		}
	},
);
