/** The credit limit of a customer in the example "A chatbot for each customer". */
import { assignmentOf, evaluate, parametersOf } from './exampleNode';

const limit = assignmentOf(
	parametersOf('a-chatbot-for-each-customer', 'Set customer'),
	'creditLimit',
);

// n8n 2.41 reads an empty number of a form as 0, which would stop the chatbot.
it.each([
	[0, ''],
	[null, ''],
	[500, '500'],
	['many', 'many'],
])('of %j in the form is %j', (given, sent) => {
	expect(evaluate(limit, { json: { 'Credit limit': given } })).toBe(sent);
});
