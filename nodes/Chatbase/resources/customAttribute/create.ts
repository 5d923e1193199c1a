import { fillPath } from '../../api/address';
import { additionalFieldsField, operation, optionsField, toolNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import type { ValueType } from '../../fields/values';
import { oneOf, readAs, readChoice, readId, readRequired } from '../../fields/values';
import { attributesPath, attributeTypes, readAttributeRecords } from './attributes';
import { changeableFields, readChangeable } from './update';

/** A name of an attribute (contract, Custom attribute). */
const attributeName: ValueType<string> = {
	expected: 'valid',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value) ? value : undefined,
};

/** Statuses with which the service may answer to a name that is taken. */
const statusesOfTakenName = [400, 409];

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create custom attribute',
	description:
		'Define a new property that contacts can have. Its name and type are permanent, and it can never be deleted.',
	request: { method: 'POST', path: attributesPath },
	fields: [
		chatbotField,
		toolNotice(
			'What an agent creates with this tool stays: a custom attribute can be archived, but never deleted or renamed.',
		),
		{
			displayName: 'Attribute Name',
			name: 'attributeName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. lifetime_value',
			description:
				'Name of the attribute, with which the API and this node refer to it. It is permanent. A lowercase letter followed by lowercase letters, digits and underscores is the safest form.',
		},
		{
			displayName: 'Attribute Type',
			name: 'attributeType',
			type: 'options',
			default: 'text',
			description: 'What the attribute holds. It cannot be changed later.',
			options: [
				{ name: 'Boolean', value: 'boolean', description: 'Yes or no' },
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
				description: 'What to do when the chatbot has an attribute of this name already',
				options: [
					{
						name: 'Fail',
						value: 'error',
						description: 'The item fails; On Error in the settings decides what follows',
					},
					{
						name: 'Skip',
						value: 'skip',
						description:
							'The item becomes the existing attribute, unchanged, so that a workflow can run again',
					},
				],
			},
			maxConcurrencyOption,
		]),
	],

	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const name = readRequired(
			item,
			'attributeName',
			attributeName,
			'Attribute Name',
			'A name starts with a letter and holds only letters from A to Z, digits, underscores and hyphens.',
		);
		const type = readAs(
			item,
			item.parameter('attributeType') ?? 'text',
			oneOf(...attributeTypes),
			'Attribute Type',
		);
		return {
			path: fillPath(attributesPath, { chatbotId }),
			chatbotId,
			// Older versions of the service demand a label.
			body: { name, type, label: name, ...readChangeable(item, 'additionalFields') },
			skipsExisting:
				readChoice(item, 'options.onExists', 'If Exists', ['error', 'skip']) === 'skip',
		};
	},

	async send({ item, params: { path, chatbotId, body, skipsExisting }, api }) {
		const response = await api.send({ method: 'POST', path, body, resource: 'customAttributes' });
		if (skipsExisting && statusesOfTakenName.includes(response.status ?? 0)) {
			const records = await readAttributeRecords(api, chatbotId);
			const existing = records.find(({ name }) => name === body.name);
			if (existing && existing.type !== body.type) {
				throw item.error(
					'The attribute exists with another type',
					`"${body.name}" is of the type ${String(existing.type)}, and not ${body.type}. A type is permanent: choose another name, or change Attribute Type.`,
				);
			}
			if (existing) return [existing];
		}
		return [api.expectBody(response)];
	},
});
