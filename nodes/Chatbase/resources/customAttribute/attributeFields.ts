import { NodeOperationError } from 'n8n-workflow';

import { isPathSegment } from '../../api/request';
import { type Field, optionalField } from '../../panel/field';
import { byName, type ListSearch, matching } from '../../panel/listSearch';
import { locator, type LocatorLook } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
import { boolean, text, type ValueType } from '../../panel/types';
import { type AttributeType, readAttributeRecords } from './attributes';

export const searchCustomAttributes = attributeSearch();
const searchDateAttributes = attributeSearch('date');
const searchTextAttributes = attributeSearch('text');

/** @param wanted only active attributes of this type */
function attributeSearch(wanted?: AttributeType): ListSearch {
	return async function (filter) {
		const chatbotId = requireChatbot(this);
		const records = await readAttributeRecords(await panelClient(this), chatbotId);
		// A mirror creates its own attributes.
		if (records.length === 0 && !wanted) {
			throw new NodeOperationError(
				this.getNode(),
				'The chatbot has no custom attributes',
				{ description: 'Create one first. Use Custom Attribute: Create.' },
			);
		}

		const choices = records
			.filter(({ name }) => typeof name === 'string' && isPathSegment(name))
			.filter(({ type, archived }) => !wanted || (type === wanted && archived !== true))
			.map(({ name, label, archived }) => ({
				name: `${label || name} (${name})${archived === true ? ', archived' : ''}`,
				value: String(name),
			}))
			.sort(byName);
		return matching(choices, filter);
	};
}

const listOfType = {
	date: { searchDateAttributes },
	text: { searchTextAttributes },
};

/** @param type only active attributes of this type, in place of all */
export function attributeLocator(type?: keyof typeof listOfType): LocatorLook {
	return locator(type ? listOfType[type] : { searchCustomAttributes }, 'an attribute', {
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. lifetime_value',
		hint: 'The name of the attribute, not its label',
	});
}

/** The name of an attribute (contract, Custom attribute). */
export const attributeName: ValueType<string> = {
	expected: 'valid',
	rule: 'Start with a letter. Use only letters from A to Z, digits, underscores and hyphens.',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value)
			? value
			: undefined,
};

/** All fields of an attribute but its permanent name and type. */
export const changeableFields = (
	collection: 'additionalFields' | 'updateFields',
): Field[] => [
	optionalField(`${collection}.archived`, 'Archived', boolean, {
		description:
			"Whether the attribute is archived. Contacts keep their values and can't get new ones.",
	}),
	optionalField(`${collection}.description`, 'Description', text, {
		description: 'Meaning of the attribute, for your team and for the AI agent',
		placeholder: 'e.g. What the customer has spent so far, in euros',
	}),
	optionalField(`${collection}.label`, 'Label', text, {
		description: 'Name of the attribute in the dashboard',
		placeholder: 'e.g. Lifetime Value',
	}),
];
