import type { ApiClient } from '../../api/client';
import { optionsField, updateFieldsField } from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { chatbotField } from '../chatbot/chatbotField';
import { sourceField } from './sourceField';
import { maxConcurrencyOption } from '../../panel/paging';
import { writeEach } from './order';
import { changeableFields } from './contentFields';
import { sendToSource, type SourceAddress, sourceIn, sourcePath } from './sources';
import { waitOption } from './training';
import { namingFile } from './upload';
import { readChanges, type SourceChange } from './wanted';
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
				const address = { chatbotId: settings.chatbotId, sourceId };
				const isFile = wanted.file !== undefined || (await isFileToRename(api, address, wanted));
				return await namingFile(wanted.file, async () => {
					const response = await putSource(api, address, { ...wanted, isFile });
					return sourceIn(api, response, sourceId);
				});
			},
		);
	},
});

/** A file is renamed only where files are sent. The item does not say what its source is, so it is read. */
async function isFileToRename(
	api: ApiClient,
	address: SourceAddress,
	{ body }: SourceChange,
): Promise<boolean> {
	const isRename = Object.keys(body).join() === 'name';
	if (!isRename) return false;

	const response = await sendToSource(api, address, { method: 'GET' });
	return sourceIn(api, response, address.sourceId).type === 'file';
}
