import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { chatModels, earlierChatModels } from '../fields/models';
import { matching } from './panel';

const choices = [
	...chatModels.map((value) => ({ name: value, value })),
	...earlierChatModels.map((value) => ({ name: `${value} (older, may be refused)`, value })),
];

/** Lists the models that a chat message may ask for, older ones last. */
export async function searchChatModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return matching(choices, filter);
}
