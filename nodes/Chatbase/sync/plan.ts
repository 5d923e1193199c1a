import type { ApiClient } from '../api/client';
import { failureOf } from '../api/failure';
import { forEachLimited, giveWay, groupBy, type NonEmpty } from '../values/list';
import type { PendingItem, Run } from '../execution/run';

interface OfChatbot {
	settings: { chatbotId: string };
}

export interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: NonEmpty<PendingItem<Params>>;
}

/** Groups items by chatbot and credential, which expressions can choose for each item. */
function byChatbot<Params extends OfChatbot>(
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

/** Works on the items of each chatbot. If that throws, such as because its list can't be read, these items fail. */
export async function forEachChatbot<Params extends OfChatbot>(
	run: Run<Params>,
	work: (group: ChatbotItems<Params>) => Promise<void>,
): Promise<void> {
	const { items, limits } = run;
	await forEachLimited(byChatbot(items), limits.maxConcurrency, async (group) => {
		await giveWay();
		try {
			await work(group);
		} catch (error) {
			group.items.forEach(({ answer }) => answer(failureOf(error)));
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
