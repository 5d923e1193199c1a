import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { asObjects } from '../../values/json';

export const templatesRequest = {
	method: 'GET',
	path: '/agents/{chatbotId}/whatsapp/templates',
	resource: 'agent',
} as const;

/** By component, such as `body`, then by key, such as `1`. */
export type Values = Record<string, Record<string, string>>;

/** A template as the service returns it (reference of version 2, 14.1), and what follows from its list. */
export interface Template extends IDataObject {
	name: string;
	language: string;
	category: string;
	/** The WhatsApp Business Account. Two accounts can have templates with one name. */
	wabaId: string;
	/** The keys of each component, in their order. */
	variables?: Record<string, string[]>;
	components?: Array<{ type: string; text?: string; buttons?: Array<{ url?: string }> }>;
	/** As people read it. */
	text: string;
	/** Whether no button needs a value, since the API has none for buttons (14.2). */
	isSendable: boolean;
	/** The numbers of its account; undefined if the service lists none of any account. */
	senders?: Array<{ from: string; wabaId: string; verifiedName?: string | null }>;
}

/** The list is not complete if the service could not reach an account. */
export async function readTemplates(api: ApiClient, chatbotId: string) {
	const response = await api.send({ ...templatesRequest, params: { chatbotId } });
	return api.expectBody(response, ({ templates: listed, senders, complete }) => {
		const numbers = (asObjects(senders) ?? []) as NonNullable<Template['senders']>;
		const templates = (asObjects(listed) as Template[] | undefined)?.map((template) => ({
			...template,
			text: textOf(template),
			isSendable: !template.components?.some(({ buttons = [] }) =>
				buttons.some(({ url }) => url?.includes('{{')),
			),
			senders: numbers[0] && numbers.filter(({ wabaId }) => wabaId === template.wabaId),
		}));
		const hasNames = templates?.every(({ name, language, category }) =>
			[name, language, category].every((value) => typeof value === 'string'),
		);
		return hasNames ? { templates: templates!, isComplete: complete !== false } : undefined;
	});
}

/** The choice of one template, as the list in the panel stores it. Names have no bars. */
export function choiceValue({ name, language, wabaId }: Template): string {
	return [name, language, wabaId].join('|');
}

/** A typed template has a name, and a language if that is set. */
export function choiceOf(value: string, typedLanguage = ''): string {
	const [name, language] = [value.trim(), typedLanguage.trim()];
	return name.includes('|') || !language ? name : `${name}|${language}`;
}

/** All templates that a choice can mean. */
export function matchesOf(templates: Template[], choice: string): Template[] {
	return templates.filter((template) => `${choiceValue(template)}|`.startsWith(`${choice}|`));
}

export function variablesOf({ variables = {} }: Partial<Template> = {}) {
	return Object.entries(variables).flatMap(([component, keys]) =>
		keys.map((key) => ({ component, key, label: variableLabel(component, key) })),
	);
}

/** Such as `Body 1`. */
export function variableLabel(component: string, key: string): string {
	return `${component.charAt(0).toUpperCase()}${component.slice(1)} ${key}`;
}

/** Header, body and footer as people read them. Variables without a value stay as they are. */
export function textOf({ components = [] }: Template, values: Values = {}): string {
	const texts = ['header', 'body', 'footer'].map((component) => {
		const { text = '' } = components.find(({ type }) => type.toLowerCase() === component) ?? {};
		return text.replace(
			/\{\{\s*([^{}]*?)\s*\}\}/g,
			(whole, key: string) => values[component]?.[key] ?? whole,
		);
	});
	return texts.filter(Boolean).join('\n');
}

/** Whole words before a variable in its line, or after one that stands first. n8n 2.41 cuts a label at about 25 characters. */
export function wordsAround(template: Template, component: string, key: string): string {
	const [before, after = ''] = textOf(template, { [component]: { [key]: '\0' } }).split('\0');
	const [start] = /(?<!\S)[^\s{}][^{}\n]{0,14}$/.exec(before) ?? [];
	const [end] = /^.{0,15}(?!\S)/.exec(after.replace(/\{\{.*?\}\}/g, '…')) ?? [''];
	return start ? `: ${start}…` : `: …${end}`;
}
