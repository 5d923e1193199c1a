import { byId, Testbed } from './testbed';

/** What the panel asks the service for: lists to choose from, and the fields of the mapper. */
let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start({ resource: 'contact', operation: 'upsert' });
});

beforeEach(() => {
	testbed.reset();
	testbed.service.store.addChatbot({ id: 'bot', name: 'Support' });
});

afterAll(async () => await testbed.close());

const parameters = { resource: 'contact', operation: 'get', chatbotId: byId('bot') };
const searchContacts = async (filter?: string, paginationToken?: string) =>
	await testbed.engine.listSearch('searchContacts', { parameters, filter, paginationToken });
const pages = () => testbed.service.requests.map(({ query }) => `${query.page}/${query.per_page}`);

describe('the list of chatbots', () => {
	beforeEach(() => {
		testbed.service.store.addChatbot({ id: 'bot-2', name: 'Sales' });
	});

	it.each([
		[undefined, ['Sales', 'Support']],
		['SALE', ['Sales']],
		['bot-2', ['Sales']],
		['none', []],
	])('finds by name or ID: %s', async (filter, names) => {
		const { results } = await testbed.engine.listSearch('searchChatbots', { filter });
		expect(results.map(({ name }) => name)).toEqual(names);
	});

	it('says why it is empty when the key is wrong', async () => {
		const { baseUrl } = testbed.service;
		const credentials = { chatbaseV1Api: { apiKey: 'wrong', baseUrl } };
		await expect(
			testbed.engine.listSearch('searchChatbots', { credentials }),
		).rejects.toMatchObject({ message: 'The API key is not accepted' });
	});
});

describe('the list of contacts', () => {
	it('shows name and ID, a page at a time', async () => {
		testbed.service.store.seedContacts('bot', 150);
		const first = await searchContacts();
		expect(first.results).toHaveLength(100);
		expect(first.results[0]).toEqual({
			name: expect.stringMatching(/^.+ \(customer-000001\)$/),
			value: 'customer-000001',
		});
		const second = await searchContacts(undefined, first.paginationToken as string);
		expect(second.results).toHaveLength(50);
		expect(second.paginationToken).toBeUndefined();
		expect(pages()).toEqual(['1/100', '2/100']);
	});

	it.each([
		['name', 'zoË NIGHT'],
		['e-mail address', 'zoe@x'],
		['phone number', '+999 1'],
		['External ID', 'wanted'],
	])('is searched over all pages by %s', async (_, filter) => {
		testbed.service.store.seedContacts('bot', 6500);
		testbed.service.store.addContact('bot', {
			external_id: 'wanted',
			name: 'Zoë Nightingale',
			email: 'zoe@x.example',
			phonenumber: '+999 1',
		});
		const { results } = await searchContacts(filter);
		expect(results).toEqual([{ name: 'Zoë Nightingale (wanted)', value: 'wanted' }]);
		expect(pages().sort()).toEqual(
			['1', '2', '3', '4', '5', '6', '7'].map((page) => `${page}/1000`),
		);
	});

	it('stops searching when there are enough matches, and goes on when asked to', async () => {
		testbed.service.store.seedContacts('bot', 2500);
		const { results, paginationToken } = await searchContacts('customer-');
		expect(results).toHaveLength(1000);
		expect(paginationToken).toBe('2');
		expect(pages()).toEqual(['1/1000']);
	});

	it('ends where the list has become shorter while it was searched', async () => {
		testbed.service.store.seedContacts('bot', 1500);
		testbed.service.faults.add({ when: { nth: 2 }, fault: { kind: 'status', status: 400 } });
		const { results, paginationToken } = await searchContacts('nobody');
		expect(results).toEqual([]);
		expect(paginationToken).toBeUndefined();
	});

	it('asks for a chatbot first', async () => {
		const call = testbed.engine.listSearch('searchContacts', {
			parameters: { ...parameters, chatbotId: byId('') },
		});
		await expect(call).rejects.toMatchObject({ message: 'Choose a chatbot first' });
	});
});

describe('the fields that can be cleared', () => {
	it('are all but the ID, the attributes of the chatbot included', async () => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
		const fields = await testbed.engine.loadOptions('getClearableFields', { parameters });
		expect(fields).toEqual([
			{ name: 'Name', value: 'name' },
			{ name: 'Email', value: 'email' },
			{ name: 'Phone Number', value: 'phonenumber' },
			{ name: 'Plan (plan)', value: 'custom_attributes.plan' },
			{ name: 'Payment Accounts', value: 'payment_accounts' },
		]);
	});

	it('are those of every contact where the attributes cannot be read', async () => {
		const gone = { ...parameters, chatbotId: byId('gone') };
		const fields = await testbed.engine.loadOptions('getClearableFields', { parameters: gone });
		expect(fields.map(({ value }) => value)).toEqual([
			'name',
			'email',
			'phonenumber',
			'payment_accounts',
		]);
	});
});

describe('the fields of the mapper', () => {
	const fieldsFor = async (chatbotId: ReturnType<typeof byId>) =>
		(await testbed.engine.resourceMapping('mapContactFields', {
			parameters: { ...parameters, operation: 'upsert', chatbotId },
		})) as { fields: Array<{ id: string; type: string; displayName: string; removed?: boolean }> };
	const base = ['external_id', 'name', 'email', 'phonenumber'];

	it('are those of every contact and the active attributes, in their types and not yet shown', async () => {
		const { store } = testbed.service;
		store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
		store.addAttribute('bot', { name: 'seats', type: 'number' });
		store.addAttribute('bot', { name: 'active', type: 'boolean' });
		store.addAttribute('bot', { name: 'since', type: 'date' });
		store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
		const { fields } = await fieldsFor(byId('bot'));
		expect(fields.slice(0, 4).map(({ id }) => id)).toEqual(base);
		expect(fields.slice(4).map(({ id, type, removed }) => [id, type, removed])).toEqual([
			['custom_attributes.plan', 'string', true],
			['custom_attributes.seats', 'number', true],
			['custom_attributes.active', 'options', true],
			['custom_attributes.since', 'dateTime', true],
		]);
		expect(fields[4].displayName).toBe('Plan (plan)');
	});

	it.each([
		['create', true],
		['upsert', false],
	])('demand an External ID for %s: %s', async (operation, required) => {
		const { fields } = (await testbed.engine.resourceMapping('mapContactFields', {
			parameters: { ...parameters, operation },
		})) as { fields: Array<{ id: string; required: boolean }> };
		expect(fields.filter((field) => field.required).map(({ id }) => id)).toEqual(
			required ? ['external_id'] : [],
		);
	});

	it.each(['', '={{ $json.bot }}'])(
		'are the base fields alone for the chatbot "%s"',
		async (id) => {
			const { fields } = await fieldsFor(byId(id));
			expect(fields.map((field) => field.id)).toEqual(base);
		},
	);

	it('have one object for all attributes where these cannot be read, and say why', async () => {
		const { fields } = await fieldsFor(byId('gone'));
		expect(fields.at(-1)).toMatchObject({
			id: 'custom_attributes',
			displayName: 'Custom Attributes (not readable: Chatbot not found)',
			type: 'object',
		});
	});
});
