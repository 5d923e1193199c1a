/** The entries of the form in the example "A chatbot for each customer". */
import { assignmentOf, evaluate, matchesAll, parametersOf } from './exampleNode';

const example = (nodeName: string) => parametersOf('a-chatbot-for-each-customer', nodeName);
const limit = assignmentOf(example('Set customer'), 'creditLimit');

// n8n 2.41 reads an empty number of a form as 0, which would stop the chatbot.
it.each([
	[0, ''],
	[null, ''],
	[500, '500'],
	['many', 'many'],
])('a credit limit of %j in the form is %j', (given, sent) => {
	expect(evaluate(limit, { json: { 'Credit limit': given } })).toBe(sent);
});

it.each<[object, boolean]>([
	[{}, true],
	[{ buttonColor: '#25F', messageColor: '#ff8800', creditLimit: '500' }, true],
	[{ name: 'Al' }, false],
	[{ website: 'https://acme' }, false],
	[{ website: 'ftp://www.acme.example' }, false],
	[{ buttonColor: 'red' }, false],
	[{ messageColor: '#ff88' }, false],
	[{ creditLimit: 'endless' }, false],
	[{ creditLimit: '1.5' }, false],
])('with %j, the entries can be used: %j', (given, expected) => {
	const json = {
		name: 'Acme',
		website: 'https://www.acme.example',
		buttonColor: '#2563EB',
		messageColor: '#ff8800',
		creditLimit: '',
		...given,
	};
	expect(matchesAll(example('Entries correct?'), { json })).toBe(expected);
});
