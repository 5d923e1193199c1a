import type { INodeParameters } from 'n8n-workflow';

import { useTestbed } from '../testbed';
import { automatic, chatbotId, inputOf, mapped, read, rename } from '../parameters';

const testbed = useTestbed();

beforeEach(() => {
	for (const { id } of inputOf(20)) testbed.service.store.addContact('bot', { external_id: id });
});

/** Every operation that writes for each item, with invalid values in item 2. */
const writes: Record<string, INodeParameters> = {
	'contact.create': {
		resource: 'contact',
		operation: 'create',
		chatbotId,
		...mapped({ external_id: '={{ $json.bad ? "" : "new-" + $json.id }}' }),
	},
	'contact.update': {
		...rename,
		...mapped({ name: '={{ $json.bad ? [] : "New" }}' }),
	},
	'contact.upsert': {
		resource: 'contact',
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: '={{ $json.bad ? ".." : $json.id }}', name: 'New' }),
	},
	'contact.delete': {
		resource: 'contact',
		operation: 'delete',
		chatbotId,
		contactId: { __rl: true, mode: 'id', value: '={{ $json.bad ? " " : $json.id }}' },
	},
	'chat.send': {
		resource: 'chat',
		operation: 'send',
		chatbotId,
		message: '={{ $json.bad ? " " : "Hello" }}',
	},
	'chatbotSettings.update': {
		resource: 'chatbotSettings',
		operation: 'update',
		chatbotId,
		updateFields: { temp: '={{ $json.bad ? 2 : 0.5 }}' },
	},
	'customAttribute.create': {
		resource: 'customAttribute',
		operation: 'create',
		chatbotId,
		attributeName: '={{ $json.bad ? "1st" : $json.id }}',
		attributeType: 'text',
	},
};

const withBadItem = [{ id: 'c0' }, { id: 'c1' }, { id: 'c2', bad: true }, { id: 'c3' }];

describe.each(Object.entries(writes))('%s with one bad item of four', (_, parameters) => {
	it('sends nothing and names the item when On Error is Stop', async () => {
		const { error } = await testbed.run(parameters, { input: withBadItem });
		expect(testbed.sent).toEqual([]);
		expect(error?.description).toMatch(/^(Item 2|Contact c2): /);
		expect(error?.context).toMatchObject({ itemIndex: 2 });
	});

	it('works on the other three when the workflow continues', async () => {
		const { items } = await testbed.succeed(parameters, {
			input: withBadItem,
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json }) => typeof json.error)).toEqual([
			'undefined',
			'undefined',
			'string',
			'undefined',
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(testbed.sent.length).toBeGreaterThan(0);
	});
});

it.each([
	['contact.upsert', 'Done: items 0, 1.'],
	['contact.delete', 'Done: items 0, 1.'],
	['chat.send', 'Done: items 0, 1.'],
])('names what was done when %s fails in the middle of a run', async (name, sentence) => {
	const isRead = ({ method }: { method: string }) => method === 'GET';
	const writesBefore = () => testbed.service.requests.filter((each) => !isRead(each)).length > 2;
	testbed.service.faults.add({
		when: { matches: (request) => !isRead(request) && writesBefore() },
		fault: { kind: 'status', status: 400 },
	});
	const parameters = { ...writes[name], options: { maxConcurrency: 1 } };
	const { error } = await testbed.run(parameters, { input: inputOf(5) });
	expect(error?.description?.split(sentence)).toHaveLength(2);
	expect(error?.description).toMatch(/ Done: items 0, 1\.$/);
});

