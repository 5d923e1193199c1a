/** The collections of a panel. */
import type { INodeProperties } from 'n8n-workflow';

import type { Failure } from '../api/failure';
import type { InputItem } from '../execution/item';
import { methodsOf, type PanelProperty, propertyOf, type Shown } from './field';

export function filtersField(filters: Shown[], description?: string): PanelProperty {
	const placeholder = 'Add Filter';
	return collection(
		{ displayName: 'Filters', name: 'filters', placeholder, description },
		filters,
	);
}

export function optionsField(options: Shown[]): PanelProperty {
	const placeholder = 'Add option';
	return collection({ displayName: 'Options', name: 'options', placeholder }, options);
}

/** As n8n's guidelines want it, sorting stands apart from other options. */
export function sortCollection(fields: Shown[]): PanelProperty {
	const placeholder = 'Add Sort Setting';
	const description = 'The order of the results';
	return collection(
		{ displayName: 'Sort', name: 'sort', placeholder, description },
		fields,
	);
}

export function additionalFieldsField(
	fields: Shown[],
	description?: string,
): PanelProperty {
	const look = {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		placeholder: 'Add Additional Field',
		description,
	};
	return collection(look, fields);
}

export function updateFieldsField(fields: Shown[]): PanelProperty {
	const look = {
		displayName: 'Update Fields',
		name: 'updateFields',
		placeholder: 'Add Field',
		description: 'Only the fields that you add are changed',
	};
	return collection(look, fields);
}

/** The error of an item without a change. */
export function nothingToUpdate(item: InputItem, advice: string): Failure {
	const cause = 'If a field is an expression, it has no value for this item.';
	return item.error('Nothing to update', `${advice} ${cause}`);
}

/** n8n's guidelines sort collections by display name. */
const order = new Intl.Collator('en', { sensitivity: 'base' });

interface CollectionLook {
	displayName: string;
	name: string;
	/** The text of the button that adds a field. */
	placeholder: string;
	description?: string;
}

export function collection(look: CollectionLook, fields: Shown[]): PanelProperty {
	const options = fields
		.map(propertyOf)
		.sort((one, other) => order.compare(one.displayName, other.displayName));
	const property: INodeProperties = { ...look, type: 'collection', default: {}, options };

	return { property, methods: methodsOf(fields) };
}
