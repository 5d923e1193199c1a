import type { IDataObject, IExecuteFunctions, INodeType, INodeTypes } from 'n8n-workflow';

/**
 * The node types of one run: those of the package, the stand-ins that the harness adds, and a
 * count of how often each node ran.
 */
export class RunNodeTypes implements INodeTypes {
	private readonly tries = new Map<string, number>();
	private readonly counted = new Map<string, INodeType>();

	constructor(
		private readonly packageTypes: INodeTypes,
		private readonly standIns: Record<string, INodeType>,
	) {}

	/** How often the node of this name was run, Retry On Fail included. */
	triesOf(nodeName: string): number {
		return this.tries.get(nodeName) ?? 0;
	}

	getByName(type: string) {
		return this.standIns[type] ?? this.packageTypes.getByName(type);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		const key = `${type}@${version}`;
		let nodeType = this.counted.get(key);
		if (!nodeType) {
			nodeType = this.countRuns(
				this.standIns[type] ?? this.packageTypes.getByNameAndVersion(type, version),
			);
			this.counted.set(key, nodeType);
		}
		return nodeType;
	}

	getKnownTypes(): IDataObject {
		return this.packageTypes.getKnownTypes();
	}

	private countRuns(nodeType: INodeType): INodeType {
		const { execute } = nodeType;
		if (!execute) return nodeType;
		const { tries } = this;
		const counted: INodeType['execute'] = async function (this: IExecuteFunctions, response) {
			const { name } = this.getNode();
			tries.set(name, (tries.get(name) ?? 0) + 1);
			return await execute.call(this, response);
		};
		return Object.create(nodeType, { execute: { value: counted } }) as INodeType;
	}
}
