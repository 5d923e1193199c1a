/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';

import { propertyRuns } from '../../propertyRuns';
import type { Behaviour } from '../../../service';
import { byId, useTestbed } from '../testbed';

/** Random histories and inputs: the promises hold for all of them. */
const testbed = useTestbed({ resource: 'contact' });

const chatbotId = byId('bot');
const ids = Array.from({ length: 40 }, (_, index) => `id/${index}`);
const settings = propertyRuns(10);
const testTimeout = 120_000;

const behaviour: fc.Arbitrary<Partial<Behaviour>> = fc.record({
	attributesOnPatch: fc.constantFrom('merge' as const, 'replace' as const),
	createReply: fc.constantFrom('data' as const, 'created' as const),
	missingFields: fc.constantFrom('null' as const, 'absent' as const),
	contactOrder: fc.constantFrom('oldestFirst' as const, 'newestFirst' as const),
	timestampUnit: fc.constantFrom('seconds' as const, 'milliseconds' as const),
});

const value = {
	name: fc.constantFrom('Ada', 'Bea', '2026-09-01', '42', '<b>Zoë</b>\n'),
	phonenumber: fc.constantFrom('+49 30 1', '0301'),
	plan: fc.constantFrom('free', 'pro'),
	seats: fc.constantFrom(0, 5, -1.5),
	active: fc.boolean(),
	since: fc.constantFrom('2026-09-01', '2026-09-01T08:30:00Z'),
};
const attributeNames = ['plan', 'seats', 'active', 'since'] as const;

type Fields = Partial<Record<keyof typeof value, string | number | boolean>>;

const fields: fc.Arbitrary<Fields> = fc.record(value, { requiredKeys: [] });
const people = (maxLength: number) =>
	fc
		.uniqueArray(fc.constantFrom(...ids), { maxLength })
		.chain((chosen) => fc.tuple(...chosen.map((id) => fc.tuple(fc.constant(id), fields))));

const attributesOf = (given: Fields) =>
	Object.fromEntries(
		attributeNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
	);

function furnish(switches: Partial<Behaviour>, contacts: Array<[string, Fields]>) {
	testbed.reset();
	const { service } = testbed;
	Object.assign(service.behaviour, switches);
	service.store.addAttributes('bot', {
		plan: 'text',
		seats: 'number',
		active: 'boolean',
		since: 'date',
	});
	service.store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	for (const [external_id, given] of contacts) {
		const { name, phonenumber } = given as { name?: string; phonenumber?: string };
		service.store.addContact('bot', {
			external_id,
			...(name !== undefined && { name }),
			...(phonenumber !== undefined && { phonenumber }),
			custom_attributes: { ...attributesOf(given), old: 'kept' } as never,
		});
	}
}

/** The contacts of the service, without the values that it sets. */
const held = () =>
	new Map(
		[...testbed.service.store.chatbot('bot').contacts].map((contact) => {
			const { name, phonenumber, custom_attributes: attributes } = contact;
			const present = Object.entries(attributes ?? {}).filter(([, entry]) => entry !== null);
			const since = attributes?.since;
			return [
				contact.external_id,
				{
					name: name ?? undefined,
					phonenumber: phonenumber ?? undefined,
					...Object.fromEntries(present),
					...(since !== undefined && since !== null && { since: Date.parse(String(since)) }),
				},
			];
		}),
	);

const asHeld = (given: Fields) => ({
	...given,
	...(given.since !== undefined && { since: Date.parse(String(given.since)) }),
});

