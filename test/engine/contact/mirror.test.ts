import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../parameters';
import { byName, succeeded, type Testbed, useTestbed } from '../testbed';
import { byColumns, goOn, idsIn, messages, outcomes, taggedMirror } from './rows';

const testbed = useTestbed({ resource: 'contact' });

beforeEach(
	() =>
		void testbed.service.store.addAttributes('bot', { source: 'text', gone: 'date', plan: 'text' }),
);

const byMark = { ...taggedMirror, ...byColumns };
/** The parameters of a mirror, with further options. */
const withOptions = (options: IDataObject) =>
	({ options: { ...byMark.options, ...options } }) as INodeParameters;
/** Most of the few contacts of a test may be missing. */
const lifted = withOptions({ maxMissing: 30 });
const marked = (mark = 'crm', others: IDataObject = {}) => ({ source: mark, ...others }) as never;

function add(id: string, custom_attributes: IDataObject = {}, name = id) {
	testbed.service.store.addContact('bot', {
		external_id: id,
		name,
		custom_attributes: custom_attributes as never,
	});
}

const rows = (...ids: string[]) => ids.map((id) => ({ id, name: id }));
const run = async (
	parameters: INodeParameters,
	ids: string[],
	options: Partial<Parameters<Testbed['run']>[1]> = {},
) =>
	await testbed.run(
		{ ...byMark, ...parameters, ...withOptions((parameters.options ?? {}) as IDataObject) },
		{ input: rows(...ids), ...options },
	);
const held = () => idsIn(testbed);
const markOf = (id: string) =>
	testbed.service.store.chatbot('bot').contacts.find(id)?.custom_attributes?.source;
const actionsOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	items.map(({ json }) => [json.external_id, (json._sync as IDataObject).action]);

describe('contacts that the mirror tags', () => {
	it('are those of the input after the first run, which deletes none', async () => {
		['a', 'b', 'c'].forEach((id) => add(id));
		const result = await run({}, ['a', 'b', 'new']);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual([
			['a', 'updated'],
			['b', 'updated'],
			['new', 'created'],
		]);
		expect(held()).toEqual(['a', 'b', 'c', 'new']);
		expect(['a', 'b', 'c', 'new'].map(markOf)).toEqual(['crm', 'crm', undefined, 'crm']);
	});

	it('are deleted last and returned whole, without a paired item, when missing', async () => {
		['a', 'b', 'c'].forEach((id) => add(id, marked('crm', { plan: 'pro' })));
		add('other', marked('shop'));
		add('nobody');
		const result = await run({}, ['a', 'b', 'new']);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual([
			['a', 'unchanged'],
			['b', 'unchanged'],
			['new', 'created'],
			['c', 'deleted'],
		]);
		expect(result.items[3]).toMatchObject({
			json: { external_id: 'c', custom_attributes: { plan: 'pro', source: 'crm' } },
		});
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
			[],
		]);
		expect(held()).toEqual(['a', 'b', 'new', 'nobody', 'other']);
		expect(testbed.writes.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
	});

	it('are skipped when another mirror tagged them, also in the input and by email', async () => {
		add('a', marked());
		add('theirs', marked('shop'), 'Theirs');
		testbed.service.store.addContact('bot', {
			external_id: 'byMail',
			email: 'x@example.com',
			custom_attributes: marked('shop'),
		});
		const result = await testbed.run(
			{ ...byMark, ...withOptions({ matchBy: 'externalIdThenEmail' }) },
			{ input: [{ id: 'a' }, { id: 'theirs' }, { id: 'x', email: 'X@example.com' }] },
		);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual([
			['a', 'unchanged'],
			['theirs', 'skipped'],
			['byMail', 'skipped'],
		]);
		expect(testbed.writes).toEqual([]);
	});

	it.each(['source', 'made_by'])(
		'are not deleted when an item sets the tag attribute, also one to be created (%s)',
		async (name) => {
			['a', 'b'].forEach((id) => add(id, marked()));
			const { items } = await testbed.run(
				{
					...byMark,
					...withOptions({ tagAttribute: byName(name) }),
					...mapped({ external_id: '={{ $json.id }}', [`custom_attributes.${name}`]: 'mine' }),
				},
				{ input: rows('a'), ...goOn },
			);
			expect(items[0].json.error).toMatch(/^Remove the tag attribute from the mapping/);
			expect(held()).toEqual(['a', 'b']);
		},
	);
});

