import type { IDataObject } from 'n8n-workflow';

import { unescapeHtml } from '../../api/errors';
import { isObject } from '../../values/json';
import { readTimestamp } from '../../values/time';

/**
 * Who said what, and when, if the service returns times. In version 1, no document names more than role and content
 * (public reference, 4.7 and 10); in version 2 a message has parts (reference of version 2, 3.1).
 */
export function transcriptOf(messages: unknown, timeZone: string): string {
	const spoken = (Array.isArray(messages) ? messages : []).filter(isObject).map((message) => ({
		message,
		time: readTimestamp(message.createdAt ?? message.created_at),
	}));
	if (spoken.every(({ time }) => time !== undefined)) {
		spoken.sort((one, other) => one.time! - other.time!);
	}
	return spoken
		.map(({ message, time }) => {
			const moment = time === undefined ? '' : `[${momentText(time, timeZone)}] `;
			return `${moment}${nameOf(message.role)}: ${wordsOf(message)}`;
		})
		.join('\n');
}

function nameOf(role: unknown): string {
	if (typeof role !== 'string' || role.trim() === '') return 'Unknown';
	return role[0].toUpperCase() + role.slice(1);
}

/** A message without text is shown by its type, such as an image. */
function wordsOf({ content, parts, type }: IDataObject): string {
	if (Array.isArray(parts)) return wordsOfParts(parts.filter(isObject));
	if (typeof content === 'string' && content.trim() !== '') return content.trim();
	if (typeof content === 'number' || (typeof content === 'object' && content !== null)) {
		return JSON.stringify(content);
	}
	return typeof type === 'string' && type !== 'text' && type !== '' ? `(${type})` : '(no text)';
}

/** Texts belong together unless something else stands between them, such as the call of a tool. */
function wordsOfParts(parts: IDataObject[]): string {
	const words = parts
		.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '\n'))
		.join('')
		.replace(/\s*\n\s*/g, '\n')
		.trim();
	if (words !== '') return words;
	const kinds = parts.map(({ type, toolName }) => [type, toolName].filter(Boolean).join(' '));
	return `(${kinds.join(', ') || 'no text'})`;
}

/** Day and time to the second. The Swedish format has the order of ISO 8601. */
export function momentText(time: number, timeZone: string): string {
	return new Date(time).toLocaleString('sv-SE', { timeZone });
}

/** The text of HTML. */
export function withoutTags(html: unknown): string {
	const text = String(html ?? '')
		.replace(/<(style|script)\b[^]*?<\/\1>/gi, '')
		.replace(/<(br|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, '\n')
		.replace(/<[^>]*>/g, '');
	return unescapeHtml(text).trim();
}
