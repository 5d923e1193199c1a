import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { mapContactFields } from './mapContactFields';

/** Fields of a contact that can be cleared: all but the ID, which a contact cannot be without. */
export async function getClearableFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { fields } = await mapContactFields.call(this);
	return [
		...fields
			.filter(({ id }) => id !== 'external_id' && id !== 'custom_attributes')
			.map(({ id, displayName }) => ({ name: displayName, value: id })),
		{ name: 'Payment Accounts', value: 'payment_accounts' },
	];
}
