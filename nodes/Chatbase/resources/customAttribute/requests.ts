import type { IDataObject } from 'n8n-workflow';

import type { Attribute } from './attribute';
import { attributeTypes } from './attribute';
import { fillPath } from '../../transport/path';
import type { ServiceResponse } from '../../transport/response';
import type { Service } from '../../transport/service';
import { asObjects } from '../../values/object';

const subject = 'customAttribute';

/** The custom attributes of a chatbot, and one of them by its name. */
export const attributesPath = '/chatbots/{chatbotId}/custom-attributes';
export const attributePath = `${attributesPath}/{name}`;

/** Asks for the custom attributes of a chatbot. */
export async function requestAttributes(
	service: Service,
	chatbotId: string,
): Promise<ServiceResponse> {
	const path = fillPath(attributesPath, { chatbotId });
	return await service.send({ method: 'GET', path, subject });
}

/**
 * Reads the custom attributes of a chatbot as the service returns them, archived ones included.
 *
 * @throws NodeApiError when the service fails
 */
export async function readAttributeRecords(
	service: Service,
	chatbotId: string,
): Promise<IDataObject[]> {
	return recordsIn(service, await requestAttributes(service, chatbotId));
}

/**
 * Takes the attributes out of the response to `requestAttributes`, as the contacts of this package need them.
 *
 * @throws NodeApiError when the request failed, or the response holds no attributes
 */
export function attributesIn(service: Service, response: ServiceResponse): Attribute[] {
	return recordsIn(service, response).map(({ name, type, label, archived }) => ({
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
export function isListAbsent({ status }: ServiceResponse): boolean {
	return status === 404 || status === 405 || status === 501;
}

function recordsIn(service: Service, response: ServiceResponse): IDataObject[] {
	return service.held(response, subject, ({ data }) => asObjects(data));
}
