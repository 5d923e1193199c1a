import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readAttributeRecords } from '../resources/customAttribute/attributes';
import { isPathSegment } from '../api/path';
import { byName, matching, panelService, requireChatbot } from './panel';

/** Lists the custom attributes of the chosen chatbot, by name or label. The API returns them all at once. */
export async function searchCustomAttributes(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const chatbotId = requireChatbot(this);
	const records = await readAttributeRecords(await panelService(this), chatbotId);
	const choices = records
		.filter(({ name }) => typeof name === 'string' && isPathSegment(name))
		.map(({ name, label, archived }) => ({
			name: `${label || name} (${name})${archived === true ? ', archived' : ''}`,
			value: String(name),
		}))
		.sort(byName);
	return matching(choices, filter);
}
