import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import type { RunContext } from '../execution/context';
import { choiceField, type Field, optionalField } from '../panel/field';
import { entered, numberBetween, wholeNumber } from '../panel/types';
import { countFormat } from '../values/number';
import { type Kind, readOutcome } from './outcome';
import { type MissingDecision, type Nouns, wouldBe } from './summary';

/** What the user has entered. */
interface SafetyLimit {
	maxPercent?: number;
	max?: number;
}

const defaultPercent = 10;
const defaultMax = 500;

/** So many may be missing if at least half stay, since one record of a short list is many percent. */
const freeCount = 10;

/** Says what the safety limit is, in the same words everywhere. */
export function limitWords({ many }: Nouns, { maxPercent, max }: SafetyLimit = {}): string {
	const count = countFormat.format(max ?? defaultMax);
	if (maxPercent === undefined && max !== undefined) {
		return `Stops if more than ${count} managed ${many} are missing. The ${defaultPercent}% limit is off.`;
	}
	const free = maxPercent === 0 ? '' : ` Up to ${freeCount} may be missing if at least half stay.`;
	return `Stops if more than ${maxPercent ?? defaultPercent}% of the managed ${many} are missing, or more than ${count}.${free}`;
}

export function allowedMissing(managed: number, { maxPercent, max }: SafetyLimit): number {
	const allButOne = Math.max(0, managed - 1);
	if (maxPercent === undefined && max !== undefined) return Math.min(max, allButOne);
	const share = Math.floor((managed * (maxPercent ?? defaultPercent)) / 100);
	const free = maxPercent === 0 ? 0 : Math.min(freeCount, Math.floor(managed / 2));
	return Math.min(Math.max(share, free), max ?? defaultMax, allButOne);
}

export const limitOptions = ({ many, title, ids }: Nouns) => ({
	expectedItems: optionalField(
		'options.expectedItems',
		`Expected ${title}`,
		entered(wholeNumber(1)),
		{
			description: `Number of different ${ids} that the input must contain. With any other number, nothing is written.`,
			placeholder: 'e.g. 1200',
		},
	),
	onTooManyMissing: choiceField('options.onTooManyMissing', 'If Too Many Are Missing', {
		description: `What to do if more ${many} are missing than the safety limit allows`,
		choices: {
			error: ['Fail', 'Writes nothing and says how many are missing'],
			leave: [
				'Leave Them',
				`Writes the items and leaves missing ${many} alone. Still fails if all are missing.`,
			],
		},
	}),
	maxMissing: optionalField('options.maxMissing', `Max Missing ${title}`, entered(wholeNumber(0)), {
		description: `Most missing ${many} that one run may mark or delete. Without Max Missing Percent, no other limit applies.`,
		placeholder: 'e.g. 20',
	}),
	maxMissingPercent: optionalField(
		'options.maxMissingPercent',
		'Max Missing Percent',
		entered(numberBetween(0, 100)),
		{
			description: `Percentage of the managed ${many}, in place of ${defaultPercent}. With 0, none may be missing.`,
			placeholder: 'e.g. 5',
		},
	),
});

type OnMissing = 'report' | 'mark' | 'delete';

export type MissingSettings = ReturnType<typeof readMissingSettings>;

export function readMissingSettings(item: InputItem, nouns: Kind, onMissing: Field<OnMissing>) {
	const options = limitOptions(nouns);
	return {
		onMissing: onMissing.read(item),
		limit: {
			maxPercent: options.maxMissingPercent.read(item),
			max: options.maxMissing.read(item),
		},
		onTooManyMissing: options.onTooManyMissing.read(item),
		expectedItems: options.expectedItems.read(item),
		outcome: readOutcome(item, nouns),
	};
}

export interface MirrorPlan<Listed> {
	/** Records of the complete list that the mirror may mark or delete if they are missing. */
	managed: Listed[];
	/** Number of records that are neither managed nor in the input. */
	unmanaged: number;
	/** Names of the attributes that a real run creates first. */
	newAttributes?: string[];
	/** Whether the record is in the input; asked again after its items were written. */
	isPresent(listed: Listed): boolean;
	nameOf(listed: Listed): string;
	/** If a mirror has records of several kinds: all of one kind are too many to be missing. */
	kindOf?(listed: Listed): string;
	write(): Promise<void>;
	/** Marks or deletes a missing record, and returns the last one. It may have changed since the list was read. */
	handle(listed: Listed): Promise<IDataObject>;
}

const actionOf = { report: 'missing', mark: 'marked', delete: 'deleted' } as const;
const maxNames = 5;

/** Decides before the first write of a run. Throws if more are missing than the safety limit allows. */
export function decideMissing<Listed extends IDataObject>(
	context: RunContext,
	nouns: Nouns,
	{ onMissing, limit, onTooManyMissing }: MissingSettings,
	{ managed, isPresent, kindOf = () => '', nameOf }: MirrorPlan<Listed>,
	dryRun: boolean,
): MissingDecision {
	const doneAs = actionOf[onMissing];
	if (doneAs === 'missing') return { doneAs, leftAs: doneAs };
	const isOff = limit.max !== undefined && limit.maxPercent === undefined;
	const decision: MissingDecision = {
		doneAs,
		leftAs: dryRun ? wouldBe[doneAs] : undefined,
		warning: isOff ? `The ${defaultPercent}% limit is off.` : undefined,
	};
	const { many } = nouns;
	const missing = managed.filter((listed) => !isPresent(listed));
	const kindsLeft = new Set(managed.filter(isPresent).map(kindOf));
	const lost = missing.find((listed) => !kindsLeft.has(kindOf(listed)));
	if (!lost && missing.length <= allowedMissing(managed.length, limit)) return decision;
	const [count, total] = [missing, managed].map(({ length }) => countFormat.format(length));
	const isAll = missing.length === managed.length;
	const kind = lost && !isAll ? `, among them all of the type "${kindOf(lost)}"` : '';
	const overLimit = `${count} of ${total} managed ${many} are missing${kind}. ${limitWords(nouns, limit)}`;
	if (!lost && onTooManyMissing === 'leave') return { ...decision, overLimit, leftAs: 'kept' };
	if (dryRun) return { ...decision, overLimit };
	const names = missing.slice(0, maxNames).map(nameOf).join(', ');
	const advice = lost
		? 'One run never marks or deletes all of them. To delete all, use the operation Delete.'
		: adviceFor(nouns, limit, missing.length, managed.length);
	throw context.error(
		isAll
			? `All managed ${many} are missing from the input`
			: `Too many ${many} are missing from the input`,
		`${overLimit} Missing are ${names}${missing.length > maxNames ? ' and others' : ''}. Nothing was written. Check that the nodes before this one return your complete list. ${advice}`.trim(),
	);
}

/** Names the options that help, unless so many are missing that the input is probably not complete. */
function adviceFor({ title }: Nouns, limit: SafetyLimit, missing: number, managed: number): string {
	if (missing * 2 >= managed) return '';
	const isTooStrict = missing > allowedMissing(managed, { ...limit, max: missing });
	const first = isTooStrict ? 'remove Max Missing Percent and ' : '';
	return `If that is right, ${first}set Max Missing ${title} to ${missing} for one run.`;
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
