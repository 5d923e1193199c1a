import type { ApiClient } from '../api/client';
import { firstOf, forEachLimited, giveWay, groupBy } from '../values/list';
import type { PendingItem, Run } from '../execution/run';

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

const keepOne = 'Keep one of them, for example with a Remove Duplicates node.';

/** Items about one record. */
export type Group<Params> = [PendingItem<Params>, ...Array<PendingItem<Params>>];

interface Agreement<Params> {
	/** Items with equal keys are about the same record. */
	keyOf: (item: PendingItem<Params>) => string;
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
	for (const [key, group] of groupBy(items, agreement.keyOf)) {
		const conflicts = conflictsIn(group, agreement);
		if (conflicts.length === 0) agreeing.push([key, group]);
		else failContradicting(group, conflicts, agreement);
	}
	return agreeing;
}

function conflictsIn<Params extends { settings: unknown }>(
	[{ params: first }, ...others]: Group<Params>,
	{ conflictsBetween }: Agreement<Params>,
): string[] {
	return others.flatMap(({ params: other }) => {
		const conflicts = conflictsBetween(first, other);
		const haveSameOptions =
			JSON.stringify(other.settings) === JSON.stringify(first.settings);
		return haveSameOptions ? conflicts : ['options', ...conflicts];
	});
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
