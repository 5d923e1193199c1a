import type { PreparedItem } from './prepare';
import type { WriteSettings } from './writeContact';

/** Splits items by the chatbot that they are for, since an expression can choose another for each. */
export function byChatbot<Task extends { settings: WriteSettings }>(
	items: Array<PreparedItem<Task>>,
): Array<{ chatbotId: string; items: Array<PreparedItem<Task>> }> {
	const groups = new Map<string, Array<PreparedItem<Task>>>();
	for (const entry of items) {
		const { chatbotId } = entry.item.task.settings;
		const group = groups.get(chatbotId);
		if (group) group.push(entry);
		else groups.set(chatbotId, [entry]);
	}
	return [...groups].map(([chatbotId, ofChatbot]) => ({ chatbotId, items: ofChatbot }));
}
