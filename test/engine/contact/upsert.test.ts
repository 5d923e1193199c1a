import { byId, Testbed } from '../testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'contact', operation: 'upsert' });
});

beforeEach(() => {
	testbed.reset();
	testbed.service.store.addChatbot({ id: 'bot' });
});

afterAll(async () => await testbed.close());

const chatbotId = byId('bot');
const list = '/chatbots/bot/contacts';
const page = (number: number) => `GET ${list}?page=${number}&per_page=1000`;

const mapped = (value: Record<string, string>) => ({
	contactFields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] },
});
const automatic = {
	contactFields: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
};
const byName = mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' });

describe('one contact', () => {
	it('is created when the service does not have it', async () => {
		const { items, error } = await testbed.run(
			{ chatbotId, ...byName },
			{ input: [{ id: 'a', name: 'Ada' }] },
		);
		expect(error).toBeUndefined();
		expect(testbed.sent).toEqual([
			[`GET ${list}/a`],
			[`POST ${list}`, { users: [{ external_id: 'a', name: 'Ada' }] }],
		]);
		expect(testbed.illegal).toEqual([]);
		expect(items).toEqual([
			{
				json: {
					...testbed.service.store.contact('bot', 'a'),
					_sync: { action: 'created', changed: ['external_id', 'name'], dropped: [] },
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('is patched only where it differs', async () => {
		testbed.service.store.addContact('bot', {
			external_id: 'a',
			name: 'Ada',
			email: 'a@x.example',
		});
		const { items } = await testbed.run({
			chatbotId,
			...mapped({ external_id: 'a', name: 'Augusta', email: 'a@x.example' }),
		});
		expect(testbed.sent).toEqual([
			[`GET ${list}/a`],
			[`PATCH ${list}/a`, { data: { name: 'Augusta' } }],
		]);
		expect(items[0].json._sync).toEqual({ action: 'updated', changed: ['name'], dropped: [] });
	});

	it('is left alone when nothing differs', async () => {
		testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada' });
		const { items } = await testbed.run(
			{ chatbotId, ...byName },
			{ input: [{ id: 'a', name: 'Ada' }] },
		);
		expect(testbed.sent).toEqual([[`GET ${list}/a`]]);
		expect(items[0].json._sync).toEqual({ action: 'unchanged', changed: [], dropped: [] });
	});
});

describe('many contacts', () => {
	const customers = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			...testbed.service.store.contact('bot', `customer-${String(index + 1).padStart(6, '0')}`),
		})).map(({ external_id, name, email, phonenumber, custom_attributes }) => {
			const { legacy_id: _archived, ...attributes } = custom_attributes!;
			return { external_id, name, email, phonenumber, ...attributes };
		});

	it('are compared with the list, and only what differs is written', async () => {
		testbed.service.store.seedContacts('bot', 2500);
		const input: Array<Record<string, unknown>> = customers(2500);
		input[7].name = 'Renamed';
		input[2400].newsletter = !input[2400].newsletter;
		input.push({ external_id: 'new-1', name: 'New', newsletter: 'true', lifetime_value: '5' });
		const { items, error } = await testbed.run(
			{ chatbotId, ...automatic },
			{ input: input as never },
		);
		expect(error).toBeUndefined();
		expect(testbed.illegal).toEqual([]);
		const methods = testbed.service.requests.map(({ method, path }) => `${method} ${path}`);
		expect(methods.filter((line) => line.startsWith('PATCH')).sort()).toEqual([
			`PATCH ${list}/customer-000008`,
			`PATCH ${list}/customer-002401`,
		]);
		expect(testbed.service.requests).toHaveLength(3 + 1 + 2 + 1);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, index) => ({ item: index })),
		);
		expect(testbed.service.store.contact('bot', 'new-1')?.custom_attributes).toEqual({
			newsletter: true,
			lifetime_value: 5,
		});

		testbed.service.clearRequests();
		const again = await testbed.run({ chatbotId, ...automatic }, { input: input as never });
		expect(
			again.items.every(({ json }) => (json._sync as { action: string }).action === 'unchanged'),
		).toBe(true);
		expect(testbed.sent.map(([line]) => line).sort()).toEqual(
			[`GET /chatbots/bot/custom-attributes`, page(1), page(2), page(3)].sort(),
		);
	});
});
