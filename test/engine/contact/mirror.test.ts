import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { emptyId } from '../../errorTexts';
import { automatic, mapped } from '../parameters';
import { byId, byName, succeeded, type Testbed, useTestbed } from '../testbed';
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

		it('are kept when another mirror tags them', async () => {
			testbed.meanwhile('POST', () => change(marked('shop')));
			const result = succeeded(await run({}, ['a', 'b', 'new']));
			expect(actionsOf(result)[3]).toEqual(['c', 'kept']);
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

	it('names the attributes that a real run creates', async () => {
		const parameters = { options: { tagAttribute: byName('managed_by') } };
		expect((await hintsOf(parameters, ['a']))[0]).toContain('Attributes to create: managed_by.');
		expect((await run(parameters, ['a'])).hints).toHaveLength(1);
	});
});

describe("input that can't be the complete list is refused before any write", () => {
	afterEach(() => expect(testbed.writes).toEqual([]));

	it('an item whose External ID in Extra Fields JSON is blank', async () => {
		const additionalFields = { extraFieldsJson: '={{ $json.extra ?? {} }}' };
		const blank = { id: 'b', extra: { external_id: ' ' } };
		const { items } = await testbed.run(
			{ ...byMark, additionalFields },
			{ input: [{ id: 'a' }, blank], ...goOn },
		);
		expect(outcomes(items)).toEqual([emptyId, emptyId]);
	});

	it('the lone empty item of Always Output Data', async () => {
		const byHand = await testbed.run(byMark, { input: [{}] });
		expect(byHand.error?.message).toBe(emptyId);
		const byNames = await testbed.run({ ...byMark, ...automatic() }, { input: [{}] });
		expect(byNames.error?.message).toBe(emptyId);
		for (const { error } of [byHand, byNames]) {
			expect(error?.description).toMatch(/turn off (its )?Always Output Data/i);
		}
	});
});

describe('what another operation returns', () => {
	beforeEach(() => {
		testbed.service.store.addChatbot({ id: 'second' });
		add('a', marked());
	});

	const inARow = async (first: INodeParameters, second: INodeParameters) =>
		await testbed.engine.runWorkflow({
			nodes: [
				{ name: 'First', parameters: { resource: 'contact', ...byMark, ...first } },
				{ name: 'Second', parameters: { resource: 'contact', ...byMark, ...second } },
			],
			input: rows('a'),
		});
	const second = { chatbotId: byId('second') };

	it('is the list of a mirror, after Get Many', async () => {
		const { nodes } = await inARow(
			{ operation: 'getAll', returnAll: true },
			{ ...second, manage: 'all', ...automatic() },
		);
		expect(actionsOf(succeeded(nodes.Second))).toEqual([['a', 'created']]);
	});

	it('can be updated elsewhere, after a mirror has deleted it', async () => {
		add('gone', marked());
		testbed.service.store.addContact('second', { external_id: 'gone' });
		const { nodes } = await inARow(
			{},
			{
				...second,
				operation: 'update',
				contactId: byId('={{ $json.external_id }}'),
				...mapped({ name: 'New' }),
				options: { onNotFound: 'mark' },
			},
		);
		succeeded(nodes.Second);
		expect(testbed.service.store.contact('second', 'gone')?.name).toBe('New');
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
