import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf, ownFailure } from '../../api/failure';
import type { ApiResponse } from '../../api/response';
import { type Field, optionalField } from '../../panel/field';
import {
	compareNames,
	type ListSearch,
	locator,
	type LocatorLook,
	matching,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { boolean, oneOf, text, type ValueType } from '../../panel/types';
import { asObjects } from '../../values/json';
import type { Attribute, Attributes, AttributeType } from './attributeTypes';

export const attributesPath = '/chatbots/{chatbotId}/custom-attributes';

const attributeType = oneOf<AttributeType>('text', 'number', 'boolean', 'date');

const endpoint = { path: attributesPath, resource: 'customAttributes' } as const;

export async function sendAttribute(
	api: ApiClient,
	chatbotId: string,
	body: IDataObject,
): Promise<ApiResponse> {
	return await api.send({ ...endpoint, method: 'POST', params: { chatbotId }, body });
}

export async function readAttributeRecords(
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject[]> {
	const response = await api.send({ ...endpoint, method: 'GET', params: { chatbotId } });
	return api.expectBody(response, ({ data }) => asObjects(data));
}

/** Reads the attributes of a chatbot, once a run. */
export async function readAttributes(
	api: ApiClient,
	chatbotId: string,
): Promise<Attributes> {
	const read = async () => await readAttributesAnew(api, chatbotId);
	return await api.state.once(`attributes of ${chatbotId}`, read);
}

/** Like `readAttributes`, for attributes that the run may have changed. */
export async function readAttributesAnew(
	api: ApiClient,
	chatbotId: string,
): Promise<Attributes> {
	const attributes = (await readAttributeRecords(api, chatbotId)).map(asAttribute);
	return new Map(attributes.map((attribute) => [attribute.name, attribute]));
}

/** Like `readAttributes`. Undefined if the service can't list attributes: the contract only has a request to create one. */
export async function readAttributesIfAny(
	api: ApiClient,
	chatbotId: string,
): Promise<Attributes | undefined> {
	return await readAttributes(api, chatbotId).catch(undefinedIfUnlisted);
}

/** Like `readAttributesIfAny`, but returns the records of the service. */
export async function readRecordsIfAny(
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject[] | undefined> {
	const read = async () => await readAttributeRecords(api, chatbotId);
	return await api.state
		.once(`attribute records of ${chatbotId}`, read)
		.catch(undefinedIfUnlisted);
}

function undefinedIfUnlisted(error: unknown): undefined {
	const failure = failureOf(error);
	// A missing chatbot is a 404, too. The later requests about it then fail with a clear error.
	if (![404, 405].includes(failure.response?.status ?? 0)) throw failure;
}

function asAttribute({ name, type, label, archived }: IDataObject): Attribute {
	return {
		name: String(name),
		type: attributeType.read(type) ?? 'text',
		label: String(label ?? ''),
		archived: archived === true,
	};
}

export const searchCustomAttributes = attributeSearch();

/** @param wanted only active attributes of this type */
function attributeSearch(wanted?: AttributeType): ListSearch {
	return async function (filter) {
		const chatbotId = requireChatbot(this);
		const records = await readAttributeRecords(await panelClient(this), chatbotId);
		// A mirror creates its own attributes.
		if (records.length === 0 && !wanted) {
			throw ownFailure(
				'The chatbot has no custom attributes',
				'Create one first. Use Custom Attribute: Create.',
			);
		}

		const choices = records
			.filter(({ type, archived }) => !wanted || (type === wanted && archived !== true))
			.map(({ name, label, archived }) => ({
				name: `${label || name} (${name})${archived === true ? ', archived' : ''}`,
				value: String(name),
			}))
			.sort(compareNames);
		return matching(choices, filter);
	};
}

const lists = {
	all: { searchCustomAttributes },
	date: { searchDateAttributes: attributeSearch('date') },
	text: { searchTextAttributes: attributeSearch('text') },
};

/** @param type only active attributes of this type */
export function attributeLocator(
	type: keyof typeof lists = 'all',
	example = 'lifetime_value',
): LocatorLook {
	return locator(lists[type], 'an attribute', {
		displayName: 'Name',
		name: 'name',
		placeholder: `e.g. ${example}`,
		hint: 'The name of the attribute, not its label',
	});
}

/** The name of an attribute (API document of version 1, Custom attribute). */
export const attributeName: ValueType<string> = {
	expected: 'valid',
	rule: 'Start with a letter. Use only letters from A to Z, digits, underscores and hyphens.',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value)
			? value
			: undefined,
};

/** All fields of an attribute but its permanent name and type. */
export const attributeFieldsIn = (
	collection: 'additionalFields' | 'updateFields',
): Field[] => [
	optionalField(`${collection}.archived`, 'Archived', boolean, {
		description:
			"Whether the attribute is archived. Contacts keep their values and can't get new ones.",
	}),
	optionalField(`${collection}.description`, 'Description', text, {
		description: 'Meaning of the attribute, for your team and for the chatbot',
		placeholder: 'e.g. What the customer has spent so far, in euros',
	}),
	optionalField(`${collection}.label`, 'Label', text, {
		description: 'Name of the attribute in the dashboard',
		placeholder: 'e.g. Lifetime Value',
	}),
];
