import type { ApiClient } from '../api/client';
import { forEachLimited, giveWay, groupBy } from '../values/list';
import type { PendingItem, Run } from '../execution/run';
import { agreementOf, contradictionText, type Group } from './agreement';

interface OfChatbot {
	settings: { chatbotId: string };
}

export interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: Array<PendingItem<Params>>;
}

/** Groups items by chatbot and credential, which expressions can choose for each item. */
export function byChatbot<Params extends OfChatbot>(
	items: Array<PendingItem<Params>>,
): Array<ChatbotItems<Params>> {
	// Items with equal credentials share a client.
	const numbers = new Map(items.map(({ api }, index) => [api, index]));
	const groups = groupBy(
		items,
		({ api, params }) => `${numbers.get(api)} ${params.settings.chatbotId}`,
	);
	return [...groups.values()].map((group) => {
		const [{ api, params }] = group;
		return { api, chatbotId: params.settings.chatbotId, items: group };
	});
}

/** Works on the items of each chatbot. If that throws, as without its list, these items fail. */
export async function forEachChatbot<Params extends OfChatbot>(
	{ items, limits: { maxConcurrency } }: Run<Params>,
	work: (group: ChatbotItems<Params>) => Promise<void>,
): Promise<void> {
	await forEachLimited(byChatbot(items), maxConcurrency, async (group) => {
		await giveWay();
		try {
			await work(group);
		} catch (error) {
			group.items.forEach(({ fail }) => fail(error));
		}
	});
}

/** Reads the lists of all chatbots before anything is written. */
export async function planThenWrite<Params extends OfChatbot>(
	run: Run<Params>,
	plan: (group: ChatbotItems<Params>) => Promise<() => Promise<void>>,
): Promise<void> {
	const writes: Array<() => Promise<void>> = [];
	await forEachChatbot(run, async (group) => {
		writes.push(await plan(group));
	});

	await forEachLimited(writes, run.limits.maxConcurrency, async (write) => await write());
}

/** Items about one record. */
type ItemGroup<Params> = Group<PendingItem<Params>>;

interface ItemAgreement<Params> {
	/** Items with equal keys are about the same record. */
	keyOf: (item: PendingItem<Params>) => string;
	/** Names of what two items want differently. */
	conflictsBetween(one: Params, other: Params): string[];
	/** What a record is called. */
	noun: string;
}

/** Groups items about the same record. Those that want different values fail, since their order would decide. */
export function agreeingGroups<Params extends { settings: unknown }>(
	items: Array<PendingItem<Params>>,
	{ keyOf, conflictsBetween, noun }: ItemAgreement<Params>,
): Array<[key: string, group: ItemGroup<Params>]> {
	const { agreeing, contradicting } = agreementOf(items, {
		keyOf,
		differencesBetween({ params: one }, { params: other }) {
			const conflicts = conflictsBetween(one, other);
			const haveSameOptions =
				JSON.stringify(other.settings) === JSON.stringify(one.settings);
			return haveSameOptions ? conflicts : ['options', ...conflicts];
		},
	});

	for (const { entries, names } of contradicting) {
		const numbers = entries.map(({ item }) => item.index);
		const { title, nextStep } = contradictionText(noun, { items: numbers, names });
		entries.forEach(({ item, fail }) => fail(item.error(title, nextStep)));
	}

	return agreeing.map((group) => [keyOf(group[0]), group]);
}
