import { inSkippedTime } from '../fastTime';
import { addChatbots } from '../operations';
import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { events, trigger } from '../trigger/watch';

/** The requests of the panel while the user fills in a node. */
const panel = {
	searchChatbots: {},
	searchContacts: { chatbotId },
	searchCustomAttributes: { chatbotId },
};

const testbed = useTestbed();

beforeEach(() => addChatbots(testbed.service, ['bot']));

/** A 429 in front of the first request. */
const refuseFirst = () =>
	testbed.service.faults.add({
		when: { nth: 1 },
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '7' } },
	});

describe.each(events)('a poll for %s', (event) => {
	const poller = () =>
		testbed.engine.poller({
			node: trigger,
			parameters: { chatbotId, event, options: { pageSize: 10 } },
		});

	it('uses the client: its first request waits for the rate limit and is sent again', async () => {
		const limit = refuseFirst();
		const { outputs } = await inSkippedTime(testbed.service, async () => await poller().poll());
		expect(outputs).toBeNull();
		const [first, second] = testbed.service.requests;
		expect(limit.struck).toBe(1);
		expect([second.method, second.url]).toEqual([first.method, first.url]);
		expect(second.at - first.at).toBeGreaterThanOrEqual(7_000);
		expect(testbed.illegal).toEqual([]);
	});

	it('sends at most five requests at a time', async () => {
		testbed.service.store.seedContacts('bot', 200);
		testbed.service.delayMs = 20;
		await inSkippedTime(testbed.service, async () => await poller().poll());
		testbed.service.delayMs = 0;
		expect(testbed.service.maxInFlight).toBeLessThanOrEqual(5);
		// The pages of the contact list are read several at a time; a list by day is read in order.
		if (event.startsWith('contact')) expect(testbed.service.maxInFlight).toBeGreaterThan(1);
	});
});

it.each(Object.entries(panel))('%s uses the client', async (method, parameters) => {
	const limit = refuseFirst();
	const { results } = await inSkippedTime(
		testbed.service,
		async () => await testbed.engine.listSearch(method, { parameters }),
	);
	expect(results.length).toBeGreaterThan(0);
	expect(limit.struck).toBe(1);
});

it('mapContactFields uses the client', async () => {
	const limit = refuseFirst();
	const { fields } = await inSkippedTime(
		testbed.service,
		async () =>
			await testbed.engine.resourceMapping('mapContactFields', { parameters: { chatbotId } }),
	);
	expect(fields.map(({ id }) => id)).toContain('custom_attributes.since');
	expect(limit.struck).toBe(1);
});
