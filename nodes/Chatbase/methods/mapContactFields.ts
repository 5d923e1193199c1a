import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import type { Attribute, AttributeType } from '../contacts/attributes';
import { baseFields } from '../resources/contact/contactFields';
import { readAttributes } from '../resources/customAttribute/requests';
import { chosenChatbot, panelService } from './panel';

const fieldTypes: Record<AttributeType, FieldType> = {
	text: 'string',
	number: 'number',
	boolean: 'boolean',
	date: 'dateTime',
};

/**
 * The fields that the mapper offers: those of every contact, and the custom attributes of the chosen
 * chatbot in their types. Attributes start out removed, because n8n stores `false` for a boolean field
 * that is shown and never touched.
 */
export async function mapContactFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const isCreate = this.getCurrentNodeParameter('operation') === 'create';
	const standard = baseFields.map((field) => ({
		...field,
		required: isCreate && field.id === 'external_id',
	}));
	if (chatbotId === undefined) return { fields: standard };
	try {
		const attributes = await readAttributes(panelService(this), chatbotId);
		const active = attributes.filter(({ archived }) => !archived);
		return { fields: [...standard, ...active.map(attributeField)] };
	} catch (error) {
		return { fields: [...standard, unreadableField((error as Error).message)] };
	}
}

function attributeField({ name, type, label }: Attribute): ResourceMapperField {
	return {
		id: `custom_attributes.${name}`,
		displayName: label && label !== name ? `${label} (${name})` : name,
		type: fieldTypes[type],
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
