import type { IDataObject } from 'n8n-workflow';

import {
	actions,
	doneRecordsOf,
	type MissingRecords,
	recordOf,
	type Summary,
	type Sync,
	tallyOf,
} from '../../../nodes/Chatbase/sync/records';
import { namesByAction, sentencesOf } from '../../../nodes/Chatbase/sync/report';

const nouns = {
	one: 'contact',
	many: 'contacts',
	title: 'Contacts',
	ids: 'External IDs',
	idField: 'external_id',
	handling: 'mark or delete',
};

const nothing = Object.fromEntries(actions.map((action) => [action, 0])) as Pick<
	Summary,
	(typeof actions)[number]
>;

const summaryOf = (facts: Partial<Summary>): Summary => ({
	...nothing,
	items: 0,
	failed: 0,
	dropped: {},
	failures: [],
	requests: 1,
	waitedSeconds: 0,
	dryRun: false,
	overLimit: false,
	...facts,
});

const missingOf = (facts: Partial<MissingRecords>): MissingRecords => ({
	actionIfHandled: 'deleted',
	records: [],
	failed: [],
	unmanaged: 0,
	markedBefore: 0,
	newAttributes: [],
	...facts,
});

const told = (
	summary: Partial<Summary>,
	missing?: Partial<MissingRecords>,
	names: Record<string, string> = {},
) =>
	sentencesOf({
		summary: summaryOf(summary),
		nouns,
		names,
		missing: missing && missingOf(missing),
	});

describe('a run and a Dry Run tell the same in other verbs', () => {
	it.each<[run: string, dryRun: string, Partial<Summary>, Partial<MissingRecords> | undefined]>([
		['1 contact created', '1 contact would be created', { created: 1 }, undefined],
		['2 contacts updated', '2 contacts would be updated', { updated: 2 }, undefined],
		['1,000 contacts unchanged', '1,000 contacts unchanged', { unchanged: 1000 }, undefined],
		['1 contact skipped (blank)', '1 contact skipped (blank)', { skipped: 1 }, undefined],
		[
			'1 contact skipped (managed by another mirror)',
			'1 contact skipped (managed by another mirror)',
			{ skipped: 1 },
			{},
		],
		['1 contact missing', '1 contact missing', { missing: 1 }, {}],
		['1 contact marked', '1 contact would be marked', { marked: 1 }, {}],
		['1 contact deleted', '1 contact would be deleted', { deleted: 1 }, {}],
		['1 contact missing and kept', '1 contact missing and kept', { kept: 1 }, {}],
		['1 contact failed', '1 contact would fail', { failed: 1 }, undefined],
		[
			'1 contact created, 2 unchanged, 3 deleted, 1 failed',
			'1 contact would be created, 2 unchanged, 3 would be deleted, 1 would fail',
			{ created: 1, unchanged: 2, deleted: 3, failed: 1 },
			{},
		],
		[
			'1 contact unchanged, 2 marked before',
			'1 contact unchanged, 2 marked before',
			{ unchanged: 1 },
			{ markedBefore: 2 },
		],
		[
			"1 contact unchanged, 1 other isn't managed by this mirror",
			"1 contact unchanged, 1 other isn't managed by this mirror",
			{ unchanged: 1 },
			{ unmanaged: 1 },
		],
		[
			"1 contact unchanged, 2 others aren't managed by this mirror",
			"1 contact unchanged, 2 others aren't managed by this mirror",
			{ unchanged: 1 },
			{ unmanaged: 2 },
		],
		[
			'1 contact created. Attributes created: managed_by, gone',
			'1 contact would be created. Attributes to create: managed_by, gone',
			{ created: 1 },
			{ newAttributes: ['managed_by', 'gone'] },
		],
	])('%s', (run, dryRun, summary, missing) => {
		expect(told(summary, missing).result).toBe(`${run}. 1 API request.`);
		expect(told({ ...summary, dryRun: true }, missing).result).toBe(
			`Nothing was written. ${dryRun}. 1 API request.`,
		);
	});

	it('of a missing contact that was perhaps deleted, only a run can tell', () => {
		expect(told({ unknown: 1 }, {}).result).toBe(
			'1 contact missing, and perhaps deleted or marked. 1 API request.',
		);
	});

	it('counts no record that was not found', () => {
		expect(told({}).result).toBe('1 API request.');
	});
});

