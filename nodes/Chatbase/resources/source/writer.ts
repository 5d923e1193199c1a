import type { INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import { version2 } from '../../api/versions';
import { readDryRun } from '../../execution/dryRun';
import type { InputItem, RunContext } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { maxConcurrencyOption } from '../../fields/paging';
import { readBoolean, readId } from '../../fields/values';
import { refuseContradiction } from '../../mirror/items';
import { outcomeOptions } from '../../mirror/outcome';
import { recordOf } from '../../mirror/summary';
import { groupBy } from '../../values/groupBy';
import { createSource } from './create';
import type { WantedSource } from './fields';
import { readWanted } from './fields';
import { fingerprintOf, Fingerprints } from './fingerprints';
import type { Source } from './sources';
import { isGone, keyOf, putSource, readSources, sourceIn, sourceNouns } from './sources';
import type { WrittenSource } from './training';
import { awaitTraining, readWait, waitOption } from './training';

export interface SourceParams {
	settings: { chatbotId: string; dryRun: boolean; alwaysSend: boolean; wait: number };
	wanted: WantedSource;
}

export const upsertOptions: INodeProperties[] = [
	{
		displayName: 'Always Send',
		name: 'alwaysSend',
		type: 'boolean',
		default: true,
		description:
			'Whether to send every source, even if it has not changed. The chatbot trains each one again.',
	},
	maxConcurrencyOption,
	...outcomeOptions(sourceNouns),
	waitOption,
];

export function readSourceItem(
	item: InputItem,
	dryRunPath: Parameters<typeof readDryRun>[1],
): SourceParams {
	return {
		wanted: readWanted(item, ['text', 'qna']),
		settings: item.run.readSettings('settings', () => ({
			chatbotId: readId(item, 'chatbotId', 'Chatbot'),
			dryRun: readDryRun(item, dryRunPath),
			alwaysSend: readBoolean(item, 'options.alwaysSend', 'Always Send'),
			wait: readWait(item),
		})),
	};
}

/** Reads the sources that items can match: texts and Q&As. */
export async function readMatchable(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
): Promise<Source[]> {
	const sources = await readSources(context, api, chatbotId, { type: 'text,qna' });
	return sources.filter((source) => !isGone(source));
}

/** A source to write, and its items, which all want the same. */
interface SourceWork {
	items: [PendingItem<SourceParams>, ...Array<PendingItem<SourceParams>>];
	/** Absent if it will be created. */
	existing?: Source;
}

/** Finds the source of each item, by type and name. Items that contradict each other, or match several sources, fail. */
export function worksOf(items: Array<PendingItem<SourceParams>>, sources: Source[]): SourceWork[] {
	const known = groupBy(sources, keyOf);
	const groups = groupBy(items, ({ params }) => keyOf(params.wanted));
	return [...groups].flatMap(([key, group]): SourceWork[] => {
		const [first, ...rest] = group.map(({ params }) => valuesOf(params));
		const conflicts = Object.keys(first).filter((name) =>
			rest.some((values) => values[name] !== first[name]),
		);
		const [existing, ...others]: Source[] = known.get(key) ?? [];
		if (conflicts.length > 0) refuseContradiction(group, conflicts, sourceNouns);
		else if (others.length === 0) return [{ items: group, existing }];
		else {
			const ids = known
				.get(key)!
				.map(({ id }) => id)
				.join(' and ');
			for (const { item, fail } of group) {
				const nextStep = `They have the IDs ${ids}. Delete or rename all but one.`;
				fail(item.error('Several sources have this name', nextStep));
			}
		}
		return [];
	});
}

/** What items about one source must agree on, as JSON. */
function valuesOf({ wanted, settings }: SourceParams): Record<string, string> {
	const values = Object.entries({ ...wanted.body, options: settings });
	return Object.fromEntries(values.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Creates and updates sources, unless they are as the node has written them before. */
export async function writeSources(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
	works: SourceWork[],
	sources: Source[],
) {
	const memory = new Fingerprints(context, chatbotId);
	const present = new Set(sources.map(({ id }) => id));
	const written: WrittenSource[] = [];
	let isDry = false;
	try {
		await forEachLimited(works, api.maxConcurrency, async ({ items, existing }) => {
			const [{ item, params }] = items;
			const { wanted, settings } = params;
			const fingerprint = fingerprintOf(wanted.body);
			const isSame =
				!settings.alwaysSend && !!existing && memory.isAsWritten(existing, fingerprint);
			const fail = (error: unknown) => items.forEach((each) => each.fail(error));
			if (settings.dryRun) {
				isDry = true;
				const { type, name } = wanted;
				const action = isSame ? 'unchanged' : existing ? 'wouldUpdate' : 'wouldCreate';
				const record = recordOf(existing ?? { type, name }, action);
				return items.forEach(({ succeed }) => succeed([record]));
			}
			try {
				// An unclear outcome leaves no fingerprint.
				if (existing && !isSame) memory.forget(existing.id);
				const kept = isSame
					? existing
					: existing && (await update(api, chatbotId, existing, wanted));
				const source = kept ?? (await createSource(api, chatbotId, wanted, present));
				const action = isSame ? 'unchanged' : kept ? 'updated' : 'created';
				const succeed = (last: Source) => {
					memory.remember(last, fingerprint);
					items.forEach((each) => each.succeed([recordOf(last, action)]));
				};
				present.add(source.id);
				written.push({ source, item, wait: settings.wait, succeed, fail });
				if (!isSame) warnOfTestRun(context);
			} catch (error) {
				fail(error);
			}
		});
		await awaitTraining(api, chatbotId, written);
	} finally {
		if (!isDry) memory.save((id) => present.has(id));
	}
}

/** @returns undefined if the source was deleted meanwhile */
async function update(
	api: ApiClient,
	chatbotId: string,
	{ id }: Source,
	{ body }: WantedSource,
): Promise<Source | undefined> {
	const response = await putSource(api, chatbotId, id, body);
	const isLeaving = version2.codeIn(response.body) === 'SOURCE_PENDING_DELETION';
	return response.outcome === '404' || isLeaving ? undefined : sourceIn(api, response, id);
}

function warnOfTestRun(context: RunContext) {
	if (context.functions.getMode() !== 'manual') return;
	context.warn(
		'This was a test run, after which n8n does not keep what the node remembers of sources. The next run sends them again.',
	);
}
