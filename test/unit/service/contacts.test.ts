/** Contacts: the rules of the contract, and each switch. */
import fc from 'fast-check';

import type { Behaviour, SimulatedService } from '../../service';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

const path = `/chatbots/${chatbotId}/contacts`;
let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

async function start(behaviour?: Partial<Behaviour>) {
	service = await serviceWithChatbot({ behaviour });
	ask = clientOf(service);
}

beforeEach(async () => await start());
afterEach(async () => await service.close());

/** A service with these switches for one test. */
async function restart(behaviour: Partial<Behaviour>) {
	await service.close();
	await start(behaviour);
}

function defineAttributes() {
	for (const type of ['text', 'number', 'boolean', 'date'] as const) {
		service.store.addAttribute(chatbotId, { name: type, type });
	}
	service.store.addAttribute(chatbotId, { name: 'old', type: 'text', archived: true });
}

describe('the list', () => {
	it.each([
		['per_page=9', 'per_page'],
		['per_page=1001', 'per_page'],
		['per_page=ten', 'per_page'],
		['per_page=10.5', 'per_page'],
		['per_page=', 'per_page'],
		['per_page=10&per_page=20', 'per_page'],
		['page=0', 'page'],
		['page=-1', 'page'],
		['page=2', 'page'],
	])('refuses ?%s', async (query, field) => {
		expect(await ask('GET', `${path}?${query}`)).toMatchObject({
			status: 400,
			body: { issues: [{ field }] },
		});
	});

	it('refuses an unknown chatbot', async () => {
		expect(await ask('GET', '/chatbots/other/contacts')).toMatchObject({
			status: 404,
			body: { message: 'Chatbot not found' },
		});
	});

	it('has every contact once at any page size', async () => {
		service.store.seedContacts(chatbotId, 137);
		const sizes = fc.integer({ min: 10, max: 1000 });
		await fc.assert(
			fc.asyncProperty(
				sizes,
				fc.constantFrom('oldestFirst', 'newestFirst'),
				async (size, order) => {
					service.behaviour.contactOrder = order as Behaviour['contactOrder'];
					const seen: string[] = [];
					let totalPages = 1;
					for (let page = 1; page <= totalPages; page++) {
						const { body } = await ask('GET', `${path}?per_page=${size}&page=${page}`);
						expect(body).toMatchObject({ total: 137, pages: { page, per_page: size } });
						totalPages = body.pages.total_pages;
						seen.push(...body.data.map((contact: { external_id: string }) => contact.external_id));
					}
					const everyone = [...service.store.chatbot(chatbotId).contacts].map((c) => c.external_id);
					expect(totalPages).toBe(Math.ceil(137 / size));
					expect(seen).toEqual(order === 'oldestFirst' ? everyone : everyone.reverse());
				},
			),
			{ numRuns: 15 },
		);
	});

	it('has 100 contacts on a page by default', async () => {
		service.store.seedContacts(chatbotId, 101);
		const { body } = await ask('GET', path);
		expect(body.data).toHaveLength(100);
		expect(body.pages).toEqual({ page: 1, per_page: 100, total_pages: 2 });
	});

	it.each([
		['per_page=5', 10],
		['per_page=5000', 1000],
	])('uses the nearest page size for ?%s when switched', async (query, size) => {
		await restart({ perPageOutOfRange: 'clamp' });
		expect((await ask('GET', `${path}?${query}`)).body.pages.per_page).toBe(size);
		expect((await ask('GET', `${path}?per_page=ten`)).status).toBe(400);
	});

	it.each([
		['badRequest', 400, undefined, undefined],
		['empty', 200, 0, 3],
		['lastPage', 200, 5, 2],
	] as const)('beyond its end: %s', async (pageBeyondEnd, status, length, page) => {
		await restart({ pageBeyondEnd });
		service.store.seedContacts(chatbotId, 15);
		const answer = await ask('GET', `${path}?per_page=10&page=3`);
		expect(answer.status).toBe(status);
		expect(answer.body.data?.length).toBe(length);
		expect(answer.body.pages?.page).toBe(page);
	});

	it.each([0, 1] as const)(
		'states %d pages when it is empty, and accepts page 1',
		async (pages) => {
			await restart({ emptyListPages: pages });
			const answer = await ask('GET', `${path}?page=1`);
			expect(answer).toMatchObject({
				status: 200,
				body: { data: [], total: 0, pages: { total_pages: pages } },
			});
		},
	);
});

