/** A declarative node as in n8n's template: expressions and generic pagination. */
import type { INodeType, INodeProperties } from 'n8n-workflow';

import { newNumbers } from '../data.mjs';
import { byId, type Plan, type Task } from './plan.mjs';

const typeName = 'bench.template';

const locator = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'resourceLocator',
	default: { mode: 'id', value: '' },
	modes: [{ displayName: 'ID', name: 'id', type: 'string' }],
});

/** @param baseURL a literal, which is cheaper than an expression */
function templateNode(baseURL: string): INodeType {
	return {
		description: {
			displayName: 'Template',
			name: typeName,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Template' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'chatbaseV1Api', required: true }],
			requestDefaults: { baseURL, headers: { Accept: 'application/json' } },
			properties: [
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					default: 'getAll',
					options: [
						{
							name: 'Get Many',
							value: 'getAll',
							action: 'Get many contacts',
							routing: {
								request: {
									method: 'GET',
									url: '=/chatbots/{{ $parameter.chatbotId }}/contacts',
								},
								output: {
									postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }],
								},
							},
						},
						{
							name: 'Update',
							value: 'update',
							action: 'Update contact',
							routing: {
								request: {
									method: 'PATCH',
									url: '=/chatbots/{{ $parameter.chatbotId }}/contacts/{{ $parameter.contactId }}',
								},
								output: {
									postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }],
								},
							},
						},
					],
				},
				locator('chatbotId', 'Chatbot'),
				{
					...locator('contactId', 'Contact'),
					displayOptions: { show: { operation: ['update'] } },
				},
				{
					displayName: 'Phone Number',
					name: 'phonenumber',
					type: 'string',
					default: '',
					displayOptions: { show: { operation: ['update'] } },
					routing: { send: { type: 'body', property: 'data.phonenumber' } },
				},
				{
					displayName: 'Return All',
					name: 'returnAll',
					type: 'boolean',
					default: false,
					displayOptions: { show: { operation: ['getAll'] } },
					routing: {
						send: { paginate: '={{ $value }}' },
						operations: {
							pagination: {
								type: 'generic',
								properties: {
									continue: '={{ $response.body.pages.page < $response.body.pages.total_pages }}',
									request: {
										qs: {
											per_page: 1000,
											page: '={{ $response.body ? $response.body.pages.page + 1 : 1 }}',
										},
									},
								},
							},
						},
					},
				},
			],
		},
	};
}

function template({ target, continues }: Task, parameters: Record<string, unknown>): Plan {
	return {
		nodes: [
			{
				name: 'Template',
				node: typeName,
				parameters: { chatbotId: byId(target.chatbotId), ...parameters } as never,
				nodeSettings: continues ? { onError: 'continueRegularOutput' } : {},
			},
		],
		nodeTypes: { [typeName]: templateNode(target.baseUrl) },
	};
}

export function readAll(task: Task): Plan {
	return template(task, { operation: 'getAll', returnAll: true });
}

export function patchEach(task: Task): Plan {
	const plan = template(task, {
		operation: 'update',
		contactId: byId('={{ $json.external_id }}'),
		phonenumber: '={{ $json.phonenumber }}',
	});
	return { ...plan, input: newNumbers(task.count) };
}
