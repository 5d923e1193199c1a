/** Which phone numbers get a message from the example "Order updates by WhatsApp". */
import { matchesAll, parametersOf } from './exampleNode';

it.each([
	['+1 415 555 2671', true],
	['0044 20 7946 0200', true],
	['\u202a+1 (415) 555\u20112674\u202c', true],
	['415 555 2673', false],
	['0170 1234567', false],
	['+0 170', false],
	[14_155_552_675, false],
	['', false],
	[null, false],
])('%j has a country code: %j', (phone, expected) => {
	const parameters = parametersOf('order-updates-by-whatsapp', 'Has country code?');
	expect(matchesAll(parameters, { json: { phone } })).toBe(expected);
});
