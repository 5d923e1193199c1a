/** The safety limit of a mirror, and the settings for missing records of which it is a part. */
import type { RunContext } from '../execution/context';
import type { InputItem } from '../execution/item';
import { choiceOption, type Field, optionField } from '../panel/field';
import { entered, numberBetween, wholeNumber } from '../panel/types';
import { countFormat } from '../values/json';
import type { Nouns } from './records';

/** What the user has entered. */
export interface SafetyLimit {
	maxPercent?: number;
	max?: number;
}

const defaultPercent = 10;

const defaultMax = 500;

/** So many may be missing if at least half stay, since one record of a short list is many percent. */
const freeCount = 10;

/** Whether a number replaces the percentage, the free ten and the usual maximum. */
function isPercentOff({ maxPercent, max }: SafetyLimit): boolean {
	return maxPercent === undefined && max !== undefined;
}

/** What each text says about a limit that is a number alone. */
export function warningOf(limit: SafetyLimit): string | undefined {
	return isPercentOff(limit) ? `The ${defaultPercent}% limit is off.` : undefined;
}

/** How many of the managed records may be missing: never all. */
export function allowedMissing(managed: number, limit: SafetyLimit): number {
	const { max = defaultMax } = limit;
	const allButOne = Math.max(0, managed - 1);
	if (isPercentOff(limit)) return Math.min(max, allButOne);

	const passing = Math.max(percentOf(managed, limit), freeOf(managed, limit));
	return Math.min(passing, max, allButOne);
}

function percentOf(
	managed: number,
	{ maxPercent = defaultPercent }: SafetyLimit,
): number {
	return Math.floor((managed * maxPercent) / 100);
}

function freeOf(managed: number, { maxPercent }: SafetyLimit): number {
	return maxPercent === 0 ? 0 : Math.min(freeCount, Math.floor(managed / 2));
}

/** The rule that so many missing records violate, if they violate one. */
export function violatedRule(
	missing: number,
	managed: number,
	limit: SafetyLimit,
): string | undefined {
	const { maxPercent, max } = limit;
	if (missing <= allowedMissing(managed, limit)) return undefined;
	if (missing === managed) return 'all';
	if (max !== undefined && missing > max) return countFormat.format(max);

	const isFreeMore = freeOf(managed, limit) >= percentOf(managed, limit);
	if (missing <= freeCount && maxPercent !== 0 && isFreeMore) return 'half';

	const isOverEntered = maxPercent !== undefined && missing > percentOf(managed, limit);
	if (missing > defaultMax && !isOverEntered) return countFormat.format(defaultMax);
	return `${maxPercent ?? defaultPercent}%`;
}

/** Says what the safety limit is if nothing is entered. */
export function limitWords({ many }: Nouns): string {
	return `Stops if more than ${defaultPercent}% of the managed ${many} are missing, or more than ${defaultMax}. Up to ${freeCount} may be missing if at least half stay.`;
}

interface LimitOptions {
	expectedItems: Field<number | undefined>;
	onTooManyMissing: Field<'error' | 'leave'>;
	maxMissing: Field<number | undefined>;
	maxMissingPercent: Field<number | undefined>;
}

export const limitOptions = ({ many, title, ids }: Nouns): LimitOptions => ({
	expectedItems: optionField(
		'expectedItems',
		`Expected ${title}`,
		entered(wholeNumber(1)),
		{
			description: `Number of different ${ids} that the input must contain. With any other number, nothing is written.`,
			placeholder: 'e.g. 1200',
		},
	),
	onTooManyMissing: choiceOption('onTooManyMissing', 'If Too Many Are Missing', {
		description: `What to do if more ${many} are missing than the safety limit allows`,
		choices: {
			error: ['Fail', 'Writes nothing and says how many are missing'],
			leave: [
				'Leave Them',
				`Writes the items and leaves missing ${many} alone. Still fails if all are missing.`,
			],
		},
	}),
	maxMissing: optionField('maxMissing', `Max Missing ${title}`, entered(wholeNumber(0)), {
		description: `Most missing ${many} that one run may mark or delete. Without Max Missing Percent, no other limit applies.`,
		placeholder: 'e.g. 20',
	}),
	maxMissingPercent: optionField(
		'maxMissingPercent',
		'Max Missing Percent',
		entered(numberBetween(0, 100)),
		{
			description: `Percentage of the managed ${many}, in place of ${defaultPercent}. With 0, none may be missing.`,
			placeholder: 'e.g. 5',
		},
	),
});

export type OnMissing = 'report' | 'mark' | 'delete';

/** The settings of every mirror, the same for all items of a run. */
export interface MissingSettings {
	/** What happens to managed records that the input lacks. */
	onMissing: OnMissing;
	limit: SafetyLimit;
	/** Whether a run beyond the limit fails, or writes the items and leaves missing records alone. */
	onTooManyMissing: 'error' | 'leave';
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
	const { maxMissingPercent, maxMissing } = fields;
	return {
		onMissing: fields.onMissing.read(item),
		limit: { maxPercent: maxMissingPercent.read(item), max: maxMissing.read(item) },
		onTooManyMissing: fields.onTooManyMissing.read(item),
		expectedItems: fields.expectedItems.read(item),
	};
}

export function assertExpectedItems(
	context: RunContext,
	{ expectedItems }: MissingSettings,
	count: number,
	{ title, ids }: Nouns,
): void {
	if (expectedItems === undefined || count === expectedItems) return;
	throw context.error(
		'The input has an unexpected length',
		`The input has ${countFormat.format(count)} different ${ids}; Expected ${title} is ${countFormat.format(expectedItems)}. Nothing was written. Check that the nodes before this one return the complete list.`,
	);
}

/** Names the options that help, unless so many are missing that the input is probably not complete. */
export function adviceFor(
	{ title }: Nouns,
	limit: SafetyLimit,
	[missing, managed]: [number, number],
): string {
	if (missing * 2 >= managed) return '';

	const isTooStrict = missing > allowedMissing(managed, { ...limit, max: missing });
	const first = isTooStrict ? 'remove Max Missing Percent and ' : '';
	return `If that is right, ${first}set Max Missing ${title} to ${missing} for one run.`;
}
