/** Declarative nodes that do nothing: what n8n itself costs for the same parameters. */
import type { IExecuteFunctions, INodeProperties, INodeType } from 'n8n-workflow';

import { customers, newNumbers } from '../data.mjs';
import { manual } from './ours.mjs';
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

function mapping(definitions: number) {
	return ({ target, count, percent = 0 }: Task): Plan =>
		floor(
			[locator('chatbotId'), ...[mapper('one'), mapper('other')].slice(0, definitions)],
			{ chatbotId: byId(target.chatbotId), contactFields: manual },
			customers(count, percent),
		);
}

/** The parameters of Create or Update with six columns mapped one by one. */
export const mapManually = mapping(1);

/** The same in a node that defines its mapper for two operations: n8n evaluates both. */
export const mapManuallyTwice = mapping(2);

/** The parameters of Send, and code that passes on what arrives without a look at it. */
export function chat({ target }: Task): Plan {
	const { chatbotId } = target;
	const node = floorNode([
		{ displayName: 'Message', name: 'message', type: 'string', default: '' },
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			default: {},
			options: [
				{ displayName: 'Conversation', name: 'conversationId', type: 'string', default: '' },
			],
		},
	]);
	node.description.requestDefaults = { baseURL: target.baseUrl };
	node.description.properties[0].options = [
		{
			name: 'Send',
			value: 'one',
			action: 'Send',
			routing: {
				request: { method: 'POST', url: '/chat', encoding: 'stream' },
				send: {
					preSend: [
						async function (request) {
							const content = this.getNodeParameter('message');
							const conversationId = this.getNodeParameter('options.conversationId');
							const messages = [{ role: 'user', content }];
							request.body = { chatbotId, messages, conversationId, stream: true };
							return request;
						},
					],
				},
				output: {
					postReceive: [
						async function (_items, { body }) {
							// It is there when the node runs, but not in the types.
							const { sendChunk } = this as unknown as IExecuteFunctions;
							for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
								await sendChunk.call(this, 'item', 0, Buffer.from(chunk).toString());
							}
							return [{ json: {} }];
						},
					],
				},
			},
		},
	];
	return {
		nodes: [
			{
				name: 'Floor',
				node: typeName,
				parameters: {
					operation: 'one',
					message: '={{ $json.chatInput }}',
					options: { conversationId: '={{ $json.sessionId }}' },
				},
			},
		],
		nodeTypes: { [typeName]: node },
		input: [{ chatInput: 'How are you?', sessionId: 'a-session' }],
		streaming: true,
	};
}
