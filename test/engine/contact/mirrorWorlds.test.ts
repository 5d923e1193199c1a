/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { Behaviour } from '../../../service';
import type { RunResult } from '../harness';
import { mapped } from '../parameters';
import { byId, succeeded, useTestbed } from '../testbed';

/** Random worlds: several mirrors on one chatbot, failing items, changing lists, other writers. */
const testbed = useTestbed({ resource: 'contact', operation: 'mirror' });

const ids = Array.from({ length: 15 }, (_, index) =>
	index % 3 === 0 ? `crm-${index}` : `p${index}`,
);
const attribute = (value: string) => ({ __rl: true, mode: 'name', value });

interface Person {
	id: string;
	name: string;
	mark?: string;
	gone?: string;
	plan?: string;
}

const person = (id: string): fc.Arbitrary<Person> =>
	fc.record(
		{
			id: fc.constant(id),
			name: fc.constantFrom('Ada', 'Bea', 'Zoë'),
			mark: fc.constantFrom('crm', 'crm', 'crm', 'crm', 'shop', ''),
			gone: fc.constantFrom('2026-09-01T00:00:00.000Z'),
			plan: fc.constantFrom('free', 'pro'),
		},
		{ requiredKeys: ['id', 'name', 'mark'] },
	);
const people = fc
	.uniqueArray(fc.constantFrom(...ids), { minLength: 2, maxLength: 15 })
	.chain((chosen) => fc.tuple(...chosen.map(person)) as fc.Arbitrary<Person[]>);

const row = fc.record({
	id: fc.constantFrom(...ids, 'new-1', 'new-2'),
	name: fc.constantFrom('Ada', 'Bea'),
	plan: fc.constantFrom('free', 'pro', ''),
	// Text for a date fails an item before any request, a taken email when it is written.
	fault: fc.constantFrom('', '', '', '', '', '', 'type', 'address'),
});
const list = fc.oneof(
	// Two items for one contact, equal or not, can be in any list.
	fc.array(row, { minLength: 1, maxLength: 15 }),
	...Array.from({ length: 3 }, () =>
		fc
			.uniqueArray(row, { minLength: 1, maxLength: 15, selector: ({ id }) => id })
			.map((rows) => rows.map((entry) => ({ ...entry, fault: '' }))),
	),
);

const behaviour: fc.Arbitrary<Partial<Behaviour>> = fc.record({
	attributesOnPatch: fc.constantFrom('merge' as const, 'replace' as const),
	missingFields: fc.constantFrom('null' as const, 'absent' as const),
	createReply: fc.constantFrom('data' as const, 'created' as const),
	timestampUnit: fc.constantFrom('seconds' as const, 'milliseconds' as const),
	emailCase: fc.constantFrom('asSent' as const, 'lower' as const),
	clearedText: fc.constantFrom('null' as const, 'empty' as const),
	emailUnique: fc.constantFrom(true, true, false),
	createExisting: fc.constantFrom('conflict' as const, 'upsert' as const),
	contactPathId: fc.constantFrom('external' as const, 'externalOrInternal' as const),
	nullInWrite: fc.constantFrom('clears' as const, 'clears' as const, 'badRequest' as const),
	issues: fc.constantFrom('contactsFamily' as const, 'everywhere' as const, 'never' as const),
	contactOrder: fc.constantFrom('oldestFirst' as const, 'newestFirst' as const),
	createBatch: fc.constantFrom('atomic' as const, 'upToFirstBad' as const),
	deleteReply: fc.constantFrom('contact' as const, 'empty' as const),
	pageBeyondEnd: fc.constantFrom('badRequest' as const, 'empty' as const, 'lastPage' as const),
});

const settings = fc.record({
	manage: fc.constantFrom('tag' as const, 'idPrefix' as const, 'all' as const),
	onMissing: fc.constantFrom(...(['report', 'mark', 'mark', 'mark', 'delete', 'delete'] as const)),
	onTooManyMissing: fc.constantFrom('error' as const, 'leave' as const),
	// The usual limit refuses most of these lists.
	maxMissing: fc.constantFrom(undefined, undefined, 0, 2, 30, 30, 30, 30),
	customAttributesMode: fc.constantFrom('merge' as const, 'replace' as const),
	dryRun: fc.constantFrom(false, false, false, false, false, false, true, 'yes'),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	onFailedItems: fc.constantFrom('stop' as const, 'finish' as const),
});
type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Settings = ValueOf<typeof settings>;
type Row = ValueOf<typeof list>[number];

/** Writes of others during the run, at the request with this number. */
const meddling = fc.array(
	fc.record({
		atRequest: fc.integer({ min: 1, max: 8 }),
		what: fc.constantFrom('remove' as const, 'takeOver' as const, 'add' as const),
		id: fc.constantFrom(...ids),
	}),
	{ maxLength: 2 },
);

