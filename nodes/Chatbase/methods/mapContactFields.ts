import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { baseFields } from '../resources/contact/input/baseFields';
import type { Attribute, AttributeType } from '../resources/customAttribute/attributes';
import { attributePrefix, readAttributes } from '../resources/customAttribute/attributes';
import { isToolType } from '../execution/item';
import { chosenChatbot, panelService } from './panel';

const fieldTypes: Record<AttributeType, FieldType> = {
	text: 'string',
	number: 'number',
	boolean: 'options',
	date: 'dateTime',
};

const booleanOptions = [
	{ name: 'True', value: true },
	{ name: 'False', value: false },
];

/**
 * The fields that the mapper offers: those of every contact, and the custom attributes of the chosen
 * chatbot in their types. Attributes start out removed, so that a panel shows those that it sets; n8n
 * shows new ones after a refresh all the same (n8n 2.41).
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
		const attributes = await readAttributes(await panelService(this), chatbotId);
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
		id: attributePrefix + name,
		displayName: isBoolean && isTool ? `${title}: true or false` : title,
		type: isBoolean && isTool ? 'string' : fieldTypes[type],
		...(isBoolean && { options: booleanOptions }),
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: true,
	};
}

/** Stands in for all attributes where the service does not tell which there are. */
function unreadableField(reason: string): ResourceMapperField {
	return {
		id: 'custom_attributes',
		displayName: `Custom Attributes (not readable: ${reason})`,
		type: 'object',
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: true,
	};
}
