import {
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { customOperationsOf, paginationOf } from './execution/tool';
import { callableMethods, joinMethods } from './panel/field';
import type { Resource } from './panel/operation';
import { resources } from './resources';

const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'contact',
		options: resources.map(({ option }) => option),
		// This field is always shown, so n8n's routing engine calls `requestOperations` for every request.
		routing: { send: { paginate: true } },
	},
	...resources.flatMap((resource) => resource.properties),
];

export class Chatbase implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chatbase',
		name: 'chatbase',
		icon: {
			light: 'file:../../icons/chatbase.svg',
			dark: 'file:../../icons/chatbase.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: subtitleFor(resources),
		description:
			'Chat with Chatbase chatbots, sync their contacts and knowledge, and handle tickets and WhatsApp templates',
		builderHint: {
			searchHint:
				'Each operation handles all input items in one run: connect a list to it without Loop Over Items. The node waits if the service reports too many requests.',
		},
		defaults: { name: 'Chatbase' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chatbaseV1Api', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		// Called for every request that n8n's routing engine would send.
		requestOperations: { pagination: paginationOf(resources) },
		properties,
	};

	customOperations = customOperationsOf(resources);

	methods = callableMethods(joinMethods(resources.map(({ methods }) => methods)));
}

/**
 * An expression for the text below the name of a node, such as "Get Many: Contact". It looks the text up in a table that is
 * made from the resources, so a new operation needs no change here.
 */
function subtitleFor(resources: Resource[]): string {
	const subtitles = resources.flatMap(({ option, operations }) =>
		operations.map(({ value, name }) => [
			`${option.value}.${value}`,
			`${name}: ${option.name}`,
		]),
	);
	const table = JSON.stringify(Object.fromEntries(subtitles));

	return `={{ (${table})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
