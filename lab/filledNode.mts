import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodeTypeDescription,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { type WorkflowNode } from './workflow.mjs';

/** Values that are chosen rather than left at their default, by the parameter's name. */
export type Choices = Record<string, unknown>;

/** n8n words these itself. */
const withoutLabel = new Set(['resourceMapper', 'hidden']);

/** A node whose parameters are filled in so that its panel shows everything it can show at once. */
export class FilledNode {
	private parameters: INodeParameters = {};

	constructor(
		private readonly type: INodeTypeDescription,
		private readonly choices: Choices,
	) {
		for (const property of type.properties) {
			if (isSetting(property) || !this.shows(property)) continue;
			this.parameters[property.name] = this.fill(property);
		}
	}

	/** The node as a workflow holds it. */
	placedAs(name: string, position: [number, number]): WorkflowNode {
		return {
			// n8n 2.41 opens the panel of the first node whose ID begins with the ID in the address.
			id: `${name}.`,
			name,
			type: this.type.name,
			typeVersion: 1,
			position,
			parameters: this.parameters,
			credentials: { chatbaseV1Api: { id: '', name: '' } },
		};
	}

	/** The label of every field, and the text of every notice, that its panel has to show. */
	labels(): string[] {
		const shown = this.type.properties.filter((property) => !isSetting(property));
		return this.labelsOf(shown.filter((property) => this.shows(property)));
	}

	private labelsOf(properties: INodeProperties[]): string[] {
		return properties
			.filter((property) => this.shows(property))
			.flatMap((property) => [
				...(withoutLabel.has(property.type) ? [] : [property.displayName]),
				...this.labelsOf(property.type === 'collection' ? propertiesIn(property) : []),
				...groupsIn(property).flatMap(({ values }) => this.labelsOf(values)),
			]);
	}

	private fill(property: INodeProperties): NodeParameterValueType {
		const choice = this.choices[property.name];
		if (choice !== undefined && suits(choice, property)) return choice as NodeParameterValueType;
		if (property.type === 'collection') {
			return this.fillAll(propertiesIn(property));
		}
		if (property.type === 'fixedCollection') {
			const isList = property.typeOptions?.multipleValues;
			const groups = groupsIn(property).map(({ name, values }) => {
				const row = this.fillAll(values);
				return [name, isList ? [row] : row];
			});
			return Object.fromEntries(groups) as INodeParameters;
		}
		if (property.required && property.default === '') return 'Text';
		return property.default;
	}

	private fillAll(properties: INodeProperties[]): INodeParameters {
		const shown = properties.filter((property) => this.shows(property));
		return Object.fromEntries(shown.map((property) => [property.name, this.fill(property)]));
	}

	private shows(property: INodeProperties): boolean {
		const node = { typeVersion: 1 } as INode;
		const { parameters, type } = this;
		return NodeHelpers.displayParameter(parameters, property, node, type, parameters);
	}
}

/** Each resource of a node with each of its operations. n8n adds one for calls of the user's own. */
export function operationsOf({ properties }: INodeTypeDescription): Choices[] {
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((property) => {
			const [resource] = property.displayOptions!.show!.resource!;
			return valuesOf(property)
				.filter((operation) => operation !== '__CUSTOM_API_CALL__')
				.map((operation) => ({ resource, operation }));
		});
}

/** The values that a list of options holds. */
export function valuesOf({ options = [] }: INodeProperties): string[] {
	return options.flatMap((option) => ('value' in option ? String(option.value) : []));
}

/** The same name can stand for text in one operation and for a choice from a list in another. */
function suits(choice: unknown, { type }: INodeProperties): boolean {
	const isLocator = typeof choice === 'object' && choice !== null && '__rl' in choice;
	return !isLocator || type === 'resourceLocator';
}

function isSetting(property: INodeProperties): boolean {
	return property.isNodeSetting === true || property.name === 'requestOptions';
}

function propertiesIn({ options = [] }: INodeProperties): INodeProperties[] {
	return options as INodeProperties[];
}

function groupsIn({ type, options = [] }: INodeProperties): INodePropertyCollection[] {
	return type === 'fixedCollection' ? (options as INodePropertyCollection[]) : [];
}
