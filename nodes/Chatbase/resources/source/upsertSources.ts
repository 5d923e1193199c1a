import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorText } from '../../api/errors';
import { codeOf } from '../../api/response';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { type Field, type Shown, toggleOption } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/collections';
import { agreeingGroups } from '../../sync/plan';
import { recordOf, wouldBe } from '../../sync/records';
import { firstOf, groupBy } from '../../values/list';
import { countFormat } from '../../values/json';
import { chatbotField } from '../chatbot/chatbots';
import { type Content, SourceMemory } from './memory';
import { changeSource, createdSource, sendNew, sourceIn } from './requests';
import { isGone, keyOf, nameOf, nouns, readSources, type Source } from './sources';
import type { WantedSource } from './wantedSource';
import { waitOption, writeSources, type WrittenSource } from './writeSources';

/** What Create or Update and Mirror read of an item. */
export interface UpsertParams {
	wanted: WantedSource;
	settings: UpsertSettings;
}

interface UpsertSettings {
	chatbotId: string;
	dryRun: boolean;
	/** Even if the source has not changed. */
	alwaysSend: boolean;
	/** Most milliseconds to wait for the training; 0 for none. */
	wait: number;
}

const alwaysSendOption = toggleOption('alwaysSend', 'Always Send', {
	description:
		'Whether to send every source, even if it has not changed. The chatbot trains each one again.',
});

export const upsertOptions: Shown[] = [
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

type UpsertItem = PendingItem<UpsertParams>;

/** The items about one source, with its key. The first one stands for all of them. */
type SameSource = [key: string, items: [UpsertItem, ...UpsertItem[]]];

/** Groups items about the same source. Those that want different content fail, before any request. */
export function agreeingItems(items: UpsertItem[]): SameSource[] {
	const keyOfItem = ({ params }: UpsertItem) => params.wanted.key;
	return agreeingGroups(items, { keyOf: keyOfItem, conflictsBetween, noun: 'source' });
}

function conflictsBetween(
	{ wanted: one }: UpsertParams,
	{ wanted: other }: UpsertParams,
): string[] {
	if (one.fingerprint === other.fingerprint) return [];

	const differs = (name: string) =>
		JSON.stringify(one.body[name]) !== JSON.stringify(other.body[name]);
	return Object.keys(one.body).filter(differs);
}

/** The sources of a chatbot that have a name to be recognized by. */
export async function readMatchable(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
): Promise<Source[]> {
	const filters = { type: 'text,qna,file' };
	const sources = await readSources(context, api, { chatbotId, filters });
	return sources.filter((source) => !isGone(source));
}

/** What a run does with one source. Its result is that of all items about it. */
export type SourceTask = PendingItem<UpsertParams & Content>;

/** Finds the source of each item. Items whose name several sources have fail. */
export function tasksFor(groups: SameSource[], sources: Source[]): SourceTask[] {
	const known = groupBy(sources, keyOf);
	const tasks: SourceTask[] = [];
	for (const [key, items] of groups) {
		const named = known.get(key) ?? [];
		if (named.length > 1) {
			failAmbiguous(items, named);
			continue;
		}

		const [existing] = named;
		const [{ params, ...first }] = items;
		const taskKey = `${params.settings.chatbotId} ${key}`;
		tasks.push({
			...first,
			params: { ...params, key: taskKey, existing },
			succeed: (records) => items.forEach(({ succeed }) => succeed(records)),
			fail: (error) => items.forEach(({ fail }) => fail(error)),
		});
	}
	return tasks;
}

function failAmbiguous(items: UpsertItem[], sources: Source[]) {
	const ids = sources.map(({ id }) => id).join(' and ');
	const nextStep = `They have the IDs ${ids}. Delete or rename all but one.`;
	items.forEach(({ item, fail }) =>
		fail(item.error('Several sources have this name', nextStep)),
	);
}

/** What a run does with a source, and why. */
interface Decision {
	action: 'unchanged' | 'created' | 'updated';
	/** Names of the fields that differ from what the source has, as far as that is known. */
	changed: string[];
	/** Whether nobody knows if the source differs from what is sent. */
	isUnknown: boolean;
}

type DecidedTask = PendingItem<SourceTask['params'] & Decision>;

/** Creates and updates sources, unless n8n remembers that they are as the node has written them. */
export async function upsertSources(
	run: Run<UpsertParams>,
	tasks: SourceTask[],
): Promise<void> {
	const { context, limits } = run;
	// A failed item may have ended the run.
	if (tasks.length === 0 || limits.stopped) return;

	const memory = new SourceMemory(context);
	const items = await decideAll(context, tasks, memory);
	if (tasks[0].params.settings.dryRun) {
		foretell(context, items);
		return;
	}

	const writes = items.some(({ params }) => params.action !== 'unchanged');
	try {
		await writeDecided({ ...run, items }, memory);
	} finally {
		if (writes) await memory.save();
	}
}

/** Before the first write, a memory that does not work ends the run: it could hold what this run makes untrue. */
async function decideAll(
	context: RunContext,
	tasks: SourceTask[],
	memory: SourceMemory,
): Promise<DecidedTask[]> {
	try {
		await memory.look(tasks.map(({ params }) => params));
		const decided = tasks.map(({ params, ...task }) => ({
			...task,
			params: { ...params, ...decide(params, memory) },
		}));

		const all = decided.map(({ params }) => params);
		const unchanged = all.filter(({ action }) => action === 'unchanged');
		if (all[0].settings.dryRun) await memory.leave();
		else if (unchanged.length === all.length) await memory.leaveWithSizes();
		else await memory.startWriting(unchanged);
		return decided;
	} catch (error) {
		throw context.error(
			"n8n can't use its memory of this node",
			`n8n reports: ${errorText(error as Error)}. Nothing was written. The node remembers in n8n's database what it has sent. Check that n8n can read and write its database, then run the workflow again.`,
		);
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
function foretell(context: RunContext, items: DecidedTask[]) {
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
	run: Run<DecidedTask['params']>,
	memory: SourceMemory,
): Promise<void> {
	let unknown = 0;
	const renamed: string[] = [];
	const write = async (task: DecidedTask): Promise<WrittenSource> => {
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

	await writeSources(run, { write });
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
		const address = { chatbotId, sourceId: existing.id };
		const response = await changeSource(api, address, wanted);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			return { source: sourceIn(api, response, existing.id), isNew: false };
		}
	}

	const target = { chatbotId, wanted };
	const response = await sendNew(api, target);
	return { source: await createdSource(api, response, target), isNew: true };
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
