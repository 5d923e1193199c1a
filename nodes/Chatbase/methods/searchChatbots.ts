import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { text } from '../fields/kinds';
import { readChatbots } from '../resources/chatbot/requests';
import { isPathSegment } from '../transport/path';
import { panelService } from './panel';

/** Lists the chatbots of the workspace, by name or ID. The API returns them all at once. */
export async function searchChatbots(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const wanted = (filter ?? '').trim().toLowerCase();
	const chatbots = await readChatbots(await panelService(this));
	return {
		results: chatbots
			// Some services number their chatbots.
			.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
			.filter(({ value }) => isPathSegment(value))
			.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
			.sort((one, other) => one.name.localeCompare(other.name)),
	};
}
