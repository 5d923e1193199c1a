import type { IDataObject } from 'n8n-workflow';

import type { Attribute } from './attribute';
import { attributeTypes } from './attribute';
import { fillPath } from '../../api/address';
import type { ApiResponse } from '../../api/response';
import type { ApiClient } from '../../api/client';
import { asObjects } from '../../values/object';

const subject = 'customAttribute';

/** The custom attributes of a chatbot, and one of them by its name. */
export const attributesPath = '/chatbots/{chatbotId}/custom-attributes';
export const attributePath = `${attributesPath}/{name}`;

/** Asks for the custom attributes of a chatbot. */
export async function requestAttributes(api: ApiClient, chatbotId: string): Promise<ApiResponse> {
	const path = fillPath(attributesPath, { chatbotId });
	return await api.send({ method: 'GET', path, subject });
}

/**
 * Reads the custom attributes of a chatbot as the service returns them, archived ones included.
 *
 * @throws NodeApiError when the service fails
 */
export async function readAttributeRecords(
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject[]> {
	return recordsIn(api, await requestAttributes(api, chatbotId));
}

/**
 * Takes the attributes out of the response to `requestAttributes`, as the contacts of this package need them.
 *
 * @throws NodeApiError when the request failed, or the response holds no attributes
 */
export function attributesIn(api: ApiClient, response: ApiResponse): Attribute[] {
	return recordsIn(api, response).map(({ name, type, label, archived }) => ({
		name: String(name),
		type: attributeTypes.find((known) => known === type) ?? 'text',
		label: typeof label === 'string' && label !== '' ? label : undefined,
		archived: archived === true,
	}));
}

/**
 * Whether the service has no list of attributes: the contract only knows how to create them. That the chatbot is
 * missing is something else, and something that the requests for its contacts tell as well.
 */
export function isListAbsent({ status }: ApiResponse): boolean {
	return status === 404 || status === 405 || status === 501;
}

function recordsIn(api: ApiClient, response: ApiResponse): IDataObject[] {
	return api.expectBody(response, subject, ({ data }) => asObjects(data));
}
