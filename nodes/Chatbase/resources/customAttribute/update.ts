import type { INodeProperties } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { InputItem } from '../../execution/item';
import { operation, optionsField, updateFieldsField } from '../../fields/define';
import { attributeLocator, chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { boolean, readId, readOptional, text } from '../../fields/values';
import { attributesPath, readAttributes } from './attributes';

/** What an attribute has besides its name and type, which are permanent. */
export const changeableFields: INodeProperties[] = [
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

/** Reads these fields out of a collection: those that have a value. */
export function readChangeable(item: InputItem, collection: 'additionalFields' | 'updateFields') {
	const label = readOptional(item, `${collection}.label`, text, 'Label');
	const description = readOptional(item, `${collection}.description`, text, 'Description');
	const archived = readOptional(item, `${collection}.archived`, boolean, 'Archived');
	return {
		...(label !== undefined && { label }),
		...(description !== undefined && { description }),
		...(archived !== undefined && { archived }),
	};
}

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update custom attribute',
	description: 'Change label or description of an attribute, archive it or bring it back',
	request: { method: 'PUT', path: `${attributesPath}/{name}` },
	fields: [
		chatbotField,
		{
			...attributeLocator(
				'Attribute Name',
				'attributeName',
				'The attribute to change. Its name and type are permanent, and it can only be archived, never deleted.',
			),
			required: true,
		},
		updateFieldsField(changeableFields),
		optionsField([maxConcurrencyOption]),
	],

	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const name = readId(item, 'attributeName', 'Attribute Name');
		const changes = readChangeable(item, 'updateFields');
		const path = fillPath(item.request.path, { chatbotId, name });
		if (Object.keys(changes).length > 0) return { path, chatbotId, name, changes };
		throw item.error(
			'There is nothing to update',
			'Add Label, Description or Archived under Update Fields. Where a field is an expression, this item has no value for it.',
		);
	},

	// One item may archive the attribute that the next one gives a new label.
	sequenceKeys: ({ path }) => [path],

	async send({ item, params: { path, chatbotId, name, changes }, api }) {
		const lookUp = `archived ${path}`;
		// The service takes an update without it for `false`, which would bring an archived attribute back.
		const archived =
			changes.archived ??
			(await api.state.memoize(lookUp, async () => {
				const attributes = await readAttributes(api, chatbotId);
				return attributes.find((attribute) => attribute.name === name)?.archived;
			}));
		if (archived === undefined) {
			throw item.error(
				'Custom attribute not found',
				`The chatbot has none named "${name}". Choose one From List, or enter the name exactly as it was created; the label is something else.`,
			);
		}
		const body = { ...changes, archived };
		const response = await api.send({ method: 'PUT', path, body, resource: 'customAttribute' });
		const attribute = api.expectBody(response);
		api.state.cache(lookUp, archived);
		return [attribute];
	},
});
