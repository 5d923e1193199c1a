import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useTestbed, byId } from '../testbed';
import { automatic, chatbotId, mapped } from '../parameters';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** Which contact an item matches: the same for one item as for many. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const store = () => testbed.service.store;
const stored = (id: string) => store().contact('bot', id);
const thenEmail = { matchBy: 'externalIdThenEmail' };
const filler = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ id: `f-${index}`, name: 'Filler' }));

async function upsert(input: Row[], parameters = {}, options: object = goOn) {
	return await testbed.run({ ...byColumns, ...parameters }, { input, ...options });
}

it("sends no path that the contact's ID would change", async () => {
	store().addContact('bot', { external_id: '..', email: 'a@x.example' });
	const { items } = await upsert([{ email: 'a@x.example', name: 'Ada' }]);
	expect(outcomes(items)).toEqual(['The contact with this Email has no External ID']);
	expect(testbed.service.requests.map(({ method }) => method)).toEqual(['GET']);
});

describe('the ID or email of a refused item', () => {
	const columns = {
		external_id: '={{ $json.id }}',
		name: '={{ $json.name }}',
		email: '={{ $json.email }}',
		'custom_attributes.age': '={{ $json.age }}',
	};

	beforeEach(() => {
		store().addAttribute('bot', { name: 'age', type: 'number' });
		store().addContact('bot', { external_id: 'a', email: 'a@x.example', name: 'Ada' });
	});

	const byHand = mapped(columns);
	const extra = { extraFieldsJson: '={{ $json.extra ?? {} }}' };
	const options = { setOnlyIfEmpty: '={{ $json.guard ?? [] }}' };
	/** The field that fails stands before the ID. */
	const failing = mapped({ phonenumber: "={{ $json.phone ?? $('Nowhere').item }}", ...columns });

	it.each<[string, INodeParameters, IDataObject, INodeParameters?]>([
		['its ID, mapped by hand', byHand, { id: 'a', age: 'many' }],
		['its ID, mapped automatically', automatic(), { external_id: 'a', age: 'many' }],
		['its ID beside an expression that fails', failing, { id: 'a', phone: undefined }],
		['its ID from Extra Fields JSON', byHand, { extra: { external_id: 'a' }, age: 'many' }],
		['its ID beside an option that is wrong', byHand, { id: 'a', guard: 'nothing' }],
		['its email', byHand, { email: 'A@x.example', age: 'many' }],
		['its email, mapped automatically', automatic(), { email: 'A@x.example', guard: 'nothing' }],
	])('is used by no other item: %s', async (what, fields, refused) => {
		const other = { email: 'a@x.example', name: 'Eve', phone: '+4520550188' };
		const input = [refused, other, { ...other, id: 'new', external_id: 'new' }];
		const { items } = await testbed.run(
			{ chatbotId, ...fields, ...thenEmail, additionalFields: extra, options },
			{ input: input as never, ...goOn },
		);
		const title = what.startsWith('its ID')
			? 'Another item names the contact with this Email'
			: 'Another item with this Email failed';
		expect(items[0].json.error).toBeDefined();
		expect(outcomes(items).slice(1)).toEqual([title, title]);
		expect(stored('a')).toMatchObject({ name: 'Ada' });
	});

	it('keeps its contact from being missing in a mirror', async () => {
		for (const external_id of ['b', 'c']) store().addContact('bot', { external_id });
		const { items } = await testbed.run(
			{
				...byColumns,
				operation: 'mirror',
				additionalFields: { ...extra, customAttributesJson: '={{ $json.attributes }}' },
				manage: 'all',
				onMissing: 'report',
			},
			{
				input: [
					{ id: 'a', attributes: '{}' },
					{ id: 'b', attributes: 'no JSON', extra: { external_id: 'c' } },
				],
				...goOn,
			},
		);
		expect(items[1].json.error).toMatch(/^Custom Attributes JSON is not valid JSON/);
		expect(items.slice(2).map(({ json }) => json.external_id)).toEqual(['b']);
	});
});

