/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';

import { ExpressionError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { Failure } from '../../../nodes/Chatbase/api/failure';
import { requestFailure } from '../../../nodes/Chatbase/api/requestFailure';
import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { nodeErrorOf, withNodeErrors } from '../../../nodes/Chatbase/execution/nodeError';
import { node } from '../api/node';

const apiKey = 'a-key-of-somebody';
const response: ApiResponse = {
	method: 'POST',
	resource: 'contacts',
	version: version1,
	repeatable: 'always',
	mayHaveRun: false,
	attempts: 1,
	rateLimitWait: 0,
	status: 400,
	outcome: '400',
	body: { message: `No <b>: ${apiKey}` },
};

it('is an error of the API with its status, for a request', () => {
	const error = nodeErrorOf(
		node,
		requestFailure(response, { apiKey, baseUrl: '' }).with({ itemIndex: 2 }),
	);
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'The service rejected the contact data',
		httpCode: '400',
		context: { itemIndex: 2 },
	});
	expect(error.description).toContain('The service says: "No &lt;b&gt;: [API key]".');
});

it('holds nothing of the response', () => {
	const error = nodeErrorOf(node, requestFailure(response, { apiKey, baseUrl: '' }));
	expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(apiKey);
});

it('is an error of the operation, escaped once, for anything else', () => {
	const failure = new Failure({ title: 'Name is empty', sentences: ['Item 3: "<i>" & more.'] });
	const error = nodeErrorOf(node, failure.and('a < b'));
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'Name is empty',
		description: 'Item 3: "&lt;i&gt;" &amp; more. a &lt; b',
	});
});

it('keeps what the editor shows of the error of an expression', () => {
	const origin = new ExpressionError('No such node', {
		type: 'paired_item_no_info',
		nodeCause: 'A',
	});
	const error = nodeErrorOf(node, origin);
	expect(error).toMatchObject({
		message: 'No such node',
		context: { type: 'paired_item_no_info', nodeCause: 'A' },
		cause: origin,
	});
});

it("adds words to n8n's own error of a node", () => {
	const origin = new NodeOperationError(node, 'No file', { description: 'Map one.' });
	const failure = new Failure({
		title: 'No file',
		sentences: ['Map one.', 'Nothing was sent.'],
		origin,
	});
	expect(nodeErrorOf(node, failure).description).toBe('Map one. Nothing was sent.');
	expect(origin.description).toBe('Map one.');
});

it('is thrown by what n8n calls outside of a run', async () => {
	const search = withNodeErrors(async function (this: { getNode(): typeof node }, filter: string) {
		if (filter === 'x') throw new Failure({ title: 'Choose a chatbot first', sentences: [] });
		return `${this.getNode().name} ${filter}`;
	});
	const context = { getNode: () => node };
	expect(await search.call(context, 'a')).toBe('Chatbase a');
	await expect(search.call(context, 'x')).rejects.toThrow(NodeOperationError);
});

it.each([
	[{ outcome: '401' }, { cause: 'credential-invalid' }],
	[
		{ outcome: '429', requestedWait: 30_000 },
		{ cause: 'rate-limited', retryAfterMs: 30_000 },
	],
	[{ outcome: '429' }, { cause: 'rate-limited' }],
	[{ outcome: '5xx' }, { cause: 'temporarily-unavailable' }],
	[{ outcome: 'broken', status: undefined }, { cause: 'temporarily-unavailable' }],
	[{ outcome: '403' }, undefined],
	[{ outcome: 'wrongAddress' }, undefined],
] as Array<[Partial<ApiResponse>, object | undefined]>)(
	'tells n8n why %j failed',
	(facts, cause) => {
		const failure = requestFailure({ ...response, ...facts }, { apiKey, baseUrl: '' });
		expect(nodeErrorOf(node, failure)).toMatchObject({ failure: cause });
	},
);
