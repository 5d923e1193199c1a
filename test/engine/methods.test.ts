import { titleOf } from '../errorTexts';
import { skippedTime } from './fastTime';
import { Proxy } from './proxy';
import { byId, useTestbed } from './testbed';
import { trigger } from './trigger/watch';

/** The data that the panel loads: lists to choose from, and the fields of the mapper. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot', name: 'Support' }));

const parameters = { resource: 'contact', operation: 'get', chatbotId: byId('bot') };
const searchContacts = async (filter?: string, paginationToken?: string) =>
	await testbed.engine.listSearch('searchContacts', { parameters, filter, paginationToken });
const pages = () => testbed.service.requests.map(({ query }) => `${query.page}/${query.per_page}`);

describe('the list of chatbots', () => {
	beforeEach(() => void testbed.service.store.addChatbot({ id: 'bot-2', name: 'Sales' }));

	it.each([
		[undefined, ['Sales', 'Support']],
		['SALE', ['Sales']],
		['bot-2', ['Sales']],
		['none', []],
	])('is searched by name or ID: %s', async (filter, names) => {
		const { results } = await testbed.engine.listSearch('searchChatbots', { filter });
		expect(results.map(({ name }) => name)).toEqual(names);
	});

	it.each([[undefined], ['12']])(
		'offers numeric IDs as text, and no ID that a path cannot name: %s',
		async (filter) => {
			const chatbots = [
				{ id: 1234, name: 'Numbered' },
				{ id: '..' },
				{ id: ' ' },
				{ name: 'No ID' },
			];
			testbed.service.faults.add({ fault: { kind: 'status', status: 200, body: { chatbots } } });
			const { results } = await testbed.engine.listSearch('searchChatbots', { filter });
			expect(results).toEqual([{ name: 'Numbered', value: '1234' }]);
		},
	);

	it('reads the list from the envelope of some services', async () => {
		const body = { chatbots: { data: [{ id: 'bot', name: '' }], error: null } };
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
		const { results } = await testbed.engine.listSearch('searchChatbots', {});
		expect(results).toEqual([{ name: 'bot', value: 'bot' }]);
	});

	it('fails with the reason when the key is wrong', async () => {
		const { baseUrl } = testbed.service;
		const credentials = { chatbaseV1Api: { apiKey: 'wrong', baseUrl } };
		await expect(
			testbed.engine.listSearch('searchChatbots', { credentials }),
		).rejects.toMatchObject({ message: titleOf('401') });
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
		['email', 'zoe@x'],
		['phone number', '+999 1'],
		['External ID', 'wanted'],
	])('is searched in all pages by %s', async (_, filter) => {
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

	it('stops at 50 matches, and continues when asked to', async () => {
		testbed.service.store.seedContacts('bot', 2500);
		const { results, paginationToken } = await searchContacts('customer-');
		expect(results).toHaveLength(1000);
		expect(pages()).toEqual(['1/1000']);
		const more = await searchContacts('customer-', paginationToken as string);
		expect(more.results).toHaveLength(1000);
		expect(pages()).toEqual(['1/1000', '2/1000']);
	});

	it('ends when the list becomes shorter during a search', async () => {
		testbed.service.store.seedContacts('bot', 1500);
		testbed.service.faults.add({
			when: { nth: 2 },
			fault: { kind: 'status', status: 400, body: { message: 'There is no such page' } },
		});
		const { results, paginationToken } = await searchContacts('nobody');
		expect(results).toEqual([]);
		expect(paginationToken).toBeUndefined();
	});

	/** Makes the service return any list, page by page. */
	const haveList = (pageOf: (page: number) => object[], total: number) => {
		const { faults } = testbed.service;
		// One fault for each page, with the content of the page.
		for (let page = 1; page <= 250; page++) {
			const body = {
				data: pageOf(page),
				total,
				pages: { page, total_pages: Math.ceil(total / 10) },
			};
			faults.add({
				when: { matches: ({ query }) => query.page === String(page) },
				fault: { kind: 'status', status: 200, body },
			});
		}
	};
	const tenMillion = 10_000_000;

	it.each([
		['an empty page', (page: number) => (page === 1 ? [{ id: 'one', external_id: 'one' }] : [])],
		['two pages that came before', () => [{ id: 'one', external_id: 'one' }]],
		['two pages that came before, without IDs', () => [{ name: 'One' }]],
	])('ends at %s, whatever the service states', async (_, pageOf) => {
		haveList(pageOf, tenMillion);
		const { results, paginationToken } = await searchContacts('nobody');
		expect({ results, paginationToken }).toEqual({ results: [], paginationToken: undefined });
		// Further pages were on their way.
		expect(pages().length).toBeLessThanOrEqual(8);
	});

	it('finds a contact after a page that others have moved to, because they were added before it', async () => {
		const one = { id: 'one', external_id: 'one', name: 'One' };
		const other = { id: 'other', external_id: 'other', name: 'Other' };
		haveList((page) => [page < 3 ? one : other], 30);
		const { results } = await searchContacts('other');
		expect(results).toEqual([{ name: 'Other (other)', value: 'other' }]);
	});

	it('returns its matches after 200 pages, and continues when asked to', async () => {
		haveList((page) => [{ id: `${page}`, external_id: `${page}`, name: `Contact ${page}` }], 1e7);
		const first = await searchContacts('Contact 24');
		expect(first.results.map(({ value }) => value)).toEqual(['24']);
		expect(pages()).toHaveLength(200);
		testbed.service.clearRequests();
		const second = await searchContacts('Contact 20', first.paginationToken as string);
		expect(second.results.map(({ value }) => value)).toContain('201');
		expect(pages()).toContain('201/1000');
		expect(pages()).not.toContain('200/1000');
	});

	it('is searched when the service returns 150,000 contacts as one page', async () => {
		const contacts = Array.from({ length: 150_000 }, (_, id) => ({
			id,
			external_id: id,
			name: 'x',
		}));
		haveList((page) => (page === 1 ? contacts : []), contacts.length);
		expect((await searchContacts('x')).results).toHaveLength(contacts.length);
	});

	it('offers numeric IDs as text, and no contact whose ID a path cannot name', async () => {
		const contacts = [
			{ id: '1', external_id: 77, name: 'Numbered' },
			{ id: '2', external_id: null },
			{ id: '3' },
			{ id: '4', external_id: '' },
			{ id: '5', external_id: ' ' },
			{ id: '6', external_id: '.' },
			{ id: '7', external_id: '..' },
		];
		haveList((page) => (page === 1 ? contacts : []), contacts.length);
		expect((await searchContacts()).results).toEqual([{ name: 'Numbered (77)', value: '77' }]);
		expect((await searchContacts('77')).results).toHaveLength(1);
	});

	it.each(['', ' ', '.', '..', 'bot\ud83d'])(
		'asks for a chatbot first when it is %j',
		async (id) => {
			for (const list of ['searchContacts', 'searchCustomAttributes']) {
				const call = testbed.engine.listSearch(list, {
					parameters: { ...parameters, chatbotId: byId(id) },
				});
				await expect(call).rejects.toMatchObject({ message: 'Choose a chatbot first' });
			}
			expect(testbed.service.requests).toEqual([]);
		},
	);
});

