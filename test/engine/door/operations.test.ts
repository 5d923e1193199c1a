import type { INodeParameters } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { operationsOf } from '../../documents/operations';
import { itemWith, png } from '../chatbot/images';
import { fastTime } from '../fastTime';
import { byId, Testbed } from '../testbed';
import { events, trigger } from '../trigger/watch';
import { chatbotId, mapped } from '../parameters';

/** Parameters of a run that succeeds, for every operation of the node; `$json.id` differs by item. */
const operations: Record<string, INodeParameters> = {
	'chat.send': { chatbotId, message: 'Hello' },
	'chatbot.create': { name: '=Bot {{ $json.id }}' },
	'chatbot.delete': { chatbotId: byId('=spare-{{ $json.id }}') },
	'chatbot.deleteIcon': { chatbotId },
	'chatbot.deleteProfilePicture': { chatbotId },
	'chatbot.get': { chatbotId },
	'chatbot.getAll': { returnAll: true },
	'chatbot.update': { chatbotId, updateFields: { name: 'New name' } },
	'chatbot.uploadIcon': { chatbotId },
	'chatbot.uploadProfilePicture': { chatbotId },
	'chatbotSettings.update': { chatbotId, updateFields: { temp: 0 } },
	'contact.create': { chatbotId, ...mapped({ external_id: '=new-{{ $json.id }}' }) },
	'contact.delete': { chatbotId, contactId: byId('={{ $json.id }}') },
	'contact.get': { chatbotId, contactId: byId('={{ $json.id }}') },
	'contact.getAll': { chatbotId },
	'contact.update': { chatbotId, contactId: byId('={{ $json.id }}'), ...mapped({ name: 'New' }) },
	'contact.upsert': { chatbotId, ...mapped({ external_id: '={{ $json.id }}', name: 'New' }) },
	'conversation.getAll': { chatbotId },
	'customAttribute.create': { chatbotId, attributeName: '=new_{{ $json.id }}' },
	'customAttribute.getAll': { chatbotId },
	'customAttribute.update': {
		chatbotId,
		attributeName: { __rl: true, mode: 'name', value: 'plan' },
		updateFields: { label: 'Plan' },
	},
	'lead.getAll': { chatbotId },
};

/** What the panel asks for while the user fills in a node. */
const panel = {
	searchChatbots: {},
	searchContacts: { chatbotId },
	searchCustomAttributes: { chatbotId },
};

let testbed: Testbed;
const ids = Array.from({ length: 8 }, (_, index) => `c${index}`);
const input = ids.map((id) => itemWith(png(9, 9), { id }));

beforeAll(async () => {
	testbed = await Testbed.start();
});

beforeEach(() => {
	testbed.reset();
	const { store } = testbed.service;
	store.addChatbot({ id: 'bot' });
	store.addAttribute('bot', { name: 'plan', type: 'text' });
	for (const id of ids) {
		store.addChatbot({ id: `spare-${id}` });
		store.addContact('bot', { external_id: id });
	}
});

afterAll(async () => await testbed.close());

/** A 429 in front of the first request. */
const refuseFirst = () =>
	testbed.service.faults.add({
		when: { nth: 1 },
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '7' } },
	});

async function inFastTime<Result>(work: () => Promise<Result>) {
	const restore = fastTime();
	try {
		return await work();
	} finally {
		restore();
	}
}

it('names every operation that the node has', () => {
	const named = operationsOf(new Chatbase().description.properties).map(
		({ resource, operation }) => `${resource}.${operation}`,
	);
	expect(named.sort()).toEqual(Object.keys(operations).sort());
});

describe.each(Object.entries(operations))('%s', (name, parameters) => {
	const [resource, operation] = name.split('.');
	const run = async (items: typeof input) =>
		await testbed.run(
			{ resource, operation, ...parameters, requestOptions: { timeout: 600_000 } },
			{ input: items },
		);

	it('goes through the door: its first request waits for the rate limit and is sent again', async () => {
		const limit = refuseFirst();
		const { error, items } = await inFastTime(async () => await run(input.slice(0, 1)));
		expect(error).toBeUndefined();
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
		const [first, second] = testbed.service.requests;
		expect(limit.struck).toBe(1);
		expect([second.method, second.url, second.body]).toEqual([first.method, first.url, first.body]);
		expect(second.at - first.at).toBeGreaterThanOrEqual(7_000);
		expect(testbed.illegal).toEqual([]);
	});

	it('has at most five requests in flight', async () => {
		testbed.service.delayMs = 20;
		await run(input);
		testbed.service.delayMs = 0;
		expect(testbed.service.maxInFlight).toBeLessThanOrEqual(5);
		// Eight items of their own go several at a time; items that share a request need not.
		if (testbed.service.requests.length >= 8) {
			expect(testbed.service.maxInFlight).toBeGreaterThan(1);
		}
	});
});

describe.each(events)('a poll for %s', (event) => {
	const poller = () =>
		testbed.engine.poller({
			node: trigger,
			parameters: { chatbotId, event, options: { pageSize: 10 } },
		});

	it('goes through the door: its first request waits for the rate limit and is sent again', async () => {
		const limit = refuseFirst();
		const { outputs } = await inFastTime(async () => await poller().poll());
		expect(outputs).toBeNull();
		const [first, second] = testbed.service.requests;
		expect(limit.struck).toBe(1);
		expect([second.method, second.url]).toEqual([first.method, first.url]);
		expect(second.at - first.at).toBeGreaterThanOrEqual(7_000);
		expect(testbed.illegal).toEqual([]);
	});

	it('has at most five requests in flight', async () => {
		testbed.service.store.seedContacts('bot', 200);
		testbed.service.delayMs = 20;
		await poller().poll();
		testbed.service.delayMs = 0;
		expect(testbed.service.maxInFlight).toBeLessThanOrEqual(5);
		// The pages of the contact list go several at a time; a list by day is read in order.
		if (event.startsWith('contact')) expect(testbed.service.maxInFlight).toBeGreaterThan(1);
	});
});

it.each(Object.entries(panel))('%s goes through the door', async (method, parameters) => {
	const limit = refuseFirst();
	const { results } = await inFastTime(
		async () => await testbed.engine.listSearch(method, { parameters }),
	);
	expect(results.length).toBeGreaterThan(0);
	expect(limit.struck).toBe(1);
});

it('mapContactFields goes through the door', async () => {
	const limit = refuseFirst();
	const { fields } = await inFastTime(
		async () =>
			await testbed.engine.resourceMapping('mapContactFields', { parameters: { chatbotId } }),
	);
	expect(fields.map(({ id }) => id)).toContain('custom_attributes.plan');
	expect(limit.struck).toBe(1);
});
