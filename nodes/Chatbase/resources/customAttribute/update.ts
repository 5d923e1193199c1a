import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { optionsField, updateFieldsField } from '../../fields/collections';
import { attributeLocator } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { fillPath } from '../../api/address';
import { describingFields, readDescribing } from './fields';
import { readAttributeRecords } from './requests';

interface Task {
	chatbotId: string;
	attributeName: string;
	changes: ReturnType<typeof readDescribing>;
}

/** Changes label, description or archived of a custom attribute. */
export const updateAttribute: SingleOperation<Task> = {
	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const attributeName = readId(item, 'attributeName', 'Attribute Name');
		const changes = readDescribing(item, item.collection('updateFields'));
		if (Object.keys(changes).length > 0) return { chatbotId, attributeName, changes };
		throw item.refusal(
			'There is nothing to update',
			'Add Label, Description or Archived under Update Fields. Where a field is an expression, this item has no value for it.',
		);
	},

	async send({ item, params: { chatbotId, attributeName, changes }, api }) {
		const { state } = api;
		const { method, path: template } = item.request;
		const path = fillPath(template, { chatbotId, name: attributeName });
		// Another item may archive the attribute that this one gives a new label.
		return await state.runExclusive([path], async () => {
			let { archived } = changes;
			if (archived === undefined) {
				// The service takes an update without it for `false`, which would bring an archived attribute back.
				const present = await state.memoize(`archived ${path}`, async () => {
					const records = await readAttributeRecords(api, chatbotId);
					return records.find(({ name }) => name === attributeName);
				});
				if (!present) {
					throw item.refusal(
						'Custom attribute not found',
						`The chatbot has none named "${attributeName}". Choose one From List, or enter the name exactly as it was created; the label is something else.`,
					);
				}
				archived = present.archived === true;
			}
			const response = await api.send({
				method,
				path,
				body: { ...changes, archived },
				subject: 'customAttribute',
			});
			const attribute = api.expectBody(response, 'customAttribute');
			state.cache(`archived ${path}`, { ...attribute, archived });
			return [attribute];
		});
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
