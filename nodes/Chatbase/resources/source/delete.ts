import { confirmsDeletion } from '../../api/response';
import { version2 } from '../../api/versions';
import { isExpression, notice, operation, optionsField, toolNotice } from '../../fields/define';
import { chatbotField, sourceField } from '../../fields/locators';
import { notFoundOption, readMarksMissing } from '../../fields/notFound';
import { maxConcurrencyOption } from '../../fields/paging';
import { readBoolean, readId } from '../../fields/values';
import { isObject } from '../../values/object';
import type { ApiClient } from '../../api/client';
import type { ApiResponse } from '../../api/response';
import { assertChatbotKnown } from '../conversation/conversations';
import { sendToSource, sourcePath } from './sources';

export const deleteSource = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete source',
	description: 'Delete one source, so that the chatbot forgets it. Needs a plan with API access.',
	request: { method: 'DELETE', path: sourcePath, version: version2 },
	fields: [
		toolNotice(
			'The agent can delete any source that it can name. Choose the source yourself, or limit use in Tool Description.',
			{ sourceId: isExpression },
		),
		chatbotField,
		sourceField,
		notice('deleteNotice', 'Deletion is permanent, and the API does not return the content.'),
		optionsField([
			notFoundOption('Returns deleted: false and found: false for the ID', 'source with this ID'),
			{
				displayName: 'Include Deleted Source',
				name: 'includeDeleted',
				type: 'boolean',
				default: false,
				description: 'Whether to return the record of the deleted source',
			},
			maxConcurrencyOption,
		]),
	],

	read: (item) => ({
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		sourceId: readId(item, 'sourceId', 'Source').trim(),
		marksMissing: readMarksMissing(item),
		includesDeleted: readBoolean(item, 'options.includeDeleted', 'Include Deleted Source'),
	}),

	async send({ params: { chatbotId, sourceId, marksMissing, includesDeleted }, api }) {
		const response = await sendToSource(api, chatbotId, sourceId, { method: 'DELETE' });
		if (isDeleted(api, response)) {
			const { outcome, body } = response;
			return [
				{ deleted: true, ...(includesDeleted && !outcome && isObject(body) && { source: body }) },
			];
		}
		if (!marksMissing) throw api.failure(response);
		await assertChatbotKnown(api, chatbotId, 'agentSource');
		return [{ deleted: false, found: false, id: sourceId }];
	},
});

/**
 * Whether a source is deleted after this response, or will be soon.
 *
 * @returns false if there was no such source
 * @throws NodeApiError for any other response
 */
export function isDeleted(api: ApiClient, response: ApiResponse): boolean {
	const { outcome, mayHaveRun, body } = response;
	if (version2.codeIn(body) === 'SOURCE_ALREADY_PENDING_DELETION') return true;
	// If an attempt lost its response and the next one gets a 404, the first one deleted the source.
	if (outcome === '404') return mayHaveRun;
	if (outcome) throw api.failure(response);
	if (!confirmsDeletion(response)) throw api.unexpected(response);
	return true;
}
