import { schemaDifferences, type PublishedSchema } from '../../../service/published/differences';
import { endpoints } from '../../../service/v2/contract';

/** A published schema with one endpoint as the contract has it, and one that it lacks. */
function published(limit: object, feedback: string[]): PublishedSchema {
	return {
		components: { schemas: { Rating: { properties: { feedback: { enum: feedback } } } } },
		paths: {
			'/agents': {
				get: {
					parameters: [
						{ name: 'cursor', in: 'query' },
						{ name: 'limit', in: 'query', ...limit },
					],
					responses: { 400: { 'x-error-codes': ['VALIDATION_INVALID_BODY', 'SOMETHING_NEW'] } },
				},
			},
			'/agents/{id}/conversations/{conversationId}/messages/{messageId}/feedback': {
				patch: {
					requestBody: {
						content: { 'application/json': { schema: { $ref: '#/components/schemas/Rating' } } },
					},
				},
			},
			'/agents/{agentId}/dreams': { get: {} },
		},
	};
}

const rate = 'PATCH /agents/{}/conversations/{}/messages/{}/feedback';
const differences = (schema: PublishedSchema) =>
	schemaDifferences(schema).filter((line) => !line.endsWith('not published'));

it('names what is new and what is gone: codes, values, fields and endpoints', () => {
	expect(differences(published({ name: 'size' }, ['positive', 'neutral']))).toEqual([
		'GET /agents, query: size is new',
		'GET /agents, query: limit is gone',
		'GET /agents, error code: SOMETHING_NEW is new',
		`${rate}, body, feedback: neutral is new`,
		`${rate}, body, feedback: negative is gone`,
		'GET /agents/{}/dreams: the contract lacks it',
	]);
});

it('names no endpoint that is as the contract has it', () => {
	expect(differences(published({}, ['positive', 'negative']))).toEqual([
		'GET /agents, error code: SOMETHING_NEW is new',
		'GET /agents/{}/dreams: the contract lacks it',
	]);
});

it('names each endpoint that is not published', () => {
	const lines = schemaDifferences({ paths: {} });
	expect(lines).toHaveLength(Object.keys(endpoints).length);
	expect(lines[0]).toBe('GET /health: not published');
});
