import { ownValue } from '../../values/json';
import type { Template } from './templates';

/** The value of each variable, by its ID, such as `body.1`. */
export type Values = Record<string, string>;

/** The component of a variable, such as `body`, and its key there, such as `1` or `first_name`. */
export function partsOf(id: string): { component: string; key: string } {
	const [component, ...key] = id.split('.');
	return { component, key: key.join('.') };
}

/** Such as `Body 1`, for errors. */
export function variableName(id: string): string {
	const { component, key } = partsOf(id);
	return `${capitalize(component)} ${key}`;
}

/** Header, body and footer as people read them. Variables without a value stay as they are. */
export function textOf({ texts }: Template, values: Values = {}): string {
	const filled = [...texts].map(([component, text]) =>
		fill(text, (key) => ownValue(values, `${component}.${key}`)),
	);
	return filled.join('\n');
}

/** Where a variable stands, such as `Body: day · … is on ▢ at …`. Only the key, if the text does not show it. */
export function variableLabel({ texts }: Template, id: string): string {
	const { component, key } = partsOf(id);
	const label = `${capitalize(component)}: ${key}`;
	const text = texts.get(component) ?? '';
	const marked = fill(text, (found) => (found === key ? '\0' : '…'));
	const line = marked.split('\n').find((each) => each.includes('\0'));
	if (line === undefined) return label;

	const [before, ...after] = line.split('\0');
	return `${label} · ${lastWords(before)}▢${firstWords(after.join('▢'))}`;
}

function capitalize(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Fills in the variables of a text, each as `{{ key }}`. */
function fill(text: string, valueOf: (key: string) => string | undefined): string {
	return text.replace(
		/\{\{([^{}]*)\}\}/g,
		(variable, key: string) => valueOf(key.trim()) ?? variable,
	);
}

/** Characters beside a variable in its label, since n8n 2.41 cuts a long label. */
const charactersBefore = 10;
const charactersAfter = 8;

/** The end of a text, from the start of a word if it has one. */
function lastWords(text: string): string {
	if (text.length <= charactersBefore) return text;
	return `… ${text.slice(-charactersBefore).replace(/^\S* (?=\S)/, '')}`;
}

/** The start of a text, up to the end of a word if it has one. */
function firstWords(text: string): string {
	if (text.length <= charactersAfter) return text;
	const words = text.slice(0, charactersAfter).replace(/(?<=\S) \S*$/, '');
	return words.endsWith('…') ? words : `${words} …`;
}
