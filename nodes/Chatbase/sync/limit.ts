/** The safety limit of a mirror, and the settings for missing records of which it is a part. */
import type { RunContext } from '../execution/context';
import type { InputItem } from '../execution/item';
import { type Field, optionalField } from '../panel/field';
import { entered, type ValueType, wholeNumber } from '../panel/types';
import { countFormat } from '../values/json';
import type { Nouns } from './records';

/** How many records may be missing in one run: a number of them, or a percentage of the managed ones. */
export type MaxMissing =
	| { readonly count: number; readonly percent?: undefined }
	| { readonly count?: undefined; readonly percent: number };

const defaultPercent = 10;

const defaultCount = 500;

/** This many records may be missing if at least half stay. In a short list, even one record is a large percentage. */
const freeCount = 10;

/** A whole number, or a percentage with the sign %. */
const maxMissing: ValueType<MaxMissing> = {
	expected: 'a whole number or percentage',
	rule: 'Enter a number such as 20, or a percentage such as 15%.',
	read(value) {
		const percent =
			typeof value === 'string' && /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value);
		if (percent) {
			const number = Number(percent[1]);
			return number <= 100 ? { percent: number } : undefined;
		}

		const count = wholeNumber(0).read(value);
		return count === undefined ? undefined : { count };
	},
};

/** How many of the managed records may be missing: never all. What the user has entered replaces the usual rules. */
export function allowedMissing(managed: number, entered?: MaxMissing): number {
	const allButOne = Math.max(0, managed - 1);
	return Math.min(allButOne, limitOf(managed, entered));
}

function limitOf(managed: number, entered?: MaxMissing): number {
	if (!entered) return usualLimit(managed);
	return entered.count ?? percentOf(managed, entered.percent);
}

function usualLimit(managed: number): number {
	const passing = Math.max(percentOf(managed, defaultPercent), freeOf(managed));
	return Math.min(passing, defaultCount);
}

/** Rounded down. The decimals are counted first: 18.4 times 375 is not exact in binary numbers. */
function percentOf(managed: number, percent: number): number {
	const [, decimals = ''] = String(percent).split('.');
	const scale = 10 ** decimals.length;
	return Math.floor((managed * Math.round(percent * scale)) / (100 * scale));
}

function freeOf(managed: number): number {
	return Math.min(freeCount, Math.floor(managed / 2));
}

/** The rule that this number of missing records violates, if any. */
export function violatedRule(
	missing: number,
	managed: number,
	entered?: MaxMissing,
): string | undefined {
	if (missing <= allowedMissing(managed, entered)) return undefined;
	if (missing === managed) return 'all';
	if (entered?.count !== undefined) return countFormat.format(entered.count);
	if (entered) return `${entered.percent}%`;

	if (missing <= freeCount) return 'half';
	return missing > defaultCount ? countFormat.format(defaultCount) : `${defaultPercent}%`;
}

/** A sentence for hints about a number that replaces the usual rules. */
export function warningOf(entered?: MaxMissing): string | undefined {
	if (entered?.count === undefined) return undefined;
	return `The ${defaultPercent}% limit is off.`;
}

/** The sentence that says what the safety limit is if nothing is entered. */
export function limitWords({ many }: Nouns): string {
	return `The run stops if more than ${defaultPercent}% of the managed ${many} are missing, or more than ${defaultCount}. Up to ${freeCount} may be missing if at least half stay.`;
}

interface LimitOptions {
	expectedItems: Field<number | undefined>;
	maxMissing: Field<MaxMissing | undefined>;
}

export const limitOptions = ({ many, title, ids, handling }: Nouns): LimitOptions => ({
	expectedItems: optionalField(
		'options.expectedItems',
		`Expected ${title}`,
		entered(wholeNumber(1)),
		{
			description: `Number of different ${ids} that the input must contain. With any other number, nothing is written.`,
			placeholder: 'e.g. 1200',
		},
	),
	maxMissing: optionalField('options.maxMissing', `Max Missing ${title}`, maxMissing, {
		description: `Maximum number of missing ${many} that one run may ${handling}, or a percentage such as 15%. Replaces the usual limits, but never allows all.`,
		placeholder: 'e.g. 20',
	}),
});

type OnMissing = 'report' | 'mark' | 'delete';

/** The settings of every mirror, the same for all items of a run. */
export interface MissingSettings {
	/** What happens to managed records that the input lacks. */
	onMissing: OnMissing;
	/** The number that replaces the usual rules. */
	maxMissing?: MaxMissing;
	/** How many different IDs the input must have, if that is checked. */
	expectedItems?: number;
}

/** The fields of a mirror's panel that these settings come from. */
interface MissingFields extends LimitOptions {
	onMissing: Field<OnMissing>;
}

export function readMissingSettings(
	item: InputItem,
	fields: MissingFields,
): MissingSettings {
	return {
		onMissing: fields.onMissing.read(item),
		maxMissing: fields.maxMissing.read(item),
		expectedItems: fields.expectedItems.read(item),
	};
}

/** How many different IDs the input has, and how many it must have, if that is checked. */
interface InputSize {
	readonly count: number;
	readonly expected?: number;
}

export function assertExpectedItems(
	context: RunContext,
	{ title, ids }: Nouns,
	{ count, expected }: InputSize,
): void {
	if (expected === undefined || count === expected) return;

	throw context.error(
		'The input has an unexpected length',
		`The input has ${countFormat.format(count)} different ${ids}; Expected ${title} is ${countFormat.format(expected)}. Nothing was written. Check that the nodes before this one return the complete list.`,
	);
}

/**
 * Advice to change the limit for one run. Empty if half of the records or more are missing, since the input is then probably
 * not complete.
 */
export function limitAdvice({ title }: Nouns, missing: number, managed: number): string {
	if (missing * 2 >= managed) return '';
	return `If that is right, set Max Missing ${title} to ${missing} for one run.`;
}
