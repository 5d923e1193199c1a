import type {
	FieldType,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isToolType } from '../execution/item';
import { baseFields } from '../resources/contact/fields';
import type { Attribute, AttributeType } from '../resources/customAttribute/attributes';
import { attributePrefix, readAttributes } from '../resources/customAttribute/attributes';
import { chosenChatbot, panelClient } from './lists';

const fieldTypes: Record<AttributeType, FieldType> = {
	text: 'string',
	number: 'number',
	boolean: 'options',
	date: 'dateTime',
};

const optionalField = {
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
	removed: true,
};

const booleanOptions = [
	{ name: 'True', value: true },
	{ name: 'False', value: false },
];

/**
 * The fields that the mapper offers: those of every contact, and the custom attributes of the chosen chatbot in their
 * types. Attributes start out removed, so that a panel shows those that it sets; n8n shows new ones after a refresh all
 * the same (n8n 2.41).
 */
export async function mapContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const operation = this.getCurrentNodeParameter('operation');
	const standard = baseFields.map((field) => ({
		...field,
		...(field.id === 'external_id' && idFieldIn(operation)),
	}));
	if (chatbotId === undefined) return { fields: standard };
	try {
		const attributes = await readAttributes(await panelClient(this), chatbotId);
		const active = attributes.filter(({ archived }) => !archived);
		const isTool = isToolType(this.getNode());
		const custom = active.map((attribute) => attributeField(attribute, isTool));
		return { fields: [...standard, ...custom] };
	} catch (error) {
		return { fields: [...standard, unreadableField((error as Error).message)] };
	}
}

/**
 * What the External ID is for: it names the contact, but Update chooses the contact above the mapper, so that an ID
 * in the mapper is one that the contact gets instead.
 */
function idFieldIn(operation: unknown): Partial<ResourceMapperField> {
	if (operation === 'update') {
		const isNoMatch = { defaultMatch: false, canBeUsedToMatch: false };
		return { displayName: 'New External ID', removed: true, ...isNoMatch };
	}
	return { required: operation === 'create' };
}

/**
 * A boolean is chosen from a list. n8n 2.41 has no switch without a value: one that nobody touched is shown as
 * on, or stored as `false`. In a tool it is text, since n8n lets the model fill in no list, and a model can
 * leave text blank.
 */
function attributeField({ name, type, label }: Attribute, isTool: boolean): ResourceMapperField {
	const title = label && label !== name ? `${label} (${name})` : name;
	const isBoolean = type === 'boolean';
	return {
		...optionalField,
		id: attributePrefix + name,
		displayName: isBoolean && isTool ? `${title}: true or false` : title,
		type: isBoolean && isTool ? 'string' : fieldTypes[type],
		...(isBoolean && { options: booleanOptions }),
	};
}

/** Takes the place of all attributes if the service doesn't tell which there are. */
function unreadableField(reason: string): ResourceMapperField {
	return {
		...optionalField,
		id: 'custom_attributes',
		displayName: `Custom Attributes (not readable: ${reason})`,
		type: 'object',
	};
}

/** The fields that a contact can be without: all but the ID. */
export async function getOptionalFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { fields } = await mapContactFields.call(this);
	return [
		...fields
			.filter(({ id }) => id !== 'external_id' && id !== 'custom_attributes')
			.map(({ id, displayName }) => ({ name: displayName, value: id })),
		{ name: 'Payment Accounts', value: 'payment_accounts' },
	];
}
