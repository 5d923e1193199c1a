import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { byId } from '../testbed';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('getAll');

const returnAll = true;
const queries = () => desk.testbed.service.requests.map(({ query }) => query);
const numbersOf = (items: Array<{ json: { ticketNumber?: unknown } }>) =>
	items.map(({ json }) => json.ticketNumber);
const minute = (number: number) => new Date(Date.UTC(2026, 6, 1, 0, number)).toISOString();
const countdown = (count: number) => Array.from({ length: count }, (_, index) => count - index);

/** Adds tickets, one a minute. */
function add(count: number) {
	for (let number = 1; number <= count; number++) desk.addTicket({ createdAt: minute(number) });
}

it('returns tickets as the service does, those that changed last first', async () => {
	add(3);
	desk.here.tickets[0].updatedAt = minute(9);
	const { items } = await desk.testbed.succeed({ limit: 2 });
	expect(queries()).toEqual([{ sortBy: 'updatedAt', order: 'desc', limit: '2' }]);
	expect(items).toMatchObject([
		{ json: { ticketNumber: 1, updatedAt: minute(9), priority: 'none' }, pairedItem: { item: 0 } },
		{ json: { ticketNumber: 3 }, pairedItem: { item: 0 } },
	]);
});

it.each([
	[1, ['1']],
	[100, ['100']],
	[101, ['100', '100']],
])('reads as few pages as a limit of %d needs', async (limit, pages) => {
	add(150);
	const { items } = await desk.testbed.run({ limit });
	expect(numbersOf(items)).toEqual(countdown(150).slice(0, limit));
	expect(queries().map((query) => query.limit)).toEqual(pages);
});

it('returns a ticket once that moves down while a limit is read', async () => {
	add(250);
	const stop = desk.testbed.service.onRequest(({ number }) => {
		if (number === 2) desk.here.tickets[9].updatedAt = minute(1_000);
	});
	const { items } = await desk.testbed.run({ limit: 300, sort: { order: 'asc' } });
	stop();
	expect(numbersOf(items)).toEqual(countdown(250).reverse());
});

describe('Return All', () => {
	const positions: Array<[Partial<BehaviourV2>, string?]> = [
		[{}],
		[{ total: 'absent' }],
		[{ ticketPriority: 'absent' }],
		[{ lastPage: 'cursorWithoutMore' }],
		[{ lastPage: 'hasMoreWithoutCursor' }],
		[{ lastPage: 'repeatedCursor' }],
		[{ pagesUnderChange: 'rowTwice' }],
		[{ pagesUnderChange: 'rowSkipped' }, 'The tickets could not be read completely'],
		[{ total: 'tooHigh' }, 'The tickets could not be read completely'],
		[{ total: 'tooLow' }, 'The tickets could not be read completely'],
		[{ total: 'absent', lastPage: 'hasMoreWithoutCursor' }, titleOf('unexpectedResponse')],
		[{ helpdesk: 'off' }, 'The helpdesk of this chatbot is off'],
		[{ agentId: 'own' }, titleOf('404')],
	];

	it.each(positions.map(([behaviour, failure]) => [behaviour, failure] as const))(
		'is complete or fails when the service has %j',
		async (behaviour, failure) => {
			add(250);
			desk.set(behaviour);
			const { items, error } = await desk.testbed.run({ returnAll });
			expect(error?.message).toBe(failure);
			expect(numbersOf(items)).toEqual(failure ? [] : countdown(250));
			expect(desk.testbed.illegal).toEqual([]);
		},
	);

	it('is complete when all tickets have the same times', async () => {
		for (let number = 1; number <= 250; number++) desk.addTicket({ createdAt: minute(1) });
		const { items } = await desk.testbed.run({ returnAll });
		expect(new Set(numbersOf(items)).size).toBe(250);
		expect(items).toHaveLength(250);
	});

	it.each(['desc', 'asc'] as const)(
		'loses and doubles nothing when tickets are updated meanwhile: %s',
		async (order) => {
			add(250);
			// The first ticket of each end is updated before each page, and jumps to the top of a list by updates.
			const stop = desk.testbed.service.onRequest(({ number }) => {
				for (const ticket of [desk.here.tickets[number], desk.here.tickets[250 - number]]) {
					ticket.updatedAt = minute(1_000 + number);
				}
			});
			const { items } = await desk.testbed.succeed({ returnAll, sort: { order } });
			stop();
			expect(numbersOf(items).sort((a, b) => Number(b) - Number(a))).toEqual(countdown(250));
			expect(desk.sent).toHaveLength(3);
		},
	);

	it.each([0, -300, 300])(
		'has all tickets that were there in a busy helpdesk, with a Date header %d seconds off',
		async (seconds) => {
			const { store, onRequest } = desk.testbed.service;
			store.clock.set(Date.now() + seconds * 1000);
			const fresh = () => desk.addTicket({ createdAt: new Date().toISOString() });
			for (let number = 1; number <= 130; number++) fresh();
			const stop = onRequest(() => void fresh());
			const { items } = await desk.testbed.succeed({ returnAll, sort: { order: 'asc' } });
			stop();
			store.clock.release();
			// Two pages. A new ticket came before each of them, the second one after the reading had begun.
			expect(desk.sent).toHaveLength(2);
			expect(numbersOf(items).sort((a, b) => Number(b) - Number(a))).toEqual(countdown(131));
		},
	);

	it('fails if the list moves each time', async () => {
		add(250);
		const stop = desk.testbed.service.onRequest(() => void desk.here.tickets.shift());
		const { items, error } = await desk.testbed.run({ returnAll });
		stop();
		expect(error?.message).toBe('The tickets could not be read completely');
		expect(items).toEqual([]);
	});

	it.each([
		[{ sortBy: 'createdAt' }, [4, 3, 2, 1]],
		[{ sortBy: 'updatedAt', order: 'asc' }, [2, 3, 4, 1]],
		[{ sortBy: 'lastMessageAt' }, [2, 4, 3, 1]],
		[{}, [1, 4, 3, 2]],
	])('sorts as a limit does: %j', async (sort, expected) => {
		add(4);
		const [first, second] = desk.here.tickets;
		first.updatedAt = minute(8);
		second.lastMessageAt = minute(9);
		const all = await desk.testbed.run({ returnAll, sort });
		const limited = await desk.testbed.run({ limit: 4, sort });
		expect(numbersOf(all.items)).toEqual(expected);
		expect(numbersOf(limited.items)).toEqual(expected);
	});
});

