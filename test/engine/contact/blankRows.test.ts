import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn, messages, outcomes, wholeList } from './rows';

/** Rows of a spreadsheet in which every cell is blank. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const stored = (id: string) => testbed.service.store.contact('bot', id);

const row = { external_id: 'C-1', Name: 'Ada' };
const blank: IDataObject[] = [
	{ external_id: '', Name: ' ' },
	{ external_id: null, Name: '\t' },
	{},
];
const skipped = { _sync: { action: 'skipped', reason: 'blank row' } };

describe.each(['upsert', 'create'])('with automatic mapping (%s)', (operation) => {
	it('come out as skipped, in their places, and are counted in a hint', async () => {
		const input = [blank[0], row, blank[1], blank[2]];
		const { items, hints } = await testbed.succeed({ operation, ...automatic() }, { input });
		expect(items[1].json.external_id).toBe('C-1');
		for (const at of [0, 2, 3]) expect(items[at].json).toEqual(skipped);
		expect(items.map(({ pairedItem }) => pairedItem)).toMatchObject(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(messages({ hints })).toEqual([
			expect.stringMatching(/^1 contact created\. 3 blank rows were skipped\. \d API requests?\.$/),
		]);
		expect(stored('C-1')).toBeDefined();
	});

	it('fail the run if there is nothing else', async () => {
		const { error } = await testbed.run({ operation, ...automatic() }, { input: blank });
		expect(error?.message).toBe('The input has only blank rows');
		const { items } = await testbed.run({ operation, ...automatic() }, { input: blank, ...goOn });
		expect(outcomes(items)).toEqual(blank.map(() => 'The input has only blank rows'));
		expect(testbed.writes).toEqual([]);
	});

	it('are none if a cell is 0 or false', async () => {
		const input = [row, { external_id: '', Name: 0 }];
		const { error } = await testbed.run({ operation, ...automatic() }, { input });
		expect(error?.message).toBe('External ID is empty');
	});
});

it('are told in a Dry Run and counted in a summary', async () => {
	const options: INodeParameters = { dryRun: true };
	const input = [blank[0], row];
	const { items, hints } = await testbed.succeed({ ...automatic(), options }, { input });
	expect(outcomes(items)).toEqual(['skipped', 'wouldCreate']);
	expect(hints[0].message).toBe(
		'Nothing was written. A real run would create 1 contact. 1 blank row was skipped.',
	);

	const summary = { output: 'summary' };
	const run = await testbed.succeed({ ...automatic(), options: summary }, { input });
	expect(run.items[0].json).toMatchObject({ items: 2, created: 1, skipped: 1, failed: 0 });

	const changes = { output: 'changes' };
	const again = await testbed.succeed({ ...automatic(), options: changes }, { input });
	expect(again.items).toEqual([]);
});

it('are no blank rows with manual mapping', async () => {
	const fields = mapped({ external_id: '={{ $json.external_id }}' });
	const { error } = await testbed.run(fields, { input: [row, blank[0]] });
	expect(error?.message).toBe('External ID is empty');
});

it('are each refused by Mirror, which skips nobody', async () => {
	const input = [row, blank[0], blank[2]];
	const mirror = { operation: 'mirror', ...wholeList, ...automatic() };
	const { error } = await testbed.run(mirror, { input });
	expect(error?.message).toBe('The input has blank rows');
	expect(error?.description).toMatch(
		/blank in items 1, 2\. .*Remove blank rows with a Filter node/,
	);
	expect(testbed.writes).toEqual([]);
});
