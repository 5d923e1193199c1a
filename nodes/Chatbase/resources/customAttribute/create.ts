import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { attributeTypes } from '../../contacts/attributes';
import { additionalFieldsField, optionsField } from '../../fields/collections';
import type { Kind } from '../../fields/kinds';
import { oneOf, readAs } from '../../fields/kinds';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { sendAs } from '../../fields/routing';
import { nodeOf } from '../../transport/node';
import type { SingleOperation } from '../../transport/operation';
import { fillPath } from '../../transport/path';
import { describingFields, readDescribing } from './fields';
import { attributeOf, findAttributeRecord } from './requests';

interface Task {
	path: string;
	chatbotId: string;
	attributeName: string;
	body: IDataObject;
	skipExisting: boolean;
}

/** A name of an attribute (contract, Custom attribute). */
const attributeName: Kind<string> = {
	expected: 'valid',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value) ? value : undefined,
};

/** Statuses with which the service may answer to a name that is taken. */
const refusals = [400, 409];

/** Creates a custom attribute. */
export const createAttribute: SingleOperation<Task> = {
	read(context, { path, body }) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const name = readAs(
			context,
			body.name,
			attributeName,
			'Attribute Name',
			'A name starts with a letter and holds only letters from A to Z, digits, underscores and hyphens.',
		);
		const options = context.getNodeParameter('options', {}) as IDataObject;
		return {
			path: fillPath(nodeOf(context), path, { chatbotId }),
			chatbotId,
			attributeName: name,
			body: {
				name,
				type: readAs(context, body.type, oneOf(...attributeTypes), 'Attribute Type'),
				// Older versions of the service demand a label.
				label: name,
				...readDescribing(context, body),
			},
			skipExisting: options.onExists === 'skip',
		};
	},

	async send({ task, service }) {
		const response = await service.send({
			method: 'POST',
			path: task.path,
			body: task.body,
			subject: 'customAttribute',
		});
		if (task.skipExisting && refusals.includes(response.status ?? 0)) {
			const existing = await findAttributeRecord(service, task.chatbotId, task.attributeName);
			if (existing) return [existing];
		}
		return [attributeOf(service, response)];
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
		routing: sendAs('name'),
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
		routing: sendAs('type'),
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