it.each([
	['searchTextAttributes', ['plan']],
	['searchDateAttributes', ['since']],
	['searchCustomAttributes', ['old', 'plan', 'seats', 'since']],
])('%s offers %j', async (list, names) => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', since: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	const { results } = await testbed.engine.listSearch(list, { parameters });
	expect(results.map(({ value }) => value)).toEqual(names);
});

it('sources are listed page by page with their type, and searched by name', async () => {
	for (let number = 1; number <= 25; number++) {
		testbed.service.store.addSource('bot', {
			name: number === 7 ? null : `Text ${number}`,
			type: number === 8 ? 'qna' : 'text',
		});
	}
	const list = async (filter?: string, paginationToken?: string) =>
		await testbed.engine.listSearch('searchSources', { parameters, filter, paginationToken });
	const found: string[] = [];
	for (let token: string | undefined; ;) {
		const { results, paginationToken } = await list(undefined, token);
		found.push(...results.map(({ name }) => name));
		token = paginationToken as string | undefined;
		if (token === undefined) break;
	}
	expect(found).toHaveLength(25);
	expect(found).toEqual(
		expect.arrayContaining(['Text 1 (text)', 'No name (text)', 'Text 8 (qna)']),
	);
	expect((await list(' Text 25 ')).results).toEqual([
		{ name: 'Text 25 (text)', value: expect.any(String) as string },
	]);
});

