import { inSkippedTime, moveClock } from '../fastTime';
import { byId } from '../testbed';
import { chatbotId, reportedBy, trigger, useWatch } from './watch';

const watch = useWatch();

const event = 'contactCreated';
const pages = { options: { pageSize: 10 } };

describe('contactCreated', () => {
	it('reports a contact once, as the node returns it, when it is new', async () => {
		watch.addContact('old');
		const changedSince = watch.testbed.service.clock.iso();
		const poller = await watch.active({ event });
		watch.pass(60);
		watch.addContact('new', { name: 'Ada', custom_attributes: { plan: 'pro' } });
		watch.edit('old');

		const { outputs } = await poller.poll();
		const { items } = await watch.testbed.run({
			resource: 'contact',
			operation: 'get',
			chatbotId: byId(chatbotId),
			contactId: byId('new'),
		});
		expect(outputs).toEqual([[{ json: { ...items[0].json, changedSince } }]]);
		expect((await poller.poll()).outputs).toBeNull();
	});

	it('reports the first contact when the chatbot was empty', async () => {
		const poller = await watch.active({ event });
		expect(await reportedBy(poller)).toEqual([]);
		watch.addContact('first');
		const { items } = await poller.poll();
		expect(items.map(({ json }) => [json.external_id, json.changedSince])).toEqual([
			['first', null],
		]);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('reports each contact once when several polls see the same second', async () => {
		const poller = await watch.active({ event });
		for (const name of ['a', 'b', 'c']) {
			watch.addContact(name);
			expect(await reportedBy(poller)).toEqual([name]);
		}
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('reports a new contact with the time of the contact before it', async () => {
		watch.addContact('old');
		const poller = await watch.active({ event });
		watch.pass(1);
		watch.addContact('new');
		const { items } = await poller.poll();
		expect(items.map(({ json }) => json.external_id)).toEqual(['new']);
		expect(Date.parse(String(items[0].json.changedSince))).toBe(
			watch.testbed.service.clock.now() - 1000,
		);
	});

	it('sends one request a page, and two when it is the first poll', async () => {
		for (let index = 0; index < 25; index++) watch.addContact(`contact ${index}`);
		const poller = watch.poller({ event, ...pages });
		const pagesRead = [1, 2, 3].map(
			(page) => `/chatbots/my%20bot/contacts?page=${page}&per_page=10`,
		);
		await poller.poll();
		expect([...watch.sent].sort()).toEqual([...pagesRead, ...pagesRead].sort());
		watch.testbed.service.clearRequests();
		await poller.poll();
		expect([...watch.sent].sort()).toEqual(pagesRead);
		expect(watch.illegal).toEqual([]);
	});

	it('sends five requests at a time when there are many pages', async () => {
		const { service } = watch.testbed;
		service.store.seedContacts(chatbotId, 7001);
		service.delayMs = 50;
		const poller = watch.poller({ event });
		await inSkippedTime(service, async () => await poller.poll());
		service.delayMs = 0;
		expect(watch.sent).toHaveLength(16);
		expect(service.maxInFlight).toBe(5);
		expect(JSON.stringify(poller.staticData).length).toBeLessThan(300);
	});
});

describe('contactUpdated', () => {
	it('reports a contact when it changed, and not when it was created', async () => {
		watch.addContact('a');
		const poller = await watch.active({ event: 'contactUpdated' });
		watch.pass(10);
		watch.addContact('new');
		expect(await reportedBy(poller)).toEqual([]);
		watch.edit('a', { name: 'Ada' });
		expect(await reportedBy(poller)).toEqual(['a']);
		watch.pass(2);
		watch.edit('a');
		watch.edit('new');
		expect((await reportedBy(poller)).sort()).toEqual(['a', 'new']);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it.each([
		[0.4, []],
		[1, []],
		[1.9, []],
		[2, ['new']],
	])(
		'counts whole seconds: %d seconds after the creation it reports %j',
		async (later, expected) => {
			const poller = await watch.active({ event: 'contactUpdated' });
			const created_at = watch.testbed.service.clock.now() / 1000;
			watch.addContact('new', { created_at, updated_at: created_at + later });
			expect(await reportedBy(poller)).toEqual(expected);
		},
	);

	it('reports a contact once when it changed twice between two polls', async () => {
		watch.addContact('a');
		const poller = await watch.active({ event: 'contactUpdated' });
		watch.pass(2);
		watch.edit('a');
		watch.pass(1);
		watch.edit('a');
		expect(await reportedBy(poller)).toEqual(['a']);
	});
});

describe('contactCreatedOrUpdated', () => {
	it('reports both, oldest first, when contacts are created and changed', async () => {
		watch.addContact('a');
		watch.addContact('b');
		const poller = await watch.active({ event: 'contactCreatedOrUpdated' });
		watch.pass(1);
		watch.edit('b');
		watch.pass(1);
		watch.addContact('c');
		watch.pass(1);
		watch.edit('a');
		expect(await reportedBy(poller)).toEqual(['b', 'c', 'a']);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it.each([null, undefined])('reports a new contact when its updated_at is %j', async (time) => {
		const poller = await watch.active({ event: 'contactCreatedOrUpdated' });
		watch.pass(1);
		watch.addContact('new', { updated_at: time });
		expect(await reportedBy(poller)).toEqual(['new']);
		expect(await reportedBy(poller)).toEqual([]);
	});
});

describe('the first poll', () => {
	it('reports older contacts when Report Changes Since is set', async () => {
		watch.addContact('before');
		watch.pass(3600);
		const since = watch.testbed.service.clock.iso();
		watch.addContact('at');
		watch.pass(60);
		watch.addContact('after');
		const poller = watch.poller({ event, options: { since } });
		const { items } = await poller.poll();
		expect(items.map(({ json }) => [json.external_id, json.changedSince])).toEqual([
			['at', since],
			['after', since],
		]);
		expect(await reportedBy(poller)).toEqual([]);
		watch.addContact('late');
		expect(await reportedBy(poller)).toEqual(['late']);
	});

	it('reads the date in the time zone of the workflow when it has none', async () => {
		watch.testbed.service.clock.set('2026-07-01T10:00:00Z');
		watch.addContact('before');
		watch.testbed.service.clock.set('2026-07-01T10:30:00Z');
		watch.addContact('after');
		const poller = watch.poller(
			{ event, options: { since: '2026-07-01T19:15:00' } },
			{ timezone: 'Asia/Tokyo' },
		);
		expect(await reportedBy(poller)).toEqual(['after']);
	});

	it.each(['yesterday', '2026-02-30'])(
		'is refused before any request when the date is %j',
		async (since) => {
			const poller = watch.poller({ event, options: { since } });
			await expect(poller.poll()).rejects.toThrow('Report Changes Since is not a date');
			expect(watch.sent).toEqual([]);
		},
	);
});

describe('a poll is refused before any request', () => {
	it.each([9, 1001, 10.5])('when the page size is %j', async (pageSize) => {
		const poller = watch.poller({ event, options: { pageSize: `={{ ${pageSize} }}` } });
		await expect(poller.poll()).rejects.toThrow('Page Size is not a whole number from 10 to 1,000');
		expect(watch.sent).toEqual([]);
	});
});

describe('filters', () => {
	beforeEach(() => {
		for (const name of ['plan', 'seats', 'active']) {
			watch.testbed.service.store.addAttribute(chatbotId, { name, type: 'text' });
		}
	});

	const condition = (name: string, value: string) => ({
		attribute: { __rl: true, mode: 'name', value: name },
		value,
	});

	it.each([
		[{ hasEmail: true }, ['pro', 'free']],
		[{ hasEmail: false }, ['none']],
		[{ customAttributes: { conditions: [condition('plan', 'pro')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition(' plan\n', 'pro')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition('\u200eplan', 'pro ')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition('copied', 'zo\u00eb')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition('seats', '5')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition('active', 'true')] } }, ['pro']],
		[{ customAttributes: { conditions: [condition('plan', '')] } }, ['none']],
		[{ customAttributes: { conditions: [condition('plan', 'pro'), condition('seats', '6')] } }, []],
		[{ customAttributes: { conditions: [condition('constructor', '')] } }, ['pro', 'free', 'none']],
		[{ sources: ['API'] }, ['pro', 'free', 'none']],
	])('%j report %j when three contacts are new', async (filters, expected) => {
		const poller = await watch.active({ event, filters });
		const attributes = { plan: 'pro', seats: 5, active: true, copied: ' zoe\u0308' };
		watch.addContact('pro', { email: 'a@example.com', custom_attributes: attributes });
		watch.pass(1);
		watch.addContact('free', { email: 'b@example.com', custom_attributes: { plan: 'free' } });
		watch.pass(1);
		watch.addContact('none');
		expect(await reportedBy(poller)).toEqual(expected);
	});

	it('do not apply again when a reported contact changes', async () => {
		const poller = await watch.active({ event, filters: { hasEmail: true } });
		watch.addContact('late');
		expect(await reportedBy(poller)).toEqual([]);
		watch.edit('late', { email: 'late@example.com' });
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('are refused when a condition has no attribute', async () => {
		const filters = { customAttributes: { conditions: [condition('', 'pro')] } };
		const poller = watch.poller({ event, filters });
		await expect(poller.poll()).rejects.toThrow('A Custom Attributes condition has no attribute');
	});
});

describe('a test in the editor', () => {
	it('returns the newest five and saves nothing when it is run', async () => {
		for (let index = 1; index <= 12; index++) {
			watch.addContact(`contact ${index}`);
			watch.pass(1);
		}
		const poller = watch.poller({ event, ...pages });
		const { items, staticData } = await poller.test();
		expect(items.map(({ json }) => json.external_id)).toEqual(
			[12, 11, 10, 9, 8].map((index) => `contact ${index}`),
		);
		expect(items[0].json.changedSince).toBeNull();
		expect(staticData).toEqual({});
	});

	it('leaves the saved state as it is when the trigger is active', async () => {
		const poller = await watch.active({ event });
		watch.addContact('new');
		const before = JSON.stringify(poller.staticData);
		const { staticData } = await poller.test();
		expect(JSON.stringify(staticData)).toBe(before);
		expect(await reportedBy(poller)).toEqual(['new']);
	});

	it('shows only matches when event and filters are set', async () => {
		watch.addContact('created');
		watch.addContact('edited', { email: 'e@example.com' });
		watch.pass(5);
		watch.edit('edited');
		const updated = await watch.poller({ event: 'contactUpdated' }).test();
		expect(updated.items.map(({ json }) => json.external_id)).toEqual(['edited']);
		const filtered = await watch.poller({ event, filters: { hasEmail: false } }).test();
		expect(filtered.items.map(({ json }) => json.external_id)).toEqual(['created']);
	});

	it('reads a long list for about ten seconds, and says how much that was if nothing matches', async () => {
		const { service } = watch.testbed;
		service.store.seedContacts(chatbotId, 3000);
		service.onRequest(() => moveClock(500));
		const found = await watch.poller({ event, ...pages }).test();
		expect(found.items).toHaveLength(5);
		expect(watch.sent.length).toBeGreaterThan(15);
		expect(watch.sent.length).toBeLessThan(40);
		const conditions = [{ attribute: { __rl: true, mode: 'name', value: 'plan' }, value: 'pro' }];
		const filters = { customAttributes: { conditions } };
		const without = watch.poller({ event, ...pages, filters });
		await expect(without.test()).rejects.toMatchObject({
			message: 'No records match yet',
			description: expect.stringMatching(
				/^None of the \d+ contacts that were read in 10 seconds match the event and the filters\./,
			) as string,
		});
	});

	it('fails with a next step when nothing matches', async () => {
		await expect(watch.poller({ event }).test()).rejects.toThrow('No records match yet');
	});
});

describe('the panel', () => {
	it('offers chatbots and custom attributes when lists are opened', async () => {
		const { store } = watch.testbed.service;
		store.addAttribute(chatbotId, { name: 'plan', type: 'text', label: 'Plan' });
		const options = { node: trigger, parameters: { event, chatbotId: byId(chatbotId) } };
		const chatbots = await watch.testbed.engine.listSearch('searchChatbots', options);
		expect(chatbots.results.map(({ value }) => value)).toEqual(['bot', chatbotId]);
		const attributes = await watch.testbed.engine.listSearch('searchCustomAttributes', options);
		expect(attributes.results).toEqual([{ name: 'Plan (plan)', value: 'plan' }]);
	});
});
