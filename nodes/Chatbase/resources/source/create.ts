import { optionsField } from '../../panel/collections';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../chatbot/chatbotField';
import { maxConcurrencyOption } from '../../panel/paging';
import { writeEach } from './order';
import { createFields, linkOptions, typeField } from './contentFields';
import { sourcesPath } from './sources';
import { waitOption } from './training';
import { readWanted } from './wanted';
import { createSource } from './write';

export const create = operation({
	value: 'create',
	description: 'Teach the chatbot a text, a Q&A, a file or a link. Needs a plan with API access.',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	maxConcurrency: maxConcurrencyOption,
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
		await writeEach(
			run,
			({ item }) => `${item.index}`,
			async ({ api, params: { settings, wanted } }) =>
				await createSource(api, settings.chatbotId, wanted),
		);
	},
});
