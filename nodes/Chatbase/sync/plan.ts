import type { ApiClient } from '../api/client';
import { firstOf, forEachLimited, giveWay, groupBy } from '../values/list';
import type { PendingItem, Run } from '../execution/run';

export interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: Array<PendingItem<Params>>;
}

/** Groups items by chatbot and credential, which expressions can choose for each item. */
export function byChatbot<Params extends { settings: { chatbotId: string } }>(
	items: Array<PendingItem<Params>>,
): Array<ChatbotItems<Params>> {
	const byApi = new Map<ApiClient, Map<string, ChatbotItems<Params>>>();
	for (const item of items) {
		const { api } = item;
		const { chatbotId } = item.params.settings;
		const byId = byApi.get(api) ?? new Map<string, ChatbotItems<Params>>();
		byApi.set(api, byId);

		const group = byId.get(chatbotId);
		if (group) group.items.push(item);
		else byId.set(chatbotId, { api, chatbotId, items: [item] });
	}
	return [...byApi.values()].flatMap((byId) => [...byId.values()]);
}

/** Reads the lists of all chatbots before anything is written. Without its list, the items of a chatbot fail. */
export async function planThenWrite<Params extends { settings: { chatbotId: string } }>(
	{ items, limits: { maxConcurrency } }: Run<Params>,
	plan: (group: ChatbotItems<Params>) => Promise<() => Promise<void>>,
): Promise<void> {
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

type Group<Params> = [PendingItem<Params>, ...Array<PendingItem<Params>>];

interface Agreement<Params> {
	/** Items with equal keys are about the same record. */
	keyOf(item: PendingItem<Params>): string;
	/** Names of what two items want differently. */
	conflictsBetween(one: Params, other: Params): string[];
	/** What a record is called. */
	noun: string;
	/** What to do about items that want different values, if it is not to remove one of them. */
	adviceFor?(group: Group<Params>): string | undefined;
}

/** Groups items about the same record. Those that want different values fail, since their order would decide. */
export function agreeingGroups<Params extends { settings: unknown }>(
	items: Array<PendingItem<Params>>,
	agreement: Agreement<Params>,
): Array<[key: string, group: Group<Params>]> {
	const agreeing: Array<[string, Group<Params>]> = [];
	for (const [key, group] of groupBy(items, (item) => agreement.keyOf(item))) {
		const conflicts = group.length > 1 ? conflictsIn(group, agreement) : [];
		if (conflicts.length === 0) agreeing.push([key, group]);
		else failContradicting(group, conflicts, agreement);
	}
	return agreeing;
}

function conflictsIn<Params extends { settings: unknown }>(
	[{ params: first }, ...others]: Group<Params>,
	{ conflictsBetween }: Agreement<Params>,
): string[] {
	const options = JSON.stringify(first.settings);
	return others.flatMap(({ params: other }) => [
		...(JSON.stringify(other.settings) === options ? [] : ['options']),
		...conflictsBetween(first, other),
	]);
}

function failContradicting<Params>(
	group: Group<Params>,
	conflicts: string[],
	{ noun, adviceFor }: Agreement<Params>,
) {
	const numbers = firstOf(group, ({ item }) => `${item.index}`).replace(
		/, (\d+)$/,
		' and $1',
	);
	const names = firstOf([...new Set(conflicts)]);
	const advice = adviceFor?.(group) ?? keepOne;

	const title = `Several items want different values for one ${noun}`;
	const nextStep = `Items ${numbers} have different values for ${names}. ${advice}`;
	group.forEach(({ item, fail }) => fail(item.error(title, nextStep)));
}
