import { LoadOptionsContext } from 'n8n-core';
import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeTypes,
	ResourceMapperFields,
} from 'n8n-workflow';
import { createAdditionalData } from './additionalData';
import type { EngineCredentials } from './credentials';
import { createNode, createWorkflow, type NodeOptions } from './workflows';

interface MethodCall {
	options: NodeOptions;
	nodeTypes: INodeTypes;
	credentials: EngineCredentials;
}

function createContext({ options, nodeTypes, credentials }: MethodCall): ILoadOptionsFunctions {
	const node = createNode(options, nodeTypes, credentials);
	const workflow = createWorkflow([node], {}, nodeTypes);
	const additionalData = createAdditionalData(credentials, node.parameters);
	return new LoadOptionsContext(workflow, node, additionalData, '');
}

function getMethods({ options, nodeTypes }: MethodCall) {
	return nodeTypes.getByNameAndVersion(options.node!).methods ?? {};
}

/** Runs a method that fills a searchable list, as the editor does. */
export async function listSearch(
	name: string,
	call: MethodCall,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const method = getMethods(call).listSearch?.[name];
	if (!method) throw new Error(`There is no list search ${name}`);
	return await method.call(createContext(call), filter, paginationToken);
}

/** Runs a method that fills a list of options, as the editor does. */
export async function loadOptions(name: string, call: MethodCall): Promise<INodePropertyOptions[]> {
	const method = getMethods(call).loadOptions?.[name];
	if (!method) throw new Error(`There are no options ${name}`);
	return await method.call(createContext(call));
}

/** Runs a method that names the fields of a resource mapper, as the editor does. */
export async function resourceMapping(
	name: string,
	call: MethodCall,
): Promise<ResourceMapperFields> {
	const method = getMethods(call).resourceMapping?.[name];
	if (!method) throw new Error(`There is no resource mapping ${name}`);
	return await method.call(createContext(call));
}
