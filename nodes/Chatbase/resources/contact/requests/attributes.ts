import type { ApiClient } from '../../../api/client';
import type { Attribute } from '../../customAttribute/attribute';
import { attributesIn, isListAbsent, requestAttributes } from '../../customAttribute/requests';

/**
 * The attributes of a chatbot, read once a run.
 *
 * @throws NodeApiError when the service fails, or does not list them
 */
export async function readAttributesOnce(api: ApiClient, chatbotId: string): Promise<Attribute[]> {
	return attributesIn(api, await requestOnce(api, chatbotId));
}

/**
 * The attributes of a chatbot, read once a run, for what can do without them.
 *
 * @returns undefined where the service has no list of attributes, which the contract does not demand
 * @throws NodeApiError when the service fails
 */
export async function readAttributesIfAny(
	api: ApiClient,
	chatbotId: string,
): Promise<Attribute[] | undefined> {
	const response = await requestOnce(api, chatbotId);
	return isListAbsent(response) ? undefined : attributesIn(api, response);
}

async function requestOnce(api: ApiClient, chatbotId: string) {
	return await api.state.memoize(
		`attributes ${chatbotId}`,
		async () => await requestAttributes(api, chatbotId),
	);
}
