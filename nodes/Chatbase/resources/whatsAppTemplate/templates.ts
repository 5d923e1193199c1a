import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type ApiResponse, foundIn } from '../../api/response';
import { idField } from '../../panel/field';
import {
	compareNames,
	type ListSearch,
	locator,
	matching,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import { isObject, objectsIn } from '../../values/json';
import { textIn } from '../../values/text';

export const templatesRequest = {
	method: 'GET',
	path: '/agents/{chatbotId}/whatsapp/templates',
	resource: 'agent',
} as const;

/** A number that a chatbot can send from. */
export interface Sender {
	/** Digits with the country code. */
	number: string;
	account: string;
	/** The name that customers see; empty if the service has none. */
	name: string;
	/** As the service returns it. */
	record: IDataObject;
}

/** A template of the list (reference of version 2). A value that is missing or odd is empty here. */
export interface Template {
	name: string;
	language: string;
	category: string;
	/** ID of the WhatsApp Business Account. Two accounts can have templates with one name. */
	account: string;
	/** IDs such as `body.1`, in their order. Undefined if the service states them in a form that the node does not know. */
	variables?: string[];
	/** Texts of header, body and footer, by component. */
	texts: Map<string, string>;
	/** Whether no button needs a value: the API has none for buttons (reference of version 2). */
	isSendable: boolean;
	/** As the service returns it. */
	record: IDataObject;
}

export interface TemplateList {
	templates: Template[];
	/** Empty if the service lists none. */
	senders: Sender[];
	/** Whether the service could read all accounts. */
	isComplete: boolean;
}

/** Throws if the service does not return a list. */
export async function readTemplates(
	api: ApiClient,
	chatbotId: string,
): Promise<TemplateList> {
	const response = await requestTemplates(api, chatbotId);
	return api.expectBody(response, listIn);
}

/**
 * Like `readTemplates`. Undefined if the list can't be read now. Throws if the service refuses the list, since it would also
 * refuse the message.
 */
export async function readTemplatesIfPossible(
	api: ApiClient,
	chatbotId: string,
): Promise<TemplateList | undefined> {
	const response = await requestTemplates(api, chatbotId);
	const { status = 0 } = response;
	const isRefused = status >= 400 && status < 500 && status !== 429;
	if (isRefused) throw api.failure(response);

	return foundIn(response, listIn);
}

async function requestTemplates(api: ApiClient, chatbotId: string): Promise<ApiResponse> {
	return await api.send({ ...templatesRequest, params: { chatbotId } });
}

function listIn({ templates, senders, complete }: IDataObject): TemplateList | undefined {
	if (!Array.isArray(templates)) return undefined;
	const records = objectsIn(templates);

	return {
		templates: records.map(templateFrom),
		senders: objectsIn(senders)
			.map(senderFrom)
			.filter(({ number }) => number !== ''),
		// An invalid entry may be a template that the service could not write correctly.
		isComplete: complete !== false && records.length === templates.length,
	};
}

function senderFrom(record: IDataObject): Sender {
	return {
		number: textIn(record.from).replace(/\D/g, ''),
		account: textIn(record.wabaId),
		name: textIn(record.verifiedName),
		record,
	};
}

function templateFrom(record: IDataObject): Template {
	const components = objectsIn(record.components);
	const buttons = components.flatMap((component) => objectsIn(component.buttons));

	return {
		name: textIn(record.name),
		language: textIn(record.language),
		category: textIn(record.category),
		account: textIn(record.wabaId),
		variables: variablesIn(record.variables),
		texts: textsIn(components),
		isSendable: !buttons.some(needsValue),
		record,
	};
}

function variablesIn(variables: unknown): string[] | undefined {
	if (!isObject(variables)) return undefined;
	const found: string[] = [];

	for (const [component, keys] of Object.entries(variables)) {
		if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string'))
			return undefined;
		found.push(...keys.map((key) => `${component}.${key}`));
	}

	return found;
}

/** The components with text, in the order in which a customer reads them. */
const readableComponents = ['header', 'body', 'footer'];

function textsIn(components: IDataObject[]): Map<string, string> {
	const texts = readableComponents.map((name) => {
		const component = components.find(({ type }) => textIn(type).toLowerCase() === name);
		return [name, textIn(component?.text)] as const;
	});
	return new Map(texts.filter(([, text]) => text !== ''));
}

/** Meta's names for buttons with a code. */
const codeButtons = ['COPY_CODE', 'OTP'];

function needsValue({ type, url }: IDataObject): boolean {
	return codeButtons.includes(textIn(type).toUpperCase()) || textIn(url).includes('{{');
}

/** The numbers of the account of a template; undefined if the service lists no numbers of any account. */
export function sendersOf(
	{ senders }: TemplateList,
	{ account }: Template,
): Sender[] | undefined {
	if (senders.length === 0) return undefined;
	return senders.filter((sender) => sender.account === account);
}

/** What a user chose or typed in Template. An undefined language or account can be any. */
export interface TemplateChoice {
	name: string;
	language?: string;
	account?: string;
}

/** Separates the parts of a choice From List, as workflows store it. Meta allows no bars in names. */
const bar = '|';

/**
 * @param value a choice From List, or a name that was typed
 * @param typedLanguage the value of Language under Options, which counts only for a typed name
 */
export function readTemplateChoice(value: string, typedLanguage = ''): TemplateChoice {
	const [name = '', language, account] = value.trim().split(bar);

	return {
		name,
		language: language || typedLanguage.trim() || undefined,
		account: account || undefined,
	};
}

/** All templates that a choice can mean. */
export function matchesOf(templates: Template[], choice: TemplateChoice): Template[] {
	const { name, language, account } = choice;

	return templates.filter(
		(template) =>
			template.name === name &&
			(language === undefined || template.language === language) &&
			(account === undefined || template.account === account),
	);
}

/** Such as `"order_update, en_US"`, for errors. */
export function quoteChoice({ name, language }: TemplateChoice): string {
	return `"${[name, language].filter(Boolean).join(', ')}"`;
}

/** What picker and mapper say of a partial list. */
export const isPartial = 'The service could not read all WhatsApp accounts.';

const searchTemplates: ListSearch = async function (filter) {
	const list = await readTemplates(await panelClient(this), requireChatbot(this));
	const accounts = new Set(list.templates.map(({ account }) => account));
	const sendable = list.templates.filter(({ name, isSendable }) => name && isSendable);

	const choices = sendable.map(({ name, language, category, account }) => {
		const owner = accounts.size > 1 && accountName(account, list.senders);
		const parts = [`${name} (${language})`, category.toLowerCase(), owner];
		return {
			name: parts.filter(Boolean).join(', '),
			value: [name, language, account].join(bar),
		};
	});

	const { results } = matching(choices.sort(compareNames), filter);
	// This entry only informs. It stands for no template.
	if (!list.isComplete)
		results.push({ name: `${isPartial} Try again later.`, value: '' });
	return { results };
};

/** Name and number of an account: two accounts can have the same name. */
function accountName(account: string, senders: readonly Sender[]): string {
	const sender = senders.find((each) => each.account === account);
	return [sender?.name, sender?.number ?? account].filter(Boolean).join(' ');
}

export const templateField = idField(
	'template',
	'Template',
	{
		description: 'An approved template of the chatbot',
		hint: 'Dry Run and Get Many show the whole text of a template',
		...locator({ searchTemplates }, 'a template', {
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. order_update',
			hint: 'Add Language under Options if the name has several languages',
		}),
	},
	'Choose one From List or enter its name.',
);
