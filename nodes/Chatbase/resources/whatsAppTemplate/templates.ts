import type { ApiClient } from '../../api/client';
import { asObjects } from '../../values/object';

export const templatesPath = '/agents/{chatbotId}/whatsapp/templates';

/** By component, such as `body`, then by key, such as `1`. */
export type Values = Record<string, Record<string, string>>;

/** A template as the service returns it (reference of version 2, 14.1). */
export interface Template {
	name: string;
	language: string;
	category: string;
	/** The WhatsApp Business Account. Two accounts can have templates with one name. */
	wabaId: string;
	/** The keys of each component, in their order. */
	variables?: Record<string, string[]>;
	components?: Array<{
		type: string;
		text?: string;
		buttons?: Array<{ text?: string; url?: string }>;
	}>;
	[field: string]: unknown;
}

export interface TemplateList {
	templates: Template[];
	/** Undefined if the service does not list them. */
	senders?: Array<{ from: string; wabaId: string; verifiedName?: string | null }>;
	/** Whether no account was unavailable. */
	isComplete: boolean;
}

export async function readTemplates(api: ApiClient, chatbotId: string): Promise<TemplateList> {
	const list = { method: 'GET', path: templatesPath, resource: 'agent' } as const;
	const response = await api.send({ ...list, params: { chatbotId } });
	return api.expectBody(response, ({ templates: listed, senders: numbers, complete }) => {
		const templates = asObjects(listed) as Template[] | undefined;
		const senders = asObjects(numbers) as TemplateList['senders'];
		if (!templates?.every(isTemplate)) return undefined;
		return { templates, senders, isComplete: complete !== false };
	});
}

function isTemplate({ name, language, category }: Template): boolean {
	return [name, language, category].every((value) => typeof value === 'string');
}

/** The API has no values for buttons (reference of version 2, 14.2). */
export function isSendable({ components = [] }: Template): boolean {
	return !components.some(({ buttons = [] }) => buttons.some(({ url }) => url?.includes('{{')));
}

/** A template as the list in the panel stores it; a typed one has a name, and a language if that is set. */
export type TemplateChoice = Pick<Template, 'name'> &
	Partial<Pick<Template, 'language' | 'wabaId'>>;

/** Names of templates have no bars. */
export function choiceValue({ name, language, wabaId }: Template): string {
	return [name, language, wabaId].join('|');
}

export function parseChoice(value: string, typedLanguage?: string): TemplateChoice {
	const [name, language = typedLanguage?.trim() || undefined, wabaId] = value.trim().split('|');
	return { name, language, wabaId };
}

/** All templates that a choice can mean. */
export function matchesOf(
	{ templates }: TemplateList,
	{ name, language, wabaId }: TemplateChoice,
): Template[] {
	return templates.filter(
		(template) =>
			template.name === name &&
			(language ?? template.language) === template.language &&
			(wabaId ?? template.wabaId) === template.wabaId,
	);
}

/** Such as `Body 1`. */
export function variableLabel(component: string, key: string): string {
	return `${component.charAt(0).toUpperCase()}${component.slice(1)} ${key}`;
}

export function variablesOf({ variables = {} }: Template) {
	return Object.entries(variables).flatMap(([component, keys]) =>
		keys.map((key) => ({ component, key, label: variableLabel(component, key) })),
	);
}

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

function textIn({ components = [] }: Template, component: string): string {
	return components.find(({ type }) => type.toLowerCase() === component)?.text ?? '';
}

/** The words before a variable, or those after one that stands first. n8n 2.41 cuts a label at about 25 characters. */
export function wordsAround(template: Template, component: string, key: string): string {
	const text = textIn(template, component);
	const found = [...text.matchAll(placeholder)].find((match) => match[1] === key);
	if (!found) return '';
	const plain = (part: string) => part.replace(placeholder, '…').replace(/\s+/g, ' ').trim();
	const before = plain(text.slice(0, found.index));
	const nearest = before.length > 15 ? before.slice(-15).replace(/^\S* /, '') : before;
	const words = nearest.replace(/^[^\p{L}\d]+/u, '');
	if (words) return `: ${words} …`;
	return `: … ${plain(text.slice(found.index + found[0].length)).slice(0, 15)}`;
}

/** Header, body and footer as people read them. Variables without a value stay as they are. */
export function textOf(template: Template, values: Values = {}): string {
	const textWith = (component: string) =>
		textIn(template, component).replace(
			placeholder,
			(whole, key: string) => values[component]?.[key] ?? whole,
		);
	return ['header', 'body', 'footer'].map(textWith).filter(Boolean).join('\n');
}