describe('contacts that are managed without a tag', () => {
	it('are those with the prefix', async () => {
		['crm-1', 'crm-2', 'web-1'].forEach((id) => add(id));
		const result = await run({ manage: 'idPrefix', idPrefix: 'crm-' }, ['crm-1']);
		expect(result.error).toBeUndefined();
		expect(held()).toEqual(['crm-1', 'web-1']);
		expect(markOf('crm-1')).toBeUndefined();
	});

	it('refuse the run before any request when an item lacks the prefix', async () => {
		const result = await run({ manage: 'idPrefix', idPrefix: 'crm-' }, ['crm-1', 'web-1']);
		expect(result.error?.message).toBe('An External ID lacks the ID Prefix');
		expect(testbed.sent).toEqual([]);
	});
});

describe('missing contacts', () => {
	beforeEach(() => ['a', 'b', 'c'].forEach((id) => add(id, marked())));

	it('are only reported by default', async () => {
		// A parameter that was never touched has its default.
		const parameters = Object.fromEntries(
			Object.entries(byMark).filter(([name]) => name !== 'onMissing'),
		) as INodeParameters;
		const result = await testbed.run(parameters, { input: rows('a') });
		expect(actionsOf(result)).toEqual([
			['a', 'unchanged'],
			['b', 'missing'],
			['c', 'missing'],
		]);
		expect(testbed.writes).toEqual([]);
	});

	it('are marked with a date once, and cleared when they return', async () => {
		const parameters = { onMissing: 'mark', missingSinceAttribute: byName('gone') };
		const first = await run(parameters, ['a', 'b']);
		expect(actionsOf(first)[2]).toEqual(['c', 'marked']);
		const date = (first.items[2].json.custom_attributes as IDataObject).gone as string;
		expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000);
		testbed.service.clearRequests();
		const second = await run(parameters, ['a', 'b']);
		expect(actionsOf(second)).toEqual([
			['a', 'unchanged'],
			['b', 'unchanged'],
		]);
		expect(testbed.writes).toEqual([]);
		expect(second.hints[0].message).toContain('1 marked before');
		const dry = await run({ ...parameters, dryRun: true }, ['a', 'b']);
		expect(dry.hints[0].message).toContain('1 marked before');
		// The date is also cleared if the user protects it.
		const options = { setOnlyIfEmpty: ['custom_attributes.gone'] };
		const third = await run({ ...parameters, options }, ['a', 'b', 'c']);
		expect(actionsOf(third)[2]).toEqual(['c', 'updated']);
		expect(third.hints[0].message).not.toContain('marked before');
		const { custom_attributes: attributes } = testbed.service.store
			.chatbot('bot')
			.contacts.find('c')!;
		expect(attributes.gone ?? null).toBeNull();
		expect(attributes.source).toBe('crm');
	});

	describe('that others change during the run', () => {
		const contacts = () => testbed.service.store.chatbot('bot').contacts;
		const change = (custom_attributes: IDataObject) =>
			void contacts().change(contacts().find('c')!, { custom_attributes } as never);
		const remove = () => void contacts().remove(contacts().find('c')!);
		const replace = () => {
			remove();
			add('c', marked());
		};

		it.each<[string, () => void, string, string]>([
			['count as deleted when they are gone after the list', remove, 'POST', 'deleted'],
			['count as deleted when they are gone at their deletion', remove, 'DELETE', 'deleted'],
			['are kept when another mirror tags them', () => change(marked('shop')), 'POST', 'kept'],
			['are kept when another one gets their ID', replace, 'POST', 'kept'],
		])('%s', async (_, happen, when, action) => {
			testbed.meanwhile(when, happen);
			const result = succeeded(await run({}, ['a', 'b', 'new']));
			expect(actionsOf(result)[3]).toEqual(['c', action]);
			expect(held().includes('c')).toBe(action === 'kept');
		});

		it('keep a date that somebody sets', async () => {
			const gone = '2020-01-01T00:00:00.000Z';
			testbed.meanwhile('POST', () => change({ source: 'crm', gone }));
			const parameters = { onMissing: 'mark', missingSinceAttribute: byName('gone') };
			succeeded(await run(parameters, ['a', 'b', 'new']));
			expect(contacts().find('c')?.custom_attributes).toMatchObject({ gone });
			expect(testbed.writes.map(({ method }) => method)).toEqual(['POST']);
		});
	});

	it.each(['all', 'summary'])(
		'are all in the output when a deletion fails after another (%s)',
		async (output) => {
			testbed.service.faults.add({
				when: { method: 'DELETE', path: '/chatbots/bot/contacts/c' },
				fault: { kind: 'status', status: 403 },
			});
			const options = { maxMissing: 30, maxConcurrency: 1, output };
			const { items, hints } = succeeded(await run({ options }, ['a']));
			if (output === 'all') {
				expect(outcomes(items)).toEqual(['unchanged', 'deleted', 'kept']);
			} else {
				const counts = { items: 1, unchanged: 1, deleted: 1, kept: 1, failed: 0 };
				expect(items.map(({ json }) => json)).toEqual([expect.objectContaining(counts)]);
			}
			expect(held()).toEqual(['a', 'c']);
			expect(messages({ hints })).toContain('1 missing contact could not be deleted: c.');
		},
	);

	it('fail the run when the first deletion fails', async () => {
		testbed.service.faults.add({
			when: { method: 'DELETE' },
			fault: { kind: 'status', status: 403 },
		});
		const result = await run(lifted, ['a']);
		expect(result.error?.message).toBe('Access denied or quota used up');
		expect(result.error?.description).toMatch(/could not be deleted: b(, c)?\. /);
		expect(held()).toEqual(['a', 'b', 'c']);
	});
});

