import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', operation: 'getAll' });

const page = (number: number, perPage: number) =>
	`GET /chatbots/bot/contacts?page=${number}&per_page=${perPage}`;
const sentLines = () => testbed.sent.map(([line]) => line);
const storedIds = () =>
	[...testbed.service.store.chatbot('bot').contacts].map((contact) => contact.external_id);

describe('Return All', () => {
	it('reads all pages at one size and returns each contact once and unchanged', async () => {
		testbed.service.store.seedContacts('bot', 2345);
		const { items } = await testbed.run({ chatbotId, returnAll: true });
		expect(sentLines().sort()).toEqual([page(1, 1000), page(2, 1000), page(3, 1000)]);
		expect(items.map(({ json }) => json)).toEqual(
			[...testbed.service.store.chatbot('bot').contacts].map((contact) => ({ ...contact })),
		);
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});

	it('reads all pages when the service states no number of pages', async () => {
		const people = Array.from({ length: 25 }, (_, index) => ({ id: `id-${index}` }));
		for (const number of [1, 2, 3]) {
			testbed.service.faults.add({
				when: { matches: ({ query }) => query.page === String(number) },
				fault: {
					kind: 'otherShape',
					body: { data: people.slice(number * 10 - 10, number * 10), total: 25 },
				},
			});
		}
		const { items } = await testbed.succeed({
			chatbotId,
			returnAll: true,
			options: { pageSize: 10 },
		});
		expect(items.map(({ json }) => json)).toEqual(people);
		expect(testbed.service.requests).toHaveLength(3);
	});

	it('uses Page Size and Start Page', async () => {
		testbed.service.store.seedContacts('bot', 95);
		const { items } = await testbed.run({
			chatbotId,
			returnAll: true,
			options: { pageSize: 20, startPage: 3 },
		});
		expect(sentLines().sort()).toEqual([page(3, 20), page(4, 20), page(5, 20)]);
		expect(items.map(({ json }) => json.external_id)).toEqual(storedIds().slice(40));
	});

	it.each(['badRequest', 'empty', 'lastPage'] as const)(
		'returns nothing when Start Page is beyond the end and the service answers %s',
		async (pageBeyondEnd) => {
			testbed.service.behaviour.pageBeyondEnd = pageBeyondEnd;
			testbed.service.store.seedContacts('bot', 25);
			const { items } = await testbed.succeed({
				chatbotId,
				returnAll: true,
				options: { pageSize: 10, startPage: 4 },
			});
			expect(items).toEqual([]);
		},
	);

	it('says what to do when the list exceeds 100,000 items', async () => {
		testbed.service.faults.add({
			fault: {
				kind: 'otherShape',
				body: {
					message: '',
					data: [],
					total: 150_000,
					pages: { page: 1, per_page: 1000, total_pages: 150 },
				},
			},
		});
		const { error } = await testbed.run({ chatbotId, returnAll: true });
		expect(error).toMatchObject({
			message: 'The list is too long for one input item',
			description: expect.stringContaining('Start Page: 1, 101, 201'),
		});
		expect(testbed.service.requests).toHaveLength(1);
	});
});

describe('Limit', () => {
	it.each([
		[3, 10, 1],
		[50, 50, 1],
		[1000, 1000, 1],
		[2500, 1000, 3],
	])('of %i asks for %i a page, with %i requests', async (limit, perPage, requests) => {
		testbed.service.store.seedContacts('bot', 4000);
		const { items } = await testbed.run({ chatbotId, returnAll: false, limit });
		expect(sentLines().sort()).toEqual(
			Array.from({ length: requests }, (_, index) => page(index + 1, perPage)),
		);
		expect(items.map(({ json }) => json.external_id)).toEqual(storedIds().slice(0, limit));
	});

	it('is 50 by default', async () => {
		testbed.service.store.seedContacts('bot', 60);
		const { items } = await testbed.run({ chatbotId });
		expect(items).toHaveLength(50);
	});

	it.each([0, -1, 1.5, 'many'])('cannot be %s', async (limit) => {
		const { error } = await testbed.run({ chatbotId, limit });
		expect(error).toMatchObject({ message: 'Limit is not a whole number, 1 or more' });
		expect(testbed.service.requests).toEqual([]);
	});
});

