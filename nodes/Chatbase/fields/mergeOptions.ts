import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from './collections';

/**
 * Makes one Options field at the end out of those of the operations, in the order of the alphabet.
 *
 * n8n evaluates a parameter twice for each definition of its name, shown or not: with a definition for each
 * operation, a message whose conversation ID is an expression took 30 evaluations instead of 10.
 *
 * @param properties fields of the node; an operation without Options would show an empty field
 */
export function mergeOptions(properties: INodeProperties[]): INodeProperties[] {
	const isOptions = ({ name }: INodeProperties) => name === 'options';
	const fields = properties.filter(isOptions);
	const shownFor = (key: string) =>
		unique(fields.flatMap(({ displayOptions }) => displayOptions?.show?.[key] ?? []).map(String));
	const show = { resource: shownFor('resource'), operation: shownFor('operation') };
	const options = fields
		.flatMap(optionsWithConditions)
		.sort((one, other) => one.displayName.localeCompare(other.displayName, 'en'));
	return [...properties.filter((property) => !isOptions(property)), optionsField(show, options)];
}

/** The options of a field, each under the conditions of the field itself. */
function optionsWithConditions({ options, displayOptions }: INodeProperties): INodeProperties[] {
	const { resource, operation } = displayOptions?.show ?? {};
	return (options as INodeProperties[]).map((option) => ({
		...option,
		displayOptions: { show: { '/resource': resource, '/operation': operation } },
	}));
}

function unique(values: string[]): string[] {
	return [...new Set(values)];
}
