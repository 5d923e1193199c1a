import type { INodeProperties } from 'n8n-workflow';

/**
 * A choice among the fields that a contact can be without, its custom attributes included.
 *
 * @param displayName label, which has to end with "Names or IDs" by n8n's guidelines
 * @param name name of the parameter
 * @param description what is done with the chosen fields, as a sentence without a full stop
 */
export function optionalFieldsChoice(
	displayName: string,
	name: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getOptionalFields',
			loadOptionsDependsOn: ['chatbotId.value'],
		},
		default: [],
		description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
	};
}
