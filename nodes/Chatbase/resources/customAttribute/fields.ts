import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { boolean, hasValue, readAs, text } from '../../fields/values';
import type { InputItem } from '../../execution/item';

/** What can be said of an attribute besides its name and type, and changed later. */
export const describingFields: INodeProperties[] = [
	{
		displayName: 'Archived',
		name: 'archived',
		type: 'boolean',
		default: false,
		description:
			'Whether the attribute is out of use: contacts keep the values they have and get no new ones. An attribute can only be archived, never deleted.',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. What the customer has spent so far, in euros',
		description: 'What the attribute means, for your team and for the AI agent',
	},
	{
		displayName: 'Label',
		name: 'label',
		type: 'string',
		default: '',
		placeholder: 'e.g. Lifetime Value',
		description: 'How the dashboard shows the attribute',
	},
];

/**
 * Reads these fields, and only those that are given.
 *
 * @throws NodeOperationError that names the field whose value does not fit
 */
export function readDescribing(item: InputItem, { label, description, archived }: IDataObject) {
	const given: { label?: string; description?: string; archived?: boolean } = {};
	if (hasValue(item, label)) given.label = readAs(item, label, text, 'Label');
	if (hasValue(item, description)) {
		given.description = readAs(item, description, text, 'Description');
	}
	if (hasValue(item, archived)) given.archived = readAs(item, archived, boolean, 'Archived');
	return given;
}