describe('the safety limit', () => {
	const many = Array.from({ length: 200 }, (_, index) => `c${index}`);

	beforeEach(() => many.forEach((id) => add(id, marked())));

	it('writes nothing and says what to do when too many are missing', async () => {
		const result = await run({}, [...many.slice(0, 170), 'new']);
		expect(result.error?.message).toBe('Too many contacts are missing from the input');
		expect(result.error?.description).toMatch(
			/^30 of 200 managed contacts are missing \(limit: 10%\)\. Missing are c170, c171/,
		);
		expect(result.error?.description).toContain('set Max Missing Contacts to 30');
		expect(testbed.writes).toEqual([]);
	});

	it('never allows all contacts, whatever Max Missing Contacts is', async () => {
		const result = await run({ options: { maxMissing: 1000 } }, ['new']);
		expect(result.error?.message).toBe('All managed contacts are missing from the input');
		expect(result.error?.description).toContain(
			"One run can't mark or delete all of them. To delete all, use the operation Delete.",
		);
		expect(testbed.writes).toEqual([]);
	});

	it('shows the contacts in a Dry Run when too many are missing', async () => {
		const result = await run({ dryRun: true }, many.slice(0, 100));
		expect(result.error).toBeUndefined();
		expect(actionsOf(result).filter(([, action]) => action === 'wouldDelete')).toHaveLength(100);
		const summary = await run({ dryRun: true, options: { output: 'summary' } }, many.slice(0, 100));
		expect(summary.items[0].json).toMatchObject({ deleted: 100, overLimit: true, dryRun: true });
		expect(testbed.writes).toEqual([]);
	});

	it('refuses another number of items than expected before any request', async () => {
		const result = await run({ options: { expectedItems: 200 } }, many.slice(0, 199));
		expect(result.error?.message).toBe('The input has an unexpected length');
		expect(testbed.sent).toEqual([]);
		expect((await run({ options: { expectedItems: 200 } }, many)).error).toBeUndefined();
	});

	it('counts an item that could not be read among the expected ones', async () => {
		const { items } = await testbed.run(
			{ ...byMark, onMissing: 'report', ...withOptions({ expectedItems: 2 }) },
			{ input: [{ id: 'c0' }, { id: 'c1', name: ['x'] }], ...goOn },
		);
		expect(outcomes(items).slice(0, 2)).toEqual(['unchanged', 'Name is not text']);
	});

	it('fails when the list is incomplete', async () => {
		testbed.service.faults.add({
			when: { method: 'GET', path: '/chatbots/bot/contacts' },
			fault: {
				kind: 'status',
				status: 200,
				body: {
					message: 'Success',
					data: [{ id: '1', external_id: 'c0' }],
					total: 200,
					pages: { page: 1, per_page: 1000, total_pages: 1 },
				},
			},
		});
		const result = await run({}, many);
		expect(result.error?.message).toBe('The contact list could not be read completely');
		expect(testbed.writes).toEqual([]);
	});
});

describe('the hint of a Dry Run', () => {
	const hintsOf = async (parameters: INodeParameters, ids: string[]) =>
		messages(await run({ dryRun: true, ...parameters }, ids));

	it('names what happens to missing contacts by the choice of the user', async () => {
		add('a', marked());
		add('b', marked());
		const endings = {
			delete: '1 would be deleted (b)',
			mark: '1 would be marked (b)',
			report: '1 missing (b)',
		};
		for (const [onMissing, words] of Object.entries(endings)) {
			const [told] = await hintsOf({ onMissing, missingSinceAttribute: byName('gone') }, ['a']);
			expect(told).toContain(`Nothing was written. 1 contact unchanged, ${words}.`);
		}
	});

	it('says that a real run would fail when too many are missing', async () => {
		const ids = Array.from({ length: 200 }, (_, index) => `c${index}`);
		ids.forEach((id) => add(id, marked()));
		const failing = 'Nothing was written. A real run would fail:';
		expect((await hintsOf({}, ids.slice(0, 100)))[0]).toContain(
			`${failing} 100 of 200 managed contacts are missing (limit: 10%).`,
		);
		expect((await hintsOf({}, ['new']))[0]).toContain(
			`${failing} 200 of 200 managed contacts are missing (limit: all).`,
		);
	});

	it('names the attributes that a real run creates', async () => {
		const parameters = { options: { tagAttribute: byName('managed_by') } };
		expect((await hintsOf(parameters, ['a']))[0]).toContain('Attributes to create: managed_by.');
		expect((await run(parameters, ['a'])).hints).toHaveLength(1);
	});
});

