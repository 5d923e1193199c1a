/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { Contact } from '../../../service';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { attributeField, settle } from './people';
import { goOn } from './rows';
import { contactSwitches } from './switches';

/**
 * Create or Update with IDs and addresses that are equal and that clash, items that fail, options of all kinds, and
 * other writers, under every switch of the service that is about contacts.
 */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const ids = ['a', 'b', 'c', '1', 'x/y'];
const emails = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'];
const either = <Value extends string | number | boolean>(...values: Value[]) =>
	fc.constantFrom(...values);

const person = fc.record({
	name: fc.option(either('Ada', 'Bea')),
	email: fc.option(either(...emails)),
	plan: fc.option(either('free', 'pro')),
	seats: fc.option(either(0, 5)),
	active: fc.option(fc.boolean()),
	team: fc.option(either('red', 'blue')),
	old: fc.option(either('kept')),
});
const row = fc.record(
	{
		id: either(...ids, 'd', 'e', 'f', 'g', 'h', ''),
		email: fc.constantFrom(...emails, 'A@X.example', '', null),
		name: fc.constantFrom('Ada', 'Bea', '', null),
		plan: fc.constantFrom('free', 'pro', '', null),
		seats: fc.constantFrom(0, 5, '5', 5, 0, 'many', null),
		active: fc.constantFrom(true, 'false', null),
	},
	{ requiredKeys: [] },
);
const options = fc.record(
	{
		customAttributesMode: either('merge', 'replace'),
		emptyValues: either('ignore', 'clear'),
		setOnlyIfEmpty: fc.subarray([
			'name',
			'email',
			'custom_attributes.plan',
			'custom_attributes.seats',
		]),
		maxConcurrency: either(1, 5),
	},
	{ requiredKeys: [] },
);
const scene = fc.record({
	behaviour: contactSwitches,
	before: fc.uniqueArray(fc.tuple(either(...ids), person), {
		selector: ([id]) => id,
		maxLength: 5,
	}),
	input: fc.array(row, { minLength: 1, maxLength: 6 }),
	options,
	matchBy: either('externalId', 'externalIdThenEmail'),
	/** Numbers of requests at which somebody else adds a contact. */
	others: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

const fields = mapped(
	{
		external_id: '={{ $json.id }}',
		email: '={{ $json.email }}',
		name: '={{ $json.name }}',
		'custom_attributes.plan': '={{ $json.plan }}',
		'custom_attributes.seats': '={{ $json.seats }}',
		'custom_attributes.active': '={{ $json.active }}',
	},
	[
		attributeField('plan', 'string'),
		attributeField('seats', 'number'),
		attributeField('active', 'options', [{ name: 'True', value: 'true' }]),
	],
);

function furnish({ behaviour, before }: Scene) {
	testbed.reset();
	const { service } = testbed;
	Object.assign(service.behaviour, behaviour);
	const { store } = service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', team: 'text' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	settle(service, before);
}

async function run({ options: given, matchBy, others }: Scene, input: Scene['input']) {
	const { service } = testbed;
	const stopListening = service.onRequest(({ number }) => {
		others
			.filter((at) => at === number)
			.forEach(() => {
				const external_id = `other-${service.store.chatbot('bot').contacts.size}`;
				service.store.addContact('bot', { external_id, name: 'Other' });
			});
	});
	const result = await testbed.run(
		{ chatbotId, ...fields, matchBy, options: given },
		{ input: input as never, ...goOn },
	);
	stopListening();
	return result;
}

/** Every contact by its internal ID, without times. */
function held(): Map<string, Partial<Contact>> {
	return new Map(
		[...testbed.service.store.chatbot('bot').contacts].map((contact) => {
			const { id, updated_at, created_at, ...rest } = structuredClone(contact);
			void [updated_at, created_at];
			return [id, { ...rest, name: rest.name || null, email: rest.email || null }];
		}),
	);
}

const hasFailed = ({ json }: INodeExecutionData) => json.error !== undefined;
const hasAddress = (email: unknown) => (contact: Partial<Contact>) =>
	contact.email?.toLowerCase() === String(email).toLowerCase();
const byExternalId = (contacts: Map<string, Partial<Contact>>) =>
	[...contacts.values()]
		.filter(({ external_id: id }) => !id!.startsWith('other-'))
		.sort((one, other) => (one.external_id! < other.external_id! ? -1 : 1));

it('writes the wanted values, no other contact, and does not depend on failures', async () => {
	let succeeded = 0;
	let failed = 0;
	await fc.assert(
		fc.asyncProperty(scene, async (drawn) => {
			const { input } = drawn;
			const mode = drawn.options.customAttributesMode ?? 'merge';
			const keep = new Set(drawn.options.setOnlyIfEmpty ?? []);
			const clears = drawn.options.emptyValues === 'clear';

			furnish(drawn);
			const before = held();
			const { items, error } = await run(drawn, input);
			expect(error).toBeUndefined();
			expect(testbed.illegal).toEqual([]);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
			const after = held();

			const touched = new Set<string>();
			items.forEach((item, index) => {
				if (hasFailed(item)) return void failed++;
				succeeded++;
				const asked = input[index];
				const contactId = String(item.json.id);
				const [internalId, contact] = [...after].find(
					([id, { external_id }]) => id === contactId || external_id === item.json.external_id,
				)!;
				const former = before.get(internalId);
				touched.add(internalId);
				// No item gets the contact of another.
				if (asked.id) expect(contact.external_id).toBe(asked.id);
				else expect(former?.email?.toLowerCase()).toBe(asked.email?.toLowerCase());
				const isEmpty = (value: unknown) => value === null || value === '' || value === undefined;
				for (const name of ['name', 'email'] as const) {
					const wanted = asked[name];
					const had = former?.[name] ?? null;
					const isMentioned = clears || !isEmpty(wanted);
					const stays = !isMentioned || (keep.has(name) && !isEmpty(had));
					const expected = stays ? had : isEmpty(wanted) ? null : wanted;
					expect(contact[name]?.toLowerCase() ?? null).toBe(expected?.toLowerCase() ?? null);
				}
				const mentioned = (['plan', 'seats', 'active'] as const).filter(
					(name) => clears || !isEmpty(asked[name]),
				);
				for (const name of ['plan', 'seats', 'active', 'team'] as const) {
					const had = former?.custom_attributes?.[name] ?? null;
					const isMentioned = (mentioned as string[]).includes(name);
					const isCleared = mode === 'replace' && mentioned.length > 0;
					const wanted = name === 'team' ? undefined : asked[name];
					const kept = keep.has(`custom_attributes.${name}`) && had !== null;
					const expected =
						kept || !(isMentioned || isCleared)
							? had
							: isEmpty(wanted) || !isMentioned
								? null
								: name === 'seats'
									? Number(wanted)
									: name === 'active'
										? String(wanted) === 'true'
										: wanted;
					expect([name, contact.custom_attributes?.[name] ?? null]).toEqual([name, expected]);
				}
			});
			for (const [id, contact] of before) {
				if (!touched.has(id)) expect(after.get(id)).toEqual(contact);
			}
			for (const [id, { external_id }] of after) {
				expect(before.has(id) || touched.has(id) || external_id!.startsWith('other-')).toBe(true);
			}
			expect(new Set([...after.values()].map(({ external_id }) => external_id)).size).toBe(
				after.size,
			);

			// A second run writes nothing. (If two contacts can have one email, another contact with it
			// makes it ambiguous.)
			const good = input.filter((_, index) => !hasFailed(items[index]));
			const lasting = good.filter(
				({ id, email }) => id || [...after.values()].filter(hasAddress(email)).length === 1,
			);
			if (lasting.length > 0) {
				testbed.service.clearRequests();
				const again = await run(drawn, lasting);
				expect(again.items.filter(hasFailed)).toEqual([]);
				expect(testbed.service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
			}

			// As without the failed items. (But no other item gets an ID or email of a failed item, if it
			// would get it by its address.)
			if (drawn.matchBy === 'externalIdThenEmail') return;
			furnish(drawn);
			if (good.length > 0) {
				const without = await run(drawn, good);
				expect(without.items.filter(hasFailed)).toEqual([]);
			}
			expect(byExternalId(held())).toEqual(byExternalId(after));
		}),
		propertyRuns(25),
	);
	expectSeen({ succeeded, failed });
	process.stdout.write(`upserts: ${succeeded} items succeeded, ${failed} failed by themselves\n`);
}, 240_000);

it('treats an item alone as among unrelated items', async () => {
	await fc.assert(
		fc.asyncProperty(scene, fc.integer({ min: 1, max: 30 }), async (drawn, count) => {
			const quiet = { ...drawn, others: [] };
			const [first] = drawn.input;
			furnish(quiet);
			const alone = await run(quiet, [first]);
			const expected = byExternalId(held());
			furnish(quiet);
			const strangers = Array.from({ length: count }, (_, index) => ({
				id: `other-${index}`,
				name: 'Other',
			})) as never[];
			const among = await run(quiet, [...strangers, first]);
			expect(among.items.map(hasFailed)).toEqual([
				...strangers.map(() => false),
				hasFailed(alone.items[0]),
			]);
			expect(among.items[count].json._sync).toEqual(alone.items[0].json._sync);
			expect(byExternalId(held())).toEqual(expected);
		}),
		propertyRuns(25),
	);
}, 240_000);
