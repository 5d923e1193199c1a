import type { InputItem } from '../execution/item';
import type { RunContext } from '../execution/context';
import { choiceOption, type Field, optionField } from '../panel/field';
import { entered, numberBetween, wholeNumber } from '../panel/types';
import { countFormat } from '../values/number';
import {
	defaultMax,
	defaultPercent,
	freeCount,
	isPercentOff,
	type SafetyLimit,
} from './limit';
import { type Kind, type OutcomeSettings, readOutcome } from './outcome';
import type { Nouns } from './records';

/** What each text says about a limit that is a number alone. */
export const percentIsOff = `The ${defaultPercent}% limit is off.`;

/** Says what the safety limit is, in the same words everywhere. */
export function limitWords(
	{ many }: Nouns,
	{ maxPercent, max }: SafetyLimit = {},
): string {
	const count = countFormat.format(max ?? defaultMax);
	if (isPercentOff({ maxPercent, max })) {
		return `Stops if more than ${count} managed ${many} are missing. ${percentIsOff}`;
	}

	const free =
		maxPercent === 0 ? '' : ` Up to ${freeCount} may be missing if at least half stay.`;
	return `Stops if more than ${maxPercent ?? defaultPercent}% of the managed ${many} are missing, or more than ${count}.${free}`;
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
	outcome: OutcomeSettings;
}

/** The fields of a mirror's panel that these settings come from. */
interface MissingFields extends LimitOptions {
	onMissing: Field<OnMissing>;
}

export function readMissingSettings(
	item: InputItem,
	nouns: Kind,
	{
		onMissing,
		maxMissingPercent,
		maxMissing,
		onTooManyMissing,
		expectedItems,
	}: MissingFields,
): MissingSettings {
	return {
		onMissing: onMissing.read(item),
		limit: { maxPercent: maxMissingPercent.read(item), max: maxMissing.read(item) },
		onTooManyMissing: onTooManyMissing.read(item),
		expectedItems: expectedItems.read(item),
		outcome: readOutcome(item, nouns),
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
