import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** Emails that move between contacts of a run, and the errors if they can't. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const store = () => testbed.service.store;
const patches = () => testbed.service.requests.filter(({ method }) => method === 'PATCH');
const stored = (id: string) => store().contact('bot', id);
const addressOf = (index: number) => `p${index}@x.example`;
const taken = titleOf('409 email');

function addPeople(count: number) {
	for (let index = 0; index < count; index++) {
		store().addContact('bot', { external_id: `p-${index}`, email: addressOf(index) });
	}
}

async function upsert(input: Row[], parameters: INodeParameters = {}) {
	return await testbed.run({ ...byColumns, ...parameters }, { input, ...goOn });
}

describe('a chain in which each contact takes the email that the next gives up', () => {
	it.each([
		['from its beginning', (rows: Row[]) => rows],
		['from its end', (rows: Row[]) => [...rows].reverse()],
		[
			'in another order',
			([first, ...rest]: Row[]) => [...rest.slice(3), first, ...rest.slice(0, 3)],
		],
	])('succeeds %s', async (_, arrange) => {
		addPeople(8);
		const rows = Array.from({ length: 8 }, (__, index) => ({
			id: `p-${index}`,
			email: addressOf(index + 1),
		}));
		const { items } = await upsert(arrange(rows));
		expect(new Set(outcomes(items))).toEqual(new Set(['updated']));
		expect(rows.map(({ id }) => stored(id)?.email)).toEqual(rows.map(({ email }) => email));
		// An update waits after one refusal, and is sent once more when its email is free.
		expect(patches().length).toBeLessThanOrEqual(2 * 8);
	});

	it('creates the new contact at its end in one request, after all updates', async () => {
		addPeople(2);
		const input: Row[] = [
			{ id: 'new', email: addressOf(0) },
			{ id: 'p-0', email: addressOf(1) },
			{ id: 'p-1', email: 'free@x.example' },
		];
		// One after the other, so that the first update is refused at first.
		const parameters = { ...byColumns, options: { maxConcurrency: 1 } };
		const { items } = await testbed.succeed(parameters, { input });
		expect(outcomes(items)).toEqual(['created', 'updated', 'updated']);
		expect(testbed.writes.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'PATCH', 'POST']);
	});

	it('succeeds when it begins with an email that is cleared', async () => {
		addPeople(2);
		const input = [
			{ id: 'p-0', email: addressOf(1) },
			{ id: 'p-1', email: '' },
		];
		const { items } = await upsert(input, { options: { emptyValues: 'clear' } });
		expect(outcomes(items)).toEqual(['updated', 'updated']);
		expect([stored('p-0')?.email, stored('p-1')?.email]).toEqual([addressOf(1), null]);
	});
});

it('is not asked for again when no update gives up an email, though another contact is updated', async () => {
	addPeople(2);
	store().addContact('bot', { external_id: 'owner', email: 'owner@x.example' });
	const { items } = await upsert([
		{ id: 'p-0', email: 'owner@x.example' },
		{ id: 'p-1', name: 'New' },
		{ id: 'new', email: 'owner@x.example' },
	]);
	expect(outcomes(items)).toEqual([taken, 'updated', taken]);
	expect(testbed.writes).toHaveLength(3);
});

it('is free for a new contact when one that was created meanwhile gives it up', async () => {
	testbed.meanwhile('POST', () => {
		store().addContact('bot', { external_id: 'late', email: 'a@x.example' });
	});
	const { items } = await upsert([
		{ id: 'new', email: 'a@x.example' },
		{ id: 'late', email: 'late@x.example' },
	]);
	expect(outcomes(items)).toEqual(['created', 'updated']);
});

it('is asked for once when its owner is updated and keeps it', async () => {
	addPeople(2);
	const input = [
		{ id: 'p-0', email: addressOf(1) },
		{ id: 'p-1', name: 'New' },
	];
	const { items } = await upsert(input, { options: { maxConcurrency: 1 } });
	expect(outcomes(items)).toEqual([taken, 'updated']);
	expect(patches()).toHaveLength(2);
});

