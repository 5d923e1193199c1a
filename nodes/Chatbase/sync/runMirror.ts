import type { IDataObject } from 'n8n-workflow';

import type { BuildOutput } from '../execution/results';
import type { Run } from '../execution/run';
import { assertAllNamed, assertOneSetting, type MirrorParams } from './completeList';
import { decideMissing, handleMissing, type MirrorPlan } from './missing';
import { type Kind, outcomeOutput } from './outcome';

interface MirrorResource<Params, Listed> {
	nouns: Kind;
	/** The label of the field by which items are matched. */
	idLabel: string;
	/** Reads the whole list, and compares it with the input. */
	planOf(run: Run<Params>): Promise<MirrorPlan<Listed>>;
}

/** Reads the whole list, checks the safety limit, writes the items, and then handles the missing records. */
export async function runMirror<Params extends MirrorParams, Listed extends IDataObject>(
	run: Run<Params>,
	{ nouns, idLabel, planOf }: MirrorResource<Params, Listed>,
): Promise<BuildOutput> {
	// Before anything is written, because it throws if an option is invalid.
	const buildOutput = outcomeOutput(run, nouns, run.items[0]?.params.mirror.outcome);

	assertAllNamed(run, idLabel);
	const { context, items } = run;
	if (items.length === 0) return buildOutput;
	assertOneSetting(items);

	const { mirror, settings } = items[0].params;
	const plan = await planOf(run);
	const situation = { context, nouns, settings: mirror, plan, dryRun: settings.dryRun };
	const decision = decideMissing(situation);

	await plan.write();
	const handled = await handleMissing(run, situation, decision);
	return (results) => buildOutput(results, handled);
}