describe('the path of a contact', () => {
	it('accepts any encoded external ID', async () => {
		const identifiers = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
		await fc.assert(
			fc.asyncProperty(identifiers, async (identifier) => {
				fc.pre(!['.', '..'].includes(identifier));
				if (!service.store.contact(chatbotId, identifier)) {
					service.store.addContact(chatbotId, { external_id: identifier });
				}
				const answer = await ask('GET', `${path}/${encodeURIComponent(identifier)}`);
				expect(answer.body.data.external_id).toBe(identifier);
			}),
			{ numRuns: 50 },
		);
	});

	it.each(['GET', 'PATCH', 'DELETE', 'POST'])('is never blank: %s', async (method) => {
		service.store.addContact(chatbotId, { external_id: 'a' });
		const answer = await ask(method, `${path}/`, method === 'GET' ? undefined : { data: {} });
		expect(answer).toMatchObject({ status: 404, body: { message: 'Not found' } });
		expect(service.store.chatbot(chatbotId).contacts.size).toBe(1);
	});

	it('accepts the internal ID only when switched', async () => {
		const { id } = service.store.addContact(chatbotId, { external_id: 'a' });
		expect((await ask('GET', `${path}/${id}`)).status).toBe(404);
		service.behaviour.contactPathId = 'externalOrInternal';
		expect((await ask('GET', `${path}/${id}`)).status).toBe(200);
	});
});

