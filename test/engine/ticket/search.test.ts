import { titleOf } from '../../errorTexts';
import { byId } from '../testbed';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('search');

const query = 'my refund';

function add(count: number) {
	for (let index = 0; index < count; index++) desk.addTicket({ description: 'A refund' });
}

it('returns the best match first', async () => {
	add(1);
	desk.addTicket({ description: 'My refund, please' });
	const { items, hints } = await desk.testbed.succeed({ query: ` ${query} ` });
	expect(desk.sent).toEqual([['POST /tickets/search', { query, limit: 50 }]]);
	expect(items).toMatchObject([{ json: { ticketNumber: 2 } }, { json: { ticketNumber: 1 } }]);
	expect(hints).toEqual([]);
});

it('says that there is more than one search can return', async () => {
	add(51);
	const { items, hints } = await desk.testbed.run({ query });
	expect(items).toHaveLength(50);
	expect(hints).toMatchObject([
		{ message: 'The search has more results than one search returns. Add words to Query.' },
	]);
	expect((await desk.testbed.run({ query, limit: 2 })).hints).toEqual([]);
});

it.each([
	[{ query: ' ' }, 'Query is empty'],
	[{ query: 'a'.repeat(513) }, 'Query is not a text of 1 to 512 characters'],
	[{ query, limit: 51 }, 'Limit is not a whole number from 1 to 50'],
])('refuses %j before any request', async (parameters, message) => {
	const { error } = await desk.testbed.run(parameters);
	expect(error?.message).toBe(message);
	expect(desk.sent).toEqual([]);
});

it.each([
	{ data: [1], pagination: { cursor: null, hasMore: false } },
	{ pagination: { cursor: null, hasMore: false } },
])('fails when the response is %j', async (body) => {
	desk.faults.add({ fault: { kind: 'otherShape', body } });
	const { error } = await desk.testbed.run({ query });
	expect(error?.message).toBe(titleOf('unexpectedResponse'));
});

it('tells an agent whether there is more', async () => {
	add(2);
	const search = async (limit: number) =>
		await desk.testbed.callTool(
			{ chatbotId: byId('bot'), query: '={{ $fromAI("words") }}', limit },
			{ words: query },
		);
	expect((await search(1)).records).toMatchObject([
		{ ticketNumber: 1 },
		{ message: 'The list may have more records, because Limit is 1.' },
	]);
	expect((await search(2)).records).toMatchObject([{ ticketNumber: 1 }, { ticketNumber: 2 }]);
});
