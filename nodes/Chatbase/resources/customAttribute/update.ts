import type { ApiClient } from '../../api/client';
import type { Failure } from '../../api/failure';
import type { InputItem } from '../../execution/item';
import { nothingToUpdate, updateFieldsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { idField, readFilledFields } from '../../panel/field';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import {
	attributeLocator,
	attributesPath,
	attributeFieldsIn,
	readAttributesAnew,
} from './attributes';

const changeableAttributeFields = attributeFieldsIn('updateFields');
const attributeNameField = idField('attributeName', 'Attribute Name', {
	description: 'The attribute to change. Its name and type are permanent.',
	...attributeLocator(),
});

export const update = operation({
	value: 'update',
	description:
		'Change the label or description of an attribute, archive it or restore it',
	request: {
		method: 'PUT',
		path: `${attributesPath}/{name}`,
		resource: 'customAttribute',
	},
	fields: [
		chatbotField,
		writeNotice,
		attributeNameField,
		updateFieldsField(changeableAttributeFields),
	],

	read(item) {
		const attribute = {
			chatbotId: chatbotField.read(item),
			name: attributeNameField.read(item),
		};
		const changed = readFilledFields(item, changeableAttributeFields);
		if (Object.keys(changed).length > 0) return { attribute, changed };

		throw nothingToUpdate(
			item,
			'Add Label, Description or Archived under Update Fields.',
		);
	},

	// One item may archive an attribute, and the next one change its label.
	sequenceKeys: ({ attribute }) => [JSON.stringify(attribute)],

	async send({ item, params, api }) {
		const { attribute, changed } = params;
		const archived = changed.archived ?? (await readArchived(item, api, attribute));

		const body = { ...changed, archived };
		return [api.expectBody(await api.send({ ...item.request, params: attribute, body }))];
	},
});

/** The service reads a missing value as `false`, which would restore an archived attribute. */
async function readArchived(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, name }: { chatbotId: string; name: string },
): Promise<boolean> {
	const attributes = await readAttributesAnew(api, chatbotId);
	const attribute = attributes.get(name);
	if (attribute) return attribute.archived;
	throw notFoundError(item, name, attributes.size > 0);
}

function notFoundError(item: InputItem, name: string, hasOthers: boolean): Failure {
	const nextStep = hasOthers
		? `The chatbot has no attribute "${name}". Choose one From List, or enter its exact name, not its label.`
		: `The chatbot has no custom attributes yet. Create "${name}" with Custom Attribute: Create.`;
	return item.error('Custom attribute not found', nextStep);
}
