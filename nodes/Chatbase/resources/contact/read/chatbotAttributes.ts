import type { ApiClient } from '../../../api/client';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { readAttributesIfAny } from '../../customAttribute/attributes';
import { type ColumnNames, columnNamesOf } from './columns';

/** The custom attributes that a chatbot has now, and the columns that fill them. */
interface ChatbotAttributes {
	/** Undefined if the service can't list them. Then only the fields of a contact have columns. */
	readonly attributes?: Attributes;
	readonly names: ColumnNames;
}

/** Reads the attributes once a run. */
export async function readChatbotAttributes(
	api: ApiClient,
	chatbotId: string,
): Promise<ChatbotAttributes> {
	return await api.state.lookups.once(`columns of ${chatbotId}`, async () => {
		const attributes = await readAttributesIfAny(api, chatbotId);
		const all = attributes ? [...attributes.values()] : [];
		const active = all.filter(({ archived }) => !archived);
		return { attributes, names: columnNamesOf(active) };
	});
}