it('keeps the contacts of two chatbots separate', async () => {
	store().addChatbot({ id: 'other' });
	store().addContact('other', { external_id: 'a', email: 'a@x.example' });
	const { items } = await testbed.run(
		{ ...byColumns, chatbotId: byId('={{ $json.bot }}') },
		{
			input: [
				{ bot: 'bot', id: 'a', name: 'Ada' },
				{ bot: 'other', email: 'a@x.example', name: 'Eve' },
			],
			...goOn,
		},
	);
	expect(outcomes(items)).toEqual(['created', 'updated']);
});

it.each<[string, Row]>([
	['ID', { id: 'a', name: ['no text'] as never }],
	['email', { id: 'b', email: 'a@x.example', name: ['no text'] as never }],
])('does not let the %s of a refused item reach another chatbot', async (_, refused) => {
	store().addChatbot({ id: 'other' });
	store().addContact('other', { external_id: 'a', email: 'a@x.example' });
	const input = [
		{ bot: 'bot', ...refused },
		{ bot: 'other', email: 'a@x.example', name: 'Eve' },
	];
	const { items } = await upsert(input, { chatbotId: byId('={{ $json.bot }}') });
	expect(outcomes(items)).toEqual(['Name is not text', 'updated']);
});

it('fails when the list keeps changing while an email is looked for', async () => {
	store().addContact('bot', { external_id: 'a', email: 'a@x.example', name: 'Ada' });
	store().seedContacts('bot', 1500);
	const stopListening = testbed.service.onRequest(({ method, number }) => {
		if (method === 'GET') store().addContact('bot', { external_id: `late-${number}` });
	});
	const { items } = await upsert(
		[
			{ email: 'a@x.example', name: 'Eve' },
			{ id: 'new', email: 'a@x.example', name: 'New' },
			{ id: 'a', name: 'Ada L.' },
		],
		thenEmail,
	);
	stopListening();
	const title = 'The contact list could not be read completely';
	expect(outcomes(items)).toEqual([title, title, title]);
	// Three reads of two pages.
	const paths = testbed.service.requests.map(({ method, path }) => `${method} ${path}`);
	expect(paths).toEqual(Array(6).fill('GET /chatbots/bot/contacts'));
});

it.each([
	['text', { length: 3 }],
	['a number', 5],
	['a list', ['a@x.example']],
])('handles an email that is %s', async (_, email) => {
	const { items } = await testbed.run(
		{
			chatbotId,
			...mapped({ external_id: '={{ $json.id }}' }),
			additionalFields: { extraFieldsJson: '={{ { email: $json.email } }}' },
		},
		{ input: [{ id: 'a', email }, { id: 'b' }] as never, ...goOn },
	);
	expect(outcomes(items)).toEqual(['The service rejected the contact data', 'created']);
});

describe('two contacts with one External ID', () => {
	let ids: string[];

	beforeEach(() => {
		ids = ['one', 'two'].map((name) => {
			const fields = { external_id: 'a', name, email: `${name}@x.example` };
			return store().chatbot('bot').contacts.add(store().newContact(fields)).id;
		});
	});

	it.each<[string, Row]>([
		['its ID', { id: 'a', name: 'New' }],
		['the email of one', { email: 'two@x.example', name: 'New' }],
		['the email of one and a new ID', { id: 'new', email: 'two@x.example', name: 'New' }],
	])('are not touched, and both are named, when an item has %s', async (_, row) => {
		const { items } = await upsert([row, ...filler(2)], thenEmail);
		expect(outcomes(items)).toEqual([
			'Several contacts have this External ID',
			'created',
			'created',
		]);
		for (const id of ids) expect(items[0].json.error).toContain(id);
		expect(testbed.service.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
	});

	it('are not touched when a refused batch had their ID', async () => {
		const { items } = await testbed.run(
			{ ...byColumns, operation: 'create' },
			{
				input: [
					{ id: 'a', name: 'New' },
					{ id: 'b', email: 'one@x.example' },
				],
				...goOn,
			},
		);
		expect(outcomes(items)[0]).toBe('Several contacts have this External ID');
		expect(store().chatbot('bot').contacts.size).toBe(2);
	});
});
