import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../api/client';
import { errorText, escapeHtml } from '../api/errors';
import { forEachLimited } from '../api/limits';
import type { RunContext } from '../execution/item';
import type { Run } from '../execution/run';
import { firstOf } from '../values/firstOf';
import type { LimitSettings } from './limit';
import { allowedMissing, checkLimit, tooManyMissing } from './limit';
import type { OutcomeSettings } from './outcome';
import type { MissingRecords, Nouns, OverLimit, SyncAction } from './summary';
import { recordOf, syncOf } from './summary';

export type OnMissing = 'report' | 'mark' | 'delete';

interface MissingPlan {
	/** What the mirror does with missing records. */
	deed: 'missing' | 'marked' | 'deleted';
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
		return { deed: 'missing', actionWithout: () => 'missing' };
	}
	const deed = onMissing === 'mark' ? 'marked' : 'deleted';
	const result = checkLimit(missing.length, managed, limit);
	const isLeft = result === 'tooMany' && onTooManyMissing === 'leave';
	if (result !== 'fine' && !isLeft && !dryRun) {
		throw tooManyMissing(context, limit, missing, managed, deed, nouns);
	}
	return {
		deed,
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
	api: ApiClient,
	plan: MissingPlan,
	{ output }: OutcomeSettings,
	{ many }: Nouns,
	{ missing, nameOf, unmanaged, newAttributes = [], handle }: MissingWork<Listed>,
): Promise<MissingRecords> {
	const { overLimit, deed } = plan;
	const extras = { overLimit, mirror: { deed, unmanaged, newAttributes } };
	const action = plan.actionWithout(run.hasFailures());
	if (action) {
		const records = missing.map((listed) => recordOf(listed, action));
		return { ...extras, records, failed: [] };
	}
	let failure: unknown;
	const done = new Map<Listed, IDataObject>();
	await forEachLimited(missing, api.maxConcurrency, async (listed) => {
		try {
			done.set(listed, failure === undefined ? await handle(listed) : recordOf(listed, 'kept'));
		} catch (error) {
			failure ??= error;
			done.set(listed, { ...recordOf(listed, 'kept'), error: errorText(error as Error) });
		}
	});
	const records = missing.map((listed) => done.get(listed)!);
	const failed = missing.filter((listed) => done.get(listed)!.error !== undefined).map(nameOf);
	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	const needsOutput = hasDeleted && output !== 'summary';
	if (failure !== undefined && run.context.endsOnFailure && !needsOutput) {
		throw namedFailure(failure as NodeApiError, failed, many);
	}
	return { ...extras, records, failed };
}

function namedFailure(failure: NodeApiError, failed: string[], many: string): NodeApiError {
	const words = escapeHtml(
		`Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`,
	);
	failure.description = `${words} ${failure.description ?? ''}`.trim();
	return failure;
}

const number = new Intl.NumberFormat('en-US');