describe("input that can't be the complete list is refused before any write", () => {
	afterEach(() => expect(testbed.writes).toEqual([]));

	it.each([
		['Contact Fields', { id: ' ' }],
		['Contact Fields', { id: '\u00a0' }],
		['Extra Fields JSON', { id: 'b', extra: { external_id: ' ' } }],
	])('an item whose External ID in %s is blank, when the workflow continues', async (_, row) => {
		const { items } = await testbed.run(
			{
				...byMark,
				additionalFields: { extraFieldsJson: '={{ $json.extra ?? {} }}' },
				...withOptions({ onFailedItems: 'finish' }),
			},
			{ input: [{ id: 'a' }, row], ...goOn },
		);
		expect(outcomes(items)).toEqual(['External ID is empty', 'External ID is empty']);
	});

	it('the lone empty item of Always Output Data', async () => {
		const byHand = await testbed.run(byMark, { input: [{}] });
		expect(byHand.error?.message).toBe('External ID is empty');
		const byNames = await testbed.run({ ...byMark, ...automatic() }, { input: [{}] });
		expect(byNames.error?.message).toBe('External ID is empty');
		for (const { error } of [byHand, byNames]) {
			expect(error?.description).toMatch(/turn off (its )?Always Output Data/i);
		}
	});

	it('Execute Once', async () => {
		const result = await run({}, ['a', 'b'], { nodeSettings: { executeOnce: true } });
		expect(result.error?.message).toBe('Mirror does not work with Execute Once');
	});

	it('a tool', async () => {
		const { records, error } = await testbed.callTool(
			{ ...byMark, ...mapped({ external_id: "={{ $fromAI('id', '', 'string') }}" }) },
			{ id: 'a' },
		);
		expect(error).toBeUndefined();
		expect(records).toEqual([
			{ error: expect.stringMatching(/^Mirror does not work as a tool/) as string },
		]);
	});
});

describe('the attributes of a mirror', () => {
	it('are created by the first real run, and by no dry run, when the chatbot lacks them', async () => {
		const parameters = { options: { tagAttribute: byName('managed_by') }, onMissing: 'report' };
		await run({ ...parameters, dryRun: true }, ['a']);
		expect(testbed.writes).toEqual([]);
		const result = await run(parameters, ['a']);
		expect(result.items[0].json).toMatchObject({ custom_attributes: { managed_by: 'crm' } });
		const second = await run(parameters, ['a']);
		expect(actionsOf(second)).toEqual([['a', 'unchanged']]);
	});

	it('are no dropped field of an item that already has the tag', async () => {
		const custom_attributes = { managed_by: 'crm' };
		const { items } = await testbed.succeed(
			{
				...byMark,
				...automatic(),
				options: { tagAttribute: byName('managed_by'), onDroppedFields: 'error' },
			},
			{ input: [{ external_id: 'a', custom_attributes }] },
		);
		expect(items[0].json).toMatchObject({ _sync: { action: 'created' }, custom_attributes });
	});

	it('are sent with the other values of a contact, without archived ones', async () => {
		testbed.service.store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
		add('a', { plan: 'pro', old: 'kept' });
		await run({}, ['a']);
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ data: { custom_attributes: { plan: 'pro', source: 'crm' } } },
		]);
	});

	it.each([
		['of another type', 'gone', 'has the type date'],
		// Words of the node: those of the service would come after a write.
		['archived', 'old', "is archived and can't get values."],
		['not listed by the service', 'source', 'does not list attributes'],
	])('are refused when one is %s', async (what, name, words) => {
		const { store, behaviour } = testbed.service;
		store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
		if (what.startsWith('not')) behaviour.endpoints = 'withoutAttributeList';
		const { error } = await run({ options: { tagAttribute: byName(name) } }, ['a']);
		expect(error?.message).toBe('Tag Attribute cannot be used');
		expect(error?.description?.replace('&#39;', "'")).toContain(words);
		expect(testbed.writes).toEqual([]);
	});
});
