/** What the chatbot learns about an order, from the example "Chat that looks up orders". */
import type { IDataObject } from 'n8n-workflow';

import { evaluate, parametersOf } from './exampleNode';

const { output } = parametersOf('chat-that-looks-up-orders', 'Send result');
const order = { number: '1042', customer: 'C-1', status: 'packed', arrives: '2026-11-27' };
const theirs = { found: true, number: '1042', status: 'packed', arrives: '2026-11-27' };
const none = { found: false };
const later = { error: "Orders can't be looked up at the moment" };

it.each<[response: object, customer: unknown, learned: object]>([
	[{ statusCode: 200, body: order }, 'C-1', theirs],
	[{ statusCode: 200, body: { ...order, customer: 7 } }, '7', theirs],
	[
		{ statusCode: 200, body: { number: '1042', customer: 'C-1' } },
		'C-1',
		{ ...theirs, status: null, arrives: null },
	],
	[{ statusCode: 200, body: order }, 'C-2', none],
	[{ statusCode: 200, body: { ...order, customer: null } }, 'null', none],
	[{ statusCode: 404, body: {} }, 'C-1', none],
	[{ statusCode: 200, body: '<html></html>' }, 'C-1', later],
	[{ statusCode: 500, body: {} }, 'C-1', later],
	[{ error: { message: 'timeout of 4000ms exceeded' } }, 'C-1', later],
])('from %j, the customer %j: %j', (response, customer, learned) => {
	const asked = { body: { customer } } as IDataObject;
	const nodes = { 'When a customer asks': [asked] };
	expect(evaluate(output, { json: response as IDataObject, nodes })).toEqual(learned);
});