type Meddling = ValueOf<typeof meddling>;
type World = [Partial<Behaviour>, Person[], Row[], Settings, Meddling];

/** A world in which a contact is marked or deleted for certain: few others have one. */
const certain = (onMissing: 'mark' | 'delete'): World => [
	{},
	['p1', 'p2'].map((id) => ({ id, name: 'Ada', mark: 'crm' })),
	[{ id: 'p1', name: 'Bea', plan: 'pro', fault: '' }],
	{
		manage: 'tag',
		onMissing,
		onTooManyMissing: 'error',
		maxMissing: 2,
		customAttributesMode: 'merge',
		dryRun: false,
		onError: 'stopWorkflow',
		onFailedItems: 'stop',
	},
	[],
];

function furnish(switches: Partial<Behaviour>, before: Person[]) {
	testbed.reset();
	const { service } = testbed;
	Object.assign(service.behaviour, switches);
	const { store } = service;
	store.addAttributes('bot', { source: 'text', gone: 'date', plan: 'text', since: 'date' });
	store.addContact('bot', { external_id: 'holder', email: 'taken@example.com' });
	for (const { id, name, mark, gone, plan } of before) {
		store.addContact('bot', {
			external_id: id,
			name,
			custom_attributes: {
				...(mark && { source: mark }),
				...(gone && { gone }),
				...(plan && { plan }),
			} as never,
		});
	}
}

function parametersOf(chosen: Settings): INodeParameters {
	const { manage, onMissing, onTooManyMissing, maxMissing, customAttributesMode, dryRun } = chosen;
	return {
		chatbotId: byId('bot'),
		manage,
		tagValue: 'crm',
		idPrefix: 'crm-',
		onMissing,
		missingSinceAttribute: attribute('gone'),
		dryRun,
		...mapped(
			{
				external_id: '={{ $json.id }}',
				name: '={{ $json.name }}',
				email: '={{ $json.fault === "address" ? "taken@example.com" : "" }}',
				'custom_attributes.plan': '={{ $json.plan }}',
				'custom_attributes.since': '={{ $json.fault === "type" ? "never" : "" }}',
			},
			[
				{ id: 'custom_attributes.plan', type: 'string' },
				{ id: 'custom_attributes.since', type: 'dateTime' },
			],
		),
		options: {
			onTooManyMissing,
			customAttributesMode,
			onFailedItems: chosen.onFailedItems,
			tagAttribute: attribute('source'),
			...(maxMissing !== undefined && { maxMissing }),
		},
	} as INodeParameters;
}

interface Held {
	name?: string | null;
	source?: unknown;
	gone?: unknown;
	plan?: unknown;
}

const held = () =>
	new Map(
		[...testbed.service.store.chatbot('bot').contacts].map(
			({ external_id, name, custom_attributes: attributes }): [string, Held] => [
				external_id,
				{
					name,
					source: attributes?.source ?? undefined,
					gone: attributes?.gone ?? undefined,
					plan: attributes?.plan ?? undefined,
				},
			],
		),
	);

/** Others who add, remove and claim contacts while the node runs. Returns the IDs that they touched. */
function meddle(others: Meddling): { touched: Set<string>; stop: () => void } {
	const { service } = testbed;
	const touched = new Set<string>();
	const stop = service.onRequest(({ number }) => {
		for (const { what, id } of others.filter(({ atRequest }) => atRequest === number)) {
			const { contacts } = service.store.chatbot('bot');
			const contact = contacts.find(id);
			touched.add(id);
			if (what === 'add' && !contact) service.store.addContact('bot', { external_id: id });
			else if (contact && what === 'remove') contacts.remove(contact);
			else if (contact) {
				contacts.change(contact, {
					custom_attributes: { ...contact.custom_attributes, source: 'shop' },
				});
			}
		}
	});
	return { touched, stop };
}

const writes = () => testbed.service.requests.filter(({ method }) => method !== 'GET');

/** A run of a mirror, and what became of the contacts that were there before. */
interface Played {
	chosen: Settings;
	input: Row[];
	former: Map<string, Held>;
	after: Map<string, Held>;
	result: RunResult;
	/** IDs that others touched meanwhile. */
	touched: Set<string>;
	gone: string[];
	marked: string[];
	hasFailed: boolean;
	isManaged(id: string): boolean;
	/** Whether the contact belongs to another tool, so that the mirror leaves it alone. */
	isForeign(id: string): boolean;
}

/** In how many worlds it happened: each in one of 15 at least, or in an example. */
const seen = { deleted: 0, marked: 0, refused: 0, failed: 0, clean: 0 };

const run = async (chosen: Settings, input: Row[]) =>
	await testbed.run(parametersOf(chosen), {
		input: input as never,
		nodeSettings: { onError: chosen.onError },
	});

