import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from '../execution/run';
import { capitalize } from '../values/text';
import { assertOneDryRun } from './dryRun';
import {
	joinMethods,
	methodsOf,
	type PanelMethods,
	propertyOf,
	type Shown,
} from './field';
import { shownInTool } from './notices';

/** An operation, and what the panel shows of it. */
export interface PanelOperation<Params = unknown, Shared = unknown> extends Operation<
	Params,
	Shared
> {
	name: string;
	/** Made from its name and that of its resource, if absent. */
	action?: string;
	description: string;
	/** In the order of the panel. */
	fields: INodeProperties[];
	/** The functions that load the choices of the fields. */
	methods: PanelMethods;
	/** What n8n's assistant must know before it builds a workflow with it. */
	builderHint?: string;
	/** Why it does not work as a tool: a tool's panel does not offer it, and a tool that calls it is refused. */
	notAsTool?: string;
}

export interface Resource {
	option: INodePropertyOptions;
	operations: PanelOperation[];
	properties: INodeProperties[];
	/** The functions that load the choices of the properties. */
	methods: PanelMethods;
}

/** What an operation is defined by. Its fields can be fields that also read their values. */
export interface Definition<Params, Shared = undefined> extends Omit<
	PanelOperation<Params, Shared>,
	'fields' | 'methods' | 'name'
> {
	/** Made from its value, if absent. */
	name?: string;
	fields: Shown[];
}

/** Defines an operation. The result of `read` is the `params` of `send`. */
export function operation<Params, Shared = undefined>(
	definition: Definition<Params, Shared>,
): PanelOperation {
	const { value, name = titleFromCamelCase(value), dryRun, validateRun } = definition;
	const { neverTwice, notAsTool } = definition;

	return {
		...definition,
		name,
		fields: definition.fields.map(propertyOf),
		methods: methodsOf(definition.fields),

		validateRun(context) {
			if (notAsTool && context.isTool) {
				throw context.error(`${name} does not work as a tool`, notAsTool);
			}
			if (neverTwice) context.assertNoRetry(neverTwice);
			validateRun?.(context);
		},

		...(dryRun && { validateItems: (items) => assertOneDryRun(items, dryRun) }),
	} as PanelOperation;
}

/** Defines a resource. Its fields are shown for the operations that list them. */
export function resource(
	value: string,
	defaultOperation: string,
	operations: PanelOperation[],
	name = titleFromCamelCase(value),
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
			action: each.action ?? actionLabelOf(each, name),
			description: each.description,
			...(each.builderHint && { builderHint: { propertyHint: each.builderHint } }),
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

	return {
		option: { name, value },
		operations,
		properties: [operationField, ...fields],
		methods: joinMethods(operations.map(({ methods }) => methods)),
	};
}

/** Such as "Created or Updated" for `createdOrUpdated`. */
export function titleFromCamelCase(name: string): string {
	return capitalize(name.replace(/(?=[A-Z])/g, ' ').replace(' Or ', ' or '));
}

/** Such as "Get many tickets". An operation with a Limit is about several records. */
function actionLabelOf({ name, fields }: PanelOperation, noun: string): string {
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
			let entry = shared.slice(position).find((each) => each.field === field);
			if (!entry) {
				entry = { field, operation: [] };
				shared.push(entry);
			}

			entry.operation.push(value);
			position = shared.indexOf(entry) + 1;
		}
	}

	return shared;
}
