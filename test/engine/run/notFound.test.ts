/** Only a response of the API can say that a contact does not exist. */
/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';

import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', chatbotId });
let restore: () => void;

beforeEach(() => {
	testbed.service.store.addContact('bot', { external_id: 'c0' });
	restore = skippedTime(testbed.service);
});

afterEach(() => restore());

const wrongAddress = "The Base URL doesn't lead to the API";
const unreadable = titleOf('broken');
const gzip = { 'Content-Encoding': 'gzip' };

/** Responses that are not from the API, by name. */
const responses = {
	'HTML 404': { status: 404, body: '<html><h1>Not Found</h1></html>', title: wrongAddress },
	'text 404': { status: 404, body: 'Contact not found', title: wrongAddress },
	'empty 404': { status: 404, body: '', title: wrongAddress },
	'JSON 404 without a message': { status: 404, body: { error: 'Not found' }, title: wrongAddress },
	'JSON 404 that is a list': { status: 404, body: [{ message: 'Not found' }], title: wrongAddress },
	'bare 404': { status: 404, body: { message: 'Not found' }, title: wrongAddress },
	'404 of a router': {
		status: 404,
		body: { message: 'Route GET:/v1/chatbots/bot/contacts/c0 not found', statusCode: 404 },
		title: wrongAddress,
	},
	'404 of another router': {
		status: 404,
		body: { message: 'Cannot GET /v1/chatbots/bot/contacts/c0' },
		title: wrongAddress,
	},
	'corrupt gzip, 404': {
		status: 404,
		headers: gzip,
		body: '{"message":"Contact not found"}',
		title: unreadable,
	},
	'corrupt gzip, 200': { status: 200, headers: gzip, body: '{"data":{}}', title: unreadable },
};

/** Operations that return, skip or create a contact that does not exist. */
const operations: Record<string, INodeParameters> = {
	get: { contactId, options: { onNotFound: 'mark' } },
	delete: { contactId, options: { onNotFound: 'mark' } },
	update: { contactId, options: { onNotFound: 'mark' }, ...mapped({ name: 'New' }) },
	upsert: mapped({ external_id: '={{ $json.id }}', name: 'New' }),
};

const cells = Object.keys(operations).flatMap((operation) =>
	Object.entries(responses).map(([name, response]) => [operation, name, response] as const),
);

it.each(cells)('%s: %s does not count as a missing contact', async (operation, _, response) => {
	const { title, ...fault } = response;
	testbed.service.faults.add({ fault: { kind: 'status', ...fault } });
	const result = await testbed.run(
		{ operation, ...operations[operation] },
		{ input: [{ id: 'c0' }] },
	);
	expect(result.error?.message).toBe(title);
	expect(result.items).toEqual([]);
	expect(testbed.sent.map(([line]) => line).join()).not.toContain('POST');
	const traces = inspect(result, { depth: Infinity, showHidden: true, maxArrayLength: null });
	expect(traces).not.toContain(testbed.service.apiKey);
});

const aboutChatbot = { message: 'Chatbot not found. Please contact support.' };

it.each(Object.keys(operations))(
	'%s fails when a 404 about the chatbot mentions contacts',
	async (operation) => {
		const fault = { kind: 'status', status: 404, body: aboutChatbot } as const;
		testbed.service.faults.add({ when: { path: /contacts\/c\d$/ }, fault });
		for (const input of [[{ id: 'c0' }], [{ id: 'c0' }, { id: 'c1' }, { id: 'c2' }]]) {
			const { error, items } = await testbed.run(
				{ operation, ...operations[operation] },
				{ input },
			);
			expect(error).toMatchObject({ message: titleOf('404'), httpCode: '404' });
			expect(items).toEqual([]);
		}
		expect(testbed.sent.map(([line]) => line).join()).not.toContain('POST');
	},
);

it('mirror deletes no contact when a 404 about the chatbot mentions contacts', async () => {
	const { store, faults } = testbed.service;
	store.addAttribute('bot', { name: 'source', type: 'text' });
	for (const id of ['kept', 'missing']) {
		store.addContact('bot', { external_id: id, custom_attributes: { source: 'crm' } });
	}
	faults.add({
		when: { path: /contacts\/missing$/ },
		fault: { kind: 'status', status: 404, body: aboutChatbot },
	});
	const { error, items } = await testbed.run(
		{
			operation: 'mirror',
			manage: 'tag',
			options: { tagAttribute: { __rl: true, mode: 'name', value: 'source' } },
			tagValue: 'crm',
			onMissing: 'delete',
			...mapped({ external_id: '={{ $json.id }}' }),
		},
		{ input: [{ id: 'kept' }] },
	);
	expect(error?.message).toBe(titleOf('404'));
	expect(items).toEqual([]);
	expect(testbed.sent.map(([line]) => line).join()).not.toContain('DELETE');
});