it('says instead of counts why a real run would fail', () => {
	const wouldFail = '9 of 9 managed contacts are missing (limit: all).';
	expect(told({ deleted: 9, dryRun: true }, { wouldFail }).result).toBe(
		`Nothing was written. A real run would fail: ${wouldFail} 1 API request.`,
	);
});

it('adds how long the service made it wait, and what is said of the limit', () => {
	const warning = 'The 10% limit is off.';
	expect(told({ created: 1, requests: 2000, waitedSeconds: 1.5 }, { warning }).result).toBe(
		'1 contact created. 2,000 API requests. The service made the node wait for 1.5 seconds. The 10% limit is off.',
	);
});

it('warns of missing contacts that could not be handled, and of dropped fields', () => {
	expect(told({ created: 1 }).warnings).toEqual([]);
	expect(told({}, { failed: ['a'] }).warnings).toEqual([
		'1 missing contact could not be deleted: a.',
	]);
	expect(told({}, { failed: ['a', 'b'], actionIfHandled: 'marked' }).warnings).toEqual([
		'2 missing contacts could not be marked: a, b.',
	]);
	expect(told({ dropped: { nickname: 1200, plan: 1 } }).warnings).toEqual([
		'Dropped fields: nickname (1,200), plan (1).',
	]);
});

describe('records are named', () => {
	const namesOf = (...syncs: Array<[id: string | null, sync: Sync]>) => {
		const records = syncs.map(([id, sync]) => recordOf({ external_id: id }, sync));
		return namesByAction(doneRecordsOf(records), 'external_id');
	};
	const updated = (...changed: string[]): Sync => ({ action: 'updated', changed });
	const deleted: Sync = { action: 'deleted' };

	it('beside their count', () => {
		const names = namesOf(['a', { action: 'wouldDelete' }], ['b', { action: 'wouldDelete' }]);
		expect(told({ deleted: 2, dryRun: true }, {}, names).result).toContain(
			'2 contacts would be deleted (a, b). ',
		);
	});

	it.each<[string, Array<[id: string | null, sync: Sync]>, object]>([
		[
			'with up to three fields that changed, if they were updated',
			[
				['a', updated('name')],
				['b', updated('custom_attributes.plan', 'name', 'email', 'phonenumber')],
			],
			{ updated: ' (a: name; b: plan, name, email …)' },
		],
		[
			'up to five',
			['a', 'b', 'c', 'd', 'e', 'f'].map((id) => [id, deleted]),
			{ deleted: ' (a, b, c, d, e …)' },
		],
		[
			'if they are missing, but not if they are only created, unchanged or skipped',
			[
				['a', { action: 'created' }],
				['b', { action: 'unchanged' }],
				['c', { action: 'skipped' }],
				['d', { action: 'missing' }],
				['e', { action: 'kept' }],
				['f', { action: 'unknown' }],
				['g', { action: 'wouldMark' }],
			],
			{ missing: ' (d)', kept: ' (e)', unknown: ' (f)', marked: ' (g)' },
		],
		['if they have an ID', [[null, deleted]], {}],
	])('%s', (_, syncs, names) => {
		expect(namesOf(...syncs)).toEqual(names);
	});
});

it('counts what a Dry Run would do as done, and a record of equal items once', () => {
	const shared: IDataObject = recordOf({ external_id: 'a' }, 'wouldCreate');
	const dropping = recordOf({}, { action: 'updated', dropped: ['nickname'] });
	const { counts, dropped } = tallyOf(doneRecordsOf([shared, shared, dropping, {}]));
	expect(counts).toEqual({ ...nothing, created: 1, updated: 1 });
	expect(dropped).toEqual({ nickname: 1 });
});
