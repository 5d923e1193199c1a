/** Declarative nodes that do nothing: what n8n itself costs for the same parameters. */
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { customers, newNumbers } from '../data.mjs';
import { automatic, manual } from './ours.mjs';
import { byId, type Plan, type Task } from './plan.mjs';

const typeName = 'bench.floor';

const locator = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'ID', name: 'id', type: 'string' }],
});

const mapper = (operation: string): INodeProperties => ({
	displayName: 'Contact Fields',
	name: 'contactFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: { resourceMapper: { mode: 'map', resourceMapperMethod: 'none' } },
	displayOptions: { show: { operation: [operation] } },
});

const operation = (value: string) => ({
	name: value,
	value,
	action: value,
	routing: {
		request: { method: 'GET' as const, url: '/' },
		send: { paginate: true },
		operations: { pagination: async () => [{ json: {} }] },
	},
});

function floorNode(properties: INodeProperties[]): INodeType {
	return {
		description: {
			displayName: 'Floor',
			name: typeName,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Floor' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'chatbaseV1Api', required: true }],
			requestDefaults: { baseURL: 'https://www.example.com' },
			properties: [
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					default: 'one',
					options: [operation('one'), operation('other')],
				},
				...properties,
			],
		},
	};
}

function floor(properties: INodeProperties[], parameters: object, input: object[]): Plan {
	return {
		nodes: [
			{
				name: 'Floor',
				node: typeName,
				parameters: { operation: 'one', ...parameters } as never,
			},
		],
		nodeTypes: { [typeName]: floorNode(properties) },
		input: input as never,
	};
}

/** The parameters of Get: a chatbot, and a contact by an expression. */
export function readEach({ target, count }: Task): Plan {
	const parameters = {
		chatbotId: byId(target.chatbotId),
		contactId: byId('={{ $json.external_id }}'),
	};
	return floor([locator('chatbotId'), locator('contactId')], parameters, newNumbers(count));
}

function mapping(contactFields: unknown, definitions: number) {
	return ({ target, count, percent = 0 }: Task): Plan =>
		floor(
			[locator('chatbotId'), ...[mapper('one'), mapper('other')].slice(0, definitions)],
			{ chatbotId: byId(target.chatbotId), contactFields },
			customers(count, percent),
		);
}

/** The parameters of Create or Update with automatic mapping. */
export const mapAutomatically = mapping(automatic, 1);

/** With six columns mapped one by one. */
export const mapManually = mapping(manual, 1);

/** The same in a node that defines its mapper for two operations: n8n evaluates both. */
export const mapManuallyTwice = mapping(manual, 2);
