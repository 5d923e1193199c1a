import type {
	IDataObject,
	IExecuteFunctions,
	INodeType,
	INodeTypes,
	NodeOutput,
} from 'n8n-workflow';
import { withOlderErrors } from './olderErrors';

/** What differs in another n8n than the pinned one, or in its other engine. */
export interface OtherN8n {
	/** Whether n8n's routing engine calls the node once for each item, as in n8n's Engine 2.0. */
	itemByItem?: boolean;
	/** Whether errors of requests are those of n8n-workflow before 2.34. */
	hasOlderErrors?: boolean;
}

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
		private readonly otherN8n: OtherN8n = {},
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
		const { itemByItem } = this.otherN8n;
		const customOperations = itemByItem ? undefined : nodeType.customOperations;
		return Object.create(nodeType, {
			...(itemByItem && { customOperations: { value: undefined } }),
			...(execute && { execute: { value: this.counting(execute) } }),
			...(customOperations && {
				customOperations: {
					value: mapValues(customOperations, (operations) =>
						mapValues(operations, (run) => this.counting(run)),
					),
				},
			}),
		}) as INodeType;
	}

	private counting<Given extends unknown[]>(
		run: (this: IExecuteFunctions, ...given: Given) => Promise<NodeOutput>,
	) {
		const { tries, otherN8n } = this;
		return async function (this: IExecuteFunctions, ...given: Given): Promise<NodeOutput> {
			const { name } = this.getNode();
			tries.set(name, (tries.get(name) ?? 0) + 1);
			const context = otherN8n.hasOlderErrors ? withOlderErrors(this) : this;
			return await run.apply(context, given);
		};
	}
}

function mapValues<Value, Mapped>(record: Record<string, Value>, map: (value: Value) => Mapped) {
	const entries = Object.entries(record).map(([key, value]) => [key, map(value)] as const);
	const like = Object.create(Object.getPrototypeOf(record) as object) as Record<string, Mapped>;
	return Object.assign(like, Object.fromEntries(entries));
}
