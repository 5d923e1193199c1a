import type { IDataObject } from 'n8n-workflow';

import { version2 } from '../../api/versions';
import { operation, optionsField, toolNotice, updateFieldsField } from '../../fields/define';
import { chatbotField, sourceField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
import { changeableFields, readChanges } from './fields';
import { putSource, sourceIn, sourcePath } from './sources';
import type { WriteParams } from './training';
import { readWait, waitOption, writeEach } from './training';

export const update = operation<WriteParams & { sourceId: string; changes: IDataObject }>({
	value: 'update',
	name: 'Update',
	action: 'Update source',
	description: 'Change a text, a Q&A or a link, and train it again. Needs a plan with API access.',
	request: { method: 'PUT', path: sourcePath, version: version2 },
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
		settings: { chatbotId: readId(item, 'chatbotId', 'Chatbot'), wait: readWait(item) },
		sourceId: readId(item, 'sourceId', 'Source').trim(),
		changes: readChanges(item),
	}),

	async sendAll(run) {
		const idOf = ({ sourceId }: { sourceId: string }) => sourceId;
		await writeEach(run, idOf, async ({ api, params: { settings, sourceId, changes } }) =>
			sourceIn(api, await putSource(api, settings.chatbotId, sourceId, changes), sourceId),
		);
	},
});
