import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import type { ApiResource } from '../../api/errorTexts';
import { cursorPages } from '../../api/paginate';
import { version2 } from '../../api/versions';
import type { InputItem } from '../../execution/item';
import { readComplete } from '../../fields/paging';
import { readId } from '../../fields/values';

/** The only lists of conversations from every source; the plain ones have those of the API alone. */
export const exportPath = '/agents/{chatbotId}/conversations/export';
export const searchPath = '/agents/{chatbotId}/conversations/search';
export const conversationPath = '/agents/{chatbotId}/conversations/{conversationId}';

/** Conversations a page of an export, at most (reference of version 2, 2.3). */
const maxExportPageSize = 20;

export const conversationIdField: INodeProperties = {
	displayName: 'Conversation ID',
	name: 'conversationId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
	description: 'ID of the conversation. Export, Search and Send Message With Memory return it.',
};

export function readConversationId(item: InputItem): string {
	const advice = 'Enter the ID of a conversation.';
	return readId(item, 'conversationId', 'Conversation ID', advice).trim();
}

export function transcriptOption(more = ''): INodeProperties {
	return {
		displayName: 'Add Transcript',
		name: 'transcript',
		type: 'boolean',
		default: true,
		description: `Whether to add the field transcript to each conversation: its messages as one text, line by line, with who said what and when (in the time zone of the workflow)${more}`,
	};
}

/** The fields of a conversation that an agent needs, of those that an operation returns. */
export const simplifiedFields = [
	'id',
	'title',
	'createdAt',
	'updatedAt',
	'userId',
	'source',
	'status',
	'snippet',
	'transcript',
];

export function isSameConversation(id: unknown, conversationId: string): boolean {
	return String(id).toLowerCase() === conversationId.toLowerCase();
}

/**
 * Reads conversations with their messages, unless `query` asks for a summary. Throws if they are fewer than their total
 * and than `wanted`.
 */
export async function readExport(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
	wanted: number,
): Promise<IDataObject[]> {
	const path = fillPath(exportPath, { chatbotId });
	const advice = 'Run the node again, or read a shorter time with Start Date and End Date.';
	const open = (since?: number) => {
		const limit = Math.min(wanted, maxExportPageSize);
		const endDate = since === undefined ? query.endDate : earlier(query.endDate, since);
		return cursorPages(api, {
			path,
			resource: 'agentConversations',
			query: { limit, include: 'messages', ...query, endDate },
			canBeMissing: 'conversationId' in query,
		});
	};
	const items = await readComplete(item, 'conversations', open, wanted, advice);
	if (items.length === 0) await assertChatbotKnown(api, chatbotId);
	const withoutMessages = items.find(({ messages }) => !Array.isArray(messages));
	if (withoutMessages && query.include === undefined) {
		throw item.error(
			'A conversation came without its messages',
			`The service left out the messages of conversation ${String(withoutMessages.id)}. Run the node again.`,
		);
	}
	return items;
}

/** Leaves out what began while the list was read: a chatbot that is in use would never have a steady total. */
export function earlier(endDate: unknown, since: number): string {
	const now = new Date(since).toISOString();
	return typeof endDate === 'string' && endDate < now ? endDate : now;
}

/** Throws if version 2 does not know the chatbot. Lists of such a chatbot are empty. */
export async function assertChatbotKnown(
	api: ApiClient,
	chatbotId: string,
	resource: ApiResource = 'agentConversations',
): Promise<void> {
	await api.state.memoize(`agent ${chatbotId}`, async () => {
		const path = fillPath('/agents/{chatbotId}', { chatbotId });
		const response = await api.send({ method: 'GET', path, resource, version: version2 });
		return api.expectBody(response, (body) => ('id' in body ? body : undefined));
	});
}

/** Reads one conversation of any source. Undefined if the chatbot has none with this ID. */
export async function readConversation(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	conversationId: string,
): Promise<IDataObject | undefined> {
	const [found] = await readExport(item, api, chatbotId, { conversationId }, 1);
	if (!found || isSameConversation(found.id, conversationId)) return found;
	throw item.error(
		'The service returned another conversation',
		`The node asked for ${conversationId} and got ${String(found.id)}. Nothing was passed on.`,
	);
}
