import type { ApiClient } from '../api/client';
import { forEachLimited } from '../api/concurrency';
import type { PendingItem, Run } from '../execution/run';
import { addTo, firstOf, giveWay, groupBy } from '../values/list';

export interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: Array<PendingItem<Params>>;
}

/** Groups items by chatbot and credential, which expressions can choose for each item. */
export function byChatbot<Params extends { settings: { chatbotId: string } }>(
	items: Array<PendingItem<Params>>,
): Array<ChatbotItems<Params>> {
	const byId = groupBy(items, ({ params }) => params.settings.chatbotId);
	return [...byId].flatMap(([chatbotId, group]) =>
		[...new Set(group.map(({ api }) => api))].map((api) => ({
			api,
			chatbotId,
			items: group.filter((item) => item.api === api),
		})),
	);
}

/** Reads the lists of all chatbots before anything is written. Without its list, the items of a chatbot fail. */
export async function planThenWrite<Params extends { settings: { chatbotId: string } }>(
	{ items, limits: { maxConcurrency } }: Run<Params>,
	plan: (group: ChatbotItems<Params>) => Promise<() => Promise<void>>,
) {
	const writes: Array<() => Promise<void>> = [];
	await forEachLimited(byChatbot(items), maxConcurrency, async (group) => {
		await giveWay();
		try {
			writes.push(await plan(group));
		} catch (error) {
			group.items.forEach(({ fail }) => fail(error));
		}
	});
	await forEachLimited(writes, maxConcurrency, async (write) => await write());
}

const keepOne = 'Keep one of them, for example with a Remove Duplicates node.';

/** Groups items about the same record. Those that want different values fail, since their order would decide. */
export async function agreeingGroups<Params extends { settings: unknown }>(
	items: Array<PendingItem<Params>>,
	keyOf: (item: PendingItem<Params>) => string,
	conflictsBetween: (one: Params, other: Params) => string[],
	noun: string,
	adviceFor?: (group: typeof items) => string | undefined,
) {
	const groups = new Map<string, [(typeof items)[number], ...typeof items]>();
	for (const item of items) {
		await giveWay();
		addTo(groups, keyOf(item), item);
	}
	return [...groups].filter(([, group]) => {
		if (group.length === 1) return true;
		const [{ params: first }, ...others] = group;
		const conflicts = others.flatMap(({ params: other }) => [
			...(JSON.stringify(other.settings) === JSON.stringify(first.settings) ? [] : ['options']),
			...conflictsBetween(first, other),
		]);
		if (conflicts.length === 0) return true;
		const title = `Several items want different values for one ${noun}`;
		const numbers = firstOf(group, ({ item }) => `${item.index}`).replace(/, (\d+)$/, ' and $1');
		const names = firstOf([...new Set(conflicts)]);
		const nextStep = `Items ${numbers} have different values for ${names}. ${adviceFor?.(group) ?? keepOne}`;
		group.forEach(({ item, fail }) => fail(item.error(title, nextStep)));
		return false;
	});
}
