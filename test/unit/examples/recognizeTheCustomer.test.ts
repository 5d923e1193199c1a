/** Whom a token names, from the example "Recognize the customer". */
import { type IDataObject, jsonParse } from 'n8n-workflow';

import { conditionsOf, evaluate, parametersOf } from './exampleNode';

const example = (nodeName: string) => parametersOf('recognize-the-customer', nodeName);
const [isIdGiven] = conditionsOf(example('Is an ID given?'));
const asked = (body: object) => ({ body }) as IDataObject;

const nobody = ['', ' ', null, undefined, 'null', 'undefined', 'NaN', 'None', 0, '0', false];

it.each([...nobody, {}, [], ['C-1'], '{{ id }}', 2 ** 53])(
	'gives nobody a token as %j',
	(user_id) => {
		expect(evaluate(isIdGiven, { json: asked({ user_id }) })).toBe(false);
	},
);

describe('the claims of a token', () => {
	const claimsFor = (body: object) => {
		expect(evaluate(isIdGiven, { json: asked(body) })).toBe(true);
		const nodes = { 'When the website asks': [asked(body)] };
		const text = evaluate(example('Sign token').claimsJson, { nodes });
		const { exp, ...claims } = jsonParse<IDataObject>(String(text));
		expect(Math.abs(Number(exp) - Date.now() / 1000 - 3600)).toBeLessThan(5);
		return claims;
	};

	it.each([
		[{ user_id: 'C-1' }, { user_id: 'C-1' }],
		[{ user_id: 1042 }, { user_id: '1042' }],
		[{ user_id: 'c/1 é ' }, { user_id: 'c/1 é ' }],
		[
			{ user_id: 'C-1', name: ' Ada Lovelace ', email: 'ada@shop.example' },
			{ user_id: 'C-1', name: 'Ada Lovelace', email: 'ada@shop.example' },
		],
	])('of %j are %j, for one hour', (body, claims) => expect(claimsFor(body)).toEqual(claims));

	it.each([null, '', ' ', 7, {}])('leave out a name and an email that are %j', (nothing) => {
		const body = { user_id: 'C-1', name: nothing, email: nothing };
		expect(claimsFor(body)).toEqual({ user_id: 'C-1' });
	});
});
