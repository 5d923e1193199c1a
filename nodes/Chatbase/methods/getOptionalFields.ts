import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { mapContactFields } from './mapContactFields';

/** The fields that a contact can be without: all but the ID. */
export async function getOptionalFields(
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
