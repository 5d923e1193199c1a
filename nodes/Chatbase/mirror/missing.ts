import type { RunContext } from '../execution/item';
import type { LimitSettings } from './limit';
import { allowedMissing, checkLimit, tooManyMissing } from './limit';
import type { Nouns, OverLimit, SyncAction } from './summary';

export type OnMissing = 'report' | 'mark' | 'delete';

interface MissingPlan {
	/** Set if more records are missing than the safety limit allows. */
	overLimit?: OverLimit;
	/**
	 * The action in their records if nothing is done; undefined if they will be marked or deleted.
	 *
	 * @param hasFailures whether an item of the run failed, so that the input may be incomplete
	 */
	actionWithout(hasFailures: boolean): SyncAction | undefined;
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
	onMissing: OnMissing,
	{ limit, onTooManyMissing }: LimitSettings,
	missing: string[],
	managed: number,
	dryRun: boolean,
	nouns: Nouns,
): MissingPlan {
	if (onMissing === 'report') {
		return { actionWithout: () => 'missing' };
	}
	const result = checkLimit(missing.length, managed, limit);
	const isLeft = result === 'tooMany' && onTooManyMissing === 'leave';
	if (result !== 'fine' && !isLeft && !dryRun) {
		const deed = onMissing === 'mark' ? 'marked' : 'deleted';
		throw tooManyMissing(context, limit, missing, managed, deed, nouns);
	}
	return {
		...(result !== 'fine' && {
			overLimit: {
				missing: missing.length,
				...(result === 'tooMany' && { allowed: allowedMissing(managed, limit) }),
				isLeft,
			},
		}),
		actionWithout(hasFailures) {
			if (isLeft || hasFailures) return 'kept';
			if (dryRun) return onMissing === 'mark' ? 'wouldMark' : 'wouldDelete';
			return undefined;
		},
	};
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

const number = new Intl.NumberFormat('en-US');
