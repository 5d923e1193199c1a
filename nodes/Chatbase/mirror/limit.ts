import type { INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { InputItem, RunContext } from '../execution/item';
import { numberBetween, readChoice, readOptional, wholeNumber } from '../fields/values';
import type { Nouns } from './summary';

interface SafetyLimit {
	/** Percentage of the managed records; undefined if the user set a number instead. */
	maxPercent?: number;
	max: number;
}

type LimitResult = 'fine' | 'tooMany' | 'all';

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

export function checkLimit(missing: number, managed: number, limit: SafetyLimit): LimitResult {
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
const number = new Intl.NumberFormat('en-US');

/** @param deed what would happen to missing records, such as "deleted" */
export function tooManyMissing(
	context: RunContext,
	{ maxPercent, max }: SafetyLimit,
	missing: string[],
	managed: number,
	deed: string,
	{ many, title }: Nouns,
): NodeOperationError {
	const isAll = missing.length >= managed;
	const more = missing.length > maxNames ? ' and others' : '';
	const limit = [
		...(maxPercent === undefined ? [] : [`${maxPercent}%`]),
		`at most ${number.format(max)}`,
	].join(', ');
	const advice = isAll
		? `One run never marks or deletes all managed ${many}.`
		: missing.length * 2 < managed
			? `If that is right, set Max Missing ${title} to ${missing.length} for one run.`
			: '';
	return context.error(
		isAll
			? `All managed ${many} are missing from the input`
			: `Too many ${many} are missing from the input`,
		`${number.format(missing.length)} of ${number.format(managed)} managed ${many} would be ${deed} (limit: ${limit}), for example ${missing.slice(0, maxNames).join(', ')}${more}. Nothing was written. Check that the nodes before this one return your complete list. ${advice}`.trim(),
	);
}
