import {
	additionalFieldsField,
	operation,
	optionsField,
	textField,
	toolNotice,
} from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import type { ValueType } from '../../fields/values';
import { readAs, readChoice, readId, readRequired } from '../../fields/values';
import { attributesPath, attributeType, readAttributeRecords } from './attributes';
import { changeableFields, readChangeable } from './update';

/** The name of an attribute (contract, Custom attribute). */
const attributeName: ValueType<string> = {
	expected: 'valid',
	rule: 'Start with a letter. Use only letters from A to Z, digits, underscores and hyphens.',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value) ? value : undefined,
};

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create custom attribute',
	description: 'Define an attribute that contacts can have',
	request: { method: 'POST', path: attributesPath, resource: 'customAttributes' },
	fields: [
		chatbotField,
		toolNotice(
			'Attributes can be archived, but never deleted or renamed. Describe under Tool Description when the agent should create one.',
		),
		textField(
			'Attribute Name',
			'attributeName',
			'Permanent name of the attribute in the API and in this node. Use lowercase letters, digits and underscores.',
			{ required: true, placeholder: 'e.g. lifetime_value' },
		),
		{
			displayName: 'Attribute Type',
			name: 'attributeType',
			type: 'options',
			default: 'text',
			description: 'Permanent type of the values',
			options: [
				{ name: 'Boolean', value: 'boolean', description: 'True or false' },
				{ name: 'Date', value: 'date', description: 'A day, or a day with a time' },
				{ name: 'Number', value: 'number', description: 'A number to count or calculate with' },
				{ name: 'Text', value: 'text', description: 'Anything else' },
			],
		},
		additionalFieldsField(changeableFields),
		optionsField([
			{
				displayName: 'If Exists',
				name: 'onExists',
				type: 'options',
				default: 'error',
				description: 'What to do if the chatbot already has an attribute with this name',
				options: [
					{
						name: 'Fail',
						value: 'error',
						description: 'The item fails. On Error in the settings decides what happens next.',
					},
					{
						name: 'Skip',
						value: 'skip',
						description: 'Returns the existing attribute unchanged, so the workflow can run again',
					},
				],
			},
			maxConcurrencyOption,
		]),
	],

	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const name = readRequired(item, 'attributeName', attributeName, 'Attribute Name');
		const chosen = item.parameter('attributeType') ?? 'text';
		const type = readAs(item, chosen, attributeType, 'Attribute Type');
		return {
			chatbotId,
			// Older versions of the service require a label.
			body: { name, type, label: name, ...readChangeable(item, 'additionalFields') },
			skipsExisting:
				readChoice(item, 'options.onExists', 'If Exists', ['error', 'skip']) === 'skip',
		};
	},

	async send({ item, params: { chatbotId, body, skipsExisting }, api }) {
		const response = await api.send({ ...item.request, params: { chatbotId }, body });
		// Services differ in the status for a name that is taken.
		if (skipsExisting && [400, 409].includes(response.status ?? 0)) {
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
