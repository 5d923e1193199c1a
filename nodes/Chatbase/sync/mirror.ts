import type { IDataObject } from 'n8n-workflow';

import type { BuildOutput } from '../execution/results';
import type { PendingItem, Run } from '../execution/run';
import { assertAllNamed, assertOneSetting } from './fullRun';
import type { MissingSettings } from './limit';
import { decideMissing } from './limit';
import type { MirrorPlan } from './missing';
import { handleMissing } from './missing';
import { outcomeOutput } from './outcome';
import type { Nouns } from './summary';

export interface MirrorParams {
	mirror: MissingSettings;
	settings: { dryRun: boolean };
}

/** Reads the whole list, checks the safety limit, writes the items, and then handles the missing records. */
export async function sendMirror<Params extends MirrorParams, Listed extends IDataObject>(
	run: Run<Params>,
	nouns: Nouns,
	idLabel: string,
	planOf: (items: Array<PendingItem<Params>>) => Promise<MirrorPlan<Listed>>,
): Promise<BuildOutput> {
	// Before anything is written, because it throws if an option is invalid.
	const buildOutput = outcomeOutput(run, nouns);
	assertAllNamed(run, idLabel);
	assertOneSetting(run, ({ mirror, settings }) => [mirror, settings]);
	const { context, items } = run;
	if (items.length === 0) return (results) => buildOutput(results);
	const { mirror, settings } = items[0].params;
	const plan = await planOf(items);
	const missing = plan.managed.filter((listed) => !plan.isPresent(listed));
	const decision = decideMissing(context, nouns, mirror, plan, missing, settings.dryRun);
	await plan.write(missing, decision.doneAs);
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
