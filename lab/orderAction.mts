import { type CustomAction } from '../service/index.js';

/**
 * The custom action of the example *Order status for the chatbot*, as its note says.
 *
 * @param url the Production URL of its webhook
 */
export function orderAction(url: string, header: { name: string; value: string }): CustomAction {
	return {
		name: 'order_status',
		whenToUse: 'When the visitor asks where an order is or when it arrives.',
		inputs: [
			{
				name: 'order_number',
				type: 'text',
				description: 'Number of the order, such as 1042',
			},
		],
		method: 'POST',
		url,
		headers: { [header.name]: header.value },
		body: { order: '{{order_number}}', customer: '{{contact.external_id}}' },
		recognize: (message) => {
			const number = /\border\s+#?(\w+)/i.exec(message)?.[1];
			return number === undefined ? undefined : { order_number: number };
		},
	};
}
