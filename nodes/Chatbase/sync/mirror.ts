import type { IConnection, IDataObject, NodeApiError, NodeConnectionType } from 'n8n-workflow';

import { errorText, escapeHtml } from '../api/errors';
import { forEachLimited } from '../api/concurrency';
import type { InputItem } from '../execution/item';
import type { RunContext } from '../execution/context';
import type { BuildOutput } from '../execution/results';
import type { PendingItem, Run } from '../execution/run';
import { notice } from '../panel/notices';
import { firstOf } from '../values/list';
import { decideMissing, type MirrorPlan, type MissingSettings } from './limit';
import { type Kind, outcomeOutput, type OutcomeSettings } from './outcome';
import { type MissingDecision, type MissingRecords, type Nouns, recordOf, syncOf } from './summary';

interface MirrorParams {
	mirror: MissingSettings;
	settings: { dryRun: boolean };
}

/** Reads the whole list, checks the safety limit, writes the items, and then handles the missing records. */
export async function sendMirror<Params extends MirrorParams, Listed extends IDataObject>(
	run: Run<Params>,
	nouns: Kind,
	idLabel: string,
	planOf: (run: Run<Params>) => Promise<MirrorPlan<Listed>>,
): Promise<BuildOutput> {
	// Before anything is written, because it throws if an option is invalid.
	const buildOutput = outcomeOutput(run, nouns);
	assertAllNamed(run, idLabel);
	const { context, items } = run;
	if (items.length === 0) return buildOutput;
	assertOneSetting(items);
	const { mirror, settings } = items[0].params;
	const plan = await planOf(run);
	const decision = decideMissing(context, nouns, mirror, plan, settings.dryRun);
	await plan.write();
	const handled = await handleMissing(run, nouns, mirror.outcome, plan, decision);
	return (results) => buildOutput(results, handled);
}

/** Throws if the mirror would create a record that it does not manage. */
export function assertPrefix<Params>(
	items: Array<PendingItem<Params>>,
	prefix: string,
	title: string,
	{ one }: Nouns,
) {
	const foreign = items.find(({ item }) => !item.identity.id!.startsWith(prefix));
	if (!foreign) return;
	throw foreign.item.error(
		title,
		`"${foreign.item.identity.id}" does not start with "${prefix}". The mirror would create a ${one} that it does not manage.`,
	);
}

/** n8n 2.41 has this function at run time, but not in its types. */
interface WithConnections {
	getConnections?(node: { name: string }, type: NodeConnectionType): Array<IConnection[] | null>;
}

export const listNotice = notice('completeListNotice', 'The input must be your complete list');

export const notAsTool =
	'It needs your complete list, and an agent has one record at a time. Use Create or Update.';

/** Rejects a run that can't have the complete list, since all other records would count as missing. */
export function assertFullRun(context: RunContext, { many }: Nouns) {
	const { functions, node } = context;
	if (node.executeOnce) {
		throw context.error(
			'Mirror does not work with Execute Once',
			'Only the first item would count as your list. Turn off Execute Once under Settings.',
		);
	}
	const before = new Set(functions.getParentNodes(node.name).map(({ name }) => name));
	const isInLoop = functions.getChildNodes(node.name).some(({ name }) => before.has(name));
	if (isInLoop) {
		throw context.error(
			'Mirror does not work inside a loop',
			`Each loop round has only part of the list, so all other ${many} would count as missing. Move the node after the loop's done output.`,
		);
	}
	// n8n 2.41 runs a node once for each connection to an input. Branches of which only one runs look the same here.
	const [lines] = (functions as WithConnections).getConnections?.(node, 'main') ?? [];
	if (lines && lines.length > 1) {
		throw context.error(
			'Mirror has several incoming connections',
			`They start at ${lines.map((line) => `"${line.node}"`).join(' and ')}. n8n runs Mirror once for each connection, so all other ${many} would count as missing. Put a Merge node before Mirror.`,
		);
	}
	const { $runIndex } = functions.getWorkflowDataProxy(0);
	if (Number($runIndex) > 0) {
		throw context.error(
			'Mirror can run only once per execution',
			'It already ran in this execution, with another part of the list. Combine all items before it, for example with a Merge node.',
		);
	}
}

/** Throws in every On Error mode. */
function assertAllNamed({ items, refused }: Run<unknown>, label: string) {
	const all = [...refused, ...items.map(({ item }) => item)];
	const unnamed = all.find(({ identity }) => identity.id === undefined);
	if (unnamed) throw unnamedError(unnamed, label);
}

export function unnamedError(item: InputItem, label: string) {
	return item.error(
		`${label} is empty`,
		`Mirror compares your complete list, so every item needs ${/^[AEIOU]/.test(label) ? 'an' : 'a'} ${label}. Nothing was written. Turn off Always Output Data in the node before if it returns an empty item.`,
	);
}

function assertOneSetting(items: Array<PendingItem<MirrorParams>>) {
	const [first] = items;
	const textOf = ({ mirror, settings }: MirrorParams) => JSON.stringify([mirror, settings]);
	const expected = textOf(first.params);
	// Without expressions, all items share their settings.
	const isShared = ({ mirror, settings }: MirrorParams) =>
		mirror === first.params.mirror && settings === first.params.settings;
	const other = items.find(
		({ api, params }) => api !== first.api || (!isShared(params) && textOf(params) !== expected),
	);
	if (!other) return;
	throw other.item.error(
		'Items use different settings',
		`Use the same chatbot, credential and options for all items (compare item ${first.item.index}).`,
	);
}

/** After so many equal failures in a row, the service may refuse all. */
const maxAlike = 20;

/**
 * Marks or deletes the missing records, after the items of the run. Throws the first failure, unless the output has
 * deleted records, which are their backup.
 */
async function handleMissing<Listed extends IDataObject>(
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
	let inRow: string[] = [];
	await forEachLimited([...missing.entries()], run.limits.maxConcurrency, async (entry) => {
		const [index, listed] = entry;
		if (inRow.length >= maxAlike) return;
		try {
			records[index] = await handle(listed);
			inRow = [];
		} catch (caught) {
			const error = caught as NodeApiError;
			failure ??= error;
			failed.push(names[index]);
			records[index].error = errorText(error);
			inRow = [...inRow.filter((message) => message === error.message), error.message];
		}
	});
	const hasDeleted = records.some((record) => syncOf(record)?.action === 'deleted');
	const needsOutput = hasDeleted && output !== 'summary';
	if (failure && run.context.endsOnFailure && !needsOutput) {
		const unhandled = `Missing ${many} that could not be marked or deleted: ${firstOf(failed)}.`;
		failure.description = `${escapeHtml(unhandled)} ${failure.description ?? ''}`.trim();
		throw failure;
	}
	return result;
}
