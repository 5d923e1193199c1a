/** n8n's own HTTP Request node, with the settings that serve each job best. */
import type { IConnections, IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeOptions } from '../../test/engine/harness/index.js';
import { customers, documents, fileItems, newNumbers } from '../data.mjs';
import { start, type Plan, type Task } from './plan.mjs';

const type = 'n8n-nodes-base.httpRequest';

const authentication = {
	authentication: 'genericCredentialType',
	genericAuthType: 'httpBearerAuth',
};

/** JSON as the response format: otherwise the node detects the format of every response. */
const response = { response: { response: { responseFormat: 'json' } } };

function contactsUrl({ target }: Task): string {
	return `${target.baseUrl}/chatbots/${target.chatbotId}/contacts`;
}

/** A list with the settings of its pagination. */
function pagedList(url: string, query: object, pagination: object): NodeOptions & { name: string } {
	const parameters = {
		...authentication,
		method: 'GET',
		url,
		sendQuery: true,
		queryParameters: { parameters: [query] },
		options: {
			...response,
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					paginationCompleteWhen: 'other',
					limitPagesFetched: false,
					...pagination,
				},
			},
		},
	} as unknown as INodeParameters;
	return { name: 'List', node: type, parameters };
}

/** The list in the largest pages, with the end read from the page. */
function list(task: Task): NodeOptions & { name: string } {
	return pagedList(
		contactsUrl(task),
		{ name: 'per_page', value: '1000' },
		{
			parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
			completeExpression: '={{ $response.body.pages.page >= $response.body.pages.total_pages }}',
		},
	);
}

const contacts: NodeOptions & { name: string } = {
	name: 'Contacts',
	node: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: 'data', options: {} },
};

function patch(task: Task, data: string): NodeOptions & { name: string } {
	const { batching, continues } = task;
	const parameters = {
		...authentication,
		method: 'PATCH',
		url: `=${contactsUrl(task)}/{{ encodeURIComponent($json.external_id) }}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: data,
		options: { ...response, ...(batching && { batching: { batch: batching } }) },
	};
	const nodeSettings = continues ? { onError: 'continueRegularOutput' as const } : {};
	return { name: 'Patch', node: type, parameters, nodeSettings };
}

/** The list, and Split Out for the contacts in its pages. */
export function readAll(task: Task): Plan {
	return { nodes: [list(task), contacts] };
}

/** The export in the largest pages, by the cursor of each page, and Split Out. */
export function exportAll({ target }: Task): Plan {
	const root = target.baseUrl.replace(/v1$/, 'v2');
	const list = pagedList(
		`${root}/agents/${target.chatbotId}/conversations/export`,
		{ name: 'limit', value: '20' },
		{
			parameters: {
				parameters: [
					{ type: 'qs', name: 'cursor', value: '={{ $response.body.pagination.cursor }}' },
				],
			},
			completeExpression: '={{ !$response.body.pagination.hasMore }}',
		},
	);
	return { nodes: [list, contacts] };
}

/** A PATCH for each customer, since the node cannot tell which have changed. */
export function patchAll(task: Task): Plan {
	const input = customers(task.count, task.percent ?? 0) as unknown as IDataObject[];
	return { nodes: [patch(task, '={{ ({ data: $json }) }}')], input };
}

export function patchEach(task: Task): Plan {
	const data = '={{ ({ data: { phonenumber: $json.phonenumber } }) }}';
	return { nodes: [patch(task, data)], input: newNumbers(task.count) };
}

/** A PUT for each document, since the API returns no content to compare with. The input has the IDs of the sources. */
export function putSources(task: Task): Plan {
	const { target, count, percent = 0, batching } = task;
	const version2 = target.baseUrl.replace(/v1$/, 'v2');
	const parameters = {
		...authentication,
		method: 'PUT',
		url: `=${version2}/agents/${target.chatbotId}/sources/{{ $json.id }}`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ ({ name: $json.name, content: $json.content }) }}',
		options: { ...response, ...(batching && { batching: { batch: batching } }) },
	};
	const input = documents(count, percent) as unknown as IDataObject[];
	return { nodes: [{ name: 'Put', node: type, parameters }], input };
}

/** An upload of each file, since the API returns no content to compare with. The input has the IDs of the sources. */
export function uploadFiles(task: Task): Plan {
	const { target, batching } = task;
	const version2 = target.baseUrl.replace(/v1$/, 'v2');
	const parameters = {
		...authentication,
		method: 'PUT',
		url: `=${version2}/agents/${target.chatbotId}/sources/{{ $json.id }}`,
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [
				{ parameterType: 'formData', name: 'name', value: '={{ $json.name }}' },
				{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
			],
		},
		options: { ...response, ...(batching && { batching: { batch: batching } }) },
	};
	return { nodes: [{ name: 'Upload', node: type, parameters }], input: fileItems(task) };
}

/** What a skilled user builds: the list, Compare Datasets, and a PATCH for each customer that differs. */
export function compareAndPatch(task: Task): Plan {
	const compare: NodeOptions & { name: string } = {
		name: 'Compare',
		node: 'n8n-nodes-base.compareDatasets',
		parameters: {
			mergeByFields: { values: [{ field1: 'external_id', field2: 'external_id' }] },
			resolve: 'preferInput1',
			options: { skipFields: 'id, payment_accounts, created_at, updated_at' },
		},
	};
	const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });
	const connections: IConnections = {
		[start]: { main: [[to('List'), to('Compare')]] },
		List: { main: [[to('Contacts')]] },
		Contacts: { main: [[to('Compare', 1)]] },
		Compare: { main: [[], [], [to('Patch')], []] },
	};
	return {
		nodes: [
			{ ...list(task), nodeSettings: { executeOnce: true } },
			contacts,
			compare,
			patch(task, '={{ ({ data: $json }) }}'),
		],
		connections,
		input: customers(task.count, task.percent ?? 0) as unknown as IDataObject[],
	};
}
