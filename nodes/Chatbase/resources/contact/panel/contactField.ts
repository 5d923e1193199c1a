import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { type Position, walkPages } from '../../../api/paginate';
import type { ApiResponse } from '../../../api/response';
import type { InputItem } from '../../../execution/item';
import { idField } from '../../../panel/field';
import {
	hasWords,
	type ListSearch,
	locator,
	panelClient,
	requireChatbot,
} from '../../../panel/locators';
import { readMarksMissing } from '../../../panel/notFound';
import { clean } from '../../../values/clean';
import { append } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import { chatbotField } from '../../../chatbots/chatbots';
import { contactPages, maxPageSize } from '../contactList';
import { type Contact, externalIdOf, isAddressable } from '../plan/contactRecord';

/** After this many matches, a search ends, even if more pages follow. */
const enoughMatches = 50;

/** How many pages a search reads, at most, since the total of a service can be wrong. */
const maxPages = 200;

/** The API can't search contacts, so a search reads pages until enough of them match. */
const searchContacts: ListSearch = async function (filter, paginationToken) {
	const chatbotId = requireChatbot(this);
	const isSearch = Boolean(filter?.trim());
	const start = Number(paginationToken ?? 1);
	const pageSize = isSearch ? maxPageSize : 100;
	const list = contactPages(await panelClient(this), {
		chatbotId,
		perPage: pageSize,
		first: start,
	});
	const wantsMore = (pending: number) => Number(next) + pending < start + maxPages;

	const results: INodeListSearchItems[] = [];
	let next: Position | undefined = start;
	for await (const { page, fresh, isEnd } of walkPages({ ...list, wantsMore })) {
		next = isEnd ? undefined : page.next;
		const found = fresh.filter((contact) => {
			const { name, email, phonenumber } = contact;
			const words = [name, email, phonenumber, externalIdOf(contact)].join('\n');
			return isAddressable(contact) && hasWords(words, filter);
		});
		append(results, found.map(contactChoice));
		if (!isSearch || results.length >= enoughMatches) break;
	}

	return { results, paginationToken: next === undefined ? next : String(next) };
};

function contactChoice(contact: Contact): INodeListSearchItems {
	const value = externalIdOf(contact)!;
	return { name: `${contact.name || contact.email || 'No name'} (${value})`, value };
}

export const contactField = idField('contactId', 'Contact', {
	description: 'The contact to work with',
	...locator({ searchContacts }, 'a contact', {
		displayName: 'External ID',
		placeholder: 'e.g. customer-1001',
		hint: 'The ID from your own system, not the internal ID of Chatbase',
	}),
});

/** The contact that an item names. */
interface ChosenContact {
	chatbotId: string;
	contactId: string;
	/** Whether a contact that does not exist is a result, not an error. */
	marksMissing: boolean;
}

export function readChosenContact(item: InputItem): ChosenContact {
	return {
		chatbotId: chatbotField.read(item),
		contactId: contactField.read(item),
		marksMissing: readMarksMissing(item),
	};
}

interface MissingContact extends ChosenContact {
	readonly response: ApiResponse;
}

/** The result for a contact that does not exist. Throws if that is an error. The ID may have spaces that nobody sees. */
export function missingContact(
	{ context }: InputItem,
	api: ApiClient,
	{ contactId, marksMissing, response }: MissingContact,
): IDataObject {
	const cleaned = clean(contactId);
	const fact = `Contact "${abbreviate(contactId)}" not found. Create or Update stores this ID as "${abbreviate(cleaned)}".`;
	const more = cleaned === contactId ? [] : [fact];

	if (!marksMissing) throw api.failure(response).and(...more);
	more.forEach((words) => context.warn(words));
	return { found: false, external_id: contactId };
}