describe('the advice to match by email', () => {
	const advice = 'set Match Contacts By to External ID or Email';
	const wish = { id: 'new', email: addressOf(0) };
	beforeEach(() => addPeople(2));

	it('is given for a new contact', async () => {
		const { items } = await upsert([wish]);
		expect(items[0].json.error).toContain(advice);
	});

	it.each<[string, Row, INodeParameters]>([
		['an existing contact', { ...wish, id: 'p-1' }, {}],
		['Create, which matches nobody', wish, { operation: 'create' }],
	])('is not given for %s', async (_, row, parameters) => {
		const { items } = await upsert([row], parameters);
		expect(outcomes(items)).toEqual([taken]);
		expect(items[0].json.error).not.toContain(advice);
	});

	it('is not given when it is followed already', async () => {
		const { store: held } = testbed.service;
		const nameless = held.newContact({ external_id: '', email: 'a@x.example' });
		held.chatbot('bot').contacts.add(nameless);
		const parameters = { matchBy: 'externalIdThenEmail' };
		const { items } = await upsert([{ id: 'new', email: 'a@x.example' }], parameters);
		expect(outcomes(items)).toEqual([taken]);
		expect(items[0].json.error).not.toContain(advice);
	});
});

describe('when many want an email that a contact outside of the run has', () => {
	const many = 60;
	const rows = Array.from({ length: many }, (_, index) => ({
		id: `p-${index}`,
		email: 'owner@x.example',
	}));

	beforeEach(() => {
		addPeople(many + 2);
		store().addContact('bot', { external_id: 'owner', email: 'owner@x.example' });
	});

	it('each is sent once', async () => {
		const { items } = await upsert(rows);
		expect(outcomes(items)).toEqual(rows.map(() => taken));
		expect(patches()).toHaveLength(many);
	});

	it('another one gets it, and the rest is refused, when the owner gives it up', async () => {
		const giver = { id: 'owner', email: 'new@x.example' };
		const { items } = await upsert([...rows, giver]);
		const [last, ...others] = outcomes(items).reverse();
		expect(last).toBe('updated');
		expect(others.filter((outcome) => outcome === 'updated')).toHaveLength(1);
		expect(new Set(others)).toEqual(new Set(['updated', taken]));
		expect(patches().length).toBeLessThanOrEqual(2 * many + 1);
	});
});

it.each([
	[2, true],
	[3, true],
	[2, false],
])(
	'fails with the words of the service when %i contacts swap (Stop mode: %s)',
	async (count, stops) => {
		addPeople(count + 1);
		const rows: Row[] = Array.from({ length: count }, (_, index) => ({
			id: `p-${index}`,
			email: addressOf((index + 1) % count),
		}));
		const input = [...rows, { id: `p-${count}`, name: 'Untouched by it' }];

		const { items, error } = await testbed.run(byColumns, { input, ...(stops ? {} : goOn) });

		if (stops) expect(error?.message).toBe(taken);
		else expect(outcomes(items)).toEqual([...rows.map(() => taken), 'updated']);
		// In Stop mode, too, the refusal ends the run only after all others are written.
		expect(stored(`p-${count}`)?.name).toBe('Untouched by it');
		expect(patches()).toHaveLength(count + 1);
		expect(rows.map(({ id }) => stored(id as string)?.email)).toEqual(
			rows.map((_, index) => addressOf(index)),
		);
	},
);

it('sends few requests when hundreds of emails are shifted by one row', async () => {
	const count = 200;
	addPeople(count);
	const rows = Array.from({ length: count }, (_, index) => ({
		id: `p-${index}`,
		email: addressOf(index + 1),
	}));
	const { items } = await upsert(rows);
	expect(new Set(outcomes(items))).toEqual(new Set(['updated']));
	// Each update is refused once at most, before the next contact gives its email up.
	expect(patches().length).toBeLessThanOrEqual(2 * count);
});

it('sends no more when they are shifted in no order', async () => {
	const count = 60;
	addPeople(count);
	const rows = Array.from({ length: count }, (_, index) => (index * 23) % count).map((index) => ({
		id: `p-${index}`,
		email: addressOf(index + 1),
	}));
	const { items } = await upsert(rows);
	expect(new Set(outcomes(items))).toEqual(new Set(['updated']));
	expect(patches().length).toBeLessThanOrEqual(2 * count);
});
