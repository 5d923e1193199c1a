import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { writeNotice } from '../../panel/notices';
import { dryRunOption } from '../../panel/dryRun';
import { chatbotField } from '../../chatbots/chatbots';
import { operation } from '../../panel/operation';
import { outcomeOutput } from '../../sync/runOutput';
import { forEachChatbot } from '../../sync/plan';
import { matchableFields, matchableTypeField } from './contentFields';
import { nouns, sourcesPath } from './sources';
import { readStated, readWanted } from './read/wantedSource';
import {
	type ChatbotSources,
	readMatches,
	readUpsertSettings,
	sourceUpsertOptions,
	type UpsertParams,
	upsertSources,
} from './upsertSources';

export const upsert = operation<UpsertParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update source (upsert)',
	description:
		'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: nouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		writeNotice,
		...matchableFields,
		optionsField([...sourceUpsertOptions, dryRunOption]),
	],

	read: async (item, api) => ({
		wanted: await readWanted(item, api, readStated(item, matchableTypeField)),
		settings: readUpsertSettings(item, dryRunOption),
	}),

	async sendAll(run) {
		// This comes before any write, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, nouns);

		// All lists are read before anything is written.
		const chatbots: ChatbotSources[] = [];
		await forEachChatbot(run, async (group) => {
			chatbots.push(await readMatches(run.context, group));
		});

		await upsertSources(run, chatbots);
		return buildOutput;
	},
});
