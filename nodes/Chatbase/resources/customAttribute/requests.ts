import type { IDataObject } from 'n8n-workflow';

import type { Attribute } from '../../contacts/attributes';
import { attributeTypes } from '../../contacts/attributes';
import { fillPath } from '../../transport/path';
import type { Reply } from '../../transport/reply';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';

const subject = 'customAttribute';

/** Reads the custom attributes of a chatbot as the service returns them, archived ones included. */
export async function readAttributeRecords(
	service: Service,
	chatbotId: string,
): Promise<IDataObject[]> {
	const path = fillPath(service.node, '/chatbots/{chatbotId}/custom-attributes', { chatbotId });
	const reply = await service.send({ method: 'GET', path, subject });
	if (reply.situation) throw service.failure(reply, subject);
	const records = isObject(reply.body) ? reply.body.data : undefined;
	if (Array.isArray(records) && records.every(isObject)) return records;
	throw service.unexpected(reply, subject);
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
 * Takes the attribute out of the reply to a request about one attribute.
 *
 * @throws NodeApiError when the request failed, or the reply holds no attribute
 */
export function attributeOf(service: Service, reply: Reply): IDataObject {
	if (reply.situation) throw service.failure(reply, subject);
	const attribute = isObject(reply.body) ? reply.body.data : undefined;
	if (isObject(attribute)) return attribute;
	throw service.unexpected(reply, subject);
}
