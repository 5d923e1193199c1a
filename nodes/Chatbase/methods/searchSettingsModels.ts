import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { searchModels, settingsModels } from '../fields/models';

const choices = settingsModels.map((value) => ({ name: value, value }));

/** Lists the models that a chatbot may be set to. */
export async function searchSettingsModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return searchModels(choices, filter);
}