describe('an update', () => {
	beforeEach(() => {
		defineAttributes();
		service.clock.set('2025-01-01T00:00:00Z');
		service.store.addContact(chatbotId, {
			external_id: 'a',
			name: 'Ada',
			email: 'ada@example.com',
			custom_attributes: { text: 'before', old: 'kept' },
		});
	});

	const update = async (data: unknown) => await ask('PATCH', `${path}/a`, { data });

	it.each([
		[{ custom_attributes: { number: '12' } }, 'custom_attributes.number'],
		[{ custom_attributes: { text: 5 } }, 'custom_attributes.text'],
		[{ custom_attributes: { boolean: 'yes' } }, 'custom_attributes.boolean'],
		[{ custom_attributes: { date: 'soon' } }, 'custom_attributes.date'],
		[{ custom_attributes: { old: 'new' } }, 'custom_attributes.old'],
		[{ custom_attributes: ['text'] }, 'custom_attributes'],
		[{ name: 5 }, 'name'],
		[{ external_id: '' }, 'external_id'],
		[{ external_id: null }, 'external_id'],
		[{ payment_accounts: {} }, 'payment_accounts'],
		[{ payment_accounts: [{ label: 'Main' }] }, 'payment_accounts.0'],
		[{ payment_accounts: [{ payment_id: 'p' }] }, 'payment_accounts.0'],
		[{ payment_accounts: [{ label: 'Main', number: 1 }] }, 'payment_accounts.0.number'],
	])('refuses %j', async (data, field) => {
		const before = structuredClone(service.store.contact(chatbotId, 'a'));
		expect(await update(data)).toMatchObject({ status: 400, body: { issues: [{ field }] } });
		expect(service.store.contact(chatbotId, 'a')).toEqual(before);
	});

	it.each([{ name: 'Ada' }, { data: {}, name: 'Ada' }, 'text', '[]', '{broken', undefined])(
		'refuses the body %j',
		async (body) => expect((await ask('PATCH', `${path}/a`, body)).status).toBe(400),
	);

	it.each([
		['boolean', 'true', true],
		['boolean', 0, false],
		['date', '2025-02-03', '2025-02-03T00:00:00.000Z'],
		['date', 0, '1970-01-01T00:00:00.000Z'],
		['number', -1.5, -1.5],
		['text', '', ''],
	])('keeps the %s %j as %j', async (name, sent, kept) => {
		const { body } = await update({ custom_attributes: { [name]: sent } });
		expect(body.data.custom_attributes[name]).toBe(kept);
	});

	it('changes the time of the last update, even within a second', async () => {
		const { updated_at: before } = service.store.contact(chatbotId, 'a')!;
		expect((await update({})).body.data.updated_at).toBe(before + 1);
		service.clock.advance(60_000);
		expect((await update({})).body.data.updated_at).toBe(before + 60);
	});

	it('keeps fields that were not sent', async () => {
		const { body } = await update({ phonenumber: '+47' });
		expect(body.data).toMatchObject({ name: 'Ada', email: 'ada@example.com', phonenumber: '+47' });
	});

	it('may change the external ID, and then its path', async () => {
		await update({ external_id: 'b' });
		expect((await ask('GET', `${path}/a`)).status).toBe(404);
		expect((await ask('GET', `${path}/b`)).body.data.name).toBe('Ada');
	});

	it('refuses an external ID or an email when another contact has it', async () => {
		service.store.addContact(chatbotId, { external_id: 'b', email: 'b@example.com' });
		expect(await update({ external_id: 'b' })).toMatchObject({ status: 409 });
		expect(await update({ email: 'b@example.com' })).toMatchObject({
			status: 409,
			body: { message: 'Email already exists' },
		});
		expect((await update({ external_id: 'a', email: 'ada@example.com' })).status).toBe(200);
		service.behaviour.emailUnique = false;
		expect((await update({ email: 'b@example.com' })).status).toBe(200);
	});

	it.each([
		['merge', { text: 'before', old: 'kept', number: 1 }],
		['replace', { number: 1 }],
	] as const)('custom attributes: %s', async (attributesOnPatch, expected) => {
		service.behaviour.attributesOnPatch = attributesOnPatch;
		const { body } = await update({ custom_attributes: { number: 1 } });
		expect(body.data.custom_attributes).toEqual(expected);
	});

	it('clears with null, or refuses it', async () => {
		const { body } = await update({ name: null, custom_attributes: { text: null, old: null } });
		expect(body.data).toMatchObject({ name: null, custom_attributes: {} });
		service.behaviour.nullInWrite = 'badRequest';
		expect(await update({ email: null })).toMatchObject({
			status: 400,
			body: { issues: [{ field: 'email' }] },
		});
	});

	it.each([
		['null', null],
		['empty', ''],
	] as const)('shows text after null cleared it: %s', async (clearedText, expected) => {
		service.behaviour.clearedText = clearedText;
		expect((await update({ name: null, email: null })).body.data).toMatchObject({
			name: expected,
			email: expected,
		});
	});

	it.each([
		['keeps', ''],
		['clears', null],
	] as const)('accepts empty text: %s', async (emptyTextInWrite, expected) => {
		service.behaviour.emptyTextInWrite = emptyTextInWrite;
		expect((await update({ name: '' })).body.data.name).toBe(expected);
	});

	it('refuses empty text when switched', async () => {
		service.behaviour.emptyTextInWrite = 'badRequest';
		expect(await update({ email: '' })).toMatchObject({
			status: 400,
			body: { issues: [{ field: 'email' }] },
		});
	});

	it('keeps and compares emails in lower case when switched', async () => {
		service.store.addContact(chatbotId, { external_id: 'b', email: 'b@example.com' });
		expect((await update({ email: 'B@Example.com' })).body.data.email).toBe('B@Example.com');
		service.behaviour.emailCase = 'lower';
		expect((await update({ email: 'ADA@Example.com' })).body.data.email).toBe('ada@example.com');
		expect((await update({ email: 'B@Example.com' })).status).toBe(409);
	});

	it('drops, keeps or refuses unknown fields and attributes', async () => {
		const sent = { nickname: 'A', custom_attributes: { shoe: 42 } };
		const dropped = (await update(sent)).body.data;
		expect(dropped).not.toHaveProperty('nickname');
		expect(dropped.custom_attributes).not.toHaveProperty('shoe');

		service.behaviour.unknownAttributes = 'keep';
		expect((await update(sent)).body.data.custom_attributes.shoe).toBe(42);

		service.behaviour.unknownContactFields = 'refuse';
		expect(await update(sent)).toMatchObject({ body: { issues: [{ field: 'nickname' }] } });
	});

	it('drops a value for an archived attribute when switched', async () => {
		service.behaviour.archivedAttributeInWrite = 'drop';
		const { body } = await update({ custom_attributes: { old: 'new' } });
		expect(body.data.custom_attributes.old).toBe('kept');
	});

	it('uses the other name of payment accounts when switched', async () => {
		const account = { label: 'Main', payment_id: 'p', payment_email: 'p@example.com' };
		expect((await update({ payment_accounts: [account] })).body.data).toMatchObject({
			payment_accounts: [account],
		});

		service.behaviour.paymentField = 'stripe_accounts';
		const { data } = (await update({ payment_accounts: [] })).body;
		expect(data).not.toHaveProperty('payment_accounts');
		expect(data.stripe_accounts).toEqual([
			{ label: 'Main', stripe_id: 'p', stripe_email: 'p@example.com' },
		]);
		const changed = await update({ stripe_accounts: [{ label: 'New', stripe_id: 's' }] });
		expect(changed.body.data.stripe_accounts).toEqual([{ label: 'New', stripe_id: 's' }]);
	});
});

