/** What a run tells a person. A Dry Run tells the same in other verbs. */
import { countFormat, isBlank } from '../values/json';
import { firstOf } from '../values/list';
import { abbreviate } from '../values/text';
import {
	type Action,
	actions,
	type DoneRecord,
	type MissingRecords,
	type Nouns,
	type Summary,
	type Sync,
} from './records';

/** What a run did, or what a Dry Run would do. */
export interface RunReport {
	readonly summary: Summary;
	readonly nouns: Nouns;
	/** The records that changed or are missing, by what was done with them. */
	readonly names: ActionNames;
	/** The missing records of a mirror. */
	readonly missing?: MissingRecords;
}

interface ReportSentences {
	readonly result: string;
	/** What a person should check. */
	readonly warnings: string[];
}

export function sentencesOf(report: RunReport): ReportSentences {
	return { result: resultOf(report), warnings: warningsOf(report) };
}

type Outcome = Action | 'failed';

const outcomes: readonly Outcome[] = [...actions, 'failed'];

const verbs = {
	created: 'created',
	updated: 'updated',
	unchanged: 'unchanged',
	skipped: 'skipped',
	missing: 'missing',
	marked: 'marked',
	deleted: 'deleted',
	kept: 'missing and kept',
	unknown: 'missing, and perhaps deleted or marked',
	failed: 'failed',
} as const satisfies Record<Outcome, string>;

const dryRunVerbs = {
	...verbs,
	created: 'would be created',
	updated: 'would be updated',
	marked: 'would be marked',
	deleted: 'would be deleted',
	failed: 'would fail',
} as const satisfies Record<Outcome, string>;

/** What was done with records, or in a Dry Run what would be done. */
export function verbsOf({ dryRun }: Summary): typeof verbs | typeof dryRunVerbs {
	return dryRun ? dryRunVerbs : verbs;
}

function resultOf(report: RunReport): string {
	const { requests, waitedSeconds, dryRun } = report.summary;
	const { missing } = report;

	const failing = missing?.wouldFail && `A real run would fail: ${missing.wouldFail}`;

	const sentences = [
		dryRun && 'Nothing was written.',
		failing ?? countsOf(report),
		`${countOf(requests, { one: 'API request', many: 'API requests' })}.`,
		waitedSeconds > 0 && `The service made the node wait for ${waitedSeconds} seconds.`,
		missing?.warning,
	];
	return sentences.filter(Boolean).join(' ');
}

/** Such as: 3 contacts created, 1 updated (W-2002: plan). Only the first number has a noun. */
function countsOf({ summary, nouns, names, missing }: RunReport): string {
	const verbOf = verbsOf(summary);
	// A mirror refuses blank items, and no other operation knows mirrors.
	const whySkipped = missing ? ' (managed by another mirror)' : ' (blank)';
	const named: Partial<Record<Outcome, string>> = { ...names, skipped: whySkipped };

	const present = outcomes.filter((outcome) => summary[outcome] > 0);
	const counts = present.map((outcome, index) => {
		const count = summary[outcome];
		const counted = index > 0 ? countFormat.format(count) : countOf(count, nouns);
		return `${counted} ${verbOf[outcome]}${named[outcome] ?? ''}`;
	});

	const { markedBefore = 0, unmanaged = 0, newAttributes = [] } = missing ?? {};
	const other = { one: "other isn't managed", many: "others aren't managed" };
	if (markedBefore > 0) counts.push(`${countFormat.format(markedBefore)} marked before`);
	if (unmanaged > 0) counts.push(`${countOf(unmanaged, other)} by this mirror`);

	// A record that was not found is not counted.
	const told = counts.length > 0 ? [`${counts.join(', ')}.`] : [];
	if (newAttributes.length > 0) {
		const created = summary.dryRun ? 'Attributes to create' : 'Attributes created';
		told.push(`${created}: ${newAttributes.join(', ')}.`);
	}
	return told.join(' ');
}

function countOf(count: number, { one, many }: Pick<Nouns, 'one' | 'many'>): string {
	return `${countFormat.format(count)} ${count === 1 ? one : many}`;
}

function warningsOf({ summary, nouns, missing }: RunReport): string[] {
	const warnings: string[] = [];
	if (missing && missing.failed.length > 0) {
		const { failed, actionIfHandled } = missing;
		const noun = { one: `missing ${nouns.one}`, many: `missing ${nouns.many}` };
		const counted = countOf(failed.length, noun);
		warnings.push(`${counted} could not be ${actionIfHandled}: ${firstOf(failed)}.`);
	}

	const dropped = Object.entries(summary.dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);
	if (dropped.length > 0) warnings.push(`Dropped fields: ${dropped.join(', ')}.`);
	return warnings;
}

/** How many records a hint or an error names. */
export const maxNames = 5;

const maxFields = 3;

/** The actions whose records are named. The records of other actions are only counted. */
const namedActions: Action[] = [
	'updated',
	'missing',
	'marked',
	'deleted',
	'kept',
	'unknown',
];

/** The first names of each action, such as ` (W-2002: plan; W-2008: email)`. */
type ActionNames = Partial<Record<Action, string>>;

/**
 * Which records a run names in its hints: people want to look at records that changed or are missing.
 * @param idField the field by which people know a record
 */
export function namesByAction(
	records: readonly DoneRecord[],
	idField: string,
): ActionNames {
	const named = new Map(namedActions.map((action) => [action, new Set<string>()]));
	for (const { record, action, sync } of records) {
		const names = named.get(action);
		if (!names || names.size > maxNames || isBlank(record[idField])) continue;

		const changes = action === 'updated' ? changesOf(sync) : '';
		names.add(abbreviate(String(record[idField])) + changes);
	}

	const filled = [...named].filter(([, { size }]) => size > 0);
	return Object.fromEntries(
		filled.map(([action, names]) => [action, shown(names, action)]),
	);
}

/** The names of the fields that changed. An attribute stands there without `custom_attributes`. */
function changesOf({ changed = [] }: Sync): string {
	if (changed.length === 0) return '';

	const fields = changed.map((field) => field.slice(field.indexOf('.') + 1));
	const more = fields.length > maxFields ? ' …' : '';
	return `: ${fields.slice(0, maxFields).join(', ')}${more}`;
}

function shown(names: ReadonlySet<string>, action: Action): string {
	const separator = action === 'updated' ? '; ' : ', ';
	const more = names.size > maxNames ? ' …' : '';
	return ` (${[...names].slice(0, maxNames).join(separator)}${more})`;
}
