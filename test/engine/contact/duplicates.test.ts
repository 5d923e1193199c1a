/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type INodeParameters, sleep } from 'n8n-workflow';

import { outcomeTexts } from '../../../nodes/Chatbase/api/errorTexts';
import { inSkippedTime } from '../fastTime';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { byColumns, goOn, messages, outcomes, type Row } from './rows';

/** Several items of one run about the same contact. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

beforeEach(() => {
	testbed.service.store.addAttributes('bot', { plan: 'text', city: 'text' });
});

const store = () => testbed.service.store;
const stored = (id: string) => store().contact('bot', id);
const conflict = 'Several items want different values for one contact';

it('refuses two items of one contact that differ, and names the contact', async () => {
	store().addContact('bot', { external_id: 'a', name: 'Old' });
	const input = ['Ada', 'Bea', 'Eve'].map((name, index) => ({ id: 'aba'[index], name }));
	const { items } = await testbed.run(byColumns, { input, ...goOn });
	expect(outcomes(items)).toEqual([conflict, 'created', conflict]);
	for (const { json } of [items[0], items[2]]) {
		expect(json.error).toContain('Contact a: Its items have different values for name.');
	}
	expect(stored('a')?.name).toBe('Old');
});

it('names items without an External ID by their email, and an item by its row', async () => {
	store().addContact('bot', { external_id: 'a', email: 'ada@x.example' });
	const input = ['Ada', 'Bea'].map((name, index) => ({
		row_number: index + 2,
		email: 'ada@x.example',
		name,
	}));
	const { items } = await testbed.run(byColumns, { input, ...goOn });
	expect(items[1].json.error).toContain(
		'Item 1, row_number 3: The items with the Email ada@x.example have different values for name.',
	);
});

it('does not call two spellings of one External ID different ones', async () => {
	const input = [
		{ id: '7001', name: 'Ada' },
		{ id: '7001 ', name: 'Bea' },
	];
	const { items } = await testbed.run(byColumns, { input, ...goOn });
	expect(items[0].json.error).toContain('Contact 7001: Its items have different values for name.');
	expect(items[0].json.error).not.toContain('External IDs differ');
});

describe("when the attributes of the chatbot can't be listed", () => {
	const withSeats = mapped({
		external_id: '={{ $json.id }}',
		'custom_attributes.seats': '={{ $json.seats }}',
	});
	const run = async (parameters: INodeParameters, input: Row[], mode = {}) =>
		await inSkippedTime(
			testbed.service,
			async () => await testbed.run({ chatbotId, ...parameters }, { input, ...mode }),
		);
	const failed = outcomeTexts['5xx'].title;

	beforeEach(() => {
		const when = { path: '/chatbots/bot/custom-attributes' };
		testbed.service.faults.add({ when, fault: { kind: 'status', status: 500 } });
	});

	it.each<[string, INodeParameters, Row]>([
		['sets', withSeats, { id: 'a', seats: 0 }],
		[
			'protects',
			{ ...byColumns, options: { setOnlyIfEmpty: '={{ $json.keep }}' } },
			{ id: 'a', keep: ['custom_attributes.plan'] },
		],
	])('an item fails alone that %s one', async (_, parameters, row) => {
		const input = [row, { id: 'b', keep: [] }, { id: 'a', keep: [] }];
		const { items } = await run(parameters, input, goOn);
		expect(outcomes(items)).toEqual([failed, 'created', 'created']);
	});

	it('writes nothing when an item sets an attribute and failures end the run', async () => {
		const { error } = await run(withSeats, [{ id: 'b' }, { id: 'a', seats: 0 }]);
		expect(error?.message).toBe(failed);
		expect(testbed.writes).toEqual([]);
	});
});

it('writes equal items once and answers each', async () => {
	const input = [
		{ id: 'a', name: 'Ada' },
		{ id: 'b', name: 'Bea' },
		{ id: 'a', name: 'Ada' },
	];
	const plan = await testbed.run({ ...byColumns, options: { dryRun: true } }, { input });
	expect(messages(plan)[0]).toContain('2 contacts would be created.');

	const { items, hints } = await testbed.run(byColumns, { input });
	expect(hints[0].message).toMatch(/^2 contacts created\./);
	expect(outcomes(items)).toEqual(['created', 'created', 'created']);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(testbed.writes.map(({ body }) => (body as { users: unknown[] }).users.length)).toEqual([
		2,
	]);
});

it('names two items with one email by their IDs when both match one contact by it', async () => {
	store().addContact('bot', { external_id: 'old', email: 'ada@x.example' });
	const input = ['a', 'b'].map((id) => ({ id, email: 'ada@x.example' }));
	const matchBy = 'externalIdThenEmail';
	const { items } = await testbed.run({ ...byColumns, matchBy }, { input, ...goOn });
	for (const { json } of items) {
		expect(json.error).toContain(
			'They match one contact by Email, though their External IDs differ (a, b).',
		);
	}
});

it.each(['create', 'upsert'])(
	"does not create an ID twice when n8n's batches both have it (%s)",
	async (operation) => {
		const input = Array.from({ length: 6 }, (_, index) => ({ id: `p-${index % 3}`, name: 'Ada' }));
		const { items } = await testbed.succeed(
			{
				...byColumns,
				operation,
				requestOptions: { batching: { batch: { batchSize: 3, batchInterval: 1 } } },
			},
			{ input },
		);
		expect(items).toHaveLength(6);
		expect(store().chatbot('bot').contacts.size).toBe(3);
		expect(testbed.writes).toHaveLength(1);
	},
);

it.each(['upsert', 'create'])(
	'gives a short error when 1,000 rows with one ID differ (%s)',
	async (operation) => {
		const input = Array.from({ length: 1_000 }, (_, index) => ({
			id: 'a',
			name: `Name ${index}`,
		}));
		const { items } = await testbed.run({ ...byColumns, operation }, { input, ...goOn });
		expect(new Set(outcomes(items))).toEqual(new Set([conflict]));
		const longest = Math.max(...items.map(({ json }) => String(json.error).length));
		expect(longest).toBeLessThan(300);
		expect(testbed.service.requests).toEqual([]);
	},
	60_000,
);

it('uses little memory for 2,000 errors', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: 'a', name: `Name ${index}` }));
	await testbed.run(byColumns, { input: [{ id: 'warm', name: 'Up' }] });
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	const { items, run } = await testbed.run(byColumns, { input: rows, ...goOn });
	let megabytes = Infinity;
	// While V8 compiles a function in the background, it keeps what the function held. No event tells when it is done.
	for (let looks = 0; looks < 50 && megabytes >= 12; looks++) {
		await sleep(100);
		collectGarbage();
		megabytes = Math.round((process.memoryUsage().heapUsed - before) / 1e6);
	}
	process.stdout.write(`2,000 rows with one ID: ${megabytes} MB with all that n8n saves\n`);
	expect(items).toHaveLength(rows.length);
	expect(run).toBeDefined();
	expect(megabytes).toBeLessThan(12);
}, 60_000);
