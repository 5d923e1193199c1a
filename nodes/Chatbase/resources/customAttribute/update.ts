import type { INodeProperties } from 'n8n-workflow';

import { readId, refuse } from '../../fields/read';
import { nodeOf } from '../../transport/node';
import type { SingleOperation } from '../../transport/operation';
import { fillPath } from '../../transport/path';
import { describingFields, readDescribing } from './fields';
import { attributeOf, findAttributeRecord } from './requests';

interface Task {
	path: string;
	chatbotId: string;
	attributeName: string;
	changes: ReturnType<typeof readDescribing>;
}

export const updateAttribute: SingleOperation<Task> = {
	read(context, { path, body }) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const attributeName = readId(context, 'attributeName', 'Attribute Name');
		const changes = readDescribing(context, body);
		if (Object.keys(changes).length === 0) {
			throw refuse(
				context,
				'There is nothing to update',
				'Add Label, Description or Archived under Update Fields. Where a field is an expression, this item has no value for it.',
			);
		}
		return {
			path: fillPath(nodeOf(context), path, { chatbotId, name: attributeName }),
			chatbotId,
			attributeName,
			changes,
		};
	},

	async send({ context, task: { path, chatbotId, attributeName, changes }, service }) {
		let { archived } = changes;
		if (archived === undefined) {
			// The service takes an update without it for `false`, which would bring an archived attribute back.
			const present = await findAttributeRecord(service, chatbotId, attributeName);
			if (!present) {
				throw refuse(
					context,
					'Custom attribute not found',
					`The chatbot has none named "${attributeName}". Choose one From List, or enter the name exactly as it was created; the label is something else.`,
				);
			}
			archived = present.archived === true;
		}
		const reply = await service.send({
			method: 'PUT',
			path,
			body: { ...changes, archived },
			subject: 'customAttribute',
		});
		return [attributeOf(service, reply)];
	},
};

const show = { resource: ['customAttribute'], operation: ['update'] };

export const customAttributeUpdateFields: INodeProperties[] = [
	{
		displayName: 'Attribute Name',
		name: 'attributeName',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description:
			'The attribute to change. Its name and type are permanent, and it can only be archived, never deleted.',
		displayOptions: { show },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose an attribute...',
				typeOptions: { searchListMethod: 'searchCustomAttributes', searchable: true },
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. lifetime_value',
				hint: 'The permanent name, not the label',
			},
		],
	},
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		description: 'Only the fields you add change; all others stay as they are',
		displayOptions: { show },
		options: describingFields,
	},
];
