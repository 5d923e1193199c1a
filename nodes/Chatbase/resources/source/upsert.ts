import { forEachLimited } from '../../api/concurrency';
import { dryRunOption } from '../../panel/dryRun';
import { chatbotField } from '../chatbot/chatbots';
import { optionsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { outcomeOutput } from '../../sync/outcome';
import { byChatbot } from '../../sync/plan';
import { matchableFields } from './contentFields';
import {
	agreeingItems,
	type MatchableParams,
	matchOptions,
	readMatchableItem,
	type SourceTask,
	tasksFor,
} from './matchSources';
import { nouns, readMatchable, sourcesPath } from './sources';
import { writeChanges } from './writeChanges';

export const upsert = operation<MatchableParams>({
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
		optionsField([...matchOptions, dryRunOption]),
	],

	read: async (item, api) =>
		await readMatchableItem(item, api, { dryRunField: dryRunOption }),

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, nouns);

		// All lists are read before anything is written. Without its list, the items of a chatbot fail.
		const tasks: SourceTask[][] = [];
		await forEachLimited(
			byChatbot(run.items),
			run.limits.maxConcurrency,
			async (group) => {
				try {
					const groups = agreeingItems(group.items);
					const sources = await readMatchable(run.context, group.api, group.chatbotId);
					tasks.push(tasksFor(groups, sources));
				} catch (error) {
					group.items.forEach(({ fail }) => fail(error));
				}
			},
		);

		await writeChanges(run, tasks.flat());
		return buildOutput;
	},
});
