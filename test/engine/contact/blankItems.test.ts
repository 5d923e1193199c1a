import type { IDataObject } from 'n8n-workflow';

import { emptyId } from '../../errorTexts';
import { automatic, chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn, outcomes, wholeList } from './rows';

/** Items in which every cell is blank, as a spreadsheet with empty lines has them. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const row = { external_id: 'C-1', Name: 'Ada' };
const blank: IDataObject[] = [
	{ external_id: '', Name: ' ' },
	{ row_number: 4, external_id: null, Name: '\t' },
];
const ways = [
	['automatic', automatic()],
	['manual', mapped({ external_id: '={{ $json.external_id }}', name: 'Always the same' })],
] as const;

describe.each(ways)('with %s mapping', (_, mapping) => {
	it.each(['upsert', 'create'])(
		'come out as skipped, in their places, and are counted (%s)',
		async (operation) => {
			const input = [blank[0], row, blank[1]];
			const { items, hints } = await testbed.succeed({ operation, ...mapping }, { input });
			expect(items.map(({ json }) => json.external_id)).toEqual([undefined, 'C-1', undefined]);
			for (const at of [0, 2]) expect(items[at].json).toEqual({ _sync: { action: 'skipped' } });
			expect(hints[0].message).toContain('2 skipped');
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it('fail the run if there is nothing else', async () => {
		const title = 'All items are blank';
		const { error } = await testbed.run(mapping, { input: blank });
		expect(error?.message).toBe(title);
		const { items } = await testbed.run(mapping, { input: blank, ...goOn });
		expect(outcomes(items)).toEqual([title, title]);
		expect(testbed.writes).toEqual([]);
	});

	it('are refused by Mirror, which names the Filter node', async () => {
		const mirror = { operation: 'mirror', ...wholeList, ...mapping };
		const { error } = await testbed.run(mirror, { input: [row, ...blank] });
		expect(error?.message).toBe(emptyId);
		expect(error?.description).toContain('2 items (item 1; item 2, row_number 4)');
		expect(error?.description).toContain('Filter node');
		expect(testbed.writes).toEqual([]);
	});

	it('have no cells if Extract from File dropped them', async () => {
		const { items } = await testbed.succeed(mapping, { input: [{}, row] });
		expect(outcomes(items)).toEqual(['skipped', 'created']);
	});

	it('are none if a cell is 0, or if no item has cells', async () => {
		for (const input of [[row, { external_id: '', Name: 0 }], [{}]]) {
			const { error } = await testbed.run(mapping, { input });
			expect(error?.message).toBe(emptyId);
		}
	});
});

it.each([
	['mapped', mapped({ external_id: 'C-2' })],
	['in Extra Fields JSON', { additionalFields: { extraFieldsJson: '{ "external_id": "C-2" }' } }],
])('are none if an External ID is %s', async (_, more) => {
	await testbed.succeed({ ...automatic(), ...more }, { input: [blank[0]] });
	expect(testbed.service.store.contact('bot', 'C-2')).toBeDefined();
});

it('are told in a Dry Run and counted in a summary', async () => {
	const input = [blank[0], row];
	const { items } = await testbed.succeed({ ...automatic(), options: { dryRun: true } }, { input });
	expect(outcomes(items)).toEqual(['skipped', 'wouldCreate']);

	const summary = { output: 'summary' };
	const run = await testbed.succeed({ ...automatic(), options: summary }, { input });
	expect(run.items[0].json).toMatchObject({ items: 2, created: 1, skipped: 1, failed: 0 });
});
