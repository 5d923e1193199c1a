import type { IDataObject, INodeProperties, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { errorText, escapeHtml } from '../api/errors';
import { forEachLimited } from '../api/limits';
import type { InputItem, RunContext } from '../execution/item';
import type { Run } from '../execution/run';
import { numberBetween, readChoice, readOptional, wholeNumber } from '../fields/values';
import type { OutcomeSettings } from './outcome';
import type { MissingRecords, Nouns, OverLimit, SyncAction } from './summary';
import { firstOf, number, recordOf, syncOf } from './summary';

interface SafetyLimit {
	/** Percentage of the managed records; undefined if the user set a number instead. */
	maxPercent?: number;
	max: number;
}

const defaultMaxPercent = 10;
const defaultMax = 500;

/** The percentage is ignored up to this count, since one record of a short list is many percent. */
const alwaysAllowed = 10;

/** Options that only a mirror has. */
export const limitOptions = ({ many, title, ids }: Nouns): INodeProperties[] => [
	{
		displayName: `Expected ${title}`,
		name: 'expectedItems',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		placeholder: 'e.g. 1200',
		description: `Number of different ${ids} that the input must contain. With any other number, nothing is written.`,
	},
	{
		displayName: 'If Too Many Are Missing',
		name: 'onTooManyMissing',
		type: 'options',
		default: 'error',
		description: `What to do if more ${many} are missing than the safety limit allows`,
		options: [
			{
				name: 'Fail',
				value: 'error',
				description: 'Writes nothing and says how many are missing',
			},
			{
				name: 'Leave Them',
				value: 'leave',
				description: `Writes the items and leaves missing ${many} alone. Still fails if all are missing.`,
			},
		],
	},
	{
		displayName: `Max Missing ${title}`,
		name: 'maxMissing',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 500,
		description: `Most missing ${many} that one run may mark or delete. Replaces the default percentage.`,
	},
	{
		displayName: 'Max Missing Percent',
		name: 'maxMissingPercent',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 100 },
		default: 10,
		description: `Most missing ${many}, in percent of the managed ones. Up to 10 are always allowed, except at 0.`,
	},
];

export interface LimitSettings {
	limit: SafetyLimit;
	onTooManyMissing: 'error' | 'leave';
	/** Number of different IDs that the input must have; undefined for any. */
	expectedItems?: number;
}

export function readLimitSettings(item: InputItem, { title }: Nouns): LimitSettings {
	const max = readOptional(item, 'options.maxMissing', wholeNumber(0), `Max Missing ${title}`);
	const maxPercent = readOptional(
		item,
		'options.maxMissingPercent',
		numberBetween(0, 100),
		'Max Missing Percent',
	);
	return {
		limit: {
			// A number that the user set replaces the default percentage.
			maxPercent: maxPercent ?? (max === undefined ? defaultMaxPercent : undefined),
			max: max ?? defaultMax,
		},
		onTooManyMissing: readChoice(item, 'options.onTooManyMissing', 'If Too Many Are Missing', [
			'error',
			'leave',
		]),
		expectedItems: readOptional(item, 'options.expectedItems', wholeNumber(1), `Expected ${title}`),
	};
}

export function checkLimit(
	missing: number,
	managed: number,
	limit: SafetyLimit,
): 'fine' | 'tooMany' | 'all' {
	if (missing === 0) return 'fine';
	if (missing >= managed) return 'all';
	return missing > allowedMissing(managed, limit) ? 'tooMany' : 'fine';
}

/** How many missing records the limit allows, unless all are missing. */
export function allowedMissing(managed: number, { maxPercent, max }: SafetyLimit): number {
	if (maxPercent === undefined) return max;
	const share = Math.floor((managed * maxPercent) / 100);
	return Math.min(max, maxPercent === 0 ? 0 : Math.max(share, alwaysAllowed));
}

const maxNames = 5;

function tooManyMissing(
	context: RunContext,
	{ many, title }: Nouns,
	{ maxPercent, max }: SafetyLimit,
	deed: string,
	missing: string[],
	managed: number,
): NodeOperationError {
	const isAll = missing.length >= managed;
	const which = isAll ? 'All managed' : 'Too many';
	const percent = maxPercent === undefined ? '' : `${maxPercent}%, `;
	const more = missing.length > maxNames ? ' and others' : '';
	const advice = isAll
		? `One run never marks or deletes all managed ${many}.`
		: missing.length * 2 < managed
			? `If that is right, set Max Missing ${title} to ${missing.length} for one run.`
			: '';
	return context.error(
		`${which} ${many} are missing from the input`,
		`${number.format(missing.length)} of ${number.format(managed)} managed ${many} would be ${deed} (limit: ${percent}at most ${number.format(max)}), for example ${missing.slice(0, maxNames).join(', ')}${more}. Nothing was written. Check that the nodes before this one return your complete list. ${advice}`.trim(),
	);
}