describe('Filters', () => {
	const day = (text: string) => Date.parse(text) / 1000;

	beforeEach(() => {
		const { store } = testbed.service;
		store.seedContacts('bot', 1500);
		store.addContact('bot', {
			external_id: 'wanted',
			name: 'Zoë Nightingale',
			email: 'zoe@x.example',
			phonenumber: '+1 (555) 010-99',
			created_at: day('2031-03-01T00:00:00Z'),
			updated_at: day('2031-04-01T00:00:00Z'),
		});
		store.seedContacts('bot', 900, { seed: 2 });
	});

	it.each([
		['email', 'ZOE@x.example'],
		['externalId', 'wanted'],
		['name', 'nightING'],
		['phonenumber', '1555 01099'],
		['createdAfter', '2031-03-01T01:00:00'],
		['createdAfter', '2031-03-01T01:00:00.900'],
		['updatedAfter', '2031-04-01'],
	])('%s finds contacts that match %s', async (name, value) => {
		const { items } = await testbed.succeed(
			{ chatbotId, returnAll: true, filters: { [name]: value } },
			{ timezone: 'Europe/Berlin' },
		);
		expect(items.map(({ json }) => json.external_id)).toEqual(['wanted']);
	});

	it("use the workflow's time zone when a time has no offset", async () => {
		const { items } = await testbed.run(
			{ chatbotId, returnAll: true, filters: { createdAfter: '2031-03-01T00:30:00' } },
			{ timezone: 'UTC' },
		);
		expect(items).toEqual([]);
	});

	it.each([
		['Ame\u0301lie', 'Am\u00e9lie'],
		['Am\u00e9lie', 'ame\u0301lie'],
	])('find the name %s when %s is asked for in another Unicode form', async (name, asked) => {
		testbed.service.store.addContact('bot', { external_id: 'accent', name });
		const { items } = await testbed.run({ chatbotId, returnAll: true, filters: { name: asked } });
		expect(items.map(({ json }) => json.external_id)).toEqual(['accent']);
	});

	it('stop reading when the limit is reached', async () => {
		const { items } = await testbed.run({
			chatbotId,
			returnAll: false,
			limit: 2,
			filters: { createdAfter: '2024-01-01' },
		});
		expect(items).toHaveLength(2);
		expect(sentLines()).toEqual([page(1, 1000)]);
	});

	it('read every page when the limit is not reached', async () => {
		const { items } = await testbed.run({ chatbotId, limit: 2, filters: { name: 'nightingale' } });
		expect(items).toHaveLength(1);
		expect(sentLines()).toEqual([page(1, 1000), page(2, 1000), page(3, 1000)]);
	});

	it.each([
		['an empty email', { email: '' }, 'The filter Email is empty'],
		['null', { name: null }, 'The filter Name Contains is empty'],
		['a date that does not exist', { createdAfter: '2031-02-30' }, 'Created After is not a date'],
		['a list', { phonenumber: ['1'] }, 'Phone Number is not text'],
		[
			'a phone number without a digit',
			{ phonenumber: '+ ( )' },
			'The filter Phone Number has no digit',
		],
	])('refuse %s before any request', async (_, filters, message) => {
		const { error } = await testbed.run({ chatbotId, filters: filters as never });
		expect(error).toMatchObject({ message });
		expect(testbed.service.requests).toEqual([]);
	});

	it('are ignored when a model leaves them blank', async () => {
		const { records } = await testbed.callTool(
			{
				chatbotId,
				returnAll: false,
				limit: 1,
				filters: {
					email: "={{ $fromAI('email', 'Email address', 'string') }}",
					externalId: 'wanted',
				},
			},
			{ email: '' },
		);
		expect(records).toMatchObject([
			{ external_id: 'wanted' },
			{ message: 'The list may have more records, because Limit is 1.' },
		]);
	});
});
