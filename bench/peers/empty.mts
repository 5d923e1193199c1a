/** Declarative nodes that do nothing: the time of n8n's routing engine for the same parameters. */
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { customers, newNumbers } from '../data.mjs';
import { manual } from './ours.mjs';
import { byId, type Plan, type Task } from './plan.mjs';

const typeName = 'bench.empty';

const locator = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'ID', name: 'id', type: 'string' }],
});

const mapper: INodeProperties = {
	displayName: 'Contact Fields',
	name: 'contactFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: { resourceMapper: { mode: 'map', resourceMapperMethod: 'none' } },
};

const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	default: 'nothing',
	options: [
		{
			name: 'Nothing',
			value: 'nothing',
			action: 'Nothing',
			routing: {
				request: { method: 'GET', url: '/' },
				send: { paginate: true },
				// n8n calls it instead of sending the request.
				operations: { pagination: async () => [{ json: {} }] },
			},
		},
	],
};

function empty(properties: INodeProperties[], parameters: object, input: object[]): Plan {
	const type: INodeType = {
		description: {
			displayName: 'Empty',
			name: typeName,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Empty' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'chatbaseV1Api', required: true }],
			requestDefaults: { baseURL: 'https://www.example.com' },
			properties: [operation, ...properties],
		},
	};
	return {
		nodes: [
			{
				name: 'Empty',
				node: typeName,
				parameters: { operation: 'nothing', ...parameters } as never,
			},
		],
		nodeTypes: { [typeName]: type },
		input: input as never,
	};
}

/** The parameters of Get: a chatbot, and a contact by an expression. */
export function readEach({ target, count }: Task): Plan {
	return empty(
		[locator('chatbotId'), locator('contactId')],
		{ chatbotId: byId(target.chatbotId), contactId: byId('={{ $json.external_id }}') },
		newNumbers(count),
	);
}

/** The parameters of Create or Update with six columns mapped one by one. */
export function mapManually({ target, count, percent = 0 }: Task): Plan {
	return empty(
		[locator('chatbotId'), mapper],
		{ chatbotId: byId(target.chatbotId), contactFields: manual },
		customers(count, percent),
	);
}