describe('a run that stops while requests are on their way', () => {
	const pathOf = (index: number) => `/chatbots/bot/contacts/c${index}`;
	const at = (index: number) => ({ when: { path: pathOf(index) } });

	it('names every item whose outcome is unknown, and those that are done', async () => {
		const { faults } = testbed.service;
		for (const index of [2, 3]) {
			faults.add({ ...at(index), fault: { kind: 'delay', ms: 50 } });
			faults.add({ ...at(index), fault: { kind: 'resetAfter' } });
		}
		faults.add({ ...at(4), fault: { kind: 'delay', ms: 100 } });
		faults.add({ ...at(4), fault: { kind: 'status', status: 400 } });
		const { error } = await testbed.run(
			{ ...rename, options: { maxConcurrency: 5 } },
			{ input: inputOf(5) },
		);
		expect(error?.description).toMatch(/ Done: items 0, 1\. Unknown: items 2, 3\.$/);
	});

	it('names an item that lost its answer before the key of another was refused', async () => {
		const { faults } = testbed.service;
		faults.add({ ...at(0), fault: { kind: 'resetAfter' } });
		faults.add({ ...at(1), fault: { kind: 'delay', ms: 50 } });
		faults.add({ ...at(1), fault: { kind: 'status', status: 401 } });
		const { error } = await testbed.run(rename, { input: inputOf(3) });
		expect(testbed.sent).toHaveLength(3);
		expect(error?.description).toMatch(/ Done: item 2\. Unknown: item 0\.$/);
	});

	it('does not call an item unknown that was never sent, because another may be done', async () => {
		const { faults } = testbed.service;
		faults.add({ ...at(0), when: { ...at(0).when, nth: 1 }, fault: { kind: 'resetAfter' } });
		faults.add({
			...at(0),
			when: { ...at(0).when, nth: 2 },
			fault: { kind: 'status', status: 401 },
		});
		faults.add({ ...at(1), fault: { kind: 'delay', ms: 1500 } });
		faults.add({
			...at(1),
			fault: { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
		});
		const { error } = await testbed.run(rename, { input: inputOf(2) });
		expect(testbed.sent).toHaveLength(3);
		expect(error?.description).toMatch(/ Unknown: item 0\.$/);
	});

	it('names all unknown items, however many rows they are', async () => {
		const sent = Array.from({ length: 43 }, (_, index) => index + 1);
		const nth = sent.filter((number) => number % 2 === 1);
		const { faults } = testbed.service;
		faults.add({ when: { nth }, fault: { kind: 'delay', ms: 200 } });
		faults.add({ when: { nth }, fault: { kind: 'resetAfter' } });
		const { error } = await testbed.run(
			{ ...writes['chat.send'], options: { maxConcurrency: 43 } },
			{ input: inputOf(43) },
		);
		const unknown = nth.map((number) => number - 1).join(', ');
		expect(error?.description).toContain(` Unknown: items ${unknown}.`);
	});

	it('names an unknown item beside a refused one when chats have lost their answers', async () => {
		const { faults } = testbed.service;
		faults.add({ when: { nth: [1, 2, 3] }, fault: { kind: 'resetAfter' } });
		faults.add({ when: { nth: 4 }, fault: { kind: 'status', status: 400 } });
		const { error } = await testbed.run(writes['chat.send'], { input: inputOf(4) });
		expect(error?.description).toMatch(/Unknown: items 0 to 2\.$/);
		expect(error?.description).not.toContain('Done:');
	});

	it('names neither when a search that only reads has failed', async () => {
		const { faults, store } = testbed.service;
		store.addTicket('bot', { subject: 'refund', description: 'I want a refund' });
		faults.add({ when: { nth: 6 }, fault: { kind: 'status', status: 400 } });
		const { error } = await testbed.run(
			{ resource: 'ticket', operation: 'search', chatbotId, query: 'refund' },
			{ input: inputOf(6) },
		);
		expect(testbed.sent).toHaveLength(6);
		expect(error).toBeDefined();
		expect(error?.description).not.toMatch(/Done: |Unknown: /);
	});
});

it('names 20 rows of done items, and counts the rest', async () => {
	const { store, faults } = testbed.service;
	const input = inputOf(43);
	// Every second contact has the name already.
	input.forEach(({ id }, index) => {
		const name = index % 2 === 0 ? 'Old' : 'New';
		const { contacts } = store.chatbot('bot');
		const contact = contacts.find(id) ?? store.addContact('bot', { external_id: id });
		contacts.change(contact, { name });
	});
	faults.add({
		when: { path: '/chatbots/bot/contacts/c42' },
		fault: { kind: 'status', status: 400 },
	});
	const parameters = { ...writes['contact.upsert'], options: { maxConcurrency: 1 } };
	const { error } = await testbed.run(parameters, { input });
	expect(error?.description).toMatch(/Done: items 0, 2, [\d, ]+ 36, 38 and 1 more\.$/);
});

it('says that nothing was done when a dry run stops', async () => {
	testbed.service.faults.add({
		when: { path: '/chatbots/bot/contacts/c3' },
		fault: { kind: 'status', status: 400 },
	});
	const { error } = await testbed.run(
		{ ...writes['contact.delete'], options: { dryRun: true, maxConcurrency: 1 } },
		{ input: inputOf(5) },
	);
	expect(error?.description).toMatch(/ Nothing was done\.$/);
	expect(error?.description).not.toContain('Done:');
});

it('names nothing as done when the first write fails, or nothing differed before', async () => {
	testbed.service.faults.add({
		when: { method: 'PATCH' },
		fault: { kind: 'status', status: 400 },
	});
	const name = '={{ $json.id === "c2" ? "New" : null }}';
	const { error } = await testbed.run(
		{ ...writes['contact.upsert'], ...mapped({ external_id: '={{ $json.id }}', name }) },
		{ input: inputOf(3) },
	);
	expect(error?.message).toBe('The service rejected the contact data');
	expect(error?.description).not.toMatch(/Done: |Unknown: /);
});

it('sends nothing in Stop mode when n8n cannot evaluate the expression of one item', async () => {
	// n8n reads most errors in an expression as an empty value, but not a node that does not exist.
	const name = '={{ $json.id === "c2" ? $("Nobody").item.json.name : "New" }}';
	const { error } = await testbed.run({ ...rename, ...mapped({ name }) }, { input: inputOf(4) });
	expect(error).toMatchObject({
		message: "Referenced node doesn't exist",
		context: { itemIndex: 2 },
	});
	// The first two items were started before; what they sent would have arrived with this request.
	await testbed.run(read, { input: inputOf(1) });
	expect(testbed.sent).toEqual([['GET /chatbots/bot/contacts/c0']]);
});

it('sends nothing when only the attribute schema shows that an item is invalid', async () => {
	testbed.service.store.addAttribute('bot', { name: 'age', type: 'number' });
	const { error } = await testbed.run(
		{
			...rename,
			...automatic(),
		},
		{
			input: [
				{ id: 'c0', age: 1 },
				{ id: 'c1', age: 'old' },
				{ id: 'c2', age: 3 },
			],
		},
	);
	expect(error?.message).toBe("A value doesn't fit its custom attribute");
	expect(testbed.sent).toEqual([['GET /chatbots/bot/custom-attributes']]);
});

// Create or Update compares more contacts than it may send at once, so the next update waits for a slot when one fails.
it.each([
	['contact.update', rename],
	[
		'contact.upsert',
		{ ...writes['contact.upsert'], ...mapped({ external_id: '={{ $json.id }}', name: 'New' }) },
	],
])('sends no queued request of %s after the first failure', async (_, parameters) => {
	testbed.service.faults.add({
		when: { path: '/chatbots/bot/contacts/c2' },
		fault: { kind: 'status', status: 400 },
	});
	const { error } = await testbed.run(
		{ ...parameters, options: { maxConcurrency: 1 } },
		{ input: inputOf(20) },
	);
	expect(error?.message).toBe('The service rejected the contact data');
	expect(testbed.writes.map(({ path }) => path)).toEqual(
		['c0', 'c1', 'c2'].map((id) => `/chatbots/bot/contacts/${id}`),
	);
});

it('sends no retry after the first failure', async () => {
	const { faults } = testbed.service;
	faults.add({
		when: { path: '/chatbots/bot/contacts/c0' },
		fault: { kind: 'status', status: 503 },
	});
	faults.add({
		when: { path: '/chatbots/bot/contacts/c1' },
		fault: { kind: 'status', status: 400 },
	});
	await testbed.run(rename, { input: inputOf(2) });
	expect(testbed.sent).toHaveLength(2);
});

describe('after a 401', () => {
	const refuseThird = () =>
		testbed.service.faults.add({
			when: { path: '/chatbots/bot/contacts/c2' },
			fault: { kind: 'status', status: 401, body: { message: 'Unauthorized access' } },
		});

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'nothing more is sent: %s',
		async (onError) => {
			refuseThird();
			await testbed.run(
				{ ...rename, options: { maxConcurrency: 1 } },
				{ input: inputOf(20), nodeSettings: { onError } },
			);
			expect(testbed.sent).toHaveLength(3);
		},
	);

	it('waiting items get the same error', async () => {
		refuseThird();
		const { items } = await testbed.run(
			{ ...read, options: { maxConcurrency: 1 } },
			{ input: inputOf(20), nodeSettings: { onError: 'continueRegularOutput' } },
		);
		const errors = items.map(({ json }) => json.error);
		expect(errors.slice(0, 2)).toEqual([undefined, undefined]);
		expect(new Set(errors.slice(2)).size).toBe(1);
		expect(errors[2]).toMatch(
			/^The service rejected the API key\. The service says: "Unauthorized/,
		);
	});

	it('no retry is sent', async () => {
		const { faults } = testbed.service;
		const when = { path: '/chatbots/bot/contacts/c0' };
		faults.add({ when, fault: { kind: 'status', status: 503 } });
		refuseThird();
		const { items } = await testbed.run(read, {
			input: inputOf(5),
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(testbed.sent).toHaveLength(5);
		expect(items[0].json.error).toMatch(/^The service rejected the API key/);
	});
});
