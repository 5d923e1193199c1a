import type { IDataObject } from 'n8n-workflow';

import type { OwnTitle } from '../api/ownErrors';
import { type Failure, failureOf } from '../api/failure';
import type { Run } from '../execution/run';
import { countFormat } from '../values/json';
import { firstOf, forEachLimited } from '../values/list';
import { limitAdvice, type MissingSettings, violatedRule, warningOf } from './limit';
import {
	dryRunAction,
	inOrder,
	type MissingDecision,
	type MissingRecords,
	type Nouns,
	recordOf,
	type Sync,
	type SyncAction,
	syncOf,
} from './records';
import { Refusals } from './refusals';
import { maxNames } from './report';

/** The list of a mirror, compared with its input. */
export interface MirrorPlan<Listed> {
	/** Records of the complete list that the mirror may mark or delete if they are missing. */
	managed: Listed[];
	/** Number of records that are neither managed nor in the input. */
	unmanaged: number;
	/** Number of managed records that are missing, and were marked by an earlier run. */
	markedBefore?: number;
	/** Names of the attributes that a real run creates first. */
	newAttributes?: string[];
	/** Why the run writes nothing, if it does. */
	failure?: { readonly title: OwnTitle; readonly nextStep: string };
	/** Whether the record is in the input. */
	isPresent(listed: Listed): boolean;
	nameOf(listed: Listed): string;
	/** The type of a record, if a mirror has several types. The run fails if all records of one type are missing. */
	typeOf?(listed: Listed): string;
	/** Whether a request about the record could change another one. Then the record is kept. */
	isAmbiguous?(listed: Listed): boolean;
	write(): Promise<void>;
	/** Marks or deletes a missing record, which may have changed since the list was read. Returns the record as it was last. */
	handle(listed: Listed): Promise<IDataObject>;
}

interface MissingSituation<Listed> {
	run: Run<unknown>;
	nouns: Nouns;
	settings: MissingSettings;
	dryRun: boolean;
	plan: MirrorPlan<Listed>;
}

const actionFor = { report: 'missing', mark: 'marked', delete: 'deleted' } as const;

/**
 * Decides before the first write of a run. Throws if nothing may be written, such as because more are missing than the safety
 * limit allows. A Dry Run and a mere report say it.
 */
export function decideMissing<Listed>(
	situation: MissingSituation<Listed>,
): MissingDecision {
	const { run, dryRun, settings, plan } = situation;
	const actionIfHandled = actionFor[settings.onMissing];
	const isReport = actionIfHandled === 'missing';
	const excess = excessOf(situation);

	const { failure } = plan;
	if (failure && !dryRun) {
		throw run.context.error(failure.title, `Nothing was written. ${failure.nextStep}`);
	}
	if (excess && !dryRun && !isReport) throw tooManyMissing(situation, excess);

	const wouldFail = failure && `${failure.title}. ${failure.nextStep}`;
	if (isReport) {
		const warning = excess && `A run with Delete would stop: ${excess.overLimit}`;
		return { actionIfHandled, actionIfKept: actionIfHandled, wouldFail, warning };
	}
	return {
		actionIfHandled,
		actionIfKept: dryRun ? dryRunAction[actionIfHandled] : undefined,
		wouldFail: wouldFail ?? excess?.overLimit,
		isOverLimit: excess !== undefined,
		warning: warningOf(settings.maxMissing),
	};
}

function missingIn<Listed>({ managed, isPresent }: MirrorPlan<Listed>): Listed[] {
	return managed.filter((listed) => !isPresent(listed));
}

/** More missing records than the safety limit allows. */
interface Excess<Listed> {
	missing: Listed[];
	/** Text that says how many records are missing, and which rule this violates. */
	overLimit: string;
	isAll: boolean;
	/** Whether they are all, or all of a type. */
	isAllOfType: boolean;
}

