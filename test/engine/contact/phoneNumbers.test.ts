import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn, outcomes, taggedMirror } from './rows';

/** Phone numbers that a service stores in another form, and those that belong to another contact. */
const testbed = useTestbed({ resource: 'contact' });

const store = () => testbed.service.store;
const stored = (id: string) => store().contact('bot', id);
const syncOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json._sync);

beforeEach(() => {
	store().addAttributes('bot', { plan: 'text', source: 'text' });
});

const columns = mapped({
	external_id: '={{ $json.id }}',
	phonenumber: '={{ $json.phone }}',
	email: '={{ $json.email }}',
	'custom_attributes.plan': '={{ $json.plan }}',
});

const operations: Array<[operation: string, parameters: INodeParameters]> = [
	['upsert', columns],
	['mirror', { ...columns, ...taggedMirror }],
	['update', { ...columns, contactId }],
];

/** As people write them. The simulated service has the country code 49 for those without one. */
const rows = [
	{ id: 'danish', phone: '+45 20 55 01 88', plan: 'pro' },
	{ id: 'dialed', phone: '0045 20.55.01.89', plan: 'pro' },
	{ id: 'national', phone: '030/901820', plan: 'pro' },
	{ id: 'bracket', phone: '+49 (0)30 90-1821', plan: 'pro' },
	{ id: 'pasted', phone: '\u202a+1 (415) 555\u20112671\u202c', plan: 'pro' },
	{ id: 'extension', phone: '+45 20 55 01 90 ext. 3', plan: 'pro' },
];

describe.each(['asSent', 'e164'] as const)('when the service stores numbers %s', (phoneForm) => {
	it.each(operations)('a second night of %s writes nothing', async (operation, parameters) => {
		testbed.service.behaviour.phoneForm = phoneForm;
		if (operation === 'update')
			for (const { id } of rows) store().addContact('bot', { external_id: id });
		const run = async () =>
			await testbed.succeed({ operation, chatbotId, ...parameters }, { input: rows });

		const first = await run();
		for (const sync of syncOf(first.items)) expect(sync).not.toHaveProperty('dropped');
		expect(stored('danish')?.phonenumber).toBe(
			phoneForm === 'e164' ? '+4520550188' : '+45 20 55 01 88',
		);

		testbed.service.clearRequests();
		const second = await run();
		expect(new Set(outcomes(second.items))).toEqual(new Set(['unchanged']));
		for (const sync of syncOf(second.items)) expect(sync).not.toHaveProperty('dropped');
		expect(testbed.writes).toEqual([]);
	});
});

describe('when a phone number belongs to one contact only', () => {
	beforeEach(() => {
		testbed.service.behaviour.phoneUnique = true;
		store().addContact('bot', { external_id: 'owner', phonenumber: '+4520550188' });
	});
	const taken = 'The phone number is taken by another contact';
	const upsert = async (input: IDataObject[], parameters: INodeParameters = {}) =>
		await testbed.run(
			{ operation: 'upsert', chatbotId, ...columns, ...parameters },
			{ input, ...goOn },
		);

	it.each([
		['a new contact', []],
		['an update', ['a']],
	])('%s that wants it fails with a title about the phone number', async (_, existing) => {
		for (const external_id of existing) store().addContact('bot', { external_id });
		const { items } = await upsert([{ id: 'a', phone: '+45 20 55 01 88', email: 'a@x.example' }]);
		expect(outcomes(items)).toEqual([taken]);
		const { error } = items[0].json;
		expect(error).toContain('"Phone number already exists"');
		expect(error).not.toMatch(/email|Match Contacts By/i);
	});

	it('a taken number keeps nobody else from the email that its item wanted', async () => {
		for (const external_id of ['a', 'b', 'c', 'd']) store().addContact('bot', { external_id });
		const { items } = await upsert(
			[
				{ id: 'a', phone: '+4520550188', email: 'shared@x.example' },
				// The first refusal has arrived before the last update leaves.
				{ id: 'c', plan: 'pro' },
				{ id: 'd', plan: 'pro' },
				{ id: 'b', phone: '+4520550199', email: 'shared@x.example' },
			],
			{ options: { maxConcurrency: 1 } },
		);
		expect(outcomes(items)).toEqual([taken, 'updated', 'updated', 'updated']);
		expect(stored('b')?.email).toBe('shared@x.example');
	});

	it('contacts without a number are created when those before them are refused', async () => {
		const refused = Array.from({ length: 25 }, (_, index) => ({
			id: `r-${index}`,
			phone: '+4520550188',
		}));
		const { items } = await upsert([
			...refused,
			{ id: 'free' },
			{ id: 'last', phone: '+4520550188' },
		]);
		const outcome = outcomes(items);
		expect(outcome.filter((one) => one === taken)).toHaveLength(26);
		expect(outcome[25]).toBe('created');
	});
});

describe('a 409 that does not say what is taken', () => {
	const upsert = async (nth: number | undefined, message: string, input: IDataObject[]) => {
		const fault = { kind: 'status', status: 409, body: { message } } as const;
		testbed.service.faults.add({ when: { matches: ({ method }) => method !== 'GET', nth }, fault });
		const options = { maxConcurrency: 1 };
		const parameters = { operation: 'upsert', chatbotId, ...columns, options };
		return (await testbed.run(parameters, { input, ...goOn })).items;
	};

	it.each(['Conflict', 'Email or phone number already exists'])(
		'%s: says that one of the values exists, without advice about the email',
		async (message) => {
			store().addContact('bot', { external_id: 'owner', email: 'a@x.example' });
			const items = await upsert(undefined, message, [{ id: 'new', email: 'a@x.example' }]);
			expect(outcomes(items)).toEqual(['A contact with one of these values exists']);
			expect(items[0].json.error).toContain(`"${message}"`);
			expect(items[0].json.error).not.toContain('Match Contacts By');
		},
	);

	it('waits for an email that another contact gives up', async () => {
		store().addContact('bot', { external_id: 'a', email: 'a@x.example' });
		store().addContact('bot', { external_id: 'b', email: 'b@x.example' });
		const items = await upsert(1, 'Conflict', [
			{ id: 'a', email: 'b@x.example' },
			{ id: 'b', email: 'c@x.example' },
		]);
		expect(outcomes(items)).toEqual(['updated', 'updated']);
	});
});
