/** Tickets of the helpdesk, which the service lists by one of their times. */
import { defaultBehaviourV2 } from '../../../service';
import type { Poller } from '../harness';
import { chatbotId, useWatch } from './watch';

const watch = useWatch();

beforeEach(() => {
	Object.assign(watch.testbed.service.behaviourV2, structuredClone(defaultBehaviourV2));
});

const store = () => watch.testbed.service.store;
const add = () => store().addTicket(chatbotId);
const tickets = () => store().chatbot(chatbotId).agent.tickets;
const path = '/api/v2/agents/my%20bot/helpdesk/tickets';

/** Changes a ticket as a PATCH does. */
function edit(ticketNumber: number) {
	const { clock } = watch.testbed.service;
	Object.assign(tickets()[ticketNumber - 1], { priority: 'high', updatedAt: clock.iso() });
}

async function numbersBy(poller: Poller): Promise<unknown[]> {
	const { items } = await poller.poll();
	expect(watch.illegal).toEqual([]);
	return items.map(({ json }) => json.ticketNumber);
}

it('reports a new ticket once and as the service lists it', async () => {
	watch.pass(-600);
	add();
	const changedSince = watch.testbed.service.clock.iso();
	const poller = await watch.active({ event: 'ticketCreated' });
	watch.pass(60);
	const { createdAt, customer } = store().addTicket(chatbotId, { subject: 'Refund' });
	const { items } = await poller.poll();
	expect(items).toHaveLength(1);
	const [{ json }] = items;
	const expected = { ticketNumber: 2, subject: 'Refund', createdAt, customer, changedSince };
	expect(json).toMatchObject(expected);
	expect(json).not.toHaveProperty('description');
	watch.pass(60);
	edit(2);
	expect(await numbersBy(poller)).toEqual([]);
	expect(await numbersBy(poller)).toEqual([]);
});

it.each([
	['ticketCreated', [3]],
	['ticketUpdated', [1]],
	['ticketCreatedOrUpdated', [1, 3]],
])(
	'reports what %s is about when one ticket is new and one has changed',
	async (event, expected) => {
		add();
		add();
		watch.pass(60);
		const poller = await watch.active({ event });
		watch.pass(60);
		edit(1);
		watch.pass(1);
		add();
		expect(await numbersBy(poller)).toEqual(expected);
		expect(await numbersBy(poller)).toEqual([]);
		watch.pass(60);
		edit(3);
		expect(await numbersBy(poller)).toEqual(event === 'ticketCreated' ? [] : [3]);
		expect(await numbersBy(poller)).toEqual([]);
	},
);

it.each(['ticketCreated', 'ticketUpdated', 'ticketCreatedOrUpdated'])(
	'costs one request when nothing happens and the helpdesk has many tickets, for %s',
	async (event) => {
		watch.pass(-350 * 60);
		for (let index = 0; index < 350; index++) {
			add();
			watch.pass(60);
		}
		const poller = watch.poller({ event });
		await poller.poll();
		expect(watch.sent).toHaveLength(2);
		watch.testbed.service.clearRequests();
		expect(await numbersBy(poller)).toEqual([]);
		const sortBy = event === 'ticketCreated' ? 'createdAt' : 'updatedAt';
		expect(watch.sent).toEqual([`${path}?limit=100&sortBy=${sortBy}&order=desc`]);
	},
);

it('reports all tickets in order when more than a page of them have the same time', async () => {
	for (let index = 0; index < 130; index++) add();
	const poller = await watch.active({ event: 'ticketCreatedOrUpdated' });
	for (let index = 0; index < 120; index++) add();
	watch.pass(1);
	for (let number = 1; number <= 110; number++) edit(number);
	const reported = await numbersBy(poller);
	const count = (from: number, length: number) =>
		Array.from({ length }, (_, index) => from + index);
	expect(new Set(reported)).toEqual(new Set([...count(131, 120), ...count(1, 110)]));
	expect(reported).toHaveLength(230);
	expect(new Set(reported.slice(0, 120))).toEqual(new Set(count(131, 120)));
	expect(await numbersBy(poller)).toEqual([]);
});

it('reports a ticket that changes while its page is read, when the next poll comes', async () => {
	for (let index = 0; index < 150; index++) add();
	watch.pass(60);
	const poller = await watch.active({ event: 'ticketUpdated' });
	watch.pass(60);
	for (let number = 11; number <= 130; number++) edit(number);
	let requests = 0;
	const stop = watch.testbed.service.onRequest(() => {
		if (++requests !== 2) return;
		// It moves from the second page to the first, which was already read.
		watch.pass(1);
		edit(11);
	});
	const first = await numbersBy(poller);
	stop();
	expect(first).toHaveLength(119);
	expect(first).not.toContain(11);
	expect(await numbersBy(poller)).toEqual([11]);
	expect(await numbersBy(poller)).toEqual([]);
});

it('ignores the total when the service states one', async () => {
	const fault = (data: object[]) => ({
		kind: 'otherShape' as const,
		body: { data, pagination: { cursor: 'next', hasMore: true, total: 9000 } },
	});
	const row = (ticketNumber: number, time: number) => {
		const updatedAt = new Date(watch.testbed.service.clock.now() + time * 1000).toISOString();
		return { ticketNumber, createdAt: updatedAt, updatedAt };
	};
	const { faults } = watch.testbed.service;
	let planted = faults.add({ fault: fault([row(1, -3600)]) });
	const poller = await watch.active({ event: 'ticketCreated' });
	const watermarks = [2, 3, 4].map((number) => [row(number, number), row(1, -3600)]);
	for (const [index, rows] of watermarks.entries()) {
		faults.remove(planted);
		planted = faults.add({ fault: fault(rows) });
		expect(await numbersBy(poller)).toEqual([index + 2]);
		expect(JSON.stringify(poller.staticData)).not.toContain('stalled');
	}
	faults.remove(planted);
});

it('says where the helpdesk is switched on when it is off', async () => {
	watch.testbed.service.behaviourV2.helpdesk = 'off';
	await expect(watch.poller({ event: 'ticketCreated' }).poll()).rejects.toMatchObject({
		message: 'The helpdesk of this chatbot is off',
		description: expect.stringContaining('dashboard') as string,
	});
});

it('reports older tickets when Report Changes Since is set', async () => {
	watch.pass(-5 * 86_400);
	for (let number = 1; number <= 5; number++) {
		add();
		watch.pass(86_400);
	}
	const since = tickets()[2].createdAt;
	const poller = watch.poller({ event: 'ticketCreated', options: { since } });
	expect(await numbersBy(poller)).toEqual([3, 4, 5]);
	expect(await numbersBy(poller)).toEqual([]);
});

it('shows the newest five with one request when Test data is asked for', async () => {
	for (let index = 0; index < 250; index++) {
		add();
		watch.pass(3600);
	}
	const { items, staticData } = await watch.poller({ event: 'ticketCreated' }).test();
	expect(items.map(({ json }) => json.ticketNumber)).toEqual([250, 249, 248, 247, 246]);
	expect(staticData).toEqual({});
	expect(watch.sent).toHaveLength(1);
});
