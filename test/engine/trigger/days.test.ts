/** Conversations and leads, which the service lists by day. */
import { defaultBehaviour } from '../../../service';
import { chatbotId, useWatch } from './watch';

const watch = useWatch();

afterEach(() => {
	Object.assign(watch.testbed.service.behaviour, defaultBehaviour);
});

const day = 86_400;
const dayBefore = (days: number) =>
	new Date(watch.testbed.service.clock.now() - days * day * 1000).toISOString().slice(0, 10);
const store = () => watch.testbed.service.store;

describe('leadCreated', () => {
	const event = 'leadCreated';

	it.each([
		['collectedCustomers', 'string'],
		['collectedCustomers.data', 'string'],
		['data', 'integer'],
	] as const)(
		'reports a new lead once when the shape is %s and the ID is a %s',
		async (shape, id) => {
			Object.assign(watch.testbed.service.behaviour, {
				leadsShape: shape,
				leadConversation: 'named',
			});
			store().addLead(chatbotId, { name: 'Old' });
			const poller = await watch.active({ event });
			const lead = store().addLead(chatbotId, {
				name: 'Ada',
				email: 'ada@example.com',
				conversationId: 'c1',
			});
			const changedSince = lead.createdAt;
			const { items } = await poller.poll();
			expect(items).toEqual([
				{
					json: {
						id: id === 'integer' ? 2 : '2',
						chatbot_id: chatbotId,
						name: 'Ada',
						email: 'ada@example.com',
						phone: null,
						created_at: lead.createdAt,
						conversationId: 'c1',
						changedSince,
					},
				},
			]);
			expect((await poller.poll()).outputs).toBeNull();
			expect(watch.illegal).toEqual([]);
		},
	);

	it('asks for the newest days only when it polls', async () => {
		store().addLead(chatbotId);
		const poller = watch.poller({ event });
		const url = (page: number, startDate: string) =>
			`/get-leads?chatbotId=my%20bot&size=100&startDate=${startDate}&page=${page}`;
		const firstDays = new Date(Date.now() - 3 * day * 1000).toISOString().slice(0, 10);
		await poller.poll();
		expect(watch.sent).toEqual([
			...[1, 2].map((page) => url(page, firstDays)),
			...[1, 2].map((page) => url(page, dayBefore(1))),
		]);
		watch.testbed.service.clearRequests();
		watch.pass(7 * day);
		await poller.poll();
		expect(watch.sent).toEqual([1, 2].map((page) => url(page, dayBefore(8))));
	});

	it('reads all pages when the service gives fewer leads a page than it is asked for', async () => {
		watch.testbed.service.behaviour.leadSize = { standard: 10, maximum: 10 };
		watch.testbed.service.behaviour.sizeAboveMaximum = 'clamp';
		const poller = await watch.active({ event });
		for (let index = 0; index < 35; index++) store().addLead(chatbotId);
		expect((await poller.poll()).items).toHaveLength(35);
		expect((await poller.poll()).outputs).toBeNull();
	});

	it('reports only leads with an email when Has Email is set', async () => {
		const poller = await watch.active({ event, filters: { hasEmail: true } });
		store().addLead(chatbotId, { phone: '1' });
		store().addLead(chatbotId, { email: 'ada@example.com' });
		const { items } = await poller.poll();
		expect(items.map(({ json }) => json.email)).toEqual(['ada@example.com']);
	});

	it('shows the newest leads when Test data is asked for, however old they are', async () => {
		watch.pass(-90 * day);
		for (let index = 0; index < 7; index++) {
			store().addLead(chatbotId, { name: `Lead ${index}` });
			watch.pass(60);
		}
		const { items, staticData } = await watch.poller({ event }).test();
		const names = [6, 5, 4, 3, 2].map((index) => `Lead ${index}`);
		expect(items.map(({ json }) => json.name)).toEqual(names);
		expect(staticData).toEqual({});
	});
});

describe('conversationStarted', () => {
	const event = 'conversationStarted';

	it('reports a new conversation once', async () => {
		watch.pass(-10 * day);
		const old = store().addConversation(chatbotId, { id: 'old' });
		watch.pass(10 * day);
		const poller = await watch.active({ event });
		watch.pass(1);
		old.lastMessageAt = watch.testbed.service.clock.iso();
		expect((await poller.poll()).outputs).toBeNull();
		const messages = [{ role: 'user', content: 'Hello' }];
		store().addConversation(chatbotId, { id: 'new', messages, contactId: 'customer-1' });
		const { items } = await poller.poll();
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: 'new', customer: 'customer-1', messages: [{ content: 'Hello' }] },
		]);
		watch.pass(3 * day);
		expect((await poller.poll()).outputs).toBeNull();
		expect(watch.illegal).toEqual([]);
	});

	it('reads all pages', async () => {
		const poller = await watch.active({ event });
		for (let index = 0; index < 150; index++) {
			if (index % 3 === 0) watch.pass(1);
			store().addConversation(chatbotId, { country: String(index) });
		}
		const { items } = await poller.poll();
		const seconds = items.map(({ json }) => Math.floor(Number(json.country) / 3));
		expect(seconds).toHaveLength(150);
		expect(seconds).toEqual([...seconds].sort((one, other) => one - other));
		// The last one is empty, since a page that is not full may still be followed by another.
		expect(watch.sent).toHaveLength(3);
		expect((await poller.poll()).outputs).toBeNull();
	});

	it('reads all pages when the service gives fewer a page than it is asked for', async () => {
		const { behaviour } = watch.testbed.service;
		behaviour.conversationSize = { standard: 10, maximum: 50 };
		behaviour.sizeAboveMaximum = 'clamp';
		const poller = await watch.active({ event });
		for (let index = 0; index < 120; index++) store().addConversation(chatbotId);
		expect((await poller.poll()).items).toHaveLength(120);
		expect((await poller.poll()).outputs).toBeNull();
	});

	it('reports only some sources when Channels and Other Channels are set', async () => {
		const filters = { sources: ['WhatsApp'], otherSources: 'Slack, Telegram' };
		const poller = await watch.active({ event, filters });
		for (const source of ['API', 'WhatsApp', 'Slack'])
			store().addConversation(chatbotId, { source });
		const { items } = await poller.poll();
		expect(items.map(({ json }) => json.source).sort()).toEqual(['slack', 'whatsapp']);
		expect(watch.sent[0]).toContain('filteredSources=Slack%2CTelegram%2CWhatsApp');
	});

	it('reports older conversations when Report Changes Since is set', async () => {
		watch.pass(-20 * day);
		store().addConversation(chatbotId, { id: 'before' });
		watch.pass(day);
		const since = watch.testbed.service.clock.iso();
		store().addConversation(chatbotId, { id: 'at' });
		watch.pass(19 * day);
		store().addConversation(chatbotId, { id: 'now' });
		const poller = watch.poller({ event, options: { since } });
		const { items } = await poller.poll();
		expect(items.map(({ json }) => [json.id, json.changedSince])).toEqual([
			['at', since],
			['now', since],
		]);
		expect((await poller.poll()).outputs).toBeNull();
	});
});

it('leaves out Sources that are stored for another event', async () => {
	const filters = { sources: ['WhatsApp'], otherSources: 'Telegram' };
	const poller = await watch.active({ event: 'leadCreated', filters });
	await poller.poll();
	expect(watch.sent.length).toBeGreaterThan(0);
	expect(watch.sent.join()).not.toContain('filteredSources');
});
