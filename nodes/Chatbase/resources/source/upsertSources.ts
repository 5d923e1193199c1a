/** What Create or Update and Mirror do: find the source of each item, write what differs, and answer the items. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf } from '../../api/failure';
import { codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import { type Answer, unwritten } from '../../execution/results';
import type { PendingItem, Run } from '../../execution/run';
import { type Field, type Shown, toggleField } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { chatbotField } from '../../chatbots/chatbots';
import type { ChatbotItems } from '../../sync/plan';
import { recordOf, dryRunAction } from '../../sync/records';
import { append, firstOf, forEachLimited } from '../../values/list';
import { SourceMemory, type TaughtSource } from './memory';
import { isGone, sourceNameOf, type Source, type WantedSource } from './plan/source';
import {
	matchSources,
	type RefusedItems,
	type SourceMatch,
	type SourceStep,
	sourceStepFor,
	type SourceWish,
	sourceWishesOf,
	type UpsertSettings,
} from './plan/sourceSteps';
import { changeSource, createdSource, sendNew, sourceIn } from './requests';
import { nouns, readSources } from './sources';
import { tellOfTraining, waitOption } from './training';
import { type SentSource, type SourceWrite, writeSources } from './writeSources';

/** What Create or Update and Mirror read of an item. */
export interface UpsertParams {
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

const alwaysSendOption = toggleField('options.alwaysSend', 'Always Send', {
	description:
		'Whether to send every source, even if it has not changed. Use it once after an edit in the dashboard. The chatbot trains each one again.',
});

export const sourceUpsertOptions: Shown[] = [
	alwaysSendOption,
	maxConcurrencyOption,
	...Object.values(nouns.outcomeOptions),
	waitOption,
];

export function readUpsertSettings(
	item: InputItem,
	dryRunField: Field<boolean>,
): UpsertSettings {
	return item.context.readSettings('settings', () => ({
		chatbotId: chatbotField.read(item),
		dryRun: dryRunField.read(item),
		alwaysSend: alwaysSendOption.read(item),
		wait: waitOption.read(item),
	}));
}

/** The only place that answers the items of a chatbot. */
class SourceAnswers {
	private readonly items: ReadonlyMap<number, PendingItem<unknown>>;

	constructor(items: ReadonlyArray<PendingItem<unknown>>) {
		this.items = new Map(items.map((pending) => [pending.item.index, pending]));
	}

	/** The first item of a wish. Errors and hints about the wish name it. */
	itemOf({ items }: SourceWish): InputItem {
		return this.items.get(items[0])!.item;
	}

	set({ items }: SourceWish, answer: Answer): void {
		items.forEach((index) => this.items.get(index)!.answer(answer));
	}

	refuse(refused: readonly RefusedItems[]): void {
		for (const { items, title, nextStep } of refused) {
			for (const index of items) {
				const { item, answer } = this.items.get(index)!;
				answer(item.error(title, nextStep));
			}
		}
	}
}

/** The sources of a chatbot, and what its items want. */
export interface ChatbotSources {
	readonly api: ApiClient;
	readonly chatbotId: string;
	/** All sources that can be matched, except for those that are being deleted. */
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
	const inputs = items.map(({ item, params }) => ({ index: item.index, ...params }));

	// Contradictions are found before any request.
	const { wishes, refused: contradicting } = sourceWishesOf(inputs);
	answers.refuse(contradicting);

	const filters = { type: 'text,qna,file' };
	const sources = await readSources(context, api, { chatbotId, filters });
	const listed = sources.filter((source) => !isGone(source));

	const { matches, refused: ambiguous } = matchSources(wishes, listed);
	answers.refuse(ambiguous);
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
	const taught = await memory.look(
		matches.flatMap(({ wish, existing }) => (existing ? taughtBy(wish, existing) : [])),
	);
	const plans = chatbots.map((chatbot) => ({
		...chatbot,
		steps: chatbot.matches.map((match) => sourceStepFor(match, taught)),
	}));

	if (first.wish.settings.dryRun) {
		await memory.leave();
		foretellAll(plans);
		return;
	}

	await prepareMemory(
		memory,
		plans.flatMap(({ steps }) => steps),
	);
	await writeAll(run, plans, memory);
}

function taughtBy({ wanted }: SourceWish, { id }: Source): TaughtSource {
	return { id, fingerprint: wanted.fingerprint };
}

async function prepareMemory(
	memory: SourceMemory,
	steps: readonly SourceStep[],
): Promise<void> {
	const unchanged = steps.flatMap((step) =>
		step.kind === 'unchanged' ? taughtBy(step.wish, step.source) : [],
	);
	if (unchanged.length === steps.length) {
		await memory.leave();
		return;
	}

	const { length: updated } = steps.filter(({ kind }) => kind === 'update');
	const created = steps.length - unchanged.length - updated;
	await memory.startWriting(unchanged, { updated, created });
}

/** Answers the items of a dry run. */
function foretellAll(plans: readonly ChatbotSteps[]): void {
	for (const { steps, answers } of plans) {
		for (const step of steps) answers.set(step.wish, unwritten(foretoldRecord(step)));
	}
}

function foretoldRecord(step: SourceStep): IDataObject {
	switch (step.kind) {
		case 'create': {
			const { type, name } = step.wish.wanted;
			return recordOf({ type, name }, dryRunAction.created);
		}

		case 'update':
			return recordOf(step.source, dryRunAction.updated);

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
			append(left, await writeSources(plan, writes));
		});
	} finally {
		await memory.save();
	}

	tellOfTraining(context, left);
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

		succeed(last, { action, isWritten }) {
			if (isWritten) memory.remember(taughtBy(wish, last));
			answers.set(wish, { records: [recordOf(last, action)], written: isWritten });
		},

		fail: (error) => answers.set(wish, failureOf(error)),
	};
}

/** Does one step of a run. For an unchanged source, it sends nothing. A source that was deleted meanwhile is created. */
async function doStep(api: ApiClient, step: SourceStep): Promise<DoneStep> {
	if (step.kind === 'unchanged') {
		return { step, action: 'unchanged', source: step.source, isWritten: false };
	}

	const { wanted, settings } = step.wish;
	const { chatbotId } = settings;
	if (step.kind === 'update') {
		const { source: known } = step;
		const { id } = known;
		const address = { chatbotId, sourceId: id };
		const response = await changeSource(api, { address, known }, wanted);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			const source = sourceIn(api, response, id);
			return { step, action: 'updated', source, isWritten: true };
		}
	}

	const target = { chatbotId, wanted };
	const response = await sendNew(api, target);
	const source = createdSource(api, response, wanted);
	return { step, action: 'created', source, isWritten: true };
}

/** Warns if a source got another name than was sent: the next run would not find it. */
function warnOfNames(context: RunContext, done: readonly DoneStep[]): void {
	const renamed = done.filter(({ step, source, isWritten }) => {
		const isNamed = isWritten && source.name;
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
