import { operation, optionsField, writeNotice } from '../../panel/operation';
import { chatbotField } from '../../panel/locators';
import { maxConcurrencyOption } from '../../panel/paging';
import { firstOf, groupBy } from '../../values/list';
import { createFields, linkOptions, readWanted, typeField } from './fields';
import { keyOf, sourcesPath } from './sources';
import { createSource, waitOption, writeEach } from './writer';

export const create = operation({
	value: 'create',
	description: 'Teach the chatbot a text, a Q&A, a file or a link. Needs a plan with API access.',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	fields: [
		chatbotField,
		writeNotice,
		...createFields,
		optionsField([...linkOptions, maxConcurrencyOption, waitOption]),
	],

	read: async (item, api) => ({
		settings: { chatbotId: chatbotField.read(item), wait: waitOption.read(item) },
		wanted: await readWanted(item, api, typeField),
	}),

	async sendAll(run) {
		const byFile = groupBy(run.items, ({ item, params: { settings, wanted } }) =>
			wanted.file ? `${settings.chatbotId} ${wanted.name}` : `item ${item.index}`,
		);
		const items = [...byFile.values()].flatMap((group) => {
			if (group.length === 1) return group;
			const numbers = firstOf(group, ({ item }) => `${item.index}`);
			const nextStep = `Items ${numbers} have it. Enter a different Name for each.`;
			group.forEach(({ item, fail }) => fail(item.error('Several files have this name', nextStep)));
			return [];
		});
		const created = new Set<string>();
		await writeEach(
			{ ...run, items },
			({ wanted }) => keyOf(wanted),
			async ({ api, params: { settings, wanted } }) => {
				const source = await createSource(api, settings.chatbotId, wanted, created);
				created.add(source.id);
				return source;
			},
		);
	},
});
