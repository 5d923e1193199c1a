import { operation, optionsField, toolNotice, updateFieldsField } from '../../fields/define';
import { chatbotField, sourceField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
import { changeableFields, readChanges } from './fields';
import { sourceIn, sourcePath } from './sources';
import { putSource, readWait, waitOption, writeEach } from './writer';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update source',
	description: 'Change a text, a Q&A or a link, and train it again. Needs a plan with API access.',
	request: { method: 'PUT', path: sourcePath, resource: 'agentSource' },
	fields: [
		toolNotice(
			'The agent can permanently replace what the chatbot has learned. Choose the source yourself, or limit use in Tool Description.',
		),
		chatbotField,
		sourceField,
		updateFieldsField(changeableFields),
		optionsField([maxConcurrencyOption, waitOption]),
	],

	read: (item) => ({
		settings: { chatbotId: chatbotField.read(item), wait: readWait(item) },
		sourceId: readId(item, 'sourceId', 'Source').trim(),
		changes: readChanges(item),
	}),

	async sendAll(run) {
		await writeEach(
			run,
			({ sourceId }) => sourceId,
			async ({ api, params }) => {
				const { settings, sourceId, changes } = params;
				return sourceIn(api, await putSource(api, settings.chatbotId, sourceId, changes), sourceId);
			},
		);
	},
});
