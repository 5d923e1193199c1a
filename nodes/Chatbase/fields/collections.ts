import type { INodeProperties } from 'n8n-workflow';

/** The operations that show a field. */
export type ShownFor = { resource: string[]; operation: string[] };

/** What narrows a list down. */
export function filtersField(show: ShownFor, options: INodeProperties[]): INodeProperties {
	return collection('Filters', 'filters', 'Add Filter', show, options);
}

/** How the work is done. */
export function optionsField(show: ShownFor, options: INodeProperties[]): INodeProperties {
	return collection('Options', 'options', 'Add option', show, options);
}

/** What a new record can do without. */
export function additionalFieldsField(show: ShownFor, options: INodeProperties[]): INodeProperties {
	return collection('Additional Fields', 'additionalFields', 'Add Field', show, options);
}

/** What can be changed about a record. */
export function updateFieldsField(show: ShownFor, options: INodeProperties[]): INodeProperties {
	return {
		...collection('Update Fields', 'updateFields', 'Add Field', show, options),
		description: 'Only the fields you add change; all others stay as they are',
	};
}

/** By display name, as n8n's guidelines want it. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

function collection(
	displayName: string,
	name: string,
	placeholder: string,
	show: ShownFor,
	options: INodeProperties[],
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		displayOptions: { show },
		options: [...options].sort((one, other) => order.compare(one.displayName, other.displayName)),
	};
}
