import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { fillPath, isPathSegment } from '../api/address';
import type { ApiClient } from '../api/client';
import { openApiClient } from '../api/client';
import { readRequestOptions } from '../api/settings';
import { version2 } from '../api/versions';
import { chatModels, earlierChatModels, settingsModels } from '../fields/models';
import { text } from '../fields/values';
import { readChatbots } from '../resources/chatbot/chatbots';
import type { AttributeType } from '../resources/customAttribute/attributes';
import { readAttributeRecords } from '../resources/customAttribute/attributes';
import { asObjects, isObject } from '../values/object';

/**
 * The client for a list or a mapper in the panel, with the Request Options of the node. The trigger has none (n8n 2.41
 * adds them to declarative nodes only).
 *
 * @throws NodeOperationError if the credential or one of the options can't work
 */
export async function panelClient(context: ILoadOptionsFunctions): Promise<ApiClient> {
	const requestOptions = context.getCurrentNodeParameter('requestOptions');
	const hasRequestOptions = isObject(requestOptions);
	// Batching would only delay the few requests of a list.
	const http = hasRequestOptions
		? readRequestOptions(context.getNode(), { ...requestOptions, batching: undefined })
		: {};
	const availableSettings = { requestOptions: hasRequestOptions, maxConcurrency: false };
	return await openApiClient(context, 5, { http, availableSettings });
}

/** The chatbot chosen in the panel; undefined without one, or for an expression without data. */
export function chosenChatbot(context: ILoadOptionsFunctions): string | undefined {
	const id = text.read(context.getCurrentNodeParameter('chatbotId', { extractValue: true }));
	return id !== undefined && isPathSegment(id.trim()) && !id.startsWith('=') ? id : undefined;
}

export function requireChatbot(context: ILoadOptionsFunctions): string {
	const chatbotId = chosenChatbot(context);
	if (chatbotId !== undefined) return chatbotId;
	throw new NodeOperationError(context.getNode(), 'Choose a chatbot first');
}

function matching(
	choices: INodeListSearchItems[],
	filter: string | undefined,
	textOf = ({ name }: INodeListSearchItems) => name,
): INodeListSearchResult {
	const wanted = (filter ?? '').trim().toLowerCase();
	return { results: choices.filter((choice) => textOf(choice).toLowerCase().includes(wanted)) };
}

function byName(one: INodeListSearchItems, other: INodeListSearchItems): number {
	return one.name.localeCompare(other.name);
}

/** Lists the chatbots of the workspace, by name or ID. The API returns them all at once. */
export async function searchChatbots(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const chatbots = await readChatbots(await panelClient(this));
	const choices = chatbots
		// Some services use numbers as IDs of chatbots.
		.map(({ id, name }) => ({ name: String(name || id), value: text.read(id) ?? '' }))
		.filter(({ value }) => isPathSegment(value))
		.sort(byName);
	return matching(choices, filter, ({ name, value }) => `${name}\n${value}`);
}

export const searchCustomAttributes = attributeSearch();
export const searchDateAttributes = attributeSearch('date');
export const searchTextAttributes = attributeSearch('text');

/**
 * Lists the custom attributes of the chosen chatbot, by name or label. The API returns them all at once.
 *
 * @param wanted only active attributes of this type
 */
function attributeSearch(wanted?: AttributeType) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
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
	({ internalLabel, externalLabel, category }) =>
		`${String(internalLabel || externalLabel)} (${String(category)})`,
);

/** Lists records of the helpdesk of the chosen chatbot. The API returns them all at once, without an envelope. */
function helpdeskSearch(what: string, nameOf: (record: IDataObject) => string) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		const path = fillPath(`/agents/{chatbotId}/helpdesk/${what}`, {
			chatbotId: requireChatbot(this),
		});
		const api = await panelClient(this);
		const request = { method: 'GET', path, resource: 'agentTickets', version: version2 } as const;
		const response = await api.send(request);
		const records = response.outcome ? undefined : asObjects(response.body);
		if (!records) throw api.failure(response);
		const choices = records.map((record) => ({ name: nameOf(record), value: String(record.id) }));
		return matching(choices, filter);
	};
}

/** Models of the earlier list appear only in a search, so that the list stays short. */
export async function searchChatModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const earlier = earlierChatModels.map((value) => ({
		name: `${value} (older, may be refused)`,
		value,
	}));
	return matching([...chatModels.map(asChoice), ...(filter?.trim() ? earlier : [])], filter);
}

export async function searchSettingsModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return matching(settingsModels.map(asChoice), filter);
}

function asChoice(value: string): INodeListSearchItems {
	return { name: value, value };
}
