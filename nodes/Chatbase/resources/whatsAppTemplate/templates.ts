import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { ApiResponse } from '../../api/response';
import { isObject } from '../../values/json';

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

/** A template of the list (reference of version 2, 14.1). A value that is missing or odd is empty here. */
export interface Template {
	name: string;
	language: string;
	category: string;
	/** ID of the WhatsApp Business Account. Two accounts can have templates with one name. */
	account: string;
	/** IDs such as `body.1`, in their order; undefined if the service states them in no form that the node knows. */
	variables?: string[];
	/** Texts of header, body and footer, by component. */
	texts: Map<string, string>;
	/** A sentence that says why the API can't send it; undefined if it can. */
	obstacle?: string;
	/** The numbers of its account; undefined if the service lists no numbers of any account. */
	senders?: Sender[];
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

/** Undefined if the list can't be read now. Throws if the service refuses it, as it would refuse to send. */
export async function readTemplatesIfPossible(
	api: ApiClient,
	chatbotId: string,
): Promise<TemplateList | undefined> {
	const response = await requestTemplates(api, chatbotId);
	const { status = 0, outcome, body } = response;
	const isRefused = status >= 400 && status < 500 && status !== 429;
	if (isRefused) throw api.failure(response);

	return !outcome && isObject(body) ? listIn(body) : undefined;
}

async function requestTemplates(api: ApiClient, chatbotId: string): Promise<ApiResponse> {
	return await api.send({ ...templatesRequest, params: { chatbotId } });
}

function listIn({ templates, senders, complete }: IDataObject): TemplateList | undefined {
	if (!Array.isArray(templates)) return undefined;
	const numbers = objectsIn(senders).map(senderFrom);
	const records = objectsIn(templates);

	return {
		templates: records.map((record) => templateFrom(record, numbers)),
		senders: numbers,
		// An entry that is no template could be one that the service failed to write.
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

function templateFrom(record: IDataObject, senders: Sender[]): Template {
	const components = objectsIn(record.components);
	const account = textIn(record.wabaId);
	const ofAccount = senders.filter((sender) => sender.account === account);

	return {
		name: textIn(record.name),
		language: textIn(record.language),
		category: textIn(record.category),
		account,
		variables: variablesIn(record.variables),
		texts: textsIn(components),
		obstacle: obstacleIn(components),
		senders: senders.length > 0 ? ofAccount : undefined,
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

/** In the order in which a customer reads them. */
const readableComponents = ['header', 'body', 'footer'];

function textsIn(components: IDataObject[]): Map<string, string> {
	const texts = new Map<string, string>();

	for (const name of readableComponents) {
		const component = components.find(({ type }) => textIn(type).toLowerCase() === name);
		const text = textIn(component?.text);
		if (text) texts.set(name, text);
	}
	return texts;
}

/** Meta's names for buttons with a code. The API has no values for buttons (reference of version 2, 14.2). */
const codeButtons = ['COPY_CODE', 'OTP'];

function obstacleIn(components: IDataObject[]): string | undefined {
	for (const button of components.flatMap(({ buttons }) => objectsIn(buttons))) {
		const type = textIn(button.type).toUpperCase();
		const name = textIn(button.text) || type;
		if (codeButtons.includes(type)) return `Its button "${name}" (${type}) needs a code.`;
		if (textIn(button.url).includes('{{'))
			return `The address of its button "${name}" has a variable.`;
	}
	return undefined;
}

function objectsIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

function textIn(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
