import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { readChatbots } from '../resources/chatbot/requests';
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
			.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }))
			.filter(({ name, value }) => `${name}\n${value}`.toLowerCase().includes(wanted))
			.sort((one, other) => one.name.localeCompare(other.name)),
	};
}
