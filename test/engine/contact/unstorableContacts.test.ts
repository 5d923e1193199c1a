import { inSkippedTime } from '../fastTime';
import { useTestbed } from '../testbed';
import { byColumns, goOn, idsIn, type Row } from './rows';

/** A batch with contacts that the service can't store, and services that make a part of a refused batch. */
const testbed = useTestbed({ resource: 'contact' });

const rowsWith = (bad: readonly number[], count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `new-${index}`,
		name: bad.includes(index) ? 'A\0da' : 'Ada',
	}));
const heldIds = () => idsIn(testbed);
const run = async (operation: string, input: Row[]) =>
	await inSkippedTime(
		testbed.service,
		async () => await testbed.run({ ...byColumns, operation }, { input, ...goOn }),
	);
const goodIds = (bad: readonly number[], count: number) =>
	rowsWith(bad, count)
		.filter((_, index) => !bad.includes(index))
		.map(({ id }) => id)
		.sort();

describe.each(['create', 'upsert'])('one text that the service cannot store (%s)', (operation) => {
	beforeEach(() => (testbed.service.behaviour.nulInText = 'serverError'));

	it.each(['leavesNothing', 'leavesGoodOnes', 'leavesThoseBefore'] as const)(
		'fails its contact alone when a refused batch %s',
		async (refusedBatch) => {
			testbed.service.behaviour.refusedBatch = refusedBatch;
			const bad = [137];
			const { items } = await run(operation, rowsWith(bad, 1000));
			const failed = items.flatMap(({ json }, index) => (json.error === undefined ? [] : [index]));
			expect(failed).toEqual(bad);
			expect(items[137].json.error).toMatch(/invalid byte sequence/);
			expect(items[137].json.error).not.toMatch(/may have|before you run again/);
			expect(heldIds()).toEqual(goodIds(bad, 1000));
			expect(testbed.service.requests.length).toBeLessThanOrEqual(80);
		},
		60_000,
	);
});

it('sends a contact that failed alone only once', async () => {
	testbed.service.faults.add({ when: { method: 'POST' }, fault: { kind: 'status', status: 500 } });
	const { items } = await run('create', rowsWith([], 1));
	expect(items[0].json.error).toBeDefined();
	expect(testbed.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

it.each([1, 2])(
	'sends no contact once more when the look-up after such a failure fails (%i)',
	async (count) => {
		const { faults } = testbed.service;
		const failure = { kind: 'status', status: 500, handled: true } as const;
		faults.add({ when: { method: 'POST' }, fault: failure });
		faults.add({ when: { method: 'GET' }, fault: { kind: 'status', status: 403 } });
		const { items } = await run('create', rowsWith([], count));
		items.forEach(({ json }, index) =>
			expect(json.error).toContain(`Contact new-${index} may have been created.`),
		);
		expect(testbed.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
	},
);

it.each([
	['leavesGoodOnes', [200, 700]],
	['leavesGoodOnes', [0, 700]],
	['leavesThoseBefore', [200, 700]],
] as const)(
	'a service that allows equal IDs and makes a part of a refused batch gets each contact once when a refused batch %s (refused: %j)',
	async (refusedBatch, refused) => {
		Object.assign(testbed.service.behaviour, { refusedBatch, createComparesIds: false });
		testbed.service.store.addContact('bot', { external_id: 'owner', email: 'taken@x.example' });
		const input = rowsWith([], 998).map((row, index) =>
			(refused as readonly number[]).includes(index) ? { ...row, email: 'taken@x.example' } : row,
		);
		for (const operation of ['upsert', 'create']) {
			const { contacts } = testbed.service.store.chatbot('bot');
			await run(operation, input);
			expect(heldIds()).toHaveLength(1 + 996);
			expect(new Set(heldIds()).size).toBe(1 + 996);
			for (const contact of [...contacts]) {
				if (contact.external_id !== 'owner') contacts.remove(contact);
			}
		}
	},
	60_000,
);
