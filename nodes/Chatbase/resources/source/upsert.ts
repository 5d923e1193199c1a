import { forEachLimited } from '../../api/limits';
import { version2 } from '../../api/versions';
import { dryRunOption } from '../../execution/dryRun';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { byChatbot } from '../../mirror/items';
import { outcomeOutput, readOutcome } from '../../mirror/outcome';
import { comparedFields } from './fields';
import { sourceNouns, sourcesPath } from './sources';
import type { SourceParams } from './writer';
import { readMatchable, readSourceItem, upsertOptions, worksOf, writeSources } from './writer';

export const upsert = operation<SourceParams>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update source (upsert)',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: sourcesPath, version: version2 },
	fields: [
		chatbotField,
		...comparedFields,
		optionsField([
			...upsertOptions,
			dryRunOption('Whether to return what would change without writing anything'),
		]),
	],

	read: (item) => readSourceItem(item, 'options.dryRun'),

	continueAfterFailure: (item) => readOutcome(item, sourceNouns).onFailedItems === 'finish',

	async sendAll(run) {
		// Before anything is written, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, sourceNouns);
		const { context, limits } = run;
		// The lists of all chatbots are read before anything is written.
		const plans: Array<() => Promise<void>> = [];
		const groups = byChatbot(run.items);
		await forEachLimited(groups, limits.maxConcurrency, async ({ api, chatbotId, items }) => {
			try {
				const sources = await readMatchable(context, api, chatbotId);
				const works = worksOf(items, sources);
				plans.push(async () => await writeSources(context, api, chatbotId, works, sources));
			} catch (error) {
				items.forEach(({ fail }) => fail(error));
			}
		});
		await forEachLimited(plans, limits.maxConcurrency, async (write) => await write());
		return buildOutput;
	},
});
