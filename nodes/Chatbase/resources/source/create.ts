import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { createFields, linkOptions, sourceTypeField } from './contentFields';
import { readStated, readWanted } from './read/wantedSource';
import { createdSource, sendNew } from './requests';
import { sourcesPath } from './sources';
import { waitOption } from './training';
import { writeEachItem } from './writeSources';

export const create = operation({
	value: 'create',
	description:
		'Teach the chatbot a text, a Q&A, a file or a link. May need a higher plan.',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		writeNotice,
		...createFields,
		optionsField([...linkOptions, maxConcurrencyOption, waitOption]),
	],

	neverTwice: 'create the sources of all items again',

	read: async (item, api) => ({
		settings: { chatbotId: chatbotField.read(item), wait: waitOption.read(item) },
		wanted: await readWanted(item, api, readStated(item, sourceTypeField)),
	}),

	async sendAll(run) {
		await writeEachItem(run, {
			async send({ api, params }) {
				const { settings, wanted } = params;
				const response = await sendNew(api, { chatbotId: settings.chatbotId, wanted });
				return createdSource(api, response, wanted);
			},
		});
	},
});
