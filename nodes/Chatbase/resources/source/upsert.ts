import { forEachLimited } from '../../api/concurrency';
import { dryRunOption } from '../../panel/dryRun';
import { chatbotField } from '../chatbot/chatbotField';
import { optionsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { outcomeOutput } from '../../sync/outcome';
import { byChatbot } from '../../sync/plan';
import { matchableFields } from './contentFields';
import { nouns, sourcesPath } from './sources';
import { writeSources } from './sync';
import type { ChatbotTasks, SourceParams } from './tasks';
import { agreeingItems, readMatchable, readSourceItem, syncOptions, tasksFor } from './tasks';

export const upsert = operation<SourceParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update source (upsert)',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: nouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		writeNotice,
		...matchableFields,
		optionsField([...syncOptions, dryRunOption]),
	],

	read: async (item, api) => await readSourceItem(item, api, { dryRunField: dryRunOption }),

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, nouns);

		// All lists are read before anything is written. Without its list, the items of a chatbot fail.
		const chatbots: ChatbotTasks[] = [];
		await forEachLimited(byChatbot(run.items), run.limits.maxConcurrency, async (group) => {
			try {
				const groups = agreeingItems(group.items);
				const sources = await readMatchable(run.context, group.api, group.chatbotId);
				chatbots.push(tasksFor(group, groups, sources));
			} catch (error) {
				group.items.forEach(({ fail }) => fail(error));
			}
		});

		await writeSources(run, chatbots);
		return buildOutput;
	},
});
