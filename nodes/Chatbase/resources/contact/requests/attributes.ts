import type { Service } from '../../../transport/service';
import type { Attribute } from '../../customAttribute/attribute';
import { attributesIn, isListAbsent, requestAttributes } from '../../customAttribute/requests';

/**
 * The attributes of a chatbot, read once a run.
 *
 * @throws NodeApiError when the service fails, or does not list them
 */
export async function readAttributesOnce(
	service: Service,
	chatbotId: string,
): Promise<Attribute[]> {
	return attributesIn(service, await requestOnce(service, chatbotId));
}

/**
 * The attributes of a chatbot, read once a run, for what can do without them.
 *
 * @returns undefined where the service has no list of attributes, which the contract does not demand
 * @throws NodeApiError when the service fails
 */
export async function readAttributesIfAny(
	service: Service,
	chatbotId: string,
): Promise<Attribute[] | undefined> {
	const response = await requestOnce(service, chatbotId);
	return isListAbsent(response) ? undefined : attributesIn(service, response);
}

async function requestOnce(service: Service, chatbotId: string) {
	return await service.session.once(
		`attributes ${chatbotId}`,
		async () => await requestAttributes(service, chatbotId),
	);
}
