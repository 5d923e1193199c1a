/** Declarative nodes that do nothing: what n8n itself costs for the same parameters. */
import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IN8nRequestOperations,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { limitConcurrency } from '../../nodes/Chatbase/transport/limit.js';
import { customers, newNumbers } from '../data.mjs';
import { manual } from './ours.mjs';
import type { Target } from '../processes/service.mjs';
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

type Pagination = Extract<IN8nRequestOperations['pagination'], (...rest: never[]) => unknown>;

const doNothing: Pagination = async () => [{ json: {} }];

const operation = (value: string, pagination: Pagination) => ({
	name: value,
	value,
	action: value,
	routing: {
		request: { method: 'GET' as const, url: '/' },
		send: { paginate: true },
		operations: { pagination },
	},
});

function floorNode(properties: INodeProperties[], pagination = doNothing): INodeType {
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
					options: [operation('one', pagination), operation('other', pagination)],
				},
				...properties,
			],
		},
	};
}

function floor(
	properties: INodeProperties[],
	parameters: object,
	input: object[],
	pagination?: Pagination,
): Plan {
	return {
		nodes: [
			{
				name: 'Floor',
				node: typeName,
				parameters: { operation: 'one', ...parameters } as never,
			},
		],
		nodeTypes: { [typeName]: floorNode(properties, pagination) },
		input: input as never,
	};
}

/** A chatbot, and a contact by an expression. */
const contactFields = [locator('chatbotId'), locator('contactId')];

function chosenContact({ chatbotId }: Target) {
	return { chatbotId: byId(chatbotId), contactId: byId('={{ $json.external_id }}') };
}

/** The parameters of Get. */
export function readEach({ target, count }: Task): Plan {
	return floor(contactFields, chosenContact(target), newNumbers(count));
}

/** The same, and one request for each item through n8n's helper, with nothing around it. */
export function patchEach({ target, count, concurrency = 1 }: Task): Plan {
	const whenFree = limitConcurrency(concurrency);
	const url = `${target.baseUrl}/chatbots/${target.chatbotId}/contacts/`;
	return floor(
		contactFields,
		chosenContact(target),
		newNumbers(count),
		async function (this: IExecutePaginationFunctions) {
			const { external_id, phonenumber } = this.getInputData().json;
			const { data } = (await whenFree(
				async () =>
					await this.helpers.httpRequestWithAuthentication.call(this, 'chatbaseV1Api', {
						method: 'PATCH',
						url: url + encodeURIComponent(String(external_id)),
						body: { data: { phonenumber } },
						json: true,
					}),
			)) as { data: { data: IDataObject } };
			return [{ json: data.data }];
		},
	);
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