async function play(chosen: Settings, input: Row[], others: Meddling): Promise<Played> {
	const former = held();
	const { touched, stop } = meddle(others);
	const result = await run(chosen, input);
	stop();
	const after = held();
	const untouched = [...former.keys()].filter((id) => !touched.has(id));
	const gone = untouched.filter((id) => !after.has(id));
	const marked = untouched.filter(
		(id) => former.get(id)!.gone === undefined && after.get(id)?.gone !== undefined,
	);
	const failures = result.items.filter(({ json }) => json.error !== undefined && !json._sync);
	if (gone.length > 0) seen.deleted++;
	if (marked.length > 0) seen.marked++;
	if (result.error) seen.refused++;
	if (failures.length > 0) seen.failed++;
	const isTagged = chosen.manage === 'tag';
	return {
		chosen,
		input,
		former,
		after,
		result,
		touched,
		gone,
		marked,
		hasFailed: result.error !== undefined || failures.length > 0,
		isManaged: (id) =>
			isTagged
				? former.get(id)?.source === 'crm'
				: chosen.manage === 'all' || id.startsWith('crm-'),
		isForeign: (id) => isTagged && former.get(id)?.source === 'shop',
	};
}

function expectOnlyMissingHandled(played: Played) {
	const { chosen, input, former, touched, gone, marked, hasFailed, isManaged } = played;
	const { onMissing, maxMissing = Infinity } = chosen;
	const inInput = new Set(input.map(({ id }) => id));
	const handled = [...gone, ...marked];
	for (const id of handled) expect([isManaged(id), inInput.has(id)]).toEqual([true, false]);
	if (onMissing !== 'delete') expect(gone).toEqual([]);
	if (onMissing !== 'mark') expect(marked).toEqual([]);
	expect(handled.length).toBeLessThanOrEqual(maxMissing);
	if (hasFailed) expect(handled).toEqual([]);
	const managed = [...former.keys()].filter(isManaged);
	const isAnotherList = managed.length > 0 && managed.every((id) => !inInput.has(id));
	if (touched.size === 0 && isAnotherList) expect(handled).toEqual([]);
}

/** A contact that is neither in the input nor managed is unchanged. */
function expectOthersUnchanged({ input, former, after, touched, isManaged, isForeign }: Played) {
	const inInput = new Set(input.map(({ id }) => id));
	for (const [id, contact] of former) {
		if (touched.has(id) || (inInput.has(id) && !isForeign(id))) continue;
		if (!isManaged(id)) expect(after.get(id)).toEqual(contact);
	}
}

const actionOf = ({ json }: INodeExecutionData) => (json._sync as IDataObject | undefined)?.action;

/** Deleted contacts are whole in the output. */
function expectDeletedWhole({ result, former, gone }: Played) {
	if (result.error !== undefined) return;
	for (const id of gone) {
		const record = result.items.find(
			(item) => item.json.external_id === id && actionOf(item) === 'deleted',
		);
		expect(record).toBeDefined();
		expect(record?.json.name ?? null).toBe(former.get(id)!.name);
	}
}

/** Everything is as the input wants it, and a second run writes nothing. */
async function expectSettled({ chosen, input, after, isForeign }: Played) {
	seen.clean++;
	for (const { id, name } of input.filter((row) => !isForeign(row.id))) {
		expect(after.get(id)?.name).toBe(name);
		if (chosen.manage === 'tag') expect(after.get(id)?.source).toBe('crm');
		if (chosen.onMissing === 'mark') expect(after.get(id)?.gone).toBeUndefined();
	}
	testbed.service.clearRequests();
	succeeded(await run(chosen, input));
	expect(writes()).toEqual([]);
}

it('deletes and marks only contacts that it may, and a second run writes nothing', async () => {
	await fc.assert(
		fc.asyncProperty(
			behaviour,
			people,
			list,
			settings,
			meddling,
			async (switches, before, rows, chosen, others) => {
				const input =
					chosen.manage === 'idPrefix' ? rows.filter(({ id }) => id.startsWith('crm-')) : rows;
				fc.pre(input.length > 0);
				furnish(switches, before);
				const played = await play(chosen, input, others);
				const isDry = chosen.dryRun !== false;
				expect(testbed.illegal).toEqual([]);
				if (isDry) expect(writes()).toEqual([]);
				expectOnlyMissingHandled(played);
				expectOthersUnchanged(played);
				expectDeletedWhole(played);
				const { hasFailed, touched, result } = played;
				const hasKept = result.items.some((item) => actionOf(item) === 'kept');
				if (!hasFailed && !isDry && touched.size === 0 && !hasKept) await expectSettled(played);
			},
		),
		{ ...propertyRuns(100), examples: [certain('mark'), certain('delete')] },
	);
	process.stdout.write(`sync worlds: ${JSON.stringify(seen)}\n`);
	expect(Math.min(seen.deleted, seen.marked)).toBeGreaterThan(0);
	expectSeen(seen);
}, 300_000);
