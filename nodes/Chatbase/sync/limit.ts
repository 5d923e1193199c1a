import type { INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { InputItem, RunContext } from '../execution/item';
import type { ValueType } from '../fields/values';
import { numberBetween, oneOf, readChoice, readOptional, wholeNumber } from '../fields/values';
import { countFormat } from '../values/scalar';
import type { OutcomeSettings } from './outcome';
import { readOutcome } from './outcome';
import type { Nouns, OverLimit, SyncAction } from './summary';

export type OnMissing = 'report' | 'mark' | 'delete';

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
			{ name: 'Fail', value: 'error', description: 'Writes nothing and says how many are missing' },
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

export interface MissingSettings {
	onMissing: OnMissing;
	limit: SafetyLimit;
	onTooManyMissing: 'error' | 'leave';
	/** Undefined for any. */
	expectedItems?: number;
	outcome: OutcomeSettings;
}

export function readMissingSettings<Choice extends OnMissing>(
	item: InputItem,
	nouns: Nouns,
	choices: [Choice, ...Choice[]],
): MissingSettings {
	const { title } = nouns;
	const read = <Value>(name: string, type: ValueType<Value>, label: string) =>
		readOptional(item, `options.${name}`, type, label);
	const max = read('maxMissing', wholeNumber(0), `Max Missing ${title}`);
	const maxPercent = read('maxMissingPercent', numberBetween(0, 100), 'Max Missing Percent');
	const choice = oneOf('error', 'leave');
	return {
		onMissing: readChoice(item, 'onMissing', `Missing ${title}`, choices),
		limit: {
			// A number that the user set replaces the default percentage.
			maxPercent: maxPercent ?? (max === undefined ? defaultMaxPercent : undefined),
			max: max ?? defaultMax,
		},
		onTooManyMissing: read('onTooManyMissing', choice, 'If Too Many Are Missing') ?? 'error',
		expectedItems: read('expectedItems', wholeNumber(1), `Expected ${title}`),
		outcome: readOutcome(item, nouns),
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

function allowedMissing(managed: number, { maxPercent, max }: SafetyLimit): number {
	if (maxPercent === undefined) return max;
	const share = Math.floor((managed * maxPercent) / 100);
	return Math.min(max, maxPercent === 0 ? 0 : Math.max(share, alwaysAllowed));
}

const maxNames = 5;

function tooManyMissing(
	context: RunContext,
	{ many, title }: Nouns,
	{ maxPercent, max }: SafetyLimit,
	doneAs: string,
	missing: string[],
	managed: number,
): NodeOperationError {
	const isAll = missing.length >= managed;
	const percent = maxPercent === undefined ? '' : `${maxPercent}%, `;
	const more = missing.length > maxNames ? ' and others' : '';
	const advice = isAll
		? `One run never marks or deletes all managed ${many}.`
		: missing.length * 2 < managed
			? `If that is right, set Max Missing ${title} to ${missing.length} for one run.`
			: '';
	return context.error(
		isAll
			? `All managed ${many} are missing from the input`
			: `Too many ${many} are missing from the input`,
		`${countFormat.format(missing.length)} of ${countFormat.format(managed)} managed ${many} would be ${doneAs} (limit: ${percent}at most ${countFormat.format(max)}), for example ${missing.slice(0, maxNames).join(', ')}${more}. Nothing was written. Check that the nodes before this one return your complete list. ${advice}`.trim(),
	);
}

const doneAsOf = { report: 'missing', mark: 'marked', delete: 'deleted' } as const;

/** What happens to missing records, as the action of their records. */
export type DoneAs = (typeof doneAsOf)[OnMissing];

export interface MissingDecision {
	doneAs: DoneAs;
	overLimit?: OverLimit;
	/** The action in their records, if they are neither marked nor deleted. */
	action?: SyncAction;
}

/** Decides before the first write of a run. Throws if more are missing than the safety limit allows. */
export function planMissing(
	context: RunContext,
	nouns: Nouns,
	{ onMissing, limit, onTooManyMissing }: MissingSettings,
	dryRun: boolean,
	missing: string[],
	managed: number,
): MissingDecision {
	const doneAs = doneAsOf[onMissing];
	if (onMissing === 'report') return { doneAs, action: 'missing' };
	const wouldBe = onMissing === 'mark' ? 'wouldMark' : 'wouldDelete';
	const action = dryRun ? wouldBe : undefined;
	const result = checkLimit(missing.length, managed, limit);
	if (result === 'fine') return { doneAs, action };
	const isLeft = result === 'tooMany' && onTooManyMissing === 'leave';
	if (!isLeft && !dryRun) throw tooManyMissing(context, nouns, limit, doneAs, missing, managed);
	const allowed = result === 'tooMany' ? allowedMissing(managed, limit) : undefined;
	const overLimit = { missing: missing.length, allowed, isLeft };
	return { doneAs, overLimit, action: isLeft ? 'kept' : action };
}

export function assertExpectedItems(
	context: RunContext,
	{ expectedItems }: MissingSettings,
	count: number,
	{ title, ids }: Nouns,
) {
	if (expectedItems === undefined || count === expectedItems) return;
	throw context.error(
		'The input has an unexpected length',
		`The input has ${countFormat.format(count)} different ${ids}; Expected ${title} is ${countFormat.format(expectedItems)}. Nothing was written. Check that the nodes before this one return the complete list.`,
	);
}