describe('a record', () => {
	it('has timestamps in the set unit', async () => {
		service.store.addContact(chatbotId, { external_id: 'a', created_at: 5 });
		expect((await ask('GET', `${path}/a`)).body.data.created_at).toBe(5);
		service.behaviour.timestampUnit = 'milliseconds';
		expect((await ask('GET', `${path}/a`)).body.data.created_at).toBe(5000);
	});

	it('has a numeric internal ID when switched, and is found by it', async () => {
		service.store.addContact(chatbotId, { external_id: 'a' });
		Object.assign(service.behaviour, {
			contactId: 'number',
			contactPathId: 'externalOrInternal',
		});
		const { id } = (await ask('GET', `${path}/a`)).body.data;
		expect(id).toEqual(expect.any(Number));
		expect((await ask('GET', `${path}/${id}`)).body.data.external_id).toBe('a');
	});

	it('shows archived values, and true as 1, when switched', async () => {
		defineAttributes();
		service.store.addContact(chatbotId, {
			external_id: 'a',
			custom_attributes: { old: 'kept', boolean: true },
		});
		const values = async () => (await ask('GET', `${path}/a`)).body.data.custom_attributes;
		expect(await values()).toEqual({ old: 'kept', boolean: true });
		Object.assign(service.behaviour, { archivedValues: 'hidden', booleanValues: 'number' });
		expect(await values()).toEqual({ boolean: 1 });
	});

	it('shows a field without a value as null, or omits it', async () => {
		service.store.addContact(chatbotId, { external_id: 'a' });
		expect((await ask('GET', `${path}/a`)).body.data.name).toBeNull();
		service.behaviour.missingFields = 'absent';
		expect((await ask('GET', `${path}/a`)).body.data).not.toHaveProperty('name');
	});
});

describe('a deletion', () => {
	it.each([
		['contact', 200],
		['empty', 204],
	] as const)('answers: %s', async (deleteReply, status) => {
		await restart({ deleteReply });
		service.store.addContact(chatbotId, { external_id: 'a' });
		const answer = await ask('DELETE', `${path}/a`);
		expect(answer.status).toBe(status);
		expect(answer.body?.data.external_id).toBe(status === 200 ? 'a' : undefined);
		expect(answer.text === '').toBe(status === 204);
		expect((await ask('DELETE', `${path}/a`)).body.message).toBe('Contact not found');
	});
});

