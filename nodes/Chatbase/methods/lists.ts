import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { isPathSegment } from '../api/request';
import { cursorPages, type Position, walkPages } from '../api/paginate';
import { chatModels, earlierChatModels, settingsModels } from '../panel/locators';
import { text } from '../panel/types';
import { readChatbots } from '../resources/chatbot/chatbots';
import { type Contact, externalIdOf, isAddressable } from '../resources/contact/contact';
import { contactPages, maxPageSize } from '../resources/contact/list';
import { exportPath, searchPath } from '../resources/conversation/conversations';
import { momentText } from '../resources/conversation/transcript';
import { type AttributeType, readAttributeRecords } from '../resources/customAttribute/attributes';
import { sourcePages } from '../resources/source/sources';
import { ticketPages } from '../resources/ticket/tickets';
import { choiceValue, readTemplates } from '../resources/whatsAppTemplate/templates';
import { asObjects } from '../values/json';
import { readTimestamp } from '../values/time';
import { panelClient, requireChatbot } from './panel';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

function matching(choices: INodeListSearchItems[], filter?: string): INodeListSearchResult {
	return { results: choices.filter(({ name }) => hasWords(name, filter)) };
}

function hasWords(words: string, filter = ''): boolean {
	return words.toLowerCase().includes(filter.trim().toLowerCase());
}

function byName(one: INodeListSearchItems, other: INodeListSearchItems): number {
	return one.name.localeCompare(other.name);
}

export const searchChatbots: ListSearch = async function (filter) {
	const chatbots = await readChatbots(await panelClient(this));
	const choices = chatbots
		// Some services use numbers as IDs of chatbots.
		.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
		.filter(({ value }) => isPathSegment(value))
		.sort(byName);
	return { results: choices.filter(({ name, value }) => hasWords(`${name}\n${value}`, filter)) };
};

/** Fewest matches that end a search, though more pages may follow. */
const enoughMatches = 50;

/** Most pages of a search, since the total of a service can be wrong. */
const maxPages = 200;

/** The API can't search contacts, so a search reads pages until enough of them match. */
export const searchContacts: ListSearch = async function (filter, paginationToken) {
	const chatbotId = requireChatbot(this);
	const isSearch = Boolean(filter?.trim());
	const start = Number(paginationToken ?? 1);
	const pageSize = isSearch ? maxPageSize : 100;
	const list = contactPages(await panelClient(this), chatbotId, pageSize, start);
	const wantsMore = (pending: number) => Number(next) + pending < start + maxPages;
	const results: INodeListSearchItems[] = [];
	let next: Position | undefined = start;
	for await (const { page, fresh } of walkPages({ ...list, wantsMore })) {
		// An empty or repeated page is the end, even if the total says otherwise.
		next = fresh.length > 0 ? page.next : undefined;
		const found = fresh.filter(
			(contact) => isAddressable(contact) && hasWords(wordsOf(contact), filter),
		);
		results.push(...found.map(contactChoice));
		if (!isSearch || results.length >= enoughMatches) break;
	}
	return { results, paginationToken: next === undefined ? next : String(next) };
};

function wordsOf(contact: Contact): string {
	return [contact.name, contact.email, contact.phonenumber, externalIdOf(contact)].join('\n');
}

function contactChoice(contact: Contact): INodeListSearchItems {
	const value = externalIdOf(contact)!;
	return { name: `${contact.name || contact.email || 'No name'} (${value})`, value };
}

/** The next page of a list that the service searches, or of which `filter` picks. Goes on while pages have no match. */
async function choicesOn(
	{ read, first }: ReturnType<typeof cursorPages>,
	token: string | undefined,
	choiceOf: (record: IDataObject) => INodeListSearchItems,
	filter?: string,
): Promise<INodeListSearchResult> {
	let position: unknown = token ?? first;
	for (let count = 1; ; count++) {
		const { items, next } = await read(position as never);
		const { results } = matching(items.map(choiceOf), filter);
		const isEnd = next === undefined || next === position;
		const paginationToken = isEnd ? undefined : String(next);
		if (results.length > 0 || isEnd || count === 10) return { results, paginationToken };
		position = next;
	}
}

export const searchSources: ListSearch = async function (filter, paginationToken) {
	const query = filter?.trim() ? { name: filter.trim() } : {};
	const list = sourcePages(await panelClient(this), requireChatbot(this), query);
	return await choicesOn(list, paginationToken, ({ id, name, type }) => ({
		name: `${String(name ?? 'No name')} (${String(type)})`,
		value: String(id),
	}));
};

