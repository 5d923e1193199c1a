/** Parameters for contacts that tests of several kinds share. */
import type { INodeParameters } from 'n8n-workflow';

import { byId } from './testbed';

export const chatbotId = byId('bot');
export const contactId = byId('={{ $json.id }}');

/**
 * A mapper in which the user has filled in fields by hand.
 *
 * @param value values and expressions by field
 * @param schema the fields that n8n has stored with the workflow
 */
export function mapped(value: unknown, schema: unknown[] = []): INodeParameters {
	const contactFields = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	return { contactFields } as INodeParameters;
}

/** A mapper that takes the columns of the input. */
export function automatic(schema: unknown[] = []): INodeParameters {
	const contactFields = {
		mappingMode: 'autoMapInputData',
		value: null,
		matchingColumns: [],
		schema,
	};
	return { contactFields } as INodeParameters;
}

/** The name of each contact becomes `New`. */
export const rename = {
	resource: 'contact',
	operation: 'update',
	chatbotId,
	contactId,
	...mapped({ name: 'New' }),
};

/** Each contact is read. */
export const read = { resource: 'contact', operation: 'get', chatbotId, contactId };

/** Input items with the IDs `c0`, `c1` and so on. */
export function inputOf(count: number): Array<{ id: string }> {
	return Array.from({ length: count }, (_, index) => ({ id: `c${index}` }));
}
