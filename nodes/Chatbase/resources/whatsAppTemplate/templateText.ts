import { ownValue } from '../../values/json';
import type { Template, TemplateVariable } from './templates';

/** The values of a message: by component, such as `body`, then by key, such as `1`. */
export type Values = Record<string, Record<string, string>>;

/** Undefined if the message has no value for a variable. */
export function valueFor(values: Values, { component, key }: TemplateVariable): string | undefined {
	const ofComponent = ownValue(values, component);
	return ofComponent && ownValue(ofComponent, key);
}

/** Header, body and footer as people read them. Variables without a value stay as they are. */
export function textOf({ texts }: Template, values: Values = {}): string {
	const filled = [...texts].map(([component, text]) =>
		fill(text, (key) => valueFor(values, { component, key })),
	);
	return filled.join('\n');
}

/** Such as `Body 1`, for errors. */
export function variableName({ component, key }: TemplateVariable): string {
	return `${capitalize(component)} ${key}`;
}

/** Characters beside a variable in its label, since n8n 2.41 cuts a long label. */
const wordsBefore = 10;
const wordsAfter = 8;

/** Where a variable stands, such as `Body: day · … is on ▢ at …`. Only the key, if the text does not show it. */
export function variableLabel(template: Template, variable: TemplateVariable): string {
	const { component, key } = variable;
	const label = `${capitalize(component)}: ${key}`;
	const text = template.texts.get(component) ?? '';
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
	const pieces = text.split('}}');
	const end = pieces.pop();
	const filled = pieces.map((piece) => {
		const start = piece.lastIndexOf('{{');
		const value = start < 0 ? undefined : valueOf(piece.slice(start + 2).trim());
		return value === undefined ? `${piece}}}` : piece.slice(0, start) + value;
	});

	return filled.join('') + end;
}

/** The end of a text, from the start of a word if it has one. */
function lastWords(text: string): string {
	if (text.length <= wordsBefore) return text;
	const end = text.slice(-wordsBefore);
	return `… ${end.slice(end.trimEnd().indexOf(' ') + 1)}`;
}

/** The start of a text, up to the end of a word if it has one. */
function firstWords(text: string): string {
	if (text.length <= wordsAfter) return text;
	const start = text.slice(0, wordsAfter);
	const end = start.lastIndexOf(' ');
	const words = end > 0 ? start.slice(0, end) : start;
	return words.endsWith('…') ? words : `${words} …`;
}
