/** Parameters for contacts that the tests of the door share. */
import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../testbed';

export const chatbotId = byId('bot');
export const contactId = byId('={{ $json.id }}');

/** A mapper in which the user has filled in fields by hand. */
export function mapped(value: INodeParameters): INodeParameters {
	return { contactFields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] } };
}

/** The name of each contact becomes `New`. */
export const rename = {
	resource: 'contact',
	operation: 'update',
	chatbotId,
	contactId,
	...mapped({ name: 'New' }),
};

export const read = { resource: 'contact', operation: 'get', chatbotId, contactId };

/** Input items with the IDs `c0`, `c1` and so on. */
export function inputOf(count: number): Array<{ id: string }> {
	return Array.from({ length: count }, (_, index) => ({ id: `c${index}` }));
}
