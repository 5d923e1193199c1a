import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { settingsModels } from '../fields/models';
import { matching } from './panel';

const choices = settingsModels.map((value) => ({ name: value, value }));

/** Lists the models that a chatbot may be set to. */
export async function searchSettingsModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return matching(choices, filter);
}
