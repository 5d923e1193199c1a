import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** An operation as the description of the node has it. */
export interface DescribedOperation {
	resource: string;
	/** As the panel shows it. */
	resourceName: string;
	operation: string;
	name: string;
	/** Below its name in the list of operations. */
	description: string;
	/** As the list of nodes shows it. */
	action: string;
	method: string;
	/** Path below the Base URL with placeholders. */
	path: string;
}

/** Every operation that a node offers, by the fields of its description. */
export function operationsOf(properties: INodeProperties[]): DescribedOperation[] {
	const resources = properties.find(({ name }) => name === 'resource')!
		.options as INodePropertyOptions[];
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) => {
			const resource = String(displayOptions!.show!.resource![0]);
			const resourceName = resources.find(({ value }) => value === resource)!.name;
			return (options as INodePropertyOptions[]).map(
				({ name, value, action, description, routing }) => ({
					resource,
					resourceName,
					operation: String(value),
					name,
					description: description!,
					action: action!,
					method: String(routing!.request!.method),
					path: String(routing!.request!.url),
				}),
			);
		});
}
