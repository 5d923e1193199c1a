import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages, type PagedList } from '../../api/paginate';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import { readComplete } from '../../execution/lists';
import { serviceIdField } from '../../panel/field';
import {
	choicesOn,
	type ListSearch,
	locator,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { readMarksMissing } from '../../panel/notFound';
import { withOutcomeOptions } from '../../sync/outcomeOptions';
import { assertChatbotKnown, chatbotField } from '../../chatbots/chatbots';
import type { Source } from './plan/source';

export const sourcesPath = '/agents/{chatbotId}/sources';
export const nouns = withOutcomeOptions({
	one: 'source',
	many: 'sources',
	title: 'Sources',
	ids: 'names',
	idField: 'name',
	handling: 'delete',
});

/** @param query `limit` can be up to 100 (reference of version 2) */
export function sourcePages(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
): PagedList<IDataObject> {
	return cursorPages(api, {
		path: sourcesPath,
		resource: 'agentSources',
		params: { chatbotId },
		query: { limit: 100, ...query },
	});
}

interface SourceQuery {
	chatbotId: string;
	/** Filters that the service applies. If absent, all sources are read. */
	filters?: IDataObject;
	/** How many sources are wanted; all if absent. */
	limit?: number;
	/** How many sources there is room for. Absent if the list only decides. */
	maximum?: number;
	/** What to do if the list is not complete, as a sentence for the error. By default, to run the node again. */
	advice?: string;
}

/** Reads a whole list, or its first sources. Throws if the list is not complete, or there is no such chatbot. */
export async function readSources(
	place: Pick<RunContext, 'error'>,
	api: ApiClient,
	{ chatbotId, filters = {}, ...wanted }: SourceQuery,
): Promise<Source[]> {
	const pageSize = Math.min(wanted.limit ?? Infinity, 100);
	const list = sourcePages(api, chatbotId, { limit: pageSize, ...filters });
	const items = await readComplete(place, 'sources', list, wanted);
	if (items.length === 0)
		await assertChatbotKnown(api, chatbotId, { resource: 'agentSources' });
	return items as Source[];
}

const searchSources: ListSearch = async function (filter, paginationToken) {
	const query = { name: filter?.trim() || undefined };
	const list = sourcePages(await panelClient(this), requireChatbot(this), query);
	return await choicesOn(list, paginationToken, ({ id, name, type }) => ({
		name: `${String(name ?? 'No name')} (${String(type)})`,
		value: String(id),
	}));
};

export const sourceField = serviceIdField('sourceId', 'Source', {
	description: 'The source to work with',
	...locator({ searchSources }, 'a source', {
		placeholder: 'e.g. 6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
		hint: 'Get Many and Create return it',
	}),
});

/** The IDs in the path of a source. */
export type SourceAddress = Record<'chatbotId' | 'sourceId', string>;

interface ChosenSource extends SourceAddress {
	/** Whether a source that does not exist is a result, not an error. */
	marksMissing: boolean;
}

/** The source that an item names. */
export function readChosenSource(item: InputItem): ChosenSource {
	return {
		chatbotId: chatbotField.read(item),
		sourceId: sourceField.read(item),
		marksMissing: readMarksMissing(item),
	};
}
