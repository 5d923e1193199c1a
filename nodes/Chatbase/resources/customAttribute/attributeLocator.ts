import { type INode, NodeOperationError } from 'n8n-workflow';

import { isPathSegment } from '../../api/request';
import { byName, type ListSearch, matching } from '../../panel/listSearch';
import { locator, type LocatorLook } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
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
		if (records.length === 0 && !wanted) throw noAttributesError(this.getNode());

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

function noAttributesError(node: INode): NodeOperationError {
	const description = 'Create one first. Use Custom Attribute: Create.';
	return new NodeOperationError(node, 'The chatbot has no custom attributes', {
		description,
	});
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
