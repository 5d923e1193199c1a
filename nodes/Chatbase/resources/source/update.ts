import { optionsField, updateFieldsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { changeableSourceFields } from './contentFields';
import { changeSource, sourceIn, sourcePath } from './requests';
import { readSourceChange } from './read/wantedSource';
import { sourceField } from './sources';
import { waitOption } from './training';
import { writeEachItem } from './writeSources';

export const update = operation({
	value: 'update',
	description:
		'Change a text, a Q&A, a file or a link, and train it again. May need a higher plan.',
	request: { method: 'PUT', path: sourcePath, resource: 'agentSource' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		toolNotice(
			'The agent can permanently replace what the chatbot has learned. Choose the source yourself, or add a human review step.',
		),
		chatbotField,
		sourceField,
		updateFieldsField(changeableSourceFields),
		optionsField([maxConcurrencyOption, waitOption]),
	],

	read: async (item, api) => ({
		settings: { chatbotId: chatbotField.read(item), wait: waitOption.read(item) },
		sourceId: sourceField.read(item),
		wanted: await readSourceChange(item, api),
	}),

	async sendAll(run) {
		await writeEachItem(run, {
			keyOf: ({ sourceId }) => sourceId,
			async send({ api, params }) {
				const { settings, sourceId, wanted } = params;
				const address = { chatbotId: settings.chatbotId, sourceId };
				const response = await changeSource(api, { address }, wanted);
				return sourceIn(api, response, sourceId);
			},
		});
	},
});
