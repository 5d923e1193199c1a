import { getAdditionalKeys } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialsExpressionResolveValues,
	ICredentialType,
	IDataObject,
	IExecuteData,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	INodeTypes,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ICredentialsHelper, isExpression, NodeHelpers, Workflow } from 'n8n-workflow';

/** Finds the class of a credential by its name. */
export interface CredentialTypes {
	getCredentialType(name: string): ICredentialType;
}

/** What the user typed into each credential, by credential name. */
export type CredentialData = Record<string, ICredentialDataDecryptedObject>;

const nodeOfNoWorkflow: INode = {
	id: '',
	name: '',
	type: 'mock',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const noNodeTypes: INodeTypes = {
	getByName: unknown,
	getByNameAndVersion: unknown,
	getKnownTypes: () => ({}),
};

function unknown(type: string): never {
	throw new Error(`Credentials know no node type ${type}`);
}

/** Credentials kept in memory that authenticate requests by the definition in their own class. */
export class EngineCredentials extends ICredentialsHelper {
	constructor(
		private readonly types: CredentialTypes,
		private readonly data: CredentialData,
	) {
		super();
	}

	/** Whether the user has filled in this credential. */
	has(type: string): boolean {
		return type in this.data;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const options = requestOptions as IHttpRequestOptions & IDataObject;
		const { authenticate } = this.types.getCredentialType(type);
		if (!authenticate) return options;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		options.headers ??= {};
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			const target = (options[part] ??= {}) as IDataObject;
			for (const [name, value] of Object.entries(entries as Record<string, string>)) {
				const keys = { $credentials: credentials };
				target[resolve(name, keys, workflow!, node!)] = resolve(value, keys, workflow!, node!);
			}
		}
		return options;
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		_nodeCredentials: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		if (raw) return this.getRaw(type);
		const data = this.complete(type);
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		const resolved = values
			? values.workflow.expression.getParameterValue(
					data,
					values.runExecutionData,
					values.runIndex,
					values.itemIndex,
					values.node.name,
					values.connectionInputData,
					mode,
					keys,
					executeData,
					false,
					data,
				)
			: expressionOfNoWorkflow().getComplexParameterValue(
					nodeOfNoWorkflow,
					data,
					mode,
					keys,
					undefined,
					undefined,
					data,
				);
		return resolved as INodeParameters as ICredentialDataDecryptedObject;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.types.getCredentialType(type).properties;
	}

	getParentTypes(type: string): string[] {
		return this.types.getCredentialType(type).extends ?? [];
	}

	isCredentialUsableByNode(type: string, nodeType: string): boolean {
		const { restrictToSupportedNodes, supportedNodes } = this.types.getCredentialType(type);
		return (
			!restrictToSupportedNodes ||
			(supportedNodes ?? []).some((name) => nodeType.endsWith(`.${name}`))
		);
	}

	// Only credentials with a token that expires authenticate in advance.
	async preAuthentication(
		_helpers: IHttpRequestHelper,
		_credentials: ICredentialDataDecryptedObject,
		type: string,
	): Promise<undefined> {
		if (this.types.getCredentialType(type).preAuthentication) {
			throw new Error(`The engine does not renew tokens, which the credential ${type} asks for`);
		}
	}

	async runPreAuthentication(): Promise<undefined> {}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('The engine keeps no encrypted credentials');
	}

	async updateCredentials(): Promise<void> {
		throw new Error('The engine keeps no encrypted credentials');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('The engine keeps no encrypted credentials');
	}

	private getRaw(type: string): ICredentialDataDecryptedObject {
		if (!this.has(type)) throw new Error(`No credential ${type} was given to the engine`);
		return this.data[type];
	}

	private complete(type: string): INodeParameters {
		const data = this.getRaw(type) as INodeParameters;
		const properties = this.getCredentialsProperties(type);
		return NodeHelpers.getNodeParameters(properties, data, true, false, null, null) ?? {};
	}
}

function expressionOfNoWorkflow() {
	const nodeTypes = noNodeTypes;
	return new Workflow({ nodes: [], connections: {}, active: false, nodeTypes }).expression;
}

function resolve(value: string, keys: IDataObject, workflow: Workflow, node: INode): string {
	if (!isExpression(value)) return value;
	const { expression } = workflow;
	const result = expression.getSimpleParameterValue(node, value, 'internal', keys, undefined, '');
	return result ? String(result) : '';
}
