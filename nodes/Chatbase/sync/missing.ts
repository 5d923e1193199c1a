import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { errorText, escapeHtml } from '../api/errors';
import { forEachLimited } from '../api/limits';
import type { Run } from '../execution/run';
import { firstOf } from '../values/firstOf';
import type { OutcomeSettings } from './outcome';
import type { MissingDecision, MissingRecords, Nouns } from './summary';
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
	/** If a mirror has records of several kinds: all of one kind are too many to be missing. */
	kindOf?(listed: Listed): string;
	/** Writes the items. */
	write(missing: Listed[], doneAs: MissingDecision['doneAs']): Promise<void>;
	/** Marks or deletes a missing record, and returns the last one. It may have changed since the list was read. */
	handle(listed: Listed): Promise<IDataObject>;
}

/** After so many equal failures in a row, the service may refuse all. */
const maxAlike = 20;

/**
 * Marks or deletes the missing records, after the items of the run. Throws the first failure, unless the output has
 * deleted records, which are their backup.
 */
export async function handleMissing<Listed extends IDataObject>(
	run: Run<unknown>,
	{ many }: Nouns,
	{ output }: OutcomeSettings,
	{ managed, unmanaged, newAttributes = [], isPresent, nameOf, handle }: MirrorPlan<Listed>,
	decision: MissingDecision,
): Promise<MissingRecords> {
	const missing = managed.filter((listed) => !isPresent(listed));
	// A failed item may be about a missing record.
	const isBlocked = decision.doneAs !== 'missing' && run.hasFailures();
	const leftAs = isBlocked ? 'kept' : decision.leftAs;
	const records = missing.map((listed) => recordOf(listed, leftAs ?? 'kept'));
	const failed: string[] = [];
	const names = missing.map(nameOf);
	const result = { ...decision, unmanaged, newAttributes, records, names, failed };
	if (leftAs) return result;
	let failure: NodeApiError | undefined;
	let alike = 0;
	let words = '';
	await forEachLimited(
		[...missing.entries()],
		run.limits.maxConcurrency,
		async ([index, listed]) => {
			if (alike >= maxAlike) return;
			try {
				records[index] = await handle(listed);
				alike = 0;
			} catch (caught) {
				const error = caught as NodeApiError;
				failure ??= error;
				failed.push(nameOf(listed));
				records[index].error = errorText(error);
				alike = error.message === words ? alike + 1 : 1;
				words = error.message;
			}
		},
	);
	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	const needsOutput = hasDeleted && output !== 'summary';
	if (failure && run.context.endsOnFailure && !needsOutput) {
		const unhandled = `Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`;
		failure.description = `${escapeHtml(unhandled)} ${failure.description ?? ''}`.trim();
		throw failure;
	}
	return result;
}
