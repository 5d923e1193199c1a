import { ExecuteContext, RoutingNode } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialTestRequestData,
	IDataObject,
	IExecuteData,
	INode,
	INodeCredentialTestResult,
	INodeExecutionData,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { createEmptyRunExecutionData } from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import { type CredentialTypes, EngineCredentials } from './credentials';
import { noOperation } from './standIns';
import { createWorkflow } from './workflows';

type Rules = NonNullable<ICredentialTestRequest['rules']>;

interface RequestFailure {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

// n8n sends the test request of a credential in the name of a node that does nothing else.
function testNodeType(type: string, request: ICredentialTestRequest['request']): INodeType {
	return {
		description: {
			...noOperation,
			credentials: [{ name: type, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } },
			],
		},
	};
}

function onlyKnow(nodeType: INodeType): INodeTypes {
	return {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}

function judgeFailure({ message, cause }: RequestFailure, rules: Rules): INodeCredentialTestResult {
	const { response, code } = cause ?? {};
	if (!response) return failed(code ?? message);
	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response.status,
	);
	if (rule) return failed(rule.properties.message);
	return failed(response.statusText || `Received HTTP status code: ${response.status}`);
}

function judgeSuccess(body: IDataObject, rules: Rules): INodeCredentialTestResult {
	const rule = rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' &&
			valueAt(body, (properties as { key: string }).key) === properties.value,
	);
	if (rule) return failed(rule.properties.message);
	return { status: 'OK', message: 'Connection successful!' };
}

function valueAt(body: IDataObject, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((value, key) => (value as IDataObject | undefined)?.[key], body);
}

function createRoutingNode(
	type: string,
	request: ICredentialTestRequest['request'],
	credentials: EngineCredentials,
	data: ICredentialDataDecryptedObject,
): RoutingNode {
	const nodeType = testNodeType(type, request);
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: noOperation.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type]: { id: type, name: type } },
	};
	const executeData: IExecuteData = { node, data: {}, source: null };
	const context = new ExecuteContext(
		createWorkflow([node], {}, onlyKnow(nodeType)),
		node,
		createAdditionalData(credentials, node.parameters),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		executeData,
		[],
	);
	return new RoutingNode(context, nodeType, { id: type, name: type, type, data });
}

/** Sends the test request of a credential and checks the response by its rules, as n8n does. */
export async function testCredential(
	type: string,
	data: ICredentialDataDecryptedObject,
	types: CredentialTypes,
): Promise<INodeCredentialTestResult> {
	const { test } = types.getCredentialType(type);
	if (!test) throw new Error(`The credential ${type} defines no test`);
	const { request, rules = [] } = test as ICredentialTestRequestData['testRequest'];
	const credentials = new EngineCredentials(types, { [type]: data });
	let items: INodeExecutionData[][] | null | undefined;
	try {
		items = await createRoutingNode(type, request, credentials, data).runNode();
	} catch (error) {
		return judgeFailure(error as RequestFailure, rules);
	}
	return judgeSuccess(items![0][0].json, rules);
}