it(
	'an upsert writes the wanted values and nothing else',
	async () => {
		await fc.assert(
			fc.asyncProperty(behaviour, people(25), people(25), async (switches, before, input) => {
				furnish(switches, before);
				const former = held();
				const run = async () =>
					await testbed.run(
						{
							operation: 'upsert',
							chatbotId,
							contactFields: { mappingMode: 'autoMapInputData', value: null, schema: [] },
						},
						{ input: input.map(([external_id, given]) => ({ external_id, ...given })) },
					);
				const { items, error } = input.length > 0 ? await run() : { items: [], error: undefined };
				expect(error).toBeUndefined();
				expect(testbed.illegal).toEqual([]);

				const expected = new Map<string, object>(former);
				for (const [id, given] of input) {
					const existing: object = former.get(id) ?? { name: undefined, phonenumber: undefined };
					// A service that replaces attributes drops archived ones, which can't be sent.
					const { old, ...rest } = existing as { old?: string };
					const loses = switches.attributesOnPatch === 'replace';
					const differs = Object.entries(attributesOf(asHeld(given))).some(
						([name, entry]) => (existing as Record<string, unknown>)[name] !== entry,
					);
					expected.set(id, {
						...rest,
						...(old !== undefined && !(loses && differs) && { old }),
						...asHeld(given),
					});
				}
				expect(held()).toEqual(expected);
				expect(items.map(({ json }) => json.external_id)).toEqual(input.map(([id]) => id));

				testbed.service.clearRequests();
				const again = input.length > 0 ? await run() : { items: [] };
				expect(testbed.service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
				for (const { json } of again.items) {
					expect(json._sync).toEqual({ action: 'unchanged' });
				}
			}),
			settings,
		);
	},
	testTimeout,
);

it(
	'an upsert makes exactly the requests of its plan',
	async () => {
		const sizes = fc.record({
			known: fc.nat({ max: 60 }),
			unknown: fc.nat({ max: 5 }),
			changed: fc.nat({ max: 9 }),
		});
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 2400 }), sizes, async (total, input) => {
				furnish({ contactOrder: 'oldestFirst' }, []);
				const { store, requests } = testbed.service;
				store.seedContacts('bot', total);
				const known = [...store.chatbot('bot').contacts].slice(-input.known);
				const rows = [
					...(input.known === 0 ? [] : known).map(({ external_id, name }, index) => ({
						external_id,
						name: index < input.changed ? `${name} changed` : name,
					})),
					...Array.from({ length: input.unknown }, (_, index) => ({
						external_id: `new-${index}`,
						name: 'New',
					})),
				];
				fc.pre(rows.length > 0);
				await testbed.succeed(
					{
						operation: 'upsert',
						chatbotId,
						contactFields: {
							mappingMode: 'defineBelow',
							value: { external_id: '={{ $json.external_id }}', name: '={{ $json.name }}' },
							schema: [],
						},
					},
					{ input: rows as never },
				);

				const pages = Math.max(1, Math.ceil(total / 1000));
				const onPage = Array.from({ length: pages }, () => 0);
				const positions = new Map(
					[...store.chatbot('bot').contacts].map(({ external_id }, index) => [external_id, index]),
				);
				for (const { external_id } of rows.slice(0, rows.length - input.unknown)) {
					onPage[Math.floor(positions.get(external_id)! / 1000)]++;
				}
				let missing = rows.length;
				let pagesRead = 0;
				if (rows.length > 1) {
					do missing -= onPage[pagesRead++];
					while (pagesRead < pages && missing > 0 && pages - pagesRead <= missing);
				}
				const single = rows.length === 1 || pagesRead < pages ? missing : 0;
				const changed = Math.min(input.changed, rows.length - input.unknown);
				const planned = pagesRead + single + changed + Math.ceil(input.unknown / 1000);
				expect(requests).toHaveLength(planned);
			}),
			settings,
		);
	},
	testTimeout,
);

it(
	'Return All equals the store or fails when contacts change between pages',
	async () => {
		const event = fc.record({
			atRequest: fc.integer({ min: 1, max: 12 }),
			what: fc.constantFrom('add' as const, 'remove' as const, 'edit' as const),
			position: fc.nat({ max: 60 }),
		});
		const histories = fc.record({
			count: fc.nat({ max: 60 }),
			pageSize: fc.integer({ min: 10, max: 25 }),
			maxConcurrency: fc.integer({ min: 1, max: 5 }),
			events: fc.array(event, { maxLength: 4 }),
		});
		let complete = 0;
		let failed = 0;
		await fc.assert(
			fc.asyncProperty(behaviour, histories, async (switches, history) => {
				furnish(switches, []);
				const { service } = testbed;
				const { store } = service;
				store.seedContacts('bot', history.count);
				const book = store.chatbot('bot').contacts;
				const kinds = new Set<string>();
				const stopListening = service.onRequest(({ number }) => {
					for (const { what, position } of history.events.filter((e) => e.atRequest === number)) {
						const contact = [...book][position];
						if (what === 'add')
							store.addContact('bot', { external_id: `added-${number}-${position}-${book.size}` });
						else if (contact && what === 'remove') store.removeContact('bot', contact.external_id);
						else if (contact) book.change(contact, { name: 'Edited' });
						kinds.add(what);
					}
				});
				const { items, error } = await testbed.run({
					operation: 'getAll',
					chatbotId,
					returnAll: true,
					options: { pageSize: history.pageSize, maxConcurrency: history.maxConcurrency },
				});
				stopListening();
				if (error) {
					expect(error.message).toBe('The contact list could not be read completely');
					failed++;
					return;
				}
				// One addition and one removal can hide a contact that moved, as the README says.
				if (kinds.has('add') && kinds.has('remove')) return;
				const read = items.map(({ json }) => json.external_id as string).sort();
				expect(read).toEqual([...book].map(({ external_id }) => external_id).sort());
				complete++;
			}),
			propertyRuns(30),
		);
		expect(complete).toBeGreaterThan(0);
		process.stdout.write(`lists under change: ${complete} complete, ${failed} failed honestly\n`);
	},
	testTimeout,
);
