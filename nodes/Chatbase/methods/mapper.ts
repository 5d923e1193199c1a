import type {
	FieldType,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isToolType } from '../execution/item';
import { text } from '../panel/types';
import { baseFields } from '../resources/contact/fields';
import type { Attribute, AttributeType } from '../resources/customAttribute/attributes';
import { attributePrefix } from '../resources/contact/difference';
import { readAttributes } from '../resources/customAttribute/attributes';
import {
	choiceOf,
	matchesOf,
	readTemplates,
	variablesOf,
	wordsAround,
} from '../resources/whatsAppTemplate/templates';
import { chosenChatbot, panelClient } from './panel';

const fieldTypes: Record<AttributeType, FieldType> = {
	text: 'string',
	number: 'number',
	boolean: 'options',
	date: 'dateTime',
};

/** Values are checked when the node runs: n8n would demand them beside a field for JSON, too. */
const shown = { required: false, defaultMatch: false, canBeUsedToMatch: false, display: true };
const optionalField = { ...shown, removed: true };

const booleanOptions = [
	{ name: 'True', value: true },
	{ name: 'False', value: false },
];

/** Attributes are `removed` at first, so that the panel shows only those that it sets. */
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
		const active = [...attributes.values()].filter(({ archived }) => !archived);
		const isTool = isToolType(this.getNode());
		const custom = active.map((attribute) => attributeField(attribute, isTool));
		return { fields: [...standard, ...custom] };
	} catch (error) {
		const displayName = `Custom Attributes (not readable: ${(error as Error).message})`;
		const instead = { ...optionalField, id: 'custom_attributes', displayName };
		return { fields: [...standard, { ...instead, type: 'object' }] };
	}
}

/** Update chooses the contact above the mapper, so an ID in the mapper is a new one for the contact. */
function idFieldIn(operation: unknown): Partial<ResourceMapperField> {
	if (operation === 'update') {
		const isNoMatch = { defaultMatch: false, canBeUsedToMatch: false };
		return { displayName: 'New External ID', removed: true, ...isNoMatch };
	}
	return { required: operation === 'create' };
}

/**
 * A boolean is chosen from a list, since n8n 2.41 stores `false` for a toggle that was never used. In a tool it is text,
 * since n8n doesn't let a model fill in a list, and a model can leave text empty.
 */
function attributeField({ name, type, label }: Attribute, isTool: boolean): ResourceMapperField {
	// The panel cuts long titles, so a name that the label spells out is left out.
	const isSpelledOut = !label || label.toLowerCase().replaceAll(' ', '_') === name;
	const title = `Attribute: ${isSpelledOut ? label || name : `${label} (${name})`}`;
	const isBoolean = type === 'boolean';
	return {
		...optionalField,
		id: attributePrefix + name,
		displayName: isBoolean && isTool ? `${title}, true or false` : title,
		type: isBoolean && isTool ? 'string' : fieldTypes[type],
		...(isBoolean && { options: booleanOptions }),
	};
}

/** The fields that can be empty: all but the ID. */
export async function getOptionalFields(this: ILoadOptionsFunctions) {
	const { fields } = await mapContactFields.call(this);
	return [
		...fields
			.filter(({ id }) => id !== 'external_id' && id !== 'custom_attributes')
			.map(({ id, displayName }) => ({ name: displayName, value: id })),
		{ name: 'Payment Accounts', value: 'payment_accounts' },
	];
}

/** One field for each variable of the chosen template; none for an expression, whose template is not known yet. */
export async function mapTemplateVariables(this: ILoadOptionsFunctions) {
	const chatbotId = chosenChatbot(this);
	const chosen = text.read(this.getCurrentNodeParameter('template', { extractValue: true }));
	if (chatbotId === undefined || !chosen || chosen.startsWith('=')) return { fields: [] };
	const language = text.read(this.getCurrentNodeParameter('options.language'));
	const { templates } = await readTemplates(await panelClient(this), chatbotId);
	const [template] = matchesOf(templates, choiceOf(chosen, language));
	return {
		fields: variablesOf(template).map(({ component, key, label }) => ({
			...shown,
			id: `${component}.${key}`,
			displayName: label + wordsAround(template, component, key),
			type: 'string' as const,
		})),
		emptyFieldsNotice: template
			? 'This template has no variables.'
			: 'The template was not found. Choose one From List.',
	};
}