/** The newest ones, of all channels. The service searches titles and messages, of the last twelve months. */
export const searchConversations: ListSearch = async function (filter, paginationToken) {
	const query = filter?.trim();
	const list = cursorPages(await panelClient(this), {
		path: query ? searchPath : exportPath,
		resource: 'agentConversations',
		params: { chatbotId: requireChatbot(this) },
		query: query ? { query, limit: 20 } : { include: 'summary', limit: 20 },
	});
	return await choicesOn(list, paginationToken, ({ id, title, createdAt }) => {
		const time = readTimestamp(createdAt);
		const moment = time === undefined ? '' : ` (${momentText(time, this.getTimezone())})`;
		return { name: `${String(title || 'No title')}${moment}`, value: String(id) };
	});
};

/** Those that were last updated come first. */
export const searchTickets: ListSearch = async function (filter, paginationToken) {
	const query = { sortBy: 'updatedAt', order: 'desc' };
	const list = ticketPages(await panelClient(this), requireChatbot(this), query);
	const choiceOf = ({ ticketNumber, subject }: IDataObject) => ({
		name: `${String(subject || 'No subject')} (${String(ticketNumber)})`,
		value: String(ticketNumber),
	});
	return await choicesOn(list, paginationToken, choiceOf, filter);
};

export const searchCustomAttributes = attributeSearch();
export const searchDateAttributes = attributeSearch('date');
export const searchTextAttributes = attributeSearch('text');

/** @param wanted only active attributes of this type */
function attributeSearch(wanted?: AttributeType): ListSearch {
	return async function (filter) {
		const chatbotId = requireChatbot(this);
		const records = await readAttributeRecords(await panelClient(this), chatbotId);
		const choices = records
			.filter(({ name }) => typeof name === 'string' && isPathSegment(name))
			.filter(({ type, archived }) => !wanted || (type === wanted && archived !== true))
			.map(({ name, label, archived }) => ({
				name: `${label || name} (${name})${archived === true ? ', archived' : ''}`,
				value: String(name),
			}))
			.sort(byName);
		return matching(choices, filter);
	};
}

export const searchTeams = helpdeskSearch('teams', ({ name }) => String(name));
export const searchTicketStatuses = helpdeskSearch(
	'ticket-statuses',
	({ internalLabel, externalLabel, category }) => {
		const label = String(internalLabel || externalLabel);
		const isCategory = label.toLowerCase().replaceAll(' ', '_') === category;
		return isCategory ? label : `${label} (${String(category)})`;
	},
);

/** The API returns records of the helpdesk without an envelope. */
function helpdeskSearch(what: string, nameOf: (record: IDataObject) => string): ListSearch {
	return async function (filter) {
		const params = { chatbotId: requireChatbot(this) };
		const api = await panelClient(this);
		const path = `/agents/{chatbotId}/helpdesk/${what}`;
		const response = await api.send({ method: 'GET', path, resource: 'agentTickets', params });
		const records = response.outcome ? undefined : asObjects(response.body);
		if (!records) throw api.failure(response);
		const choices = records.map((record) => ({ name: nameOf(record), value: String(record.id) }));
		return matching(choices, filter);
	};
}

export const searchTemplates: ListSearch = async function (filter) {
	const { templates } = await readTemplates(await panelClient(this), requireChatbot(this));
	const accounts = new Set(templates.map(({ wabaId }) => wabaId));
	const sendable = templates.filter(({ isSendable }) => isSendable);
	const choices = sendable.map((template) => {
		const { name, language, category, wabaId, senders: [sender] = [] } = template;
		const account = accounts.size > 1 ? `, ${sender?.verifiedName || sender?.from || wabaId}` : '';
		const words = `${name} (${language}), ${category.toLowerCase()}${account}`;
		return { name: words, value: choiceValue(template) };
	});
	return matching(choices.sort(byName), filter);
};

/** Models of the earlier list appear only in a search, so that the list stays short. */
export const searchChatModels: ListSearch = async function (filter) {
	const earlier = choicesOf(earlierChatModels, ' (older, may be refused)');
	return matching([...choicesOf(chatModels), ...(filter?.trim() ? earlier : [])], filter);
};

export const searchSettingsModels: ListSearch = async function (filter) {
	return matching(choicesOf(settingsModels), filter);
};

function choicesOf(models: readonly string[], note = ''): INodeListSearchItems[] {
	return models.map((value) => ({ name: value + note, value }));
}
