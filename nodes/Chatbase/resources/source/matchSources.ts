import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { type Field, type Shown, toggleOption } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/paging';
import { agreeingGroups } from '../../sync/plan';
import { groupBy } from '../../values/list';
import { chatbotField } from '../chatbot/chatbots';
import { matchableTypeField } from './contentFields';
import type { Content } from './memory';
import { keyOf, nouns, type Source } from './sources';
import { waitOption } from './training';
import { readWanted, type WantedSource } from './wantedSource';

/** What Create or Update and Mirror read of an item. */
export interface MatchableParams {
	wanted: WantedSource;
	settings: MatchSettings;
}

interface MatchSettings {
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

export const matchOptions: Shown[] = [
	alwaysSendOption,
	maxConcurrencyOption,
	...Object.values(nouns.outcomeOptions),
	waitOption,
];

interface Reading {
	dryRunField: Field<boolean>;
	/** For a mirror, whose names all begin with it. */
	readPrefix?(): string;
}

export async function readMatchableItem(
	item: InputItem,
	api: ApiClient,
	{ dryRunField, readPrefix }: Reading,
): Promise<MatchableParams> {
	return {
		wanted: await readWanted(item, api, { typeField: matchableTypeField, readPrefix }),
		settings: item.context.readSettings('settings', () => ({
			chatbotId: chatbotField.read(item),
			dryRun: dryRunField.read(item),
			alwaysSend: alwaysSendOption.read(item),
			wait: waitOption.read(item),
		})),
	};
}

type MatchableItem = PendingItem<MatchableParams>;

/** The items about one source, with the key of it. The first one stands for all of them. */
type SameSource = [key: string, items: [MatchableItem, ...MatchableItem[]]];

/** Groups items about the same source. Those that want different content fail, before any request. */
export function agreeingItems(items: MatchableItem[]): SameSource[] {
	const keyOfItem = ({ params }: MatchableItem) => keyOf(params.wanted);
	return agreeingGroups(items, { keyOf: keyOfItem, conflictsBetween, noun: 'source' });
}

function conflictsBetween(
	{ wanted: one }: MatchableParams,
	{ wanted: other }: MatchableParams,
): string[] {
	if (one.fingerprint === other.fingerprint) return [];

	const differs = (name: string) =>
		JSON.stringify(one.body[name]) !== JSON.stringify(other.body[name]);
	return Object.keys(one.body).filter(differs);
}

/** What a run does with one source. Its result is that of all items about it. */
export type SourceTask = PendingItem<MatchableParams & Content>;

/** Finds the source of each item. Items whose name several sources have fail. */
export function tasksFor(groups: SameSource[], sources: Source[]): SourceTask[] {
	const known = groupBy(sources, keyOf);
	const tasks: SourceTask[] = [];
	for (const [key, items] of groups) {
		const existing = known.get(key) ?? [];
		if (existing.length > 1) {
			failAmbiguous(items, existing);
			continue;
		}

		const [{ params, ...first }] = items;
		const taskKey = `${params.settings.chatbotId} ${key}`;
		tasks.push({
			...first,
			params: { ...params, key: taskKey, existing: existing[0] },
			succeed: (records) => items.forEach(({ succeed }) => succeed(records)),
			fail: (error) => items.forEach(({ fail }) => fail(error)),
		});
	}
	return tasks;
}

function failAmbiguous(items: MatchableItem[], sources: Source[]) {
	const ids = sources.map(({ id }) => id).join(' and ');
	const nextStep = `They have the IDs ${ids}. Delete or rename all but one.`;
	items.forEach(({ item, fail }) =>
		fail(item.error('Several sources have this name', nextStep)),
	);
}
