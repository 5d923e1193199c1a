import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { type Field, type Shown, toggleOption } from '../../panel/field';
import { chatbotField } from '../chatbot/chatbotField';
import { maxConcurrencyOption } from '../../panel/paging';
import { agreeingGroups, type ChatbotItems } from '../../sync/plan';
import { groupBy } from '../../values/list';
import { type Content, fingerprintOf } from './memory';
import { matchableTypeField } from './contentFields';
import { isGone, keyOf, nouns, readSources, type Source } from './sources';
import { waitOption } from './training';
import { readWanted, type WantedSource } from './wanted';

/** What Create or Update and Mirror read of an item. */
export interface SourceParams {
	wanted: WantedSource;
	settings: SourceSettings;
}

interface SourceSettings {
	chatbotId: string;
	dryRun: boolean;
	/** Even if the source has not changed. */
	alwaysSend: boolean;
	/** Most milliseconds to wait for the training; 0 for none. */
	wait: number;
}

/** The items about one source. The first one stands for all of them. */
type SameSource = [PendingItem<SourceParams>, ...Array<PendingItem<SourceParams>>];

/** What a run does with one source. Its result is that of all items about it. */
export interface SourceTask extends PendingItem<SourceParams>, Content {}

/** All tasks for one chatbot. */
export interface ChatbotTasks {
	api: ApiClient;
	chatbotId: string;
	tasks: SourceTask[];
}

const alwaysSendOption = toggleOption('alwaysSend', 'Always Send', {
	description:
		'Whether to send every source, even if it has not changed. The chatbot trains each one again.',
});

export const syncOptions: Shown[] = [
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

export async function readSourceItem(
	item: InputItem,
	api: ApiClient,
	{ dryRunField, readPrefix }: Reading,
): Promise<SourceParams> {
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

/** Groups items about the same source. Those that want different content fail, before any request. */
export function agreeingItems(items: Array<PendingItem<SourceParams>>): SameSource[] {
	const keyOfItem = ({ params }: PendingItem<SourceParams>) => keyOf(params.wanted);
	const groups = agreeingGroups(items, {
		keyOf: keyOfItem,
		conflictsBetween,
		noun: 'source',
	});
	return groups.map(([, group]) => group);
}

function conflictsBetween({ wanted: { body } }: SourceParams, { wanted }: SourceParams): string[] {
	const textOf = (value: unknown) => JSON.stringify(value);
	return Object.keys(body).filter((name) => textOf(body[name]) !== textOf(wanted.body[name]));
}

/** The sources of a chatbot that have a name to be recognized by. */
export async function readMatchable(
	place: Pick<InputItem, 'error'>,
	api: ApiClient,
	chatbotId: string,
): Promise<Source[]> {
	const sources = await readSources(place, api, {
		chatbotId,
		filters: { type: 'text,qna,file' },
	});
	return sources.filter((source) => !isGone(source));
}

/** Finds the source of each item. Items whose name several sources have fail. */
export function tasksFor(
	{ api, chatbotId }: Pick<ChatbotItems<unknown>, 'api' | 'chatbotId'>,
	groups: SameSource[],
	sources: Source[],
): ChatbotTasks {
	const known = groupBy(sources, keyOf);
	const tasks: SourceTask[] = [];
	for (const group of groups) {
		const key = keyOf(group[0].params.wanted);
		const existing = known.get(key) ?? [];
		if (existing.length > 1) {
			failAmbiguous(group, existing);
			continue;
		}

		tasks.push({
			...group[0],
			key: `${chatbotId} ${key}`,
			existing: existing[0],
			fingerprint: fingerprintOf(group[0].params.wanted.body),
			succeed: (records) => group.forEach(({ succeed }) => succeed(records)),
			fail: (error) => group.forEach(({ fail }) => fail(error)),
		});
	}
	return { api, chatbotId, tasks };
}

function failAmbiguous(group: SameSource, sources: Source[]) {
	const ids = sources.map(({ id }) => id).join(' and ');
	const nextStep = `They have the IDs ${ids}. Delete or rename all but one.`;
	group.forEach(({ item, fail }) => fail(item.error('Several sources have this name', nextStep)));
}
