import { type ClientAction } from '../service/index.js';

/**
 * The client-side action of the example *Chat that looks up orders*, as its note says. The chatbot asks for the orders of a
 * message at once, except for those after a "then".
 */
export const orderLookup: ClientAction = {
	name: 'look_up_order',
	recognize(message, results) {
		const calls = message.split(/\bthen\b/).map(ordersIn);
		const isOpen = (index: number) => calls.slice(0, index).flat().length >= results.length;
		return calls.find((some, index) => some.length > 0 && isOpen(index)) ?? [];
	},
};

function ordersIn(text: string): Array<Record<string, string>> {
	return Array.from(text.matchAll(/\b\d{4}\b/g), ([order_number]) => ({ order_number }));
}
