import type { IDataObject } from 'n8n-workflow';

import type { BuildOutput } from '../execution/results';
import type { PendingItem, Run } from '../execution/run';
import { maxConcurrencyOption } from '../panel/maxConcurrency';
import type { MissingSettings } from './limit';
import { isNonEmpty, type NonEmpty } from '../values/list';
import { decideMissing, handleMissing, type MirrorPlan } from './missing';
import { type OutcomeNouns, readOutcome } from './outcomeOptions';
import { outcomeOutput } from './runOutput';

interface AnyMirrorParams {
	mirror: MissingSettings;
	settings: { dryRun: boolean };
}

/** A run with at least one item. The settings of the first one count for all. */
export interface MirrorRun<Params> extends Run<Params> {
	items: NonEmpty<PendingItem<Params>>;
}

interface MirrorResource<Params, Listed> {
	nouns: OutcomeNouns;
	/** The label of the field by which items are matched. */
	idLabel: string;
	/** Reads the whole list, and compares it with the input. */
	planOf(run: MirrorRun<Params>): Promise<MirrorPlan<Listed>>;
}

export const listRule = 'The input must be your complete list';

export const notAsTool =
	'It needs your complete list, and an agent has one record at a time. Use Create or Update.';

/** Reads the whole list, checks the safety limit, writes the items, and then handles the missing records. */
export async function runMirror<
	Params extends AnyMirrorParams,
	Listed extends IDataObject,
>(
	run: Run<Params>,
	{ nouns, idLabel, planOf }: MirrorResource<Params, Listed>,
): Promise<BuildOutput> {
	// This comes before any write, because it throws if an option is invalid.
	const buildOutput = outcomeOutput(run, nouns);

	const { items, refused } = run;
	// An item without an ID ends the run in every On Error mode.
	const unnamed = refused.find(({ identity }) => identity.id === undefined);
	if (unnamed) {
		const whyForAll = `Mirror needs the ${idLabel} of every item. Nothing was written.`;
		throw run.reasonOf(unnamed).and(whyForAll);
	}
	if (!isNonEmpty(items)) return buildOutput;
	assertOneSetting(items, nouns);

	const { mirror, settings } = items[0].params;
	const plan = await planOf({ ...run, items });
	const situation = { run, nouns, settings: mirror, dryRun: settings.dryRun, plan };
	const decision = decideMissing(situation);

	await plan.write();
	const handled = await handleMissing(situation, decision);
	return (results) => buildOutput(results, handled);
}

/** Throws if items differ in a setting, since those of the first item count for the whole run. */
function assertOneSetting(
	items: NonEmpty<PendingItem<AnyMirrorParams>>,
	nouns: OutcomeNouns,
) {
	const [first, ...others] = items;
	const textOf = ({ item, params }: PendingItem<AnyMirrorParams>) => {
		const { mirror, settings } = params;
		const ofRun = item.context.readSettings('settings of the run', () => ({
			outcome: readOutcome(item, nouns),
			maxConcurrency: maxConcurrencyOption.read(item),
		}));
		return JSON.stringify([mirror, settings, ofRun]);
	};
	const expected = textOf(first);

	const other = others.find(
		(each) => each.api !== first.api || textOf(each) !== expected,
	);
	if (!other) return;

	throw other.item.error(
		'Items use different settings',
		`Use the same chatbot, credential and options for all items (compare item ${first.item.index}).`,
	);
}
