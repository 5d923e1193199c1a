import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isGiven, readAs, text, truth } from '../../fields/kinds';
import { sendAs } from '../../fields/routing';
import type { ItemContext } from '../../transport/operation';

/** What can be said of an attribute besides its name and type, and changed later. */
export const describingFields: INodeProperties[] = [
	{
		displayName: 'Archived',
		name: 'archived',
		type: 'boolean',
		default: false,
		description:
			'Whether the attribute is out of use: contacts keep the values they have and get no new ones. An attribute can only be archived, never deleted.',
		routing: sendAs('archived'),
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. What the customer has spent so far, in euros',
		description: 'What the attribute means, for your team and for the AI agent',
		routing: sendAs('description'),
	},
	{
		displayName: 'Label',
		name: 'label',
		type: 'string',
		default: '',
		placeholder: 'e.g. Lifetime Value',
		description: 'How the dashboard shows the attribute',
		routing: sendAs('label'),
	},
];

/** Reads what these fields have put into the body, and only what is given. */
export function readDescribing(
	context: ItemContext,
	{ label, description, archived }: IDataObject,
) {
	const given: { label?: string; description?: string; archived?: boolean } = {};
	if (isGiven(context, label)) given.label = readAs(context, label, text, 'Label');
	if (isGiven(context, description)) {
		given.description = readAs(context, description, text, 'Description');
	}
	if (isGiven(context, archived)) given.archived = readAs(context, archived, truth, 'Archived');
	return given;
}
