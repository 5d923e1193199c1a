import { PackageDirectoryLoader, RoutingNode } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { injectDomainRestrictionFields, NodeHelpers } from 'n8n-workflow';
import type { CredentialTypes } from './credentials';
import { toolVariant } from './toolVariant';

// As n8n does it: a node type with an execute method keeps it, every other one
// is declarative and is run by the routing engine.
function isDeclarative(nodeType: INodeType): boolean {
	const hasRequestDefaults = nodeType.description.requestDefaults !== undefined;
	return (
		!nodeType.execute &&
		!nodeType.supplyData &&
		!nodeType.poll &&
		!nodeType.trigger &&
		(!nodeType.webhook || hasRequestDefaults) &&
		(!nodeType.methods || hasRequestDefaults)
	);
}

async function loadWithTheRealLoader(packageFolder: string): Promise<PackageDirectoryLoader> {
	const loader = new PackageDirectoryLoader(packageFolder);
	await loader.loadAll();
	for (const name of Object.keys(loader.known.credentials)) {
		const { type } = loader.getCredential(name);
		type.properties = injectDomainRestrictionFields(type);
	}
	return loader;
}

/** The node types and credential types of one built package, under the names that n8n gives them. */
export class PackageTypes implements INodeTypes, CredentialTypes {
	private readonly tools = new Map<string, INodeType>();

	private constructor(private readonly loader: PackageDirectoryLoader) {}

	/** Loads a package as n8n does, from the paths in the `n8n` block of its package.json. */
	static async load(packageFolder: string): Promise<PackageTypes> {
		return new PackageTypes(await loadWithTheRealLoader(packageFolder));
	}

	/** The full type name of the first node that the package lists. */
	get firstNodeType(): string {
		return `${this.loader.packageName}.${this.loader.loadedNodes[0].name}`;
	}

	getByName(type: string): INodeType | IVersionedNodeType {
		const name = type.slice(this.loader.packageName.length + 1);
		if (!type.startsWith(`${this.loader.packageName}.`) || !this.has(name)) {
			throw new Error(`The package ${this.loader.packageName} has no node type ${type}`);
		}
		return this.loader.getNode(name).type;
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		const name = type.slice(this.loader.packageName.length + 1);
		return name.endsWith('Tool') && !this.has(name)
			? this.getTool(type, version)
			: this.getNode(type, version);
	}

	getKnownTypes(): IDataObject {
		return this.loader.known.nodes as unknown as IDataObject;
	}

	getCredentialType(name: string) {
		return this.loader.getCredential(name).type;
	}

	private has(name: string): boolean {
		return name in this.loader.known.nodes;
	}

	private getNode(type: string, version?: number): INodeType {
		const nodeType = NodeHelpers.getVersionedNodeType(this.getByName(type), version);
		if (isDeclarative(nodeType)) {
			nodeType.execute = async function (this: IExecuteFunctions) {
				const context = this as ConstructorParameters<typeof RoutingNode>[0];
				return (await new RoutingNode(context, nodeType).runNode()) ?? [];
			};
		}
		return nodeType;
	}

	private getTool(type: string, version?: number): INodeType {
		const key = `${type}@${version}`;
		const known = this.tools.get(key);
		if (known) return known;
		const nodeType = this.getNode(type.replace(/Tool$/, ''), version);
		if (!nodeType.description.usableAsTool) throw new Error(`${type} cannot be used as a tool`);
		const tool = toolVariant(nodeType);
		this.tools.set(key, tool);
		return tool;
	}
}
