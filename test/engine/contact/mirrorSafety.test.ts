import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { chatbotId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { goOn, idsIn, messages, outcomes, type Row } from './rows';

/** Contacts that a mirror must not count as missing, and what it says about the others. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	const texts = { managed_by: 'text', plan: 'text', city: 'text' } as const;
	store.addAttributes('bot', { ...texts, missing_since: 'date' });
});

const contacts = () => testbed.service.store.chatbot('bot').contacts;
const attributesOf = (id: string) => contacts().find(id)?.custom_attributes;
const held = () => idsIn(testbed);

function add(id: string, attributes: IDataObject = {}, email: string | null = null) {
	const { store } = testbed.service;
	// Two contacts may have one ID here.
	store.chatbot('bot').contacts.add(
		store.newContact({
			external_id: id,
			name: id,
			email,
			custom_attributes: { managed_by: 'crm', ...attributes } as never,
		}),
	);
}

const parameters: INodeParameters = {
	operation: 'mirror',
	chatbotId,
	manage: 'tag',
	tagValue: 'crm',
	onMissing: 'delete',
	...mapped({
		external_id: '={{ $json.id }}',
		name: '={{ $json.id }}',
		email: '={{ $json.email }}',
		'custom_attributes.plan': '={{ $json.plan }}',
	}),
};
const rowsOf = (ids: string[]): Row[] => ids.map((id) => ({ id }));
const run = async (others: INodeParameters, input: Row[], options: object = {}) =>
	await testbed.run({ ...parameters, ...others }, { input, ...options });

it.each(['upsert', 'mirror'])(
	'an item fails and keeps both contacts when two have its email (%s)',
	async (operation) => {
		testbed.service.behaviour.emailUnique = false;
		add('other');
		add('one', {}, 'shared@x.example');
		add('two', {}, 'shared@x.example');
		const matchBy = 'externalIdThenEmail';
		const input = [{ id: 'new', email: 'shared@x.example' }, { id: 'other' }];
		const { items } = await run({ operation, matchBy, options: { matchBy } }, input, goOn);
		expect(outcomes(items)).toEqual(['Several contacts have this Email', 'unchanged']);
		expect(testbed.writes).toEqual([]);
	},
);

describe.each(['report', 'delete'])(
	'a contact that failing items match by email (%s)',
	(onMissing) => {
		const [one, two] = ['new-1', 'new-2'].map((id) => ({ id, email: 'a@x.example' }));
		const conflict = 'Several items want different values for one contact';

		it.each<[what: string, failing: Row[], error: string, options?: IDataObject]>([
			['contradict each other', [one, two], conflict],
			['are one ID with two values', ['free', 'pro'].map((plan) => ({ ...one, plan })), conflict],
			[
				'have a wrong value',
				[{ ...one, plan: ['pro'] }],
				"A value doesn't fit its custom attribute",
			],
			[
				'set the tag',
				[{ ...one, attributes: { managed_by: 'shop' } }],
				'Remove the tag attribute from the mapping',
			],
			[
				'would lose fields',
				[{ ...one, attributes: { moon: 'Io' } }],
				'Fields were dropped',
				{ onDroppedFields: 'error' },
			],
		])('is not missing when they %s', async (_, failing, error, options = {}) => {
			add('old', {}, 'a@x.example');
			add('other');
			const { items } = await run(
				{
					onMissing,
					options: { matchBy: 'externalIdThenEmail', ...options },
					additionalFields: { customAttributesJson: '={{ $json.attributes ?? {} }}' },
				},
				[...failing, { id: 'other' }],
				goOn,
			);
			expect(outcomes(items)).toEqual([...failing.map(() => error), 'unchanged']);
		});
	},
);

it.each([false, true])(
	'keeps contacts that share an External ID when the input lacks it (Dry Run: %s)',
	async (dryRun) => {
		['twin', 'twin', 'other', 'gone'].forEach((id) => add(id));
		const { items } = await run({ dryRun, options: { maxMissing: 5 } }, rowsOf(['other']));
		const deleted = dryRun ? 'wouldDelete' : 'deleted';
		expect(outcomes(items)).toEqual(['unchanged', 'kept', 'kept', deleted]);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(4);
	},
);

it.each([
	['in another case', 'CUST-É'],
	['with other spaces inside', 'cu st-é'],
])('does not count a contact as missing when the input has its ID %s', async (_, id) => {
	['cust-é', 'other', 'gone'].forEach((known) => add(known));
	const options = { maxMissing: 5 };
	const result = succeeded(await run({ options }, [{ id, plan: 'pro' }, { id: 'other' }]));
	// Chatbase distinguishes these IDs, so the item has a contact of its own.
	expect(outcomes(result.items)).toEqual(['created', 'unchanged', 'deleted']);
	expect(held()).toEqual(['cust-é', 'other', id].sort());
	expect(messages(result)).toContain(
		'Not counted as missing: cust-é. The input has the same External ID in another form, such as in another case or with spaces.',
	);
});

it('skips a contact when another mirror creates it between the list and the write', async () => {
	add('a');
	testbed.meanwhile('POST', () => add('new', { managed_by: 'shop' }));
	const { items } = succeeded(await run({}, [{ id: 'a' }, { id: 'new', plan: 'pro' }]));
	expect(outcomes(items)).toEqual(['unchanged', 'skipped']);
	expect(attributesOf('new')).toEqual({ managed_by: 'shop' });
	expect(testbed.writes.map(({ method }) => method)).toEqual(['POST']);
});

it('fails the item whose contact was deleted meanwhile, and the next run creates it', async () => {
	['a', 'other', 'gone'].forEach((id) => add(id));
	testbed.meanwhile('PATCH', () => contacts().remove(contacts().find('a')!));
	const parameters = { options: { maxMissing: 5 } };
	const input = [{ id: 'a', plan: 'pro' }, { id: 'other' }];
	const { items } = await run(parameters, input, goOn);
	expect(outcomes(items)).toEqual([titleOf('404 contact itself'), 'unchanged', 'kept']);

	const next = succeeded(await run(parameters, input));
	expect(outcomes(next.items)).toEqual(['created', 'unchanged', 'deleted']);
});

it('answers every item with the safety limit, also those of another mirror and those that failed', async () => {
	for (let index = 0; index < 100; index++) add(`c${index}`);
	add('theirs', { managed_by: 'shop' });
	const input = [...rowsOf(['theirs', 'c0', 'c1']), { id: 'c1', plan: 'pro' }];
	const { items } = await run({}, input, goOn);
	expect(outcomes(items)).toEqual([
		'Too many contacts are missing from the input',
		'Too many contacts are missing from the input',
		'Several items want different values for one contact',
		'Several items want different values for one contact',
	]);
	expect(testbed.writes).toEqual([]);
});

it('fails a run in which a mark fails after another one', async () => {
	['a', 'b', 'c'].forEach((id) => add(id));
	testbed.service.faults.add({
		when: { method: 'PATCH', path: '/chatbots/bot/contacts/c' },
		fault: { kind: 'status', status: 403 },
	});
	const options = { maxConcurrency: 1, maxMissing: 5 };
	const { error } = await run({ onMissing: 'mark', options }, rowsOf(['a']));
	expect(error?.message).toBe(titleOf('403'));
	expect(error?.description).toContain('could not be marked: c.');
	expect(attributesOf('b')?.missing_since).toEqual(expect.any(String));
});

it('deletes nobody when an item needs the email of a missing contact, and says why', async () => {
	add('a');
	add('gone', {}, 'gone@x.example');
	const { items } = await run(
		{ options: { maxMissing: 5 } },
		[{ id: 'a' }, { id: 'new', email: 'gone@x.example' }],
		goOn,
	);
	expect(outcomes(items)).toEqual(['unchanged', titleOf('409 email'), 'kept']);
	expect(items[1].json.error).toMatch(
		/a contact that is missing from the input may hold the email/,
	);
});

describe('when another mirror manages all matched contacts', () => {
	beforeEach(() => ['a', 'b'].forEach((id) => add(id, { managed_by: 'shop' })));
	const title = 'Another mirror manages all contacts of the input';

	it.each([[['a', 'b']], [['a', 'b', 'new']], [['a', 'b', 'new-1', 'new-2']]])(
		'fails before any write: %j',
		async (ids) => {
			const { error } = await run({}, rowsOf(ids));
			expect(error?.message).toBe(title);
			expect(testbed.writes).toEqual([]);

			const { hints } = succeeded(await run({ dryRun: true }, rowsOf(ids)));
			expect(messages({ hints }).join()).toContain(`A real run would fail: ${title}.`);
		},
	);

	it('skips them when most of the input is new', async () => {
		const { items } = succeeded(await run({}, rowsOf(['a', 'b', 'n-1', 'n-2', 'n-3'])));
		expect(outcomes(items)).toEqual(['skipped', 'skipped', 'created', 'created', 'created']);
	});
});

it('knows its tag in another spelling, and leaves it as it is', async () => {
	add('a', { managed_by: 'crm ' });
	add('b', { managed_by: '\u200bcrm' });
	const parameters = { tagValue: ' crm', options: { maxMissing: 5 } };
	const { items } = succeeded(await run(parameters, rowsOf(['a', 'new'])));
	expect(outcomes(items)).toEqual(['unchanged', 'created', 'deleted']);
	expect(attributesOf('a')).toMatchObject({ managed_by: 'crm ' });
	expect(attributesOf('new')).toMatchObject({ managed_by: 'crm' });
});
