import type { Behaviour } from '../../../service';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn, outcomes } from './rows';

/** A service that ignores the case of External IDs, and one that does not. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(
	() => void testbed.service.store.addAttribute('bot', { name: 'managed_by', type: 'text' }),
);

const byColumns = {
	chatbotId,
	...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
};
const behave = (behaviour: Partial<Behaviour>) =>
	Object.assign(testbed.service.behaviour, behaviour);
const add = (external_id: string, name = 'Ada') =>
	testbed.service.store.addContact('bot', { external_id, name });
const run = async (rows: Array<[id: string, name: string]>, more: object = {}) =>
	await testbed.run(
		{ operation: 'upsert', ...byColumns, ...more },
		{ input: rows.map(([id, name]) => ({ id, name })), ...goOn },
	);
const writes = () => testbed.service.requests.filter(({ method }) => method !== 'GET');
const reads = () =>
	testbed.sent.map(([line]) => line).filter((line) => /contacts\//.test(String(line)));
const contacts = () =>
	[...testbed.service.store.chatbot('bot').contacts].map(({ external_id, name }) => [
		external_id,
		name,
	]);

const foldings: Array<Partial<Behaviour>> = [
	{ externalIdCase: 'lower' },
	{ externalIdMatch: 'folded' },
	{ externalIdCase: 'lower', createExisting: 'upsert' },
];

describe.each(foldings)('a service with %j', (behaviour) => {
	beforeEach(() => behave(behaviour));

	it.each<[string, object]>([
		['upsert', {}],
		['upsert by email', { matchBy: 'externalIdThenEmail' }],
		['mirror', { operation: 'mirror', manage: 'all', onMissing: 'delete' }],
	])('costs %s one read and no write when the spelling differs', async (_, more) => {
		['k-1', 'k-2', 'k-3'].forEach((id) => add(id));
		for (const rows of [
			['K-1', 'K-2', 'k-3'],
			['K-1', 'K-2', 'k-3'],
		]) {
			testbed.service.clearRequests();
			const { items, error } = await run(
				rows.map((id) => [id, 'Ada']),
				more,
			);
			expect(error).toBeUndefined();
			expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
			expect(writes()).toEqual([]);
			expect(reads()).toHaveLength(1);
		}
	});

	it('patches a single contact only when it differs', async () => {
		add('k-1');
		expect(outcomes((await run([['K-1', 'Ada']])).items)).toEqual(['unchanged']);
		expect(outcomes((await run([['K-1', 'Eve']])).items)).toEqual(['updated']);
		expect(writes().map(({ body }) => body)).toEqual([{ data: { name: 'Eve' } }]);
		expect(contacts()).toEqual([['k-1', 'Eve']]);
	});

	it('creates contacts once, and writes nothing the next night', async () => {
		const rows: Array<[string, string]> = [
			['K-1', 'Ada'],
			['K-2', 'Eve'],
		];
		const { items } = await run(rows);
		expect(outcomes(items)).toEqual(['created', 'created']);
		expect(items.flatMap(({ json }) => (json._sync as { dropped?: [] }).dropped ?? [])).toEqual([]);
		testbed.service.clearRequests();
		expect(outcomes((await run(rows)).items)).toEqual(['unchanged', 'unchanged']);
		expect(writes()).toEqual([]);
	});

	it.each<[string, string, unknown[], number]>([
		['writes a contact once when both want the same', 'Eve', ['updated', 'updated'], 0],
		['writes a contact of a long list once', 'Eve', ['updated', 'updated'], 3000],
		['refuses both when they differ', 'Bob', ['refused', 'refused'], 0],
	])('%s', async (_, other, expected, others) => {
		for (let index = 0; index < others; index++) add(`c-${index}`);
		add('k-1');
		const { items } = await run([
			['K-1', 'Eve'],
			['k-1', other],
		]);
		const title = 'Several items want different values for one contact';
		expect(outcomes(items).map((outcome) => (outcome === title ? 'refused' : outcome))).toEqual(
			expected,
		);
		expect(writes()).toHaveLength(other === 'Eve' ? 1 : 0);
	});

	it('creates a contact once, and fails the other item, when two spellings of its ID are new', async () => {
		const { items } = await run([
			['K-1', 'Eve'],
			['k-1', 'Bob'],
			['K-2', 'Ann'],
		]);
		const refused = 'Two items have one External ID for the service';
		// A service that updates existing contacts has the values that came last.
		const isLastKept = behaviour.createExisting === 'upsert';
		const both = isLastKept ? [refused, 'created'] : ['created', refused];
		expect(outcomes(items)).toEqual([...both, 'created']);
		expect(contacts().map(([, name]) => name)).toEqual([isLastKept ? 'Bob' : 'Eve', 'Ann']);
	});
});

describe('a service that distinguishes the case', () => {
	it('has two contacts for two spellings, also in one run', async () => {
		const rows: Array<[string, string]> = [
			['K-1', 'Eve'],
			['k-1', 'Bob'],
		];
		expect(outcomes((await run(rows)).items)).toEqual(['created', 'created']);
		expect(contacts()).toEqual(rows);
		testbed.service.clearRequests();
		expect(outcomes((await run(rows)).items)).toEqual(['unchanged', 'unchanged']);
		expect(testbed.service.requests).toHaveLength(1);
	});

	it('is asked once, and gets a new contact', async () => {
		['k-1', 'k-2'].forEach((id) => add(id));
		const { items } = await run([
			['K-1', 'Eve'],
			['K-2', 'Eve'],
			['k-1', 'Ada'],
		]);
		expect(outcomes(items)).toEqual(['created', 'created', 'unchanged']);
		expect(contacts()).toHaveLength(4);
	});
});
