import { unwritten } from '../../execution/results';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { deletionNotice, notice } from '../../panel/notices';
import { toggleOption } from '../../panel/field';
import { notFoundOption } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { assertChatbotKnown, chatbotField } from '../../chatbots/chatbots';
import { removeSource, sourcePath } from './requests';
import { readChosenSource, sourceField } from './sources';

const includeDeleted = toggleOption('includeDeleted', 'Include Deleted Source', {
	description: 'Whether to return the record of the deleted source',
});

export const deleteSource = operation({
	value: 'delete',
	description:
		'Delete one source, so that the chatbot forgets it. May need a higher plan.',
	request: { method: 'DELETE', path: sourcePath, resource: 'agentSource' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		deletionNotice('source', 'sourceId'),
		chatbotField,
		sourceField,
		notice(
			'deleteNotice',
			'Deletion is permanent, and the API does not return the content.',
		),
		optionsField([
			notFoundOption(
				'Returns deleted: false and found: false for the ID',
				'source with this ID',
			),
			includeDeleted,
			maxConcurrencyOption,
		]),
	],

	read: (item) => ({
		...readChosenSource(item),
		includesDeleted: includeDeleted.read(item),
	}),

	async send({ params, api }) {
		const { chatbotId, sourceId, marksMissing, includesDeleted } = params;
		const source = await removeSource(api, { chatbotId, sourceId }, marksMissing);
		if (source) {
			return [{ deleted: true, ...(includesDeleted && 'id' in source && { source }) }];
		}

		await assertChatbotKnown(api, chatbotId, 'agentSource');
		return unwritten({ deleted: false, found: false, id: sourceId });
	},
});
