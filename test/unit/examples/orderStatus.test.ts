/** Who gets which sentence about an order, from the example "Order status for the chatbot". */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { assignmentOf, conditionsOf, evaluate, parametersOf } from './exampleNode';

const example = (nodeName: string) => parametersOf('order-status-for-the-chatbot', nodeName);

const [isSignedIn] = conditionsOf(example('Is signed in?'));
const { values } = example('Whose order?').rules as { values: INodeParameters[] };
const [isTheirs, isNone] = values.flatMap(conditionsOf);
const message = assignmentOf(example('Tell status'), 'message');

type Visitor = unknown;

/** The path that the answer of the CRM takes for a visitor. */
function pathFor(visitor: Visitor, order: IDataObject, statusCode = 200): string {
	const asked = { body: { customer: visitor } } as IDataObject;
	if (evaluate(isSignedIn, { json: asked }) !== true) return 'sign in';

	const data = {
		json: { statusCode, body: order },
		nodes: { 'When the chatbot asks': [asked] },
	};
	if (evaluate(isTheirs, data) === true) return 'theirs';
	return evaluate(isNone, data) === true ? 'none' : 'try later';
}

const orderOf = (customer: unknown) =>
	({ number: '1050', customer, status: 'packed' }) as IDataObject;

describe('a customer', () => {
	it.each([
		['C-1', 'C-1', 'theirs'],
		['1042', 1042, 'theirs'],
		[1042, '1042', 'theirs'],
		['C-1', 'C-2', 'none'],
		['c-1', 'C-1', 'none'],
	])('%j who asks about an order of %j gets the answer "%s"', (visitor, customer, path) => {
		expect(pathFor(visitor, orderOf(customer))).toBe(path);
	});

	// JSON.parse reads 9007199254740993 as the number before it.
	it('is not known by a number with more digits than JavaScript holds', () => {
		expect(pathFor('9007199254740992', orderOf(2 ** 53))).toBe('none');
	});

	it.each([
		['of a CRM that does not know the number', {}, 404, 'none'],
		['of a CRM that fails', {}, 500, 'try later'],
		['that is a page', '<html></html>', 200, 'try later'],
		['without a number', { number: '', customer: 'C-1', status: 'packed' }, 200, 'try later'],
	])('gets a sentence for an answer %s', (_, order, statusCode, path) => {
		expect(pathFor('C-1', order as IDataObject, statusCode)).toBe(path);
	});
});

/** A CRM writes "nobody" in many ways, and a website may sign what is no ID. None of them are the same person. */
describe('nobody', () => {
	const nobody = [
		null,
		undefined,
		'',
		' ',
		'null',
		'undefined',
		'NaN',
		'None',
		false,
		0,
		'0',
		{},
		[],
	];
	const visitors = [
		...nobody,
		...['NULL', ' null', 'false', '[object Object]', '{{contact.external_id}}', [null]],
	];

	it.each(visitors)('is signed in as %j', (visitor) => {
		for (const customer of nobody) {
			expect(pathFor(visitor, orderOf(customer))).toBe('sign in');
		}
	});

	it.each(nobody)('is told an order of %j', (customer) => {
		expect(pathFor('C-1', orderOf(customer))).toBe('none');
	});
});

/** Whatever the CRM has in the fields of an order, the chatbot gets a sentence. */
describe('the sentence about an order', () => {
	const unknown = 'Order 1060 is in your account. Its status is not known at the moment.';
	const packed = 'Order 1060: packed.';
	const friday = 'It should arrive on Friday, November 27.';

	it.each<[object, string]>([
		...['soon', '', 0, 20_261_127, 1_795_737_600, '2026', '2026-02-30', null, {}, []].map(
			(arrives): [object, string] => [{ status: 'packed', arrives }, packed],
		),
		...['2026-11-27', '2026-11-27T00:00:00Z', '2026-11-27 23:30', '2026-11-27T23:30:00-08:00'].map(
			(arrives): [object, string] => [{ status: 'packed', arrives }, `${packed} ${friday}`],
		),
		...[null, undefined, '', ' ', '.', 7, {}, []].map((status): [object, string] => [
			{ status },
			unknown,
		]),
		[{ status: ' packed. ' }, packed],
		[{ status: 'packed\n' }, packed],
		[{ arrives: '2026-11-27' }, `${unknown} ${friday}`],
	])('with %j', (fields, sentence) => {
		const body = { number: '1060', ...fields } as IDataObject;
		expect(evaluate(message, { json: { body } })).toBe(sentence);
	});
});

it.each([
	['#1042', '1042'],
	[' 1042 ', '1042'],
	[1042, '1042'],
	[undefined, ''],
	['1042&number=1043', '1042&number=1043'],
])('asks the CRM for the number of %j', (order, number) => {
	const { queryParameters } = example('Get order');
	const [{ value }] = (queryParameters as { parameters: Array<{ value: string }> }).parameters;
	expect(evaluate(value, { json: { body: { order } } as IDataObject })).toBe(number);
});
