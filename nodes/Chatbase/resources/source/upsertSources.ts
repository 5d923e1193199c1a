import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf } from '../../api/failure';
import { codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import { unwritten } from '../../execution/results';
import type { Run } from '../../execution/run';
import type { ChatbotItems } from '../../sync/plan';
import { recordOf, dryRunAction } from '../../sync/records';
import { countFormat } from '../../values/json';
import { append, firstOf, forEachLimited } from '../../values/list';
import { SourceMemory, type TaughtSource } from './memory';
import { isGone, sourceNameOf, type Source } from './plan/source';
import type { SourceWish } from './plan/sourceInput';
import { changedBy, isUnknown, type SourceStep, sourceStepFor } from './plan/sourceSteps';
import { matchSources, type SourceMatch, sourceWishesOf } from './plan/sourceWishes';
import { changeSource, createdSource, sendNew, sourceIn } from './requests';
import { SourceAnswers } from './sourceAnswers';
import { readSources } from './sources';
import type { UpsertParams } from './upsertOptions';
import {
	type SentSource,
	type SourceWrite,
	tellOfTraining,
	writeSources,
} from './writeSources';

/** The sources of a chatbot, and what its items want. */
export interface ChatbotSources {
	readonly api: ApiClient;
	readonly chatbotId: string;
	/** The sources of the list that have a name, by which they can be recognized. */
	readonly listed: readonly Source[];
	readonly matches: readonly SourceMatch[];
	readonly answers: SourceAnswers;
}

/**
 * Finds the source of each item in the list of its chatbot. An item fails if it contradicts another one or could mean several
 * sources.
 */
export async function readMatches(
	context: RunContext,
	{ api, chatbotId, items }: ChatbotItems<UpsertParams>,
): Promise<ChatbotSources> {
	const answers = new SourceAnswers(items);
	const inputs = items.map(({ item, params }) => {
		const { wanted, settings } = params;
		return { index: item.index, wanted, settings };
	});

	// Contradictions are found before any request.
	const { wishes, contradictions } = sourceWishesOf(inputs);
	answers.refuseContradictions(contradictions);

	const filters = { type: 'text,qna,file' };
	const sources = await readSources(context, api, { chatbotId, filters });
	const listed = sources.filter((source) => !isGone(source));

	const { matches, ambiguous } = matchSources(wishes, listed);
	answers.refuseAmbiguous(ambiguous);
	return { api, chatbotId, listed, matches, answers };
}

/** What a run does with the sources of a chatbot. */
interface ChatbotSteps extends ChatbotSources {
	readonly steps: readonly SourceStep[];
}

/** Creates and updates sources, unless n8n remembers that they are as the node has written them. */
export async function upsertSources(
	run: Run<UpsertParams>,
	chatbots: readonly ChatbotSources[],
): Promise<void> {
	const matches = chatbots.flatMap((chatbot) => chatbot.matches);
	// A failed item may have ended the run.
	const [first] = matches;
	if (!first || run.limits.stopped) return;

	// All chatbots share one memory, since n8n has only one list for the node.
	const memory = new SourceMemory(run.context);
	const recollections = await memory.look(
		matches.flatMap(({ wish, existing }) => (existing ? taughtBy(wish, existing) : [])),
	);
	const plans = chatbots.map((chatbot) => ({
		...chatbot,
		steps: chatbot.matches.map((match) => sourceStepFor(match, recollections)),
	}));

	const steps = plans.flatMap((plan) => plan.steps);
	const unchanged = steps.filter((step) => step.kind === 'unchanged');
	const { dryRun } = first.wish.settings;
	if (dryRun || unchanged.length === steps.length) {
		await memory.leave();
	} else {
		await memory.startWriting(
			unchanged.map(({ wish, source }) => taughtBy(wish, source)),
		);
	}

	if (dryRun) foretellAll(run.context, plans);
	else await writeAll(run, plans, memory);
}

function taughtBy({ wanted }: SourceWish, { id }: Source): TaughtSource {
	return { id, fingerprint: wanted.fingerprint };
}

/** Answers the items of a dry run. */
function foretellAll(context: RunContext, plans: readonly ChatbotSteps[]): void {
	for (const { steps, answers } of plans) {
		for (const step of steps) answers.set(step.wish, unwritten(foretoldRecord(step)));
	}

	const unknown = plans.flatMap(({ steps }) => steps).filter(isUnknown);
	warnOfUnknown(context, unknown.length, 'would be sent');
}

function foretoldRecord(step: SourceStep): IDataObject {
	const changed = changedBy(step);
	switch (step.kind) {
		case 'create': {
			const { type, name } = step.wish.wanted;
			return recordOf({ type, name }, { action: dryRunAction.created, changed });
		}

		case 'update':
			return recordOf(step.source, { action: dryRunAction.updated, changed });

		case 'unchanged':
			return recordOf(step.source, 'unchanged');
	}
}

/** What became of a step. */
interface DoneStep extends SentSource {
	readonly step: SourceStep;
	readonly action: 'created' | 'updated' | 'unchanged';
}

async function writeAll(
	{ context, limits }: Run<UpsertParams>,
	plans: readonly ChatbotSteps[],
	memory: SourceMemory,
): Promise<void> {
	const done: DoneStep[] = [];
	const left: Source[] = [];
	try {
		await forEachLimited(plans, limits.maxConcurrency, async (plan) => {
			const writes = plan.steps.map((step) => writeOf(step, { ...plan, memory, done }));
			append(left, await writeSources(context, plan, writes));
		});
	} finally {
		await memory.save();
	}
	tellOfTraining(context, left);

	const updated = done.filter(({ action }) => action === 'updated');
	const unknown = updated.filter(({ step }) => isUnknown(step));
	warnOfUnknown(context, unknown.length, 'sent');
	warnOfNames(context, done);
}

interface SourceWriteScope extends ChatbotSteps {
	readonly memory: SourceMemory;
	/** The steps that were done are added here. */
	readonly done: DoneStep[];
}

function writeOf(
	step: SourceStep,
	{ api, answers, memory, done }: SourceWriteScope,
): SourceWrite<DoneStep> {
	const { wish } = step;
	return {
		item: answers.itemOf(wish),
		file: wish.wanted.file,
		wait: wish.settings.wait,

		async send() {
			const sent = await doStep(api, step);
			done.push(sent);
			return sent;
		},

		succeed(last, { action }) {
			if (action !== 'unchanged') memory.remember(taughtBy(wish, last));
			const record = recordOf(last, { action, changed: changedBy(step) });
			answers.set(wish, { records: [record], written: action !== 'unchanged' });
		},

		fail: (error) => answers.set(wish, failureOf(error)),
	};
}

/** Does one step of a run. For an unchanged source, it sends nothing. A source that was deleted meanwhile is created. */
async function doStep(api: ApiClient, step: SourceStep): Promise<DoneStep> {
	if (step.kind === 'unchanged') {
		return { step, action: 'unchanged', source: step.source };
	}

	const { wanted, settings } = step.wish;
	const { chatbotId } = settings;
	if (step.kind === 'update') {
		const { id } = step.source;
		const response = await changeSource(api, { chatbotId, sourceId: id }, wanted);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			return { step, action: 'updated', source: sourceIn(api, response, id) };
		}
	}

	const target = { chatbotId, wanted };
	const response = await sendNew(api, target);
	return { step, action: 'created', source: createdSource(api, response, target) };
}

function warnOfUnknown(
	context: RunContext,
	count: number,
	done: 'sent' | 'would be sent',
): void {
	if (count === 0) return;

	const [subject, verb] = count === 1 ? ['source', 'it has'] : ['sources', 'they have'];
	context.warn(
		`${countFormat.format(count)} ${subject} ${done}; whether ${verb} changed is not known.`,
	);
}

/** Warns if a source got another name than was sent: the next run would not find it. */
function warnOfNames(context: RunContext, done: readonly DoneStep[]): void {
	const renamed = done.filter(({ step, action, source }) => {
		const isNamed = action !== 'unchanged' && source.name;
		return isNamed && sourceNameOf(source) !== step.wish.wanted.name;
	});
	if (renamed.length === 0) return;

	const names = firstOf(
		renamed,
		({ step, source }) => `"${source.name}" for "${step.wish.wanted.name}"`,
		3,
	);
	context.warn(
		`The service stored other names than were sent: ${names}. Create or Update and Mirror don't find these sources by the names in your input, so each run creates them again. Use the stored names in your input.`,
	);
}
