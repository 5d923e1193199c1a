/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { BehaviourV2 } from '../../../service';
import { mirrorColumns, useWorld } from './world';
import { succeeded } from '../testbed';

/** Random worlds: services of every kind, several nights, a person at the dashboard, and failing items. */
const world = useWorld('mirror');

const names = Array.from({ length: 10 }, (_, index) => (index % 4 === 3 ? '' : 'Docs: ') + index);
const types = ['text', 'text', 'qna'] as const;

const listed = fc.record({
	name: fc.constantFrom(...names, ' Docs: 0 '),
	type: fc.constantFrom(...types, 'file' as const, 'link' as const),
	status: fc.constantFrom('trained' as const, 'trained' as const, 'toBeDeleted' as const),
});
const before = fc.oneof(
	fc.array(listed, { maxLength: 12 }),
	fc.uniqueArray(listed, {
		minLength: 6,
		maxLength: 12,
		selector: ({ name, type }) => `${type} ${name.trim()}`,
	}),
);
const row = fc.record({
	name: fc.constantFrom(...names.filter((name) => name.startsWith('Docs'))),
	type: fc.constantFrom(...types),
	// Nothing to learn fails an item before any request.
	content: fc.constantFrom('one', 'two', 'longer words', 'one', 'two', ''),
});
const filled = row.map((entry) => ({ ...entry, content: entry.content || 'one' }));
const list = fc.oneof(
	fc.array(row, { minLength: 1, maxLength: 14 }),
	...[1, 2, 3].map(() =>
		fc.uniqueArray(filled, {
			minLength: 3,
			maxLength: 14,
			selector: ({ name, type }) => `${type} ${name}`,
		}),
	),
);
const behaviour: fc.Arbitrary<Partial<BehaviourV2>> = fc.record({
	sourceNames: fc.constantFrom('asSent', 'trimmed', 'NFC', 'NFD' as const),
	sourceDelete: fc.constantFrom('deleted' as const, 'toBeDeleted' as const, 'stillListed' as const),
	sourceNotFound: fc.constantFrom('RESOURCE_NOT_FOUND' as const, 'AGENT_NOT_FOUND' as const),
	trainingPolls: fc.constantFrom(1, 2),
	lastPage: fc.constantFrom('closed' as const, 'cursorWithoutMore' as const),
	total: fc.constantFrom('exact' as const, 'exact' as const, 'absent' as const),
	storageLimit: fc.constantFrom(Infinity, Infinity, Infinity, 20),
});
const settings = fc.record({
	onMissing: fc.constantFrom('delete' as const, 'delete' as const, 'report' as const),
	dryRun: fc.constantFrom(false, false, false, true),
	maxMissing: fc.option(fc.constantFrom(0, 2, 30), { nil: undefined }),
	onError: fc.constantFrom('stopWorkflow' as const, 'continueRegularOutput' as const),
	onFailedItems: fc.constantFrom('stop' as const, 'finish' as const),
});

/** What a person does at the dashboard before the last night. */
const edit = fc.record({
	name: fc.constantFrom(...names),
	what: fc.constantFrom('edit' as const, 'remove' as const, 'fail' as const, 'none' as const),
});

const keyOf = ({ type, name }: { type: string; name: string | null }) =>
	`${type} ${(name ?? '').trim()}`;
const taughtBy = (type: string, content: string) =>
	type === 'text' ? { content } : { questions: ['Why?'], answer: content };

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Row = ValueOf<typeof row>;
type Settings = ValueOf<typeof settings> & { alwaysSend?: boolean };

const present = () => world.sources.filter(({ status }) => status !== 'toBeDeleted');
const seen = { deleted: 0, refused: 0, failed: 0, clean: 0, changed: 0 };

async function mirror(chosen: Settings, input: Row[]) {
	const { onMissing, dryRun, maxMissing, onError, onFailedItems, alwaysSend } = chosen;
	const parameters = {
		...mirrorColumns,
		onMissing,
		dryRun,
		options: {
			onFailedItems,
			...(maxMissing !== undefined && { maxMissing }),
			...(alwaysSend && { alwaysSend }),
		},
	};
	return await world.run(parameters, input as never, { nodeSettings: { onError } });
}