const id = '00000000-0000-4000-8000-00000000000a';

it.each<[INodeParameters, object]>([
	[{ status: ['new', 'on_you'] }, { status: 'new,on_you' }],
	[{ status: '={{ ["closed"] }}' }, { status: 'closed' }],
	[{ channel: ['whatsapp', 'center_stage'] }, { channel: 'whatsapp,center_stage' }],
	[{ priority: ['urgent'] }, { priority: 'urgent' }],
	[{ assigneeId: id }, { assigneeId: id }],
	[{ assigneeId: 'none' }, { assigneeId: 'none' }],
	[{ teamId: byId(id) }, { teamId: id }],
	[{ teamId: byId('none') }, { teamId: 'none' }],
	[
		{ createdAfter: '2026-11-01', createdBefore: '2026-11-02' },
		{ createdAfter: '2026-10-31T15:00:00.000Z', createdBefore: '2026-11-02T14:59:59.999Z' },
	],
	[
		{ createdAfter: '={{ 1793491200 }}', createdBefore: '2026-11-01T09:00:00' },
		{ createdAfter: '2026-11-01T00:00:00.000Z', createdBefore: '2026-11-01T00:00:00.000Z' },
	],
])('filters %j become %j', async (filters, query) => {
	await desk.testbed.succeed({ filters }, { timezone: 'Asia/Tokyo' });
	expect(queries()).toEqual([{ sortBy: 'updatedAt', order: 'desc', limit: '50', ...query }]);
});

it.each<[INodeParameters, string]>([
	[{ status: [] }, 'The filter Status is empty'],
	[{ assigneeId: 'ada@team.example' }, 'Assignee ID is not an ID or none'],
	[{ teamId: byId('') }, 'The filter Team is empty'],
	[
		{ createdAfter: '2026-07-02', createdBefore: '2026-07-01' },
		'Created After is after Created Before',
	],
])('filters %j are refused before any request', async (filters, message) => {
	const { error } = await desk.testbed.run({ filters });
	expect(error?.message).toBe(message);
	expect(desk.sent).toEqual([]);
});

it('returns channels and statuses that it does not know', async () => {
	desk.addTicket({ channel: 'telepathy' });
	const { items } = await desk.testbed.run({ returnAll, simplify: false });
	expect(items).toMatchObject([{ json: { channel: 'telepathy' } }]);
});

it('tells an agent that the list goes on', async () => {
	add(3);
	const { records } = await desk.testbed.callTool({ chatbotId: byId('bot'), limit: 2 }, {});
	expect(records).toMatchObject([
		{ ticketNumber: 3 },
		{ ticketNumber: 2 },
		{ message: 'The list may have more records, because Limit is 2.' },
	]);
});
