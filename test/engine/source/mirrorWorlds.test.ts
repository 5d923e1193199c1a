/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { BehaviourV2 } from '../../service';
import { useWorld } from './world';

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
	sourceSize: fc.constantFrom('atOnce' as const, 'afterTraining' as const),
	updatedSize: fc.constantFrom('new' as const, 'oldUntilTrained' as const),
	sourceNameForm: fc.constantFrom('asSent' as const, 'NFC' as const, 'NFD' as const),
	sourceNames: fc.constantFrom('asSent' as const, 'trimmed' as const),
	sourceDelete: fc.constantFrom('deleted' as const, 'toBeDeleted' as const, 'stillListed' as const),
	sourceSecondDelete: fc.constantFrom(404 as const, 409 as const, 200 as const),
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

it('deletes only what it may, writes only what changed, and knows what others changed', async () => {
	const seen = { deleted: 0, refused: 0, failed: 0, clean: 0, edited: 0 };
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
				const present = () => world.sources.filter(({ status }) => status !== 'toBeDeleted');
				const start = present().map((source) => ({ ...source }));
				const { onMissing, dryRun, maxMissing, onError, onFailedItems } = chosen;
				const run = async () =>
					await world.run(
						{
							sourceType: '={{ $json.type }}',
							name: '={{ $json.name }}',
							content: '={{ $json.content }}',
							questions: 'Why?',
							answer: '={{ $json.content }}',
							namePrefix: 'Docs: ',
							onMissing,
							dryRun,
							options: { onFailedItems, ...(maxMissing !== undefined && { maxMissing }) },
						},
						input as never,
						{ nodeSettings: { onError } },
					);
				const result = await run();
				expect(world.testbed.illegal).toEqual([]);
				if (dryRun || (result.error && !/were not written|larger/.test(result.error.message))) {
					expect(world.writes.filter((step) => dryRun || step.startsWith('DELETE'))).toEqual([]);
				}
				const wanted = new Set(input.map(keyOf));
				const left = new Set(present().map(({ id }) => id));
				const gone = start.filter(({ id }) => !left.has(id));
				const isManaged = (source: (typeof start)[number]) =>
					['text', 'qna'].includes(source.type) && (source.name ?? '').trim().startsWith('Docs: ');
				for (const source of gone) {
					expect(isManaged(source)).toBe(true);
					expect(wanted.has(keyOf(source))).toBe(false);
				}
				if (onMissing === 'report') expect(gone).toEqual([]);
				if (maxMissing !== undefined) expect(gone.length).toBeLessThanOrEqual(maxMissing);
				const managed = start.filter(isManaged);
				if (managed.every((source) => !wanted.has(keyOf(source)))) expect(gone).toEqual([]);
				const failures = result.items.filter(({ json }) => json.error !== undefined && !json._sync);
				const hasFailed = result.error !== undefined || failures.length > 0;
				if (hasFailed) expect(gone).toEqual([]);
				for (const { id, name } of gone) {
					const record = result.items.find(
						({ json }) => json.id === id && (json._sync as IDataObject).action === 'deleted',
					);
					expect(record?.json).toMatchObject({ name, size: 3 });
				}
				seen.deleted += gone.length;
				seen.refused += result.error ? 1 : 0;
				seen.failed += failures.length > 0 ? 1 : 0;
				if (hasFailed || dryRun) return;

				seen.clean++;
				const isLearned = () => {
					for (const { type, name, content } of input) {
						const same = present().filter((source) => keyOf(source) === keyOf({ type, name }));
						expect(same).toHaveLength(1);
						expect(same[0].taught).toMatchObject(taughtBy(type, content));
					}
				};
				isLearned();
				// From the second night on nothing is written. The third one knows the sizes.
				for (let night = 2; night <= 4; night++) {
					const again = await run();
					expect(again.error).toBeUndefined();
					expect(world.writes).toEqual([]);
				}

				const touched = present().find(
					(source) => source.name === change.name && wanted.has(keyOf(source)),
				);
				if (!touched || change.what === 'none') return;
				seen.edited++;
				if (change.what === 'edit') Object.assign(touched, { size: 77, taught: {} });
				if (change.what === 'remove') touched.isGone = true;
				if (change.what === 'fail') touched.status = 'failed';
				const last = await run();
				expect(last.error).toBeUndefined();
				expect(world.writes).toHaveLength(1);
				isLearned();
			},
		),
		propertyRuns(60),
	);
	process.stdout.write(`source worlds: ${JSON.stringify(seen)}\n`);
	expectSeen({ clean: seen.clean });
}, 120_000);
