import type { INodeProperties } from 'n8n-workflow';

import type { ShownFor } from '../../../fields/collections';
import { additionalFieldsField } from '../../../fields/collections';
import { optionalFieldsChoice } from './optionalFields';

const clearFieldsField = optionalFieldsChoice(
	'Clear Field Names or IDs',
	'clearFields',
	'Fields whose value is removed from the contact',
);

/**
 * Data of a contact that the mapper does not offer.
 *
 * @param exists whether the contact may exist, so that there may be something to clear
 */
export function additionalContactFields(show: ShownFor, exists: boolean): INodeProperties {
	return additionalFieldsField(show, [
		...(exists ? [clearFieldsField] : []),
		{
			displayName: 'Custom Attributes JSON',
			name: 'customAttributesJson',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "plan": "pro", "seats": 5 }',
			description:
				'Custom attributes by name, sent as they are. Wins over the same attribute in Contact Fields.',
		},
		{
			displayName: 'Extra Fields JSON',
			name: 'extraFieldsJson',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "stripe_accounts": [] }',
			description:
				'Fields that the service knows beyond those offered here, merged into the contact as they are',
		},
		{
			displayName: 'Payment Accounts',
			name: 'paymentAccounts',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Account',
			default: {},
			description: 'Accounts of the contact with a payment provider; replaces those it has',
			options: [
				{
					displayName: 'Accounts',
					name: 'accounts',
					values: [
						{
							displayName: 'Label',
							name: 'label',
							type: 'string',
							default: '',
							placeholder: 'e.g. Main account',
							description: 'Name to tell the accounts apart',
						},
						{
							displayName: 'Payment Email',
							name: 'paymentEmail',
							type: 'string',
							default: '',
							placeholder: 'e.g. billing@example.com',
							description: 'E-mail address the payment provider knows',
						},
						{
							displayName: 'Payment ID',
							name: 'paymentId',
							type: 'string',
							default: '',
							placeholder: 'e.g. cus_1001',
							description: 'ID that the payment provider has given the customer',
						},
					],
				},
			],
		},
	]);
}