describe('a creation', () => {
	const create = async (...users: unknown[]) => await ask('POST', path, { users });
	const size = () => service.store.chatbot(chatbotId).contacts.size;

	it.each([
		[{ contacts: [] }],
		[{ users: [] }],
		[{ users: Array.from({ length: 1001 }, (_, index) => ({ external_id: `${index}` })) }],
		[{ users: [{ external_id: 'a' }], upsert: true }],
		[[]],
	])('refuses the body %#', async (body) => {
		expect((await ask('POST', path, body)).status).toBe(400);
		expect(size()).toBe(0);
	});

	it('stores 1,000 contacts in order', async () => {
		const users = Array.from({ length: 1000 }, (_, index) => ({ external_id: `${index}` }));
		expect((await create(...users)).body.data).toHaveLength(1000);
		const stored = [...service.store.chatbot(chatbotId).contacts].map((c) => c.external_id);
		expect(stored).toEqual(users.map((user) => user.external_id));
	});

	it.each([
		['atomic', 0],
		['upToFirstBad', 1],
	] as const)('is %s when one contact is invalid', async (createBatch, stored) => {
		await restart({ createBatch });
		defineAttributes();
		const answer = await create(
			{ external_id: 'a' },
			{ external_id: 'b', custom_attributes: { number: 'x' } },
			{ external_id: 'c' },
		);
		expect(answer).toMatchObject({
			status: 400,
			body: { issues: [{ field: 'users.1.custom_attributes.number' }] },
		});
		expect(size()).toBe(stored);
	});

	it('undoes an update when its batch is refused', async () => {
		await restart({ createExisting: 'upsert' });
		const before = {
			...service.store.addContact(chatbotId, { external_id: 'a', email: 'a@x.com' }),
		};
		service.store.addContact(chatbotId, { external_id: 'b', email: 'b@x.com' });
		const answer = await create(
			{ external_id: 'a', email: 'new@x.com' },
			{ external_id: 'c', email: 'b@x.com' },
		);
		expect(answer.status).toBe(409);
		expect(service.store.contact(chatbotId, 'a')).toEqual(before);
		expect((await create({ external_id: 'd', email: 'a@x.com' })).status).toBe(409);
	});

	it.each([
		['conflict', 409, 'Ada'],
		['upsert', 200, 'New'],
	] as const)('of an existing contact: %s', async (createExisting, status, name) => {
		await restart({ createExisting });
		service.store.addContact(chatbotId, { external_id: 'a', name: 'Ada', phonenumber: '+47' });
		expect((await create({ external_id: 'a', name: 'New' })).status).toBe(status);
		expect(service.store.contact(chatbotId, 'a')).toMatchObject({ name, phonenumber: '+47' });
	});

	it('refuses an email when the store or the batch has it twice', async () => {
		const twice = await create(
			{ external_id: 'a', email: 'x@y.z' },
			{ external_id: 'b', email: 'x@y.z' },
		);
		expect(twice).toMatchObject({ status: 409, body: { message: 'Email already exists' } });
		expect(size()).toBe(0);
	});

	it.each([
		['data', (body: { data: unknown[] }) => body.data],
		['created', (body: { data: { created: unknown[] } }) => body.data.created],
	] as const)('answers: %s', async (createReply, contacts) => {
		await restart({ createReply, createdStatus: 201 });
		const answer = await create({ external_id: 'a' });
		expect(answer.status).toBe(201);
		expect(contacts(answer.body)).toHaveLength(1);
	});

	it('needs an external ID, or generates one', async () => {
		expect(await create({ name: 'Ada' })).toMatchObject({
			status: 400,
			body: { issues: [{ field: 'users.0.external_id' }] },
		});
		service.behaviour.createWithoutExternalId = 'generates';
		const [{ external_id: made }] = (await create({ name: 'Ada' })).body.data;
		expect((await ask('GET', `${path}/${made}`)).body.data.name).toBe('Ada');
	});

	it.each([
		['null', null],
		['empty', ''],
	] as const)(
		'accepts contacts without an external ID: %s',
		async (createWithoutExternalId, answered) => {
			await restart({ createWithoutExternalId });
			for (const name of ['Ada', 'Bo']) {
				const [contact] = (await create({ name })).body.data;
				expect(contact).toMatchObject({ name, external_id: answered });
				expect((await ask('GET', `${path}/${contact.id}`)).status).toBe(404);
			}
			expect(size()).toBe(2);
		},
	);

	it("refuses contacts beyond the chatbot's maximum", async () => {
		await restart({ maximumContacts: 1 });
		expect((await create({ external_id: 'a' }, { external_id: 'b' })).status).toBe(400);
		expect((await create({ external_id: 'a' })).status).toBe(200);
	});

	it('accepts a large body', async () => {
		const name = 'x'.repeat(5_000);
		const users = Array.from({ length: 1000 }, (_, index) => ({ external_id: `${index}`, name }));
		expect((await create(...users)).status).toBe(200);
	});
});
