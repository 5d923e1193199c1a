import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { methodsOf, type PanelProperty, propertyOf, type Shown } from './field';

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

/** n8n's guidelines sort collections by display name. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

export function collection(
	displayName: string,
	name: string,
	placeholder: string,
	fields: Shown[],
	description?: string,
): PanelProperty {
	const options = fields
		.map(propertyOf)
		.sort((one, other) => order.compare(one.displayName, other.displayName));
	const property: INodeProperties = {
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		...(description && { description }),
		options,
	};

	return { property, methods: methodsOf(fields) };
}
