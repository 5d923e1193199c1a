import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { codeOf } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { RunContext } from '../../execution/context';
import type { PendingItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { dryRunOption } from '../../panel/dryRun';
import { type Field, type Shown, toggleField } from '../../panel/field';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { outcomeOutput } from '../../sync/outcome';
import { agreeingGroups, type ChatbotItems, planThenWrite } from '../../sync/plan';
import { recordOf, type SyncAction } from '../../sync/summary';
import { groupBy } from '../../values/list';
import { chatbotField } from '../chatbot/chatbotField';
import { matchableFields, matchableTypeField, readWanted, type WantedSource } from './fields';
import { fingerprintOf, type OpenMemory, openStaticData } from './memory';
import { isGone, keyOf, nouns, readSources, type Source, sourceIn, sourcesPath } from './sources';
import { createSource, putSource, waitOption, writeAll } from './writer';

export type SourceParams = Awaited<ReturnType<typeof readSourceItem>>;

const alwaysSendOption = toggleField('options.alwaysSend', 'Always Send', {
	description:
		'Whether to send every source, even if it has not changed. The chatbot trains each one again.',
});

export const upsertOptions: Shown[] = [
	alwaysSendOption,
	maxConcurrencyOption,
	...Object.values(nouns.outcomeOptions),
	waitOption,
];

export const upsert = operation<SourceParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update source (upsert)',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: nouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		writeNotice,
		...matchableFields,
		optionsField([...upsertOptions, dryRunOption]),
	],

	read: (item, api) => readSourceItem(item, api, dryRunOption),

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, nouns);
		await planThenWrite(run, async (group) => {
			const tasks = await tasksOf(group.items);
			const sources = await readMatchable(run.context, group.api, group.chatbotId);
			return async () => await writeSources(run.context, group, tasks, sources, openStaticData);
		});
		return buildOutput;
	},
});

export async function readSourceItem(item: InputItem, api: ApiClient, dryRunField: Field<boolean>) {
	return {
		wanted: await readWanted(item, api, matchableTypeField),
		settings: item.context.readSettings('settings', () => ({
			chatbotId: chatbotField.read(item),
			dryRun: dryRunField.read(item),
			alwaysSend: alwaysSendOption.read(item),
			wait: waitOption.read(item),
		})),
	};
}

export async function readMatchable(context: RunContext, api: ApiClient, chatbotId: string) {
	const sources = await readSources(context, api, chatbotId, { type: 'text,qna,file' });
	return sources.filter((source) => !isGone(source));
}

function assertOneSource(items: Array<PendingItem<SourceParams>>, existing: Source[]): boolean {
	if (existing.length <= 1) return true;
	const ids = existing.map(({ id }) => id).join(' and ');
	const nextStep = `They have the IDs ${ids}. Delete or rename all but one.`;
	items.forEach(({ item, fail }) => fail(item.error('Several sources have this name', nextStep)));
	return false;
}

function conflictsBetween({ wanted: { body } }: SourceParams, { wanted }: SourceParams): string[] {
	const textOf = (value: unknown) => JSON.stringify(value);
	return Object.keys(body).filter((name) => textOf(body[name]) !== textOf(wanted.body[name]));
}

/** Groups items about the same source. Those that want different content fail, before any request. */
export async function tasksOf(items: Array<PendingItem<SourceParams>>) {
	const keyOfItem = ({ params }: (typeof items)[number]) => keyOf(params.wanted);
	return await agreeingGroups(items, keyOfItem, conflictsBetween, 'source');
}

function outputOf(record: IDataObject, action: SyncAction, body: IDataObject): IDataObject {
	const sent = Object.keys(body).filter((field) => field !== 'name');
	return recordOf(record, { action, changed: action === 'unchanged' ? [] : sent });
}

/** Creates and updates sources, unless they are as the node has written them before. */
export async function writeSources(
	context: RunContext,
	{ api, chatbotId, items }: ChatbotItems<SourceParams>,
	agreeing: Awaited<ReturnType<typeof tasksOf>>,
	sources: Source[],
	open: OpenMemory,
) {
	const known = groupBy(sources, keyOf);
	const present = new Set(sources.map(({ id }) => id));
	const tasks = agreeing
		.filter(([key, group]) => assertOneSource(group, known.get(key) ?? []))
		.map(([key, group]) => ({
			...group[0],
			existing: known.get(key)?.[0],
			fingerprint: fingerprintOf(group[0].params.wanted.body),
			succeed: (records: IDataObject[]) => group.forEach(({ succeed }) => succeed(records)),
			fail: (error: unknown) => group.forEach(({ fail }) => fail(error)),
		}));
	const dryRun = items.some(({ params }) => params.settings.dryRun);
	const memory = await open(context, `sources of ${chatbotId}`, tasks, dryRun);
	const isSame = ({ params, existing, fingerprint }: (typeof tasks)[number]) =>
		existing && !params.settings.alwaysSend && memory.isAsWritten(existing, fingerprint);
	if (dryRun) {
		for (const task of tasks) {
			const { existing, succeed } = task;
			const { type, name, body } = task.params.wanted;
			const action = isSame(task) ? 'unchanged' : existing ? 'wouldUpdate' : 'wouldCreate';
			succeed([outputOf(existing ?? { type, name }, action, body)]);
		}
		return;
	}
	const sequences = tasks.map((task) => [task]);
	try {
		await writeAll(context, { api, chatbotId }, sequences, async (task) => {
			const { existing, fingerprint } = task;
			const { wanted } = task.params;
			const unchanged = isSame(task) ? existing : undefined;
			// An unclear outcome leaves no fingerprint.
			if (existing && !unchanged) memory.forget(existing.id);
			const { source, action } = unchanged
				? { source: unchanged, action: 'unchanged' as const }
				: await send(api, chatbotId, wanted, existing);
			present.add(source.id);
			const outputFor = (last: Source) => {
				memory.remember(last, fingerprint, existing, last === source && !unchanged);
				return outputOf(last, action, wanted.body);
			};
			return { source, outputFor };
		});
	} finally {
		await memory.save(present);
	}
}

/** Updates a source, or creates it if there is none, or it was deleted meanwhile. */
async function send(
	api: ApiClient,
	chatbotId: string,
	wanted: WantedSource,
	existing: Source | undefined,
): Promise<{ source: Source; action: SyncAction }> {
	if (existing) {
		const response = await putSource(api, chatbotId, existing.id, wanted);
		const isLeaving = codeOf(response) === 'SOURCE_PENDING_DELETION';
		if (response.outcome !== '404' && !isLeaving) {
			return { source: sourceIn(api, response, existing.id), action: 'updated' };
		}
	}
	return { source: await createSource(api, chatbotId, wanted), action: 'created' };
}
