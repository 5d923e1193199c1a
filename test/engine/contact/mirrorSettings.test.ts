import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { byName, useTestbed } from '../testbed';

/** What a mirror says about its limits and attributes, and what the next nodes get. */
const testbed = useTestbed({ resource: 'contact', operation: 'mirror' });

beforeEach(
	() => void testbed.service.store.addAttribute('bot', { name: 'managed_by', type: 'text' }),
);

const parameters: INodeParameters = {
	chatbotId,
	tagValue: 'crm',
	onMissing: 'delete',
	...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.id }}' }),
};

function addMany(count: number): string[] {
	const ids = Array.from({ length: count }, (_, index) => `c${index}`);
	for (const id of ids) {
		testbed.service.store.addContact('bot', {
			external_id: id,
			name: id,
			custom_attributes: { managed_by: 'crm' } as never,
		});
	}
	return ids;
}

const rows = (ids: string[]) => ids.map((id) => ({ id }));
const run = async (more: INodeParameters, ids: string[]) =>
	await testbed.run({ ...parameters, ...more }, { input: rows(ids) });

it('says in error, dry run and hint when the 10% limit is off', async () => {
	const ids = addMany(100);
	const options = { maxMissing: '20' };
	const off = 'The 10% limit is off.';
	const failing = await run({ options }, ids.slice(21));
	expect(failing.error?.description).toContain(
		`21 of 100 managed contacts are missing (limit: 20). ${off}`,
	);
	const over = await run({ options, dryRun: true }, ids.slice(21));
	expect(over.hints[0].message).toContain(off);
	const dry = await run({ options, dryRun: true }, ids.slice(20));
	expect(dry.hints[0].message).toContain(off);
	const real = await run({ options }, ids.slice(20));
	expect(real.hints[0].message).toMatch(
		new RegExp(`^80 contacts unchanged, 20 deleted \\(c0, c1, c2, c3, c4 …\\)\\. .*${off}$`),
	);
});

it('keeps the order of the input in a Dry Run, with missing contacts after it', async () => {
	const ids = addMany(8);
	testbed.service.store.addContact('bot', { external_id: 'free', name: 'Free' });
	const input = [...ids.slice(1, 4), 'free', 'new', ...ids.slice(4)];

	const { items } = await run({ dryRun: true }, input);

	const actions: IDataObject = { free: 'wouldUpdate', new: 'wouldCreate' };
	expect(items.map(({ json }) => [json.external_id, (json._sync as IDataObject).action])).toEqual([
		...input.map((id) => [id, actions[id] ?? 'unchanged']),
		['c0', 'wouldDelete'],
	]);
	expect(items.map(({ pairedItem }) => (pairedItem as { item?: number }).item)).toEqual([
		...input.keys(),
		undefined,
	]);
});

describe('the attributes of tag and date', () => {
	it.each([false, true])('need a name that is possible, with Dry Run %s', async (dryRun) => {
		// Attributes from JSON are looked up while the items are read.
		const more = { dryRun, additionalFields: { customAttributesJson: '{ "plan": "pro" }' } };
		const tag = await run({ ...more, options: { tagAttribute: byName('managed by') } }, ['a']);
		expect(tag.error?.message).toBe('Tag Attribute is not valid');
		const since = { onMissing: 'mark', missingSinceAttribute: byName('1st') };
		const date = await run({ ...more, ...since }, ['a']);
		expect(date.error?.message).toBe('Missing Since Attribute is not valid');
		const both = { ...since, missingSinceAttribute: byName('managed_by') };
		const same = await run({ ...more, ...both }, ['a']);
		expect(same.error?.message).toBe('Tag and date have the same attribute');
		expect(testbed.service.requests).toEqual([]);
	});

	it('are named in the error when one can not be created', async () => {
		testbed.service.faults.add({
			when: { method: 'POST', path: '/chatbots/bot/custom-attributes' },
			fault: { kind: 'status', status: 403 },
		});
		const { error } = await run({ options: { tagAttribute: byName('made_by') } }, ['a']);
		expect(error?.description).toContain('The custom attribute "made_by" could not be created.');
		expect(testbed.writes).toHaveLength(1);
	});

	it.each([true, false])(
		'are never made beside one with the same name in another case (Dry Run: %s)',
		async (dryRun) => {
			testbed.service.store.addContact('bot', {
				external_id: 'a',
				name: 'Of another mirror',
				custom_attributes: { managed_by: 'shop' },
			});
			const options = { tagAttribute: byName('Managed_By') };
			const { error } = await run({ dryRun, options }, ['a', 'b']);
			expect(error?.message).toBe('Tag Attribute cannot be used');
			expect(error?.description).toContain('"managed_by"');
			expect(testbed.writes).toEqual([]);
		},
	);

	it('is the usual one when Tag Attribute was added and left empty', async () => {
		const { items } = await run({ options: { tagAttribute: byName('') } }, ['a']);
		expect(items[0].json.custom_attributes).toEqual({ managed_by: 'crm' });
	});
});

it.each([
	[{ tagValue: '={{ "" }}' }, 'Tag is empty', 'Enter a name for this mirror, such as crm.'],
	[
		{ manage: 'idPrefix', idPrefix: '={{ "" }}' },
		'ID Prefix is empty',
		'Enter the start of the External IDs in your input, such as crm-.',
	],
])('says what to enter when a field is empty: %j', async (more, title, advice) => {
	const { error } = await run(more, ['a']);
	expect(error?.message).toBe(title);
	expect(error?.description).toBe(`Item 0: ${advice}`);
	expect(testbed.service.requests).toEqual([]);
});

it('does not count a contact of the input among those that it does not manage', async () => {
	const [own] = addMany(1);
	for (const id of ['listed', 'free']) testbed.service.store.addContact('bot', { external_id: id });
	const { hints } = await run({ dryRun: true }, [own, 'listed']);
	expect(hints[0].message).toContain("1 unchanged, 1 other isn't managed by this mirror.");
});
