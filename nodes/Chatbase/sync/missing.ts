import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { errorText, escapeHtml } from '../api/errors';
import { forEachLimited } from '../api/limits';
import type { Run } from '../execution/run';
import { firstOf } from '../values/firstOf';
import type { DoneAs, MissingDecision, MissingSettings } from './limit';
import type { MissingRecords, Nouns } from './summary';
import { recordOf, syncOf } from './summary';

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
	/** Writes the items. */
	write(missing: Listed[], doneAs: DoneAs): Promise<void>;
	/** Marks or deletes a missing record, and returns the last one. It may have changed since the list was read. */
	handle(listed: Listed): Promise<IDataObject>;
}

/**
 * Marks or deletes the missing records, after the items of the run. After a failure no more are started, since the next
 * run can handle them. Throws it, unless the output has deleted records, which are their backup.
 */
export async function handleMissing<Listed extends IDataObject>(
	run: Run<unknown>,
	{ many }: Nouns,
	{ outcome: { output } }: MissingSettings,
	{ managed, unmanaged, newAttributes = [], isPresent, nameOf, handle }: MirrorPlan<Listed>,
	{ doneAs, overLimit, action }: MissingDecision,
): Promise<MissingRecords> {
	const extras = { overLimit, mirror: { doneAs, unmanaged, newAttributes } };
	const missing = managed.filter((listed) => !isPresent(listed));
	// A failed item may be about a missing record.
	const leftAs = doneAs !== 'missing' && run.hasFailures() ? 'kept' : action;
	const records = missing.map((listed) => recordOf(listed, leftAs ?? 'kept'));
	if (leftAs) return { ...extras, records, failed: [] };
	const { maxConcurrency } = run.limits;
	const failed: string[] = [];
	let failure: NodeApiError | undefined;
	await forEachLimited([...missing.entries()], maxConcurrency, async ([index, listed]) => {
		if (failure) return;
		try {
			records[index] = await handle(listed);
		} catch (error) {
			failure ??= error as NodeApiError;
			failed.push(nameOf(listed));
			records[index].error = errorText(error as Error);
		}
	});
	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	const needsOutput = hasDeleted && output !== 'summary';
	if (failure && run.context.endsOnFailure && !needsOutput) {
		const words = `Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`;
		failure.description = `${escapeHtml(words)} ${failure.description ?? ''}`.trim();
		throw failure;
	}
	return { ...extras, records, failed };
}
