import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from '../execution/run';

export interface Resource {
	option: INodePropertyOptions;
	operations: Operation[];
	properties: INodeProperties[];
}

/** Defines an operation; what `read` returns is what `send` gets as its parameters. */
export function operation<Params>(definition: Operation<Params>): Operation {
	return definition;
}

/**
 * Defines a resource. Its fields are shown for the operations that list them.
 *
 * @param defaultOperation value of the operation that a new node starts with
 */
export function resource(
	option: { name: string; value: string },
	defaultOperation: string,
	operations: Operation[],
): Resource {
	const show = { resource: [option.value] };
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		default: defaultOperation,
		options: operations.map(({ name, value, action, description, request }) => ({
			name,
			value,
			action,
			description,
			routing: { request: { method: request.method, url: request.path } },
		})),
	};
	const fields = sharedFields(operations).map(({ field, operation }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...show, operation, ...field.displayOptions?.show },
		},
	}));
	return { option, operations, properties: [operationField, ...fields] };
}

/** A field that several operations list appears once, unless that would change the order of one of them. */
function sharedFields(operations: Operation[]) {
	const shared: Array<{ field: INodeProperties; operation: string[] }> = [];
	for (const { value, fields } of operations) {
		let position = 0;
		for (const field of fields) {
			const known = shared.findIndex((entry, index) => index >= position && entry.field === field);
			if (known >= 0) shared[known].operation.push(value);
			else shared.push({ field, operation: [value] });
			position = known >= 0 ? known + 1 : shared.length;
		}
	}
	return shared;
}

export function filtersField(filters: INodeProperties[], description?: string): INodeProperties {
	return collection('Filters', 'filters', 'Add Filter', filters, description);
}

export function optionsField(options: INodeProperties[]): INodeProperties {
	return collection('Options', 'options', 'Add option', options);
}

export function additionalFieldsField(fields: INodeProperties[]): INodeProperties {
	return collection('Additional Fields', 'additionalFields', 'Add Field', fields);
}

export function updateFieldsField(fields: INodeProperties[]): INodeProperties {
	const description = 'Only the fields you add change; all others stay as they are';
	return collection('Update Fields', 'updateFields', 'Add Field', fields, description);
}

/** Shown only while the node is a tool of an agent, or only while it is not. */
export function shownInTool(isTool: boolean): Pick<INodeProperties, 'displayOptions'> {
	return { displayOptions: { show: { '@tool': [isTool] } } };
}

/** @param displayName the text, in HTML as n8n renders it */
export function notice(
	name: string,
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

export function toolNotice(displayName: string): INodeProperties {
	return notice('toolNotice', displayName, shownInTool(true).displayOptions);
}

/** n8n's guidelines sort what can be added by display name. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

export function collection(
	displayName: string,
	name: string,
	placeholder: string,
	fields: INodeProperties[],
	description?: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		...(description && { description }),
		options: [...fields].sort((one, other) => order.compare(one.displayName, other.displayName)),
	};
}
