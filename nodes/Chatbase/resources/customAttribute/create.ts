import {
	additionalFieldsField,
	maxConcurrencyOption,
	optionsField,
} from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { choiceField, choiceOption, requiredField, valuesOf } from '../../panel/field';
import { operation } from '../../panel/operation';
import { chatbotField } from '../chatbot/chatbots';
import {
	attributeName,
	attributesPath,
	changeableFields,
	readAttributeRecords,
	sendAttribute,
} from './attributes';

const nameField = requiredField('attributeName', 'Attribute Name', attributeName, {
	description:
		'Permanent name of the attribute in the API and in this node. Use lowercase letters, digits and underscores.',
	placeholder: 'e.g. lifetime_value',
});
const typeField = choiceField('attributeType', 'Attribute Type', {
	description: 'Permanent type of the values',
	choices: {
		boolean: ['Boolean', 'True or false'],
		date: ['Date', 'A day, or a day with a time'],
		number: ['Number', 'A number to count or calculate with'],
		text: ['Text', 'Anything else'],
	},
	default: 'text',
});
const furtherFields = changeableFields('additionalFields');
const existsOption = choiceOption('onExists', 'If Exists', {
	description: 'What to do if the chatbot already has an attribute with this name',
	choices: {
		error: [
			'Fail',
			'The item fails. On Error in the settings decides what happens next.',
		],
		skip: [
			'Skip',
			'Returns the existing attribute unchanged, so the workflow can run again',
		],
	},
});

export const create = operation({
	value: 'create',
	description: 'Define an attribute that contacts can have',
	request: { method: 'POST', path: attributesPath, resource: 'customAttributes' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		toolNotice(
			'Attributes can be archived, but never deleted or renamed. Describe under Tool Description when the agent should create one.',
		),
		nameField,
		typeField,
		additionalFieldsField(furtherFields),
		optionsField([existsOption, maxConcurrencyOption]),
	],

	read(item) {
		const chatbotId = chatbotField.read(item);
		const name = nameField.read(item);
		const type = typeField.read(item);
		return {
			chatbotId,
			// Older versions of the service require a label.
			body: { name, type, label: name, ...valuesOf(item, furtherFields) },
			skipsExisting: existsOption.read(item) === 'skip',
		};
	},

	async send({ item, params: { chatbotId, body, skipsExisting }, api }) {
		const response = await sendAttribute(api, chatbotId, body);
		if (skipsExisting && response.status === 400) {
			const records = await readAttributeRecords(api, chatbotId);
			const existing = records.find(({ name }) => name === body.name);
			if (existing && existing.type !== body.type) {
				throw item.error(
					'The attribute exists with another type',
					`"${body.name}" has the type ${String(existing.type)}, not ${body.type}. Types are permanent. Choose another name, or change Attribute Type.`,
				);
			}
			if (existing) return [existing];
		}
		return [api.expectBody(response)];
	},
});
