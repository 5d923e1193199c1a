import type { InputItem } from '../../execution/item';
import { nothingToUpdate, updateFieldsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { idField, valuesOf } from '../../panel/field';
import { operation } from '../../panel/operation';
import { chatbotField } from '../chatbot/chatbots';
import {
	attributeLocator,
	attributesPath,
	changeableFields,
	readAttributes,
} from './attributes';

const changes = changeableFields('updateFields');
const nameField = idField('attributeName', 'Attribute Name', {
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
	fields: [chatbotField, writeNotice, nameField, updateFieldsField(changes)],

	read(item) {
		const attribute = { chatbotId: chatbotField.read(item), name: nameField.read(item) };
		const changed = valuesOf(item, changes);
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
		const { chatbotId, name } = attribute;
		const lookUp = `archived ${JSON.stringify(attribute)}`;
		// The service reads a missing value as `false`, which would restore an archived attribute.
		const readArchived = async () =>
			(await readAttributes(api, chatbotId)).get(name)?.archived;
		const archived = changed.archived ?? (await api.state.memoize(lookUp, readArchived));
		if (archived === undefined) {
			const { size } = await readAttributes(api, chatbotId);
			throw notFoundError(item, name, size > 0);
		}

		const body = { ...changed, archived };
		const response = await api.send({ ...item.request, params: attribute, body });
		const updated = api.expectBody(response);
		api.state.cache(lookUp, archived);
		return [updated];
	},
});

function notFoundError(item: InputItem, name: string, hasOthers: boolean) {
	const nextStep = hasOthers
		? `The chatbot has no attribute "${name}". Choose one From List, or enter its exact name, not its label.`
		: `The chatbot has no custom attributes yet. Create "${name}" with Custom Attribute: Create.`;
	return item.error('Custom attribute not found', nextStep);
}
