import { titleOf } from '../../errorTexts';
import { automatic, chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes } from './rows';

const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const list = '/chatbots/bot/contacts';
const page = (number: number) => `GET ${list}?page=${number}&per_page=1000`;

const byName = mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' });

describe('one contact', () => {
	it('is created when the service does not have it', async () => {
		const { items } = await testbed.succeed(
			{ chatbotId, ...byName },
			{ input: [{ id: 'a', name: 'Ada' }] },
		);
		expect(testbed.sent).toEqual([
			[`GET ${list}/a`],
			[`POST ${list}`, { users: [{ external_id: 'a', name: 'Ada' }] }],
		]);
		expect(items).toEqual([
			{
				json: {
					...testbed.service.store.contact('bot', 'a'),
					_sync: { action: 'created', changed: ['external_id', 'name'] },
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('is updated only in fields that differ', async () => {
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
		expect(items[0].json._sync).toEqual({
			action: 'updated',
			changed: ['name'],
			before: { name: 'Ada' },
		});
	});
});

it('updates a contact once that somebody else creates meanwhile, and fails if it is gone by then', async () => {
	const { store } = testbed.service;
	const stopListening = testbed.service.onRequest(({ method }) => {
		const { contacts } = store.chatbot('bot');
		if (method === 'POST') store.addContact('bot', { external_id: 'a', name: 'Older' });
		if (method === 'PATCH') contacts.remove(contacts.find('a')!);
	});
	const input = [{ id: 'a', name: 'Ada' }];
	const { error } = await testbed.run({ chatbotId, ...byName }, { input });
	stopListening();
	expect(error?.message).toBe(titleOf('404 contact itself'));
	const writes = testbed.writes.map(({ method, path }) => `${method} ${path}`);
	expect(writes).toEqual([`POST ${list}`, `PATCH ${list}/a`]);
});

describe('many contacts', () => {
	const customers = (count: number) =>
		Array.from({ length: count }, (_, index) => ({
			...testbed.service.store.contact('bot', `customer-${String(index + 1).padStart(6, '0')}`),
		})).map(({ external_id, name, email, phonenumber, custom_attributes }) => {
			const attributes = Object.entries(custom_attributes!).filter(([key]) => key !== 'legacy_id');
			return { external_id, name, email, phonenumber, ...Object.fromEntries(attributes) };
		});

	it('are compared with the list, and only differences are written', async () => {
		testbed.service.store.seedContacts('bot', 1100);
		const input: Array<Record<string, unknown>> = customers(1100);
		input[7].name = 'Renamed';
		input[1050].newsletter = !input[1050].newsletter;
		input.push({ external_id: 'new-1', name: 'New', newsletter: 'true', lifetime_value: '5' });
		const { items } = await testbed.succeed(
			{ chatbotId, ...automatic() },
			{ input: input as never },
		);
		const writes = testbed.writes.map(({ method, path }) => `${method} ${path}`);
		expect(writes.filter((line) => line.startsWith('PATCH')).sort()).toEqual([
			`PATCH ${list}/customer-000008`,
			`PATCH ${list}/customer-001051`,
		]);
		expect(testbed.service.requests).toHaveLength(2 + 1 + 2 + 1);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, index) => ({ item: index })),
		);
		expect(testbed.service.store.contact('bot', 'new-1')?.custom_attributes).toEqual({
			newsletter: true,
			lifetime_value: 5,
		});

		testbed.service.clearRequests();
		const again = await testbed.run({ chatbotId, ...automatic() }, { input: input as never });
		expect(new Set(outcomes(again.items))).toEqual(new Set(['unchanged']));
		expect(testbed.sent.map(([line]) => line).sort()).toEqual(
			[`GET /chatbots/bot/custom-attributes`, page(1), page(2)].sort(),
		);
	});
});

describe('the plan', () => {
	const ids = (...numbers: number[]) =>
		numbers.map((number) => ({
			id: `customer-${String(number).padStart(6, '0')}`,
			name: 'Same for all',
		}));
	const reads = () =>
		testbed.sent.map(([line]) => String(line)).filter((line) => line.startsWith('GET'));

	beforeEach(() => testbed.service.store.seedContacts('bot', 5000));

	it('stops reading the list when all contacts are found', async () => {
		await testbed.run({ chatbotId, ...byName }, { input: ids(1, 2) });
		expect(reads()).toEqual([page(1)]);
	});

	it('reads contacts one by one when more pages than contacts are left', async () => {
		await testbed.run({ chatbotId, ...byName }, { input: ids(1, 4001) });
		expect(reads()).toEqual([page(1), `GET ${list}/customer-004001`]);
	});

	it('reads the list when at most as many pages as contacts are left', async () => {
		await testbed.run({ chatbotId, ...byName }, { input: ids(4001, 4002, 4003, 4004) });
		expect(reads()).toEqual([page(1), page(2), page(3), page(4), page(5)]);
	});

	it('reads contacts one by one when the list kept changing', async () => {
		testbed.service.onRequest(({ query }) => {
			if (query.page === '5') testbed.service.store.removeContact('bot', 'customer-000500');
		});
		const { items } = await testbed.succeed(
			{ chatbotId, ...byName },
			{ input: [...ids(1, 1500, 2500, 3500, 4500), ...ids(4501), { id: 'nobody', name: 'New' }] },
		);
		expect(items).toHaveLength(7);
	});

	it('fails alone the contact that cannot be read', async () => {
		testbed.service.faults.add({
			when: { path: `${list}/new-2` },
			fault: { kind: 'status', status: 403 },
		});
		const input = [...ids(1), { id: 'new-1' }, { id: 'new-2' }];
		const { items } = await testbed.run({ chatbotId, ...byName }, { input, ...goOn });
		expect(outcomes(items)).toEqual(['updated', 'created', titleOf('403')]);
	});
});

describe('an email', () => {
	const contact = { external_id: 'old', email: 'ada@x.example', name: 'Ada' };
	const input = [{ id: '', email: 'ada@x.example', name: 'Augusta' }];

	beforeEach(() => void testbed.service.store.addContact('bot', contact));

	it('that is the only key of an item says which contact is gone by now', async () => {
		testbed.meanwhile('PATCH', () => testbed.service.store.removeContact('bot', 'old'));
		const { error } = await testbed.run(byColumns, { input });
		expect(error?.message).toBe(titleOf('404 contact itself'));
		expect(error?.description).toContain('Contact old');
	});

	it('finds it, and does not clear its External ID, when Empty Values is Clear', async () => {
		const options = { emptyValues: 'clear' };
		const { items } = await testbed.run({ ...byColumns, options }, { input });
		expect(items[0].json).toMatchObject({ external_id: 'old', name: 'Augusta' });
	});
});

it('writes nothing when the chatbot lacks an attribute and Fail is chosen', async () => {
	testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada' });
	const input = [
		{ external_id: 'a', name: 'Augusta' },
		{ external_id: 'b', name: 'Bea', custom_attributes: { planet: 'Mars' } },
	];
	const options = { onDroppedFields: 'error' };
	const stopped = await testbed.run({ chatbotId, ...automatic(), options }, { input });
	expect(stopped.error).toMatchObject({
		message: 'Fields were dropped',
		description: expect.stringMatching(/custom_attributes\.planet\. Nothing was written\./),
	});
	expect(testbed.writes).toEqual([]);

	const { items } = await testbed.run({ chatbotId, ...automatic(), options }, { input, ...goOn });
	expect(items.map(({ json }) => 'error' in json)).toEqual([false, true]);
	expect(testbed.service.store.contact('bot', 'a')).toMatchObject({ name: 'Augusta' });
	expect(testbed.service.store.contact('bot', 'b')).toBeUndefined();
});
