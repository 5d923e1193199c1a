import type { INodeProperties } from 'n8n-workflow';

import { optionsField, updateFieldsField } from '../../fields/collections';
import { attributeLocator } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
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

/** Changes label, description or archived of a custom attribute. */
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
		const response = await service.send({
			method: 'PUT',
			path,
			body: { ...changes, archived },
			subject: 'customAttribute',
		});
		return [attributeOf(service, response)];
	},
};

const show = { resource: ['customAttribute'], operation: ['update'] };

export const customAttributeUpdateFields: INodeProperties[] = [
	{
		...attributeLocator(
			'Attribute Name',
			'attributeName',
			'The attribute to change. Its name and type are permanent, and it can only be archived, never deleted.',
		),
		required: true,
		displayOptions: { show },
	},
	updateFieldsField(show, describingFields),
	optionsField(show, [maxConcurrencyOption]),
];