describe('the lists of the helpdesk', () => {
	const list = async (method: string, filter?: string) =>
		await testbed.engine.listSearch(method, { parameters, filter });

	it('offer statuses and teams in the order of the service', async () => {
		const { statuses, teams } = testbed.service.store.chatbot('bot').agent;
		statuses[1].internalLabel = 'Waiting for us';
		const { results } = await list('searchTicketStatuses');
		expect(results.slice(0, 2)).toEqual([
			{ name: 'new', value: statuses[0].id },
			{ name: 'Waiting for us (on_you)', value: statuses[1].id },
		]);
		expect(results).toHaveLength(6);
		expect((await list('searchTeams')).results).toEqual(
			teams.map(({ id, name }) => ({ name, value: id })),
		);
	});

	it('are searched by name and category', async () => {
		expect((await list('searchTicketStatuses', 'ON ')).results).toHaveLength(3);
		expect((await list('searchTeams', 'bill')).results).toMatchObject([{ name: 'Billing' }]);
	});

	it.each([
		[{ kind: 'status', status: 403 }, titleOf('403')],
		[{ kind: 'otherShape', body: { data: [] } }, titleOf('unexpectedResponse')],
	] as const)('fail with the reason after %j', async (fault, message) => {
		testbed.service.faults.add({
			fault: fault.kind === 'status' ? { ...fault, body: { error: { message: 'No' } } } : fault,
		});
		await expect(list('searchTeams')).rejects.toMatchObject({ message });
	});
});

