import { unwritten } from '../../execution/results';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { deletionNotice, notice } from '../../panel/notices';
import { notFoundOption } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { removeSource, sourcePath } from './requests';
import { readChosenSource, sourceField } from './sources';

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
			maxConcurrencyOption,
		]),
	],

	read: readChosenSource,

	async send({ params, api }) {
		const { chatbotId, sourceId, marksMissing } = params;
		const isDeleted = await removeSource(api, { chatbotId, sourceId }, marksMissing);
		if (isDeleted) return [{ deleted: true }];

		return unwritten({ deleted: false, found: false, id: sourceId });
	},
});