function excessOf<Listed>(
	situation: MissingSituation<Listed>,
): Excess<Listed> | undefined {
	const { nouns, settings, plan } = situation;
	const { managed, isPresent, typeOf = () => '' } = plan;
	const missing = missingIn(plan);
	const typesLeft = new Set(managed.filter(isPresent).map(typeOf));
	const lostType = missing.map(typeOf).find((type) => !typesLeft.has(type));
	const isAllOfType = lostType !== undefined;

	const rule = violatedRule(missing.length, managed.length, settings.maxMissing);
	if (rule === undefined && !isAllOfType) return undefined;

	const isAll = missing.length === managed.length;
	const type = isAllOfType && !isAll ? `, among them all of the type "${lostType}"` : '';
	const count = countFormat.format(missing.length);
	const overLimit = `${count} of ${countFormat.format(managed.length)} managed ${nouns.many} are missing${type} (limit: ${rule ?? 'all of a type'}).`;
	return { missing, overLimit, isAll, isAllOfType };
}

function tooManyMissing<Listed>(
	situation: MissingSituation<Listed>,
	excess: Excess<Listed>,
): Failure {
	const { run, nouns, settings, plan } = situation;
	const { missing, overLimit, isAll } = excess;
	const title: OwnTitle = isAll
		? `All managed ${nouns.many} are missing from the input`
		: `Too many ${nouns.many} are missing from the input`;

	const sentences = [
		overLimit,
		warningOf(settings.maxMissing),
		`Missing are ${firstOf(missing, plan.nameOf, maxNames)}.`,
		'Nothing was written.',
		'Check that the nodes before this one return your complete list.',
		excessAdvice(situation, excess),
	];
	return run.context.error(title, sentences.filter(Boolean).join(' '));
}

function excessAdvice<Listed>(
	{ nouns, plan }: MissingSituation<Listed>,
	{ missing, isAllOfType }: Excess<Listed>,
): string {
	if (isAllOfType) {
		return `One run can't ${nouns.handling} all of them. To delete all, use the operation Delete.`;
	}
	return limitAdvice(nouns, missing.length, plan.managed.length);
}

/**
 * Marks or deletes the missing records, after the items of the run. Throws the first failure, unless some were deleted:
 * their records in the output are the backup, and a summary counts them.
 */
export async function handleMissing<Listed extends IDataObject>(
	{ run, nouns, plan }: MissingSituation<Listed>,
	decision: MissingDecision,
): Promise<MissingRecords> {
	const { unmanaged, markedBefore = 0, newAttributes = [] } = plan;
	const missing = missingIn(plan);
	const { actionIfHandled, actionIfKept } = decision;
	// A failed item may be about one of the missing records.
	const isBlocked = actionIfHandled !== 'missing' && run.hasFailures();
	const actionBefore = (listed: Listed): SyncAction => {
		if (actionIfHandled === 'missing') return actionIfHandled;
		if (isBlocked || plan.isAmbiguous?.(listed)) return 'kept';
		return actionIfKept ?? 'kept';
	};

	const recordAs = (listed: Listed, sync: Sync | SyncAction) =>
		recordOf(inOrder(listed, nouns.fieldOrder), sync);
	const records = missing.map((listed) => recordAs(listed, actionBefore(listed)));
	const failed: string[] = [];

	const counts = { unmanaged, markedBefore, newAttributes };
	const result = { ...decision, ...counts, records, failed };
	if (isBlocked || actionIfKept) return result;

	let first: Failure | undefined;
	const refusals = new Refusals();
	const handle = async ([index, listed]: [number, Listed]) => {
		if (plan.isAmbiguous?.(listed)) return;
		try {
			const { notSent } = refusals;
			if (notSent) throw run.context.error(notSent.title, notSent.nextStep);

			records[index] = await plan.handle(listed);
			refusals.accept();
		} catch (caught) {
			const failure = failureOf(caught);
			first ??= failure;
			refusals.refuse(failure.response?.status);
			failed.push(plan.nameOf(listed));
			const action = failure.written === 'unknown' ? 'unknown' : 'kept';
			records[index] = recordAs(listed, { action, error: failure.text });
		}
	};
	await forEachLimited([...missing.entries()], run.limits.maxConcurrency, handle);

	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	if (!first || !run.context.endsOnFailure || hasDeleted) return result;

	const left = `Missing ${nouns.many} that could not be ${actionIfHandled}: ${firstOf(failed)}.`;
	throw first.with({ sentences: [left, ...first.sentences] });
}