it('conversations are listed with title and time, the newest first, and searched by the service', async () => {
	const { store } = testbed.service;
	store.addConversation('bot', { id: 'old', title: 'Refund', createdAt: '2026-06-01T08:30:00Z' });
	store.addConversation('bot', { id: 'new', title: null, createdAt: '2026-07-01T08:30:00Z' });
	const list = async (filter?: string) =>
		(await testbed.engine.listSearch('searchConversations', { parameters, filter })).results;
	expect(await list()).toMatchObject([
		{ name: expect.stringMatching(/^No title \(2026-07-01 /) as string, value: 'new' },
		{ name: expect.stringMatching(/^Refund \(2026-06-01 /) as string, value: 'old' },
	]);
	expect(await list(' refund ')).toMatchObject([{ value: 'old' }]);
	expect(testbed.sent.map(([request]) => request)).toEqual([
		expect.stringContaining('/conversations/export?') as string,
		expect.stringContaining('/conversations/search?') as string,
	]);
});

it('tickets are listed with subject and number, and found on later pages', async () => {
	for (let number = 1; number <= 130; number++) {
		testbed.service.store.addTicket('bot', { subject: number === 3 ? 'Lost parcel' : 'Refund' });
	}
	const list = async (filter?: string, paginationToken?: string) =>
		await testbed.engine.listSearch('searchTickets', { parameters, filter, paginationToken });
	const { results, paginationToken } = await list();
	expect(results).toHaveLength(100);
	expect(results[0].name).toMatch(/^Refund \(\d+\)$/);
	expect((await list(undefined, paginationToken as string)).results).toHaveLength(30);
	expect((await list('PARCEL')).results).toEqual([{ name: 'Lost parcel (3)', value: '3' }]);
});

describe('the fields that can be cleared', () => {
	it('are all fields but the ID, and the attributes of the chatbot', async () => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
		const fields = await testbed.engine.loadOptions('getOptionalFields', { parameters });
		expect(fields).toEqual([
			{ name: 'Name', value: 'name' },
			{ name: 'Email', value: 'email' },
			{ name: 'Phone Number', value: 'phonenumber' },
			{ name: 'Attribute: Plan', value: 'custom_attributes.plan' },
			{ name: 'Payment Accounts', value: 'payment_accounts' },
		]);
	});

	it('are found for a chatbot whose ID was pasted with spaces around it', async () => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
		const pasted = { ...parameters, chatbotId: byId(' bot\n') };
		const fields = await testbed.engine.loadOptions('getOptionalFields', { parameters: pasted });
		expect(fields).toContainEqual({ name: 'Attribute: Plan', value: 'custom_attributes.plan' });
	});

	it('are those of every contact when the attributes cannot be read', async () => {
		const gone = { ...parameters, chatbotId: byId('gone') };
		const fields = await testbed.engine.loadOptions('getOptionalFields', { parameters: gone });
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

	it('are those of every contact, and the active attributes as fields to add', async () => {
		const { store } = testbed.service;
		store.addAttribute('bot', { name: 'plan', type: 'text', label: 'Plan' });
		store.addAttribute('bot', { name: 'seats', type: 'number', label: 'Number of Seats' });
		store.addAttributes('bot', { active: 'boolean', since: 'date' });
		store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
		const { fields } = await fieldsFor(byId('bot'));
		expect(fields.slice(0, 4).map(({ id }) => id)).toEqual(base);
		expect(fields.slice(4).map(({ id, type, removed }) => [id, type, removed])).toEqual([
			['custom_attributes.plan', 'string', true],
			['custom_attributes.seats', 'number', true],
			['custom_attributes.active', 'options', true],
			['custom_attributes.since', 'dateTime', true],
		]);
		expect(fields[0].displayName).toBe('External ID');
		expect(fields[4].displayName).toBe('Attribute: Plan');
		expect(fields[5].displayName).toBe('Attribute: Number of Seats (seats)');
	});

	it('offer a new External ID to add when a contact is updated', async () => {
		const { fields } = (await testbed.engine.resourceMapping('mapContactFields', {
			parameters: { ...parameters, operation: 'update' },
		})) as { fields: object[] };
		expect(fields[0]).toMatchObject({
			id: 'external_id',
			displayName: 'New External ID',
			removed: true,
			required: false,
		});
		expect(fields.slice(1).some((field) => 'removed' in field)).toBe(false);
	});

	it.each([
		['create', true],
		['upsert', false],
		['mirror', false],
	])('demand an External ID for %s: %s', async (operation, required) => {
		const { fields } = (await testbed.engine.resourceMapping('mapContactFields', {
			parameters: { ...parameters, operation },
		})) as { fields: Array<{ id: string; required: boolean }> };
		expect(fields.filter((field) => field.required).map(({ id }) => id)).toEqual(
			required ? ['external_id'] : [],
		);
	});

	it.each(['', ' ', '.', '..', 'bot\ud83d', '={{ $json.bot }}'])(
		'are only the base fields when the chatbot is %j',
		async (id) => {
			const { fields } = await fieldsFor(byId(id));
			expect(fields.map((field) => field.id)).toEqual(base);
			expect(testbed.service.requests).toEqual([]);
		},
	);

	it('have one object for all attributes when they cannot be read, with the reason', async () => {
		const { fields } = await fieldsFor(byId('gone'));
		expect(fields.at(-1)).toMatchObject({
			id: 'custom_attributes',
			displayName: 'Custom Attributes (not readable: Chatbot not found)',
			type: 'object',
		});
	});
});

describe('the Request Options of the node', () => {
	let proxy: Proxy;

	beforeEach(async () => {
		testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text' });
		proxy = await Proxy.start();
	});

	afterEach(async () => await proxy.close());

	/** Everything that the panel loads from the service. */
	const loads: Array<[string, (requestOptions: object) => Promise<unknown>]> = [
		...['searchChatbots', 'searchContacts', 'searchCustomAttributes'].map(
			(list): [string, (requestOptions: object) => Promise<unknown>] => [
				list,
				async (options) =>
					await testbed.engine.listSearch(list, { parameters: { ...parameters, ...options } }),
			],
		),
		[
			'mapContactFields',
			async (options) =>
				await testbed.engine.resourceMapping('mapContactFields', {
					parameters: { ...parameters, ...options },
				}),
		],
		[
			'getOptionalFields',
			async (options) =>
				await testbed.engine.loadOptions('getOptionalFields', {
					parameters: { ...parameters, ...options },
				}),
		],
	];

	it.each(loads)('send %s through the proxy', async (_, load) => {
		await load({ requestOptions: { proxy: proxy.address } });
		expect(proxy.passed).toHaveLength(1);
		expect(proxy.passed[0]).toContain(`${testbed.service.origin}/api/v1/`);
		expect(testbed.service.requests).toHaveLength(1);
	});

	it('end a list when it takes longer than Timeout, and the error names Timeout', async () => {
		testbed.service.faults.add({ fault: { kind: 'stall' } });
		const search = async (options: object) =>
			await testbed.engine.listSearch('searchChatbots', {
				parameters: { ...parameters, ...options },
			});
		const restore = skippedTime(testbed.service);
		const begun = Date.now();
		try {
			await expect(search({ requestOptions: { timeout: 100 } })).rejects.toMatchObject({
				message: titleOf('timeout'),
				description: expect.stringContaining('raise Timeout under Settings, Request Options'),
			});
			// Four times the default of 30 seconds would be two minutes.
			expect(Date.now() - begun).toBeLessThan(60_000);
		} finally {
			restore();
		}
	});

	it('are not named in the trigger, which has none', async () => {
		testbed.service.faults.add({ fault: { kind: 'stall' } });
		const restore = skippedTime(testbed.service);
		try {
			const error: unknown = await testbed.engine
				.listSearch('searchChatbots', {
					node: trigger,
					parameters: { event: 'leadCreated' },
				})
				.catch((reason: unknown) => reason);
			expect(error).toMatchObject({ message: titleOf('timeout') });
			expect((error as { description: string }).description).not.toContain('Request Options');
		} finally {
			restore();
		}
	});

	it('are refused when the proxy is not a URL', async () => {
		const call = testbed.engine.listSearch('searchChatbots', {
			parameters: { ...parameters, requestOptions: { proxy: 'proxy' } },
		});
		await expect(call).rejects.toMatchObject({ message: 'Proxy is not a web address' });
		expect(testbed.service.requests).toEqual([]);
	});
});
