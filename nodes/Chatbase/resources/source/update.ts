import { optionsField, updateFieldsField } from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../chatbot/chatbotField';
import { sourceField } from './sourceField';
import { maxConcurrencyOption } from '../../panel/paging';
import { writeEach } from './order';
import { changeableFields } from './contentFields';
import { sendToSource, sourceIn, sourceOf, sourcePath } from './sources';
import { waitOption } from './training';
import { readChanges } from './wanted';
import { putSource } from './write';

export const update = operation({
	value: 'update',
	description:
		'Change a text, a Q&A, a file or a link, and train it again. Needs a plan with API access.',
	request: { method: 'PUT', path: sourcePath, resource: 'agentSource' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		toolNotice(
			'The agent can permanently replace what the chatbot has learned. Choose the source yourself, or limit use in Tool Description.',
		),
		chatbotField,
		sourceField,
		updateFieldsField(changeableFields),
		optionsField([maxConcurrencyOption, waitOption]),
	],

	read: async (item, api) => ({
		settings: { chatbotId: chatbotField.read(item), wait: waitOption.read(item) },
		sourceId: sourceField.read(item),
		wanted: await readChanges(item, api),
	}),

	async sendAll(run) {
		await writeEach(
			run,
			({ params }) => params.sourceId,
			async ({ api, params: { settings, sourceId, wanted } }) => {
				const { chatbotId } = settings;
				let response = await putSource(api, chatbotId, sourceId, wanted);
				const isRename = !wanted.file && Object.keys(wanted.body).join() === 'name';
				// A file is renamed only where files are sent. Its type is not known before.
				if (response.outcome && isRename) {
					const { body } = await sendToSource(api, chatbotId, sourceId, { method: 'GET' });
					const isFile = sourceOf(body)?.type === 'file';
					if (isFile) response = await putSource(api, chatbotId, sourceId, wanted, true);
				}
				return sourceIn(api, response, sourceId);
			},
		);
	},
});
