import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { useTestbed } from '../testbed';
import { byColumns, goOn, idsIn, outcomes, type Row } from './rows';

/** Batches that the service refuses because of a few contacts in them. */
const testbed = useTestbed({ resource: 'contact' });

const store = () => testbed.service.store;
const addOwner = () =>
	store().addContact('bot', { external_id: 'owner', email: 'taken@x.example' });
const run = async (operation: string, input: Row[], parameters: INodeParameters = {}) =>
	await testbed.run({ ...byColumns, operation, ...parameters }, { input, ...goOn });

const takenBy = (bad: readonly number[], count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `new-${index}`,
		name: 'New',
		...(bad.includes(index) && { email: 'taken@x.example' }),
	}));

const spread = Array.from({ length: 10 }, (_, index) => 100 * index + 99);

it.each(['create', 'upsert'])(
	'finds the contacts with a taken email in few requests, and creates each other once (%s)',
	async (operation) => {
		for (const bad of [spread, [0, 500], [499, 999], [0, 1, 2, 500, 501, 997, 998, 999]]) {
			testbed.reset();
			store().seedContacts('bot', 1_000);
			addOwner();
			const rows = takenBy(bad, 1000);
			const { items } = await run(operation, rows);
			const failed = items.flatMap(({ json }, index) => (json.error === undefined ? [] : [index]));
			expect(failed).toEqual(bad);
			const ids = idsIn(testbed);
			expect(ids).toHaveLength(1_001 + 1000 - bad.length);
			expect(new Set(ids).size).toBe(ids.length);
			expect(testbed.service.requests.length).toBeLessThanOrEqual(350);
		}
	},
	60_000,
);

it('does not send the second half of a refused part when the first half was accepted', async () => {
	addOwner();
	const input = takenBy([15], 16);
	await run('create', input);
	const posts = testbed.service.requests.filter(({ method }) => method === 'POST');
	// The second half is known to be bad.
	const sizes = posts.map(({ body }) => (body as { users: unknown[] }).users.length);
	expect(sizes).toEqual([16, 8, 4, 2, 1, 1]);
});

describe('an identical contact that exists already', () => {
	const ada = { id: 'a', name: 'Ada', email: 'a@x.example' };
	const others: Row[] = [
		{ id: 'b', name: 'Bea' },
		{ id: 'c', name: 'Cleo' },
	];

	const addAda = () =>
		void store().addContact('bot', { external_id: 'a', name: 'Ada', email: 'a@x.example' });

	beforeEach(addAda);

	it.each([
		['alone', [ada]],
		['in a batch that is refused', [...others, ada]],
	])('fails in Create, %s', async (_, input) => {
		const { items } = await run('create', input);
		expect(outcomes(items)).toEqual([
			...input.slice(1).map(() => 'created'),
			'A contact with this External ID exists',
		]);
	});

	it('is unchanged in Create or Update when somebody created it after the look-up', async () => {
		const { items } = await run('upsert', [ada]);
		expect(outcomes(items)).toEqual(['unchanged']);
		store().removeContact('bot', 'a');
		testbed.meanwhile('POST', addAda);
		const { items: again } = await run('upsert', [ada]);
		expect(outcomes(again)).toEqual(['unchanged']);
	});
});

it.each([
	['alone', []],
	['in a batch', [{ id: 'm', email: 'free@x.example' }]],
])('keeps the message of a refusal when the look-up after it fails (%s)', async (_, others) => {
	addOwner();
	testbed.service.faults.add({
		when: { method: 'GET', path: '/chatbots/bot/contacts/n' },
		fault: { kind: 'status', status: 403, body: { message: 'No look-ups' } },
	});
	const input = [{ id: 'n', email: 'taken@x.example' }, ...others];
	const { items } = await run('create', input);
	expect(items[0].json.error).toMatch(/^The email is taken by another contact\. /);
	expect(items[0].json.error).not.toContain('may have been created');
});

describe('a refused batch of a run that stops', () => {
	const posts = () => testbed.service.requests.filter(({ method }) => method === 'POST');

	beforeEach(() => void addOwner());

	it('leaves no contact unknown that was looked up and is missing when the refused one is found', async () => {
		const { error } = await testbed.run(
			{ ...byColumns, operation: 'create' },
			{ input: takenBy([0], 8) },
		);
		expect(posts()).toHaveLength(4);
		expect(error?.message).toBe(titleOf('409 email'));
		expect(error?.description).not.toMatch(/Done:|Unknown:|may have been created/);
	});

	describe('when the look-up of a part of it fails', () => {
		beforeEach(() => {
			const { faults } = testbed.service;
			faults.add({ when: { method: 'POST', nth: 3 }, fault: { kind: 'resetAfter' } });
			faults.add({
				when: { method: 'GET', matches: () => posts().length === 3 },
				fault: { kind: 'status', status: 403 },
			});
		});
		const runWith = async (mode = {}) =>
			await testbed.run(
				{ ...byColumns, operation: 'create' },
				{ input: takenBy([15], 16), ...mode },
			);

		it('calls only the contacts of this part unknown', async () => {
			const { error } = await runWith();
			expect(error?.description).toMatch(/ Done: items 0 to 7\. Unknown: items 8 to 11\.$/);
		});

		it('says of no other contact that it may exist when the workflow continues', async () => {
			const { items } = await runWith(goOn);
			const unclear = items.flatMap(({ json }, index) =>
				String(json.error).includes('may have been created') ? [index] : [],
			);
			expect(unclear).toEqual([8, 9, 10, 11]);
			expect(items[15].json.error).toMatch(/^Access denied|^The /);
		});
	});
});
