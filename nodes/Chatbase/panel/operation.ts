import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import type { Operation } from '../execution/run';
import { assertOneDryRun } from './dryRun';
import { propertyOf, type Shown } from './field';
import { maxConcurrencyOption } from './paging';

/** An operation, and what the panel shows of it. */
export interface PanelOperation<Params = unknown> extends Operation<Params> {
	name: string;
	/** Made from its name and that of its resource, if absent. */
	action?: string;
	description: string;
	/** In the order of the panel. */
	fields: INodeProperties[];
	/** Why it does not work as a tool: a tool's panel does not offer it, and a tool that calls it is refused. */
	notAsTool?: string;
}

export interface Resource {
	option: INodePropertyOptions;
	operations: PanelOperation[];
	properties: INodeProperties[];
}

/** An operation whose fields may read themselves. */
export interface Definition<Params> extends Omit<PanelOperation<Params>, 'fields' | 'name'> {
	/** Made from its value, if absent. */
	name?: string;
	fields: Shown[];
}

/** Defines an operation. The result of `read` is the `params` of `send`. */
export function operation<Params>(definition: Definition<Params>): PanelOperation {
	const fields = definition.fields.map(propertyOf);
	const { options = [] } = fields.find(({ name }) => name === 'options') ?? {};
	const [hasToggle, hasOption] = [fields, options].map((shown) =>
		shown.some(({ name }) => name === 'dryRun'),
	);
	const { value, name = titleOf(value), notAsTool, validateRun } = definition;
	return {
		...definition,
		name,
		fields,
		validateRun(context) {
			if (notAsTool && context.isTool) {
				throw context.error(`${name} does not work as a tool`, notAsTool);
			}
			validateRun?.(context);
		},
		...((hasToggle || hasOption) && {
			validateItems: (items) => assertOneDryRun(items, hasToggle ? 'dryRun' : 'options.dryRun'),
		}),
		...(options.some(({ name }) => name === 'maxConcurrency') && {
			readMaxConcurrency: maxConcurrencyOption.read,
		}),
		...(options.some(({ name }) => name === 'onFailedItems') && {
			continueAfterFailure: (item) => item.parameter('options.onFailedItems') === 'finish',
		}),
	} as PanelOperation;
}

/** Defines a resource. Its fields are shown for the operations that list them. */
export function resource(
	value: string,
	defaultOperation: string,
	operations: PanelOperation[],
	name = titleOf(value),
): Resource {
	const show = { resource: [value] };
	const operationField: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		default: defaultOperation,
		options: operations.map((each) => ({
			name: each.name,
			value: each.value,
			action: each.action ?? actionOf(each, name),
			description: each.description,
			...(each.notAsTool && shownInTool(false)),
			routing: { request: { method: each.request.method, url: each.request.path } },
		})),
	};
	const fields = sharedFields(operations).map(({ field, operation }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...show, operation, ...field.displayOptions?.show },
		},
	}));
	return { option: { name, value }, operations, properties: [operationField, ...fields] };
}

/** Such as "Created or Updated" for `createdOrUpdated`. */
export function titleOf(name: string): string {
	const words = name.replace(/(?=[A-Z])/g, ' ').replace(' Or ', ' or ');
	return words[0].toUpperCase() + words.slice(1);
}

/** Such as "Get many tickets". An operation with a Limit is about several records. */
function actionOf({ name, fields }: PanelOperation, noun: string): string {
	const isList = fields.some((field) => field.name === 'limit');
	const action = `${name} ${noun}${isList ? 's' : ''}`;
	return action.replace(/(?!^)\b[A-Z](?=[a-z]+\b)/g, (letter) => letter.toLowerCase());
}

/** A field that several operations list appears once, unless that would change the order of one of them. */
function sharedFields(operations: PanelOperation[]) {
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

export const filtersField = (filters: Shown[], description?: string) =>
	collection('Filters', 'filters', 'Add Filter', filters, description);

export const optionsField = (options: Shown[]) =>
	collection('Options', 'options', 'Add option', options);

export const additionalFieldsField = (fields: Shown[], description?: string) =>
	collection('Additional Fields', 'additionalFields', 'Add Additional Field', fields, description);

const onlyAdded = 'Only the fields that you add are changed';
export const updateFieldsField = (fields: Shown[]) =>
	collection('Update Fields', 'updateFields', 'Add Field', fields, onlyAdded);

/** The error of an item without a change. */
export function nothingToUpdate(item: InputItem, advice: string) {
	const cause = 'If a field is an expression, it has no value for this item.';
	return item.error('Nothing to update', `${advice} ${cause}`);
}

/** For what is shown only in a tool of an agent, or only outside of one. */
export function shownInTool(isTool: boolean): Pick<INodeProperties, 'displayOptions'> {
	return { displayOptions: { show: { '@tool': [isTool] } } };
}

/** @param displayName the text, which n8n renders as HTML */
export function notice(
	name: string,
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

/** @param show further conditions, under which the notice is true */
export function toolNotice(
	displayName: string,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	return notice('toolNotice', displayName, { show: { '@tool': [true], ...show } });
}

export const writeNotice = toolNotice(
	'The agent writes to Chatbase. Describe under Tool Description when it should.',
);

/** Shown if the locator is an expression, such as one that the model fills in: n8n 2.41 never hides a field because of one. */
export const deletionNotice = (noun: string, locator: string) =>
	toolNotice(
		`The agent can delete any ${noun} that it can name. Choose the ${noun} yourself, or limit use in Tool Description.`,
		{ [locator]: [] },
	);

/** n8n's guidelines sort collections by display name. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

export function collection(
	displayName: string,
	name: string,
	placeholder: string,
	fields: Shown[],
	description?: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		...(description && { description }),
		options: fields
			.map(propertyOf)
			.sort((one, other) => order.compare(one.displayName, other.displayName)),
	};
}
