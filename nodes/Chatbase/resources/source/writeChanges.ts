import type { IDataObject } from 'n8n-workflow';

import { codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import type { PendingItem, Run } from '../../execution/run';
import { recordOf, wouldBe } from '../../sync/records';
import { firstOf } from '../../values/list';
import { countFormat } from '../../values/number';
import type { MatchableParams, SourceTask } from './matchSources';
import { SourceMemory } from './memory';
import { changeSource, createSource, sourceIn } from './requests';
import { nameOf, type Source } from './sources';
import { writeEach, type WrittenSource } from './writeEach';

/** What a run does with a source, and why. */
interface Decision {
	action: 'unchanged' | 'created' | 'updated';
	/** Names of the fields that differ from what the source has, as far as that is known. */
	changed: string[];
	/** Whether nobody knows if the source differs from what is sent. */
	isUnknown: boolean;
}

type DecidedParams = SourceTask['params'] & Decision;

/** Creates and updates sources, unless n8n remembers that they are as the node has written them. */
export async function writeChanges(
	run: Run<MatchableParams>,
	tasks: SourceTask[],
): Promise<void> {
	const { context, limits } = run;
	// A failed item may have ended the run.
	if (tasks.length === 0 || limits.stopped) return;

	const contents = tasks.map(({ params }) => params);
	const memory = await SourceMemory.open(context, contents);
	const items = tasks.map(({ params, ...task }) => ({
		...task,
		params: { ...params, ...decide(params, memory) },
	}));
	if (contents.some(({ settings }) => settings.dryRun)) {
		await memory.leave();
		foretell(context, items);
		return;
	}

	const all = items.map(({ params }) => params);
	const unchanged = all.filter(({ action }) => action === 'unchanged');
	const writes = unchanged.length < all.length;
	if (writes) await memory.startWriting(unchanged);
	else await memory.leaveWithSizes();

	try {
		await writeDecided({ ...run, items }, memory);
	} finally {
		if (writes) await memory.save();
	}
}

function decide(params: SourceTask['params'], memory: SourceMemory): Decision {
	const { existing, wanted, settings } = params;
	const sent = Object.keys(wanted.body).filter((field) => field !== 'name');
	if (!existing) return { action: 'created', changed: sent, isUnknown: false };

	const verdict = memory.verdictOn(params);
	const isTaught = verdict === 'same' && existing.status !== 'failed';
	return {
		action: isTaught && !settings.alwaysSend ? 'unchanged' : 'updated',
		changed: verdict === 'different' ? sent : [],
		isUnknown: verdict === 'unknown',
	};
}

/** Answers the items of a dry run. */
function foretell(context: RunContext, items: Array<PendingItem<DecidedParams>>) {
	for (const { params, succeed } of items) {
		const { existing, wanted, action, changed } = params;
		const foretold = action === 'unchanged' ? action : wouldBe[action];
		const record = existing ?? { type: wanted.type, name: wanted.name };
		succeed([recordOf(record, { action: foretold, changed })]);
	}

	const unknown = items.filter(({ params }) => params.isUnknown);
	warnOfUnknown(context, unknown.length, 'would be sent');
}

async function writeDecided(
	run: Run<DecidedParams>,
	memory: SourceMemory,
): Promise<void> {
	let unknown = 0;
	const renamed: string[] = [];
	const write = async (task: PendingItem<DecidedParams>): Promise<WrittenSource> => {
		const { existing, wanted, action, changed, isUnknown } = task.params;
		if (existing && action === 'unchanged') {
			return { source: existing, outputFor: (last) => recordOf(last, action) };
		}

		const { source, isNew } = await send(task);
		if (isUnknown && !isNew) unknown++;
		if (source.name && nameOf(source) !== wanted.name) {
			renamed.push(`"${source.name}" for "${wanted.name}"`);
		}

		const outputFor = (last: Source): IDataObject => {
			memory.remember(task.params, last, last !== source);
			return recordOf(last, { action: isNew ? 'created' : 'updated', changed });
		};
		return { source, outputFor };
	};

	await writeEach(run, { keyOf: ({ params }) => params.key, write });
	warnOfUnknown(run.context, unknown, 'sent');
	warnOfNames(run.context, renamed);
}

/** Updates a source, or creates it if there is none, or it was deleted meanwhile. */
async function send({
	api,
	params,
}: SourceTask): Promise<{ source: Source; isNew: boolean }> {
	const { existing, wanted, settings } = params;
	const { chatbotId } = settings;
	if (existing) {
		const response = await changeSource(
			api,
			{ chatbotId, sourceId: existing.id },
			wanted,
		);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			return { source: sourceIn(api, response, existing.id), isNew: false };
		}
	}

	return { source: await createSource(api, chatbotId, wanted), isNew: true };
}

function warnOfUnknown(
	context: RunContext,
	count: number,
	done: 'sent' | 'would be sent',
) {
	if (count === 0) return;
	const [subject, verb] = count === 1 ? ['source', 'it has'] : ['sources', 'they have'];
	context.warn(
		`${countFormat.format(count)} ${subject} ${done}; whether ${verb} changed is not known.`,
	);
}

/** A source with another name than was sent is not found by it. */
function warnOfNames(context: RunContext, renamed: string[]) {
	if (renamed.length === 0) return;
	context.warn(
		`The service stored other names than were sent: ${firstOf(renamed, String, 3)}. Create or Update and Mirror don't find these sources by the names in your input, so each run creates them again. Use the stored names in your input.`,
	);
}
