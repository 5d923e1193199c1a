import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { text } from '../fields/values';
import { readChatbots } from '../resources/chatbot/chatbots';
import { isPathSegment } from '../api/path';
import { byName, matching, panelService } from './panel';

/** Lists the chatbots of the workspace, by name or ID. The API returns them all at once. */
export async function searchChatbots(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const chatbots = await readChatbots(await panelService(this));
	const choices = chatbots
		// Some services number their chatbots.
		.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
		.filter(({ value }) => isPathSegment(value))
		.sort(byName);
	return matching(choices, filter, ({ name, value }) => `${name}\n${value}`);
}