export type OnMissing = 'report' | 'mark' | 'delete';

const deeds = { report: 'missing', mark: 'marked', delete: 'deleted' } as const;

interface MissingPlan {
	/** What the mirror does with missing records. */
	deed: (typeof deeds)[OnMissing];
	/** Set if more records are missing than the safety limit allows. */
	overLimit?: OverLimit;
	/** The action in their records, if they are neither marked nor deleted. */
	action?: SyncAction;
}

/**
 * Decides about missing records before the first write of a run.
 *
 * @param missing names of the missing records
 * @param managed number of records that the mirror manages
 * @throws NodeOperationError if more are missing than the safety limit allows
 */
export function planMissing(
	context: RunContext,
	nouns: Nouns,
	{ onMissing, limit, onTooManyMissing }: LimitSettings & { onMissing: OnMissing },
	dryRun: boolean,
	missing: string[],
	managed: number,
): MissingPlan {
	const deed = deeds[onMissing];
	if (onMissing === 'report') return { deed, action: 'missing' };
	const wouldBe = onMissing === 'mark' ? 'wouldMark' : 'wouldDelete';
	const action = dryRun ? wouldBe : undefined;
	const result = checkLimit(missing.length, managed, limit);
	if (result === 'fine') return { deed, action };
	const isLeft = result === 'tooMany' && onTooManyMissing === 'leave';
	if (!isLeft && !dryRun) throw tooManyMissing(context, nouns, limit, deed, missing, managed);
	const allowed = result === 'tooMany' ? allowedMissing(managed, limit) : undefined;
	const overLimit = { missing: missing.length, allowed, isLeft };
	return { deed, overLimit, action: isLeft ? 'kept' : action };
}

/** @throws NodeOperationError if the input has another number of different IDs than the user expects */
export function assertExpectedItems(
	context: RunContext,
	{ expectedItems }: LimitSettings,
	count: number,
	{ title, ids }: Nouns,
) {
	if (expectedItems === undefined || count === expectedItems) return;
	throw context.error(
		'The input has an unexpected length',
		`The input has ${number.format(count)} different ${ids}; Expected ${title} is ${number.format(expectedItems)}. Nothing was written. Check that the nodes before this one return the complete list.`,
	);
}

interface MissingWork<Listed> {
	/** Missing records, as they were listed. */
	missing: Listed[];
	nameOf(listed: Listed): string;
	/** How many records are neither in the input nor managed. */
	unmanaged: number;
	/** Names of the attributes that a real run creates first. */
	newAttributes?: string[];
	/** Marks or deletes a missing record, and returns the last one. It may have changed since the list was read. */
	handle(listed: Listed): Promise<IDataObject>;
}

/**
 * Marks or deletes the missing records, after the items of the run. After a failure no more are started. The next run can
 * handle them.
 *
 * @throws NodeApiError if that fails, and no deleted record must reach the output as a backup
 */
export async function handleMissing<Listed extends IDataObject>(
	run: Run<unknown>,
	{ deed, overLimit, action }: MissingPlan,
	{ output }: OutcomeSettings,
	{ many }: Nouns,
	{ missing, nameOf, unmanaged, newAttributes = [], handle }: MissingWork<Listed>,
): Promise<MissingRecords> {
	const extras = { overLimit, mirror: { deed, unmanaged, newAttributes } };
	// A failed item may be about a missing record.
	const leftAs = deed !== 'missing' && run.hasFailures() ? 'kept' : action;
	const records = missing.map((listed) => recordOf(listed, leftAs ?? 'kept'));
	if (leftAs) return { ...extras, records, failed: [] };
	const { maxConcurrency } = run.limits;
	let failure: NodeApiError | undefined;
	await forEachLimited([...missing.entries()], maxConcurrency, async ([index, listed]) => {
		if (failure) return;
		try {
			records[index] = await handle(listed);
		} catch (error) {
			failure ??= error as NodeApiError;
			records[index].error = errorText(error as Error);
		}
	});
	const failed = missing.filter((_, index) => records[index].error !== undefined).map(nameOf);
	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	const needsOutput = hasDeleted && output !== 'summary';
	if (failure && run.context.endsOnFailure && !needsOutput) {
		const words = `Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`;
		failure.description = `${escapeHtml(words)} ${failure.description ?? ''}`.trim();
		throw failure;
	}
	return { ...extras, records, failed };
}
