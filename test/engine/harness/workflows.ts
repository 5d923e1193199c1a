import type {
	IConnections,
	IDataObject,
	INode,
	INodeParameters,
	INodeTypes,
	NodeConnectionType,
} from 'n8n-workflow';
import { deepCopy, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { EngineCredentials } from './credentials';

/** The settings that a user finds in the Settings tab of every node. */
export type NodeSettings = Pick<
	INode,
	| 'alwaysOutputData'
	| 'disabled'
	| 'executeOnce'
	| 'maxTries'
	| 'onError'
	| 'retryOnFail'
	| 'waitBetweenTries'
>;

/** A node of a workflow, as a test writes it down. */
export interface NodeOptions {
	/** Full type name, for example `n8n-nodes-chatbase.chatbase`; the package's first node if absent. */
	node?: string;
	/** The node's name in its workflow. */
	name?: string;
	parameters?: INodeParameters;
	nodeSettings?: NodeSettings;
}

/** A line between two nodes of a workflow. */
export interface Connection {
	from: string;
	/** Output branch of the node that the line starts from, 0 if absent. */
	output?: number;
	to: string;
	type?: NodeConnectionType;
}

/** A node as n8n stores it, with the credentials that it asks for and the user has. */
export function createNode(
	{ node: type, name = 'Node', parameters = {}, nodeSettings = {} }: NodeOptions,
	nodeTypes: INodeTypes,
	credentials: EngineCredentials,
): INode {
	const { description } = nodeTypes.getByNameAndVersion(type!);
	const { defaultVersion, version } = description;
	const typesFilledIn = (description.credentials ?? [])
		.map((credential) => credential.name)
		.filter((credential) => credentials.has(credential));
	return {
		id: `id of ${name}`,
		name,
		type: type!,
		typeVersion: defaultVersion ?? (Array.isArray(version) ? version.at(-1)! : version),
		position: [0, 0],
		// The workflow completes and the engine resolves parameters in place.
		parameters: deepCopy(parameters),
		credentials: Object.fromEntries(
			typesFilledIn.map((credential) => [credential, { id: credential, name: credential }]),
		),
		...nodeSettings,
	};
}

/** Turns lines into the nested form in which n8n stores them. */
export function connect(lines: Connection[]): IConnections {
	const connections: IConnections = {};
	for (const { from, output = 0, to, type = NodeConnectionTypes.Main } of lines) {
		const outputs = ((connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node: to, type, index: 0 });
	}
	return connections;
}

/** A workflow with n8n's present order of execution. */
export function createWorkflow(
	nodes: INode[],
	connections: IConnections,
	nodeTypes: INodeTypes,
	timezone?: string,
	staticData?: IDataObject,
): Workflow {
	return new Workflow({
		id: 'workflow',
		name: 'Workflow',
		nodes,
		connections,
		active: false,
		nodeTypes,
		staticData,
		settings: { executionOrder: 'v1', ...(timezone && { timezone }) },
	});
}
