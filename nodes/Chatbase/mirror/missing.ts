import type { RunContext } from '../execution/item';
import type { LimitSettings } from './limit';
import { checkLimit, tooManyMissing } from './limit';
import type { Nouns, SyncAction } from './summary';

export type OnMissing = 'report' | 'mark' | 'delete';

interface MissingPlan {
	overLimit: boolean;
	/** Whether that leaves the missing records alone, instead of failing the run. */
	isLeft: boolean;
	/**
	 * What their records say if nothing is done about them; undefined if they are to be marked or deleted.
	 *
	 * @param hasFailures whether an item of the run has failed, so that the input may be incomplete
	 */
	actionWithout(hasFailures: boolean): SyncAction | undefined;
}

/**
 * Decides about missing records before the first write of a run.
 *
 * @param missing names of the managed records that are not in the input
 * @param managed how many records the mirror manages
 * @throws NodeOperationError if they are more than the safety limit allows
 */
export function planMissing(
	context: RunContext,
	onMissing: OnMissing,
	{ limit, onTooManyMissing }: LimitSettings,
	missing: string[],
	managed: number,
	dryRun: boolean,
	nouns: Nouns,
): MissingPlan {
	if (onMissing === 'report') {
		return { overLimit: false, isLeft: false, actionWithout: () => 'missing' };
	}
	const result = checkLimit(missing.length, managed, limit);
	const isLeft = result === 'tooMany' && onTooManyMissing === 'leave';
	if (result !== 'fine' && !isLeft && !dryRun) {
		const deed = onMissing === 'mark' ? 'marked' : 'deleted';
		throw tooManyMissing(context, limit, missing, managed, deed, nouns);
	}
	return {
		overLimit: result !== 'fine',
		isLeft,
		actionWithout(hasFailures) {
			if (isLeft || hasFailures) return 'kept';
			if (dryRun) return onMissing === 'mark' ? 'wouldMark' : 'wouldDelete';
			return undefined;
		},
	};
}

/** @throws NodeOperationError if the input does not have as many different IDs as the user expects */
export function assertExpectedItems(
	context: RunContext,
	{ expectedItems }: LimitSettings,
	count: number,
	{ title, ids }: Nouns,
) {
	if (expectedItems === undefined || count === expectedItems) return;
	throw context.error(
		'The input is not as long as expected',
		`The input has ${number.format(count)} different ${ids}; Expected ${title} is ${number.format(expectedItems)}. Nothing was written. Check that the nodes before this one return the complete list.`,
	);
}

const number = new Intl.NumberFormat('en-US');