const isManaged = ({ type, name }: { type: string; name: string | null }) =>
	['text', 'qna'].includes(type) && (name ?? '').trim().startsWith('Docs: ');

/** The first night. Returns whether it did all that it was asked to do. */
async function firstNight(chosen: Settings, input: Row[]): Promise<boolean> {
	const { onMissing, dryRun, maxMissing = Infinity } = chosen;
	const start = present().map((source) => ({ ...source }));
	const result = await mirror(chosen, input);
	expect(world.testbed.illegal).toEqual([]);
	if (dryRun || (result.error && !/ failed|larger/.test(result.error.message))) {
		expect(world.writes.filter((step) => dryRun || step.startsWith('DELETE'))).toEqual([]);
	}
	const failures = result.items.filter(({ json }) => json.error !== undefined && !json._sync);
	const hasFailed = result.error !== undefined || failures.length > 0;
	const wanted = new Set(input.map(keyOf));
	const left = new Set(present().map(({ id }) => id));
	const gone = start.filter(({ id }) => !left.has(id));
	for (const source of gone) {
		expect([isManaged(source), wanted.has(keyOf(source))]).toEqual([true, false]);
		const record = result.items.find(
			({ json }) => json.id === source.id && (json._sync as IDataObject).action === 'deleted',
		);
		expect(record?.json).toMatchObject({ name: source.name, size: 3 });
	}
	const isAnotherList = start.filter(isManaged).every((source) => !wanted.has(keyOf(source)));
	if (onMissing === 'report' || isAnotherList || hasFailed) expect(gone).toEqual([]);
	expect(gone.length).toBeLessThanOrEqual(maxMissing);
	seen.deleted += gone.length;
	seen.refused += result.error ? 1 : 0;
	seen.failed += failures.length > 0 ? 1 : 0;
	return !hasFailed && !dryRun;
}

function expectLearned(input: Row[]) {
	for (const { type, name, content } of input) {
		const same = present().filter((source) => keyOf(source) === keyOf({ type, name }));
		expect(same).toHaveLength(1);
		expect(same[0].taught).toMatchObject(taughtBy(type, content));
	}
}

/** From the second night on nothing is written. */
async function quietNights(chosen: Settings, input: Row[]) {
	for (let night = 2; night <= 3; night++) {
		succeeded(await mirror(chosen, input));
		expect(world.writes).toEqual([]);
	}
}

/** The night after a person has changed a source: only that one is written, an edit with Always Send alone. */
async function nightAfter(change: ValueOf<typeof edit>, chosen: Settings, input: Row[]) {
	const wanted = new Set(input.map(keyOf));
	const touched = present().find(
		(source) => source.name === change.name && wanted.has(keyOf(source)),
	);
	if (!touched || change.what === 'none') return;
	seen.changed++;
	if (change.what === 'edit') Object.assign(touched, { size: 77, taught: {} });
	if (change.what === 'remove') touched.isGone = true;
	if (change.what === 'fail') touched.status = 'failed';

	succeeded(await mirror(chosen, input));
	if (change.what === 'edit') {
		expect(world.writes).toEqual([]);
		succeeded(await mirror({ ...chosen, alwaysSend: true }, input));
		expect(world.writes).toHaveLength(wanted.size);
	} else {
		expect(world.writes).toHaveLength(1);
	}
	expectLearned(input);
}

it('deletes only what it may, writes only what changed, and repairs what others changed', async () => {
	await fc.assert(
		fc.asyncProperty(
			behaviour,
			before,
			list,
			settings,
			edit,
			async (switches, former, input, chosen, change) => {
				world.reset();
				world.switchTo(switches);
				for (const fields of former) world.add({ ...fields, size: 3 });
				if (!(await firstNight(chosen, input))) return;
				seen.clean++;
				expectLearned(input);
				await quietNights(chosen, input);
				await nightAfter(change, chosen, input);
			},
		),
		propertyRuns(60),
	);
	process.stdout.write(`source worlds: ${JSON.stringify(seen)}\n`);
	expectSeen({ clean: seen.clean });
}, 120_000);
