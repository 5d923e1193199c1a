import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { operation, optionsField, textField, updateFieldsField } from '../../fields/define';
import { attributeLocator, chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { boolean, readFields, readId, text } from '../../fields/values';
import { attributesPath, readAttributes } from './attributes';

/** All fields of an attribute but its permanent name and type. */
export const changeableFields: INodeProperties[] = [
	{
		displayName: 'Archived',
		name: 'archived',
		type: 'boolean',
		default: false,
		description:
			"Whether the attribute is archived. Contacts keep their values and can't get new ones.",
	},
	textField(
		'Description',
		'description',
		'Meaning of the attribute, for your team and for the AI agent',
		{ placeholder: 'e.g. What the customer has spent so far, in euros' },
	),
	textField('Label', 'label', 'Name of the attribute in the dashboard', {
		placeholder: 'e.g. Lifetime Value',
	}),
];

export function readChangeable(item: InputItem, collection: 'additionalFields' | 'updateFields') {
	const types = { archived: boolean, description: text, label: text };
	return readFields(item, collection, changeableFields, types);
}

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update custom attribute',
	description: 'Change the label or description of an attribute, archive it or restore it',
	request: { method: 'PUT', path: `${attributesPath}/{name}`, resource: 'customAttribute' },
	fields: [
		chatbotField,
		{
			...attributeLocator(
				'Attribute Name',
				'attributeName',
				'The attribute to change. Its name and type are permanent.',
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
		if (Object.keys(changes).length > 0) return { params: { chatbotId, name }, changes };
		throw item.error(
			'Nothing to update',
			'Add Label, Description or Archived under Update Fields. If a field is an expression, it has no value for this item.',
		);
	},

	// One item may archive an attribute, and the next one change its label.
	sequenceKeys: ({ params }) => [JSON.stringify(params)],

	async send({ item, params: { params, changes }, api }) {
		const { chatbotId, name } = params;
		const lookUp = `archived ${JSON.stringify(params)}`;
		// The service reads a missing value as `false`, which would restore an archived attribute.
		const readArchived = async () => {
			const attributes = await readAttributes(api, chatbotId);
			return attributes.find((attribute) => attribute.name === name)?.archived;
		};
		const archived = changes.archived ?? (await api.state.memoize(lookUp, readArchived));
		if (archived === undefined) {
			throw item.error(
				'Custom attribute not found',
				`The chatbot has no attribute "${name}". Choose one From List, or enter its exact name, not its label.`,
			);
		}
		const body = { ...changes, archived };
		const response = await api.send({ ...item.request, params, body });
		const attribute = api.expectBody(response);
		api.state.cache(lookUp, archived);
		return [attribute];
	},
});
