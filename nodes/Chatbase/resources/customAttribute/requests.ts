import type { IDataObject } from 'n8n-workflow';

import type { Attribute } from '../../contacts/attributes';
import { attributeTypes } from '../../contacts/attributes';
import { fillPath } from '../../transport/path';
import type { ServiceResponse } from '../../transport/response';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

const subject = 'customAttribute';

/** Reads the custom attributes of a chatbot as the service returns them, archived ones included. */
export async function readAttributeRecords(
	service: Service,
	chatbotId: string,
): Promise<IDataObject[]> {
	const path = fillPath(service.node, '/chatbots/{chatbotId}/custom-attributes', { chatbotId });
	const response = await service.send({ method: 'GET', path, subject });
	if (response.outcome) throw service.failure(response, subject);
	const records = isObject(response.body) ? response.body.data : undefined;
	if (Array.isArray(records) && records.every(isObject)) return records;
	throw service.unexpected(response, subject);
}

/** Reads the custom attributes of a chatbot as the contacts of this package need them. */
export async function readAttributes(service: Service, chatbotId: string): Promise<Attribute[]> {
	const records = await readAttributeRecords(service, chatbotId);
	return records.map(({ name, type, label, archived }) => ({
		name: String(name),
		type: attributeTypes.find((known) => known === type) ?? 'text',
		label: typeof label === 'string' && label !== '' ? label : undefined,
		archived: archived === true,
	}));
}

/** Reads one custom attribute by its name, or undefined where the chatbot has none of this name. */
export async function findAttributeRecord(
	service: Service,
	chatbotId: string,
	attributeName: string,
): Promise<IDataObject | undefined> {
	const records = await readAttributeRecords(service, chatbotId);
	return records.find(({ name }) => name === attributeName);
}

/**
 * Takes the attribute out of the response to a request about one attribute.
 *
 * @throws NodeApiError when the request failed, or the response holds no attribute
 */
export function attributeOf(service: Service, response: ServiceResponse): IDataObject {
	if (response.outcome) throw service.failure(response, subject);
	const attribute = isObject(response.body) ? response.body.data : undefined;
	if (isObject(attribute)) return attribute;
	throw service.unexpected(response, subject);
}
