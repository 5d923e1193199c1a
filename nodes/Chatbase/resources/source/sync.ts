import type { IDataObject } from 'n8n-workflow';

import { forEachLimited } from '../../api/concurrency';
import { codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import type { Run } from '../../execution/run';
import { recordOf, wouldBe } from '../../sync/records';
import { firstOf } from '../../values/list';
import { countFormat } from '../../values/number';
import { SourceMemory } from './memory';
import { writeInOrder, type WrittenSource } from './order';
import { nameOf, type Source, sourceIn } from './sources';
import type { ChatbotTasks, SourceParams, SourceTask } from './tasks';
import { namingFile } from './upload';
import { createSource, putSource } from './write';

/** What a run does with a source, and why. */
interface Decision {
	action: 'unchanged' | 'created' | 'updated';
	/** Names of the fields that differ from what the source has, as far as that is known. */
	changed: string[];
	/** Whether nobody knows if the source differs from what is sent. */
	isUnknown: boolean;
}

/** Creates and updates sources, unless n8n remembers that they are as the node has written them. */
export async function writeSources(
	run: Run<SourceParams>,
	chatbots: ChatbotTasks[],
): Promise<void> {
	const { context, limits } = run;
	const tasks = chatbots.flatMap((chatbot) => chatbot.tasks);
	// A failed item may have ended the run.
	if (tasks.length === 0 || limits.stopped) return;

	const memory = await SourceMemory.open(context, tasks);
	const decisions = new Map(tasks.map((task) => [task, decide(task, memory)]));
	if (tasks.some(({ params }) => params.settings.dryRun)) {
		await memory.leave();
		foretell(context, decisions);
		return;
	}

	const unchanged = tasks.filter((task) => decisions.get(task)!.action === 'unchanged');
	if (unchanged.length === tasks.length) {
		await memory.leaveWithSizes();
		await writeDecided(run, chatbots, decisions, memory);
		return;
	}

	await memory.startWriting(unchanged);
	try {
		await writeDecided(run, chatbots, decisions, memory);
	} finally {
		await memory.save();
	}
}

function decide(task: SourceTask, memory: SourceMemory): Decision {
	const { existing, params } = task;
	const sent = Object.keys(params.wanted.body).filter((field) => field !== 'name');
	if (!existing) return { action: 'created', changed: sent, isUnknown: false };

	const verdict = memory.verdictOn(task);
	const isDone = verdict === 'same' && existing.status !== 'failed';
	if (isDone && !params.settings.alwaysSend) {
		return { action: 'unchanged', changed: [], isUnknown: false };
	}
	return {
		action: 'updated',
		changed: verdict === 'different' ? sent : [],
		isUnknown: verdict === 'unknown',
	};
}

/** Answers the items of a dry run. */
function foretell(context: RunContext, decisions: Map<SourceTask, Decision>) {
	for (const [{ existing, params, succeed }, { action, changed }] of decisions) {
		const { type, name } = params.wanted;
		const foretold = action === 'unchanged' ? action : wouldBe[action];
		succeed([recordOf(existing ?? { type, name }, { action: foretold, changed })]);
	}

	const unknown = [...decisions.values()].filter(({ isUnknown }) => isUnknown);
	warnOfUnknown(context, unknown.length, 'would be sent');
}

async function writeDecided(
	{ context, limits }: Run<SourceParams>,
	chatbots: ChatbotTasks[],
	decisions: Map<SourceTask, Decision>,
	memory: SourceMemory,
): Promise<void> {
	let unknown = 0;
	const renamed: string[] = [];
	const write = async (task: SourceTask, chatbot: ChatbotTasks): Promise<WrittenSource> => {
		const decision = decisions.get(task)!;
		if (decision.action === 'unchanged') {
			return { source: task.existing!, outputFor: (last) => recordOf(last, 'unchanged') };
		}

		const { file, name } = task.params.wanted;
		const { source, action } = await namingFile(file, async () => await send(task, chatbot));
		if (action === 'updated' && decision.isUnknown) unknown++;
		if (source.name && nameOf(source) !== name) renamed.push(`"${source.name}" for "${name}"`);

		const outputFor = (last: Source): IDataObject => {
			memory.remember(task, last, last !== source);
			return recordOf(last, { action, changed: decision.changed });
		};
		return { source, outputFor };
	};

	await forEachLimited(chatbots, limits.maxConcurrency, async (chatbot) => {
		const sequences = chatbot.tasks.map((task) => [task]);
		await writeInOrder(context, chatbot, {
			sequences,
			write: async (task) => await write(task, chatbot),
		});
	});

	warnOfUnknown(context, unknown, 'sent');
	warnOfNames(context, renamed);
}

/** Updates a source, or creates it if there is none, or it was deleted meanwhile. */
async function send(
	{ existing, params: { wanted } }: SourceTask,
	{ api, chatbotId }: ChatbotTasks,
): Promise<{ source: Source; action: 'created' | 'updated' }> {
	if (existing) {
		const address = { chatbotId, sourceId: existing.id };
		const response = await putSource(api, address, wanted);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			return { source: sourceIn(api, response, existing.id), action: 'updated' };
		}
	}

	return { source: await createSource(api, chatbotId, wanted), action: 'created' };
}

function warnOfUnknown(context: RunContext, count: number, done: 'sent' | 'would be sent') {
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
