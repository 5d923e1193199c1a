/** The node types and credentials that a workflow of the benchmark can name, from three sources. */
import { DirectoryLoader, LazyPackageDirectoryLoader, RoutingNode } from 'n8n-core';
import type { IDataObject, IExecuteFunctions, INodeType, INodeTypes } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import type { CredentialTypes } from '../../test/engine/harness/credentials.js';
import { PackageTypes } from '../../test/engine/harness/packageTypes.js';

const basePrefix = 'n8n-nodes-base.';

/** The package under test, and n8n's own nodes as n8n loads them: each when it is first asked for. */
export class BenchNodeTypes implements INodeTypes, CredentialTypes {
	private constructor(
		private readonly ours: PackageTypes,
		private readonly base: LazyPackageDirectoryLoader,
	) {}

	static async load(packageFolder: string): Promise<BenchNodeTypes> {
		const ours = await PackageTypes.load(packageFolder);
		const manifest = createRequire(import.meta.url).resolve('n8n-nodes-base/package.json');
		const base = new LazyPackageDirectoryLoader(dirname(manifest));
		await base.loadAll();
		return new BenchNodeTypes(ours, base);
	}

	getByName(type: string) {
		return type.startsWith(basePrefix)
			? this.base.getNode(type.slice(basePrefix.length)).type
			: this.ours.getByName(type);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return type.startsWith(basePrefix)
			? NodeHelpers.getVersionedNodeType(this.getByName(type), version)
			: this.ours.getByNameAndVersion(type, version);
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	getCredentialType(name: string) {
		return name.startsWith('http')
			? this.base.getCredential(name).type
			: this.ours.getCredentialType(name);
	}
}

/** Makes a declarative node run, and adds what n8n adds to the description of each. */
export function runnable(nodeType: INodeType): INodeType {
	if (nodeType.execute) return nodeType;
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	nodeType.execute = async function (this: IExecuteFunctions) {
		const context = this as ConstructorParameters<typeof RoutingNode>[0];
		return (await new RoutingNode(context, nodeType).runNode()) ?? [];
	};
	return nodeType;
}
