import type { ApiClient } from '../api/client';
import type { PendingItem } from '../execution/run';
import { firstOf } from '../values/firstOf';

export interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: Array<PendingItem<Params>>;
}

/** Groups items by chatbot and credential, which expressions can choose for each item. */
export function byChatbot<Params extends { settings: { chatbotId: string } }>(
	items: Array<PendingItem<Params>>,
): Array<ChatbotItems<Params>> {
	const groups: Array<ChatbotItems<Params>> = [];
	for (const item of items) {
		const { chatbotId } = item.params.settings;
		const group = groups.find((other) => other.chatbotId === chatbotId && other.api === item.api);
		if (group) group.items.push(item);
		else groups.push({ api: item.api, chatbotId, items: [item] });
	}
	return groups;
}

const maxNumbers = 5;

/** Fails items about one record that want different values, since the result would depend on their order. */
export function refuseContradiction<Params>(
	items: Array<PendingItem<Params>>,
	conflicts: string[],
	title: string,
	advice = 'Keep one of them, for example with a Remove Duplicates node.',
) {
	const numbers = items.map(({ item }) => item.index);
	const isCut = numbers.length > maxNumbers;
	const shown = numbers.slice(0, isCut ? maxNumbers : -1).join(', ');
	const rest = isCut ? `${numbers.length - maxNumbers} more` : numbers[numbers.length - 1];
	const names = firstOf([...new Set(conflicts)]);
	const nextStep = `Items ${shown} and ${rest} have different values for ${names}. ${advice}`;
	items.forEach(({ item, fail }) => fail(item.error(title, nextStep)));
}
