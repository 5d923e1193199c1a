import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { attributeTypes } from './attribute';
import type { SingleOperation } from '../../execution/operation';
import { additionalFieldsField, optionsField } from '../../fields/collections';
import type { ValueType } from '../../fields/values';
import { oneOf, readAs, readChoice } from '../../fields/values';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { fillPath } from '../../api/address';
import { describingFields, readDescribing } from './fields';
import { readAttributeRecords } from './requests';

interface Task {
	chatbotId: string;
	body: IDataObject;
	skipsExisting: boolean;
}

/** A name of an attribute (contract, Custom attribute). */
const attributeName: ValueType<string> = {
	expected: 'valid',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value) ? value : undefined,
};

/** Statuses with which the service may answer to a name that is taken. */
const refusals = [400, 409];

/** Creates a custom attribute. */
export const createAttribute: SingleOperation<Task> = {
	read(item) {
		const chatbotId = readId(item, 'chatbotId', 'Chatbot');
		const name = readAs(
			item,
			item.parameter('attributeName'),
			attributeName,
			'Attribute Name',
			'A name starts with a letter and holds only letters from A to Z, digits, underscores and hyphens.',
		);
		const type = item.parameter('attributeType') ?? 'text';
		const options = item.collection('options');
		return {
			chatbotId,
			body: {
				name,
				type: readAs(item, type, oneOf(...attributeTypes), 'Attribute Type'),
				// Older versions of the service demand a label.
				label: name,
				...readDescribing(item, item.collection('additionalFields')),
			},
			skipsExisting:
				readChoice(item, options, 'onExists', 'If Exists', ['error', 'skip']) === 'skip',
		};
	},

	async send({ item, params: { chatbotId, body, skipsExisting }, api }) {
		const { method, path } = item.request;
		const response = await api.send({
			method,
			path: fillPath(path, { chatbotId }),
			body,
			subject: 'customAttribute',
		});
		if (skipsExisting && refusals.includes(response.status ?? 0)) {
			const records = await readAttributeRecords(api, chatbotId);
			const existing = records.find(({ name }) => name === body.name);
			if (existing && existing.type !== body.type) {
				throw item.failure(
					'The attribute exists with another type',
					`"${String(body.name)}" is of the type ${String(existing.type)}, and not ${String(body.type)}. A type is permanent: choose another name, or change Attribute Type.`,
				);
			}
			if (existing) return [existing];
		}
		return [api.expectBody(response, 'customAttribute')];
	},
};

const show = { resource: ['customAttribute'], operation: ['create'] };

export const customAttributeCreateFields: INodeProperties[] = [
	{
		displayName: 'Attribute Name',
		name: 'attributeName',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. lifetime_value',
		description:
			'Name of the attribute, with which the API and this node refer to it. It is permanent. A lowercase letter followed by lowercase letters, digits and underscores is the safest form.',
		displayOptions: { show },
	},
	{
		displayName: 'Attribute Type',
		name: 'attributeType',
		type: 'options',
		default: 'text',
		description: 'What the attribute holds. It cannot be changed later.',
		displayOptions: { show },
		options: [
			{ name: 'Boolean', value: 'boolean', description: 'Yes or no' },
			{ name: 'Date', value: 'date', description: 'A day, or a day with a time' },
			{ name: 'Number', value: 'number', description: 'A number to count or calculate with' },
			{ name: 'Text', value: 'text', description: 'Anything else' },
		],
	},
	additionalFieldsField(show, describingFields),
	optionsField(show, [
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
];
