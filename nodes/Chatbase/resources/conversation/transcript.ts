import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/object';
import { readTimestamp } from '../../values/time';

/**
 * A message as far as it is known. Of version 1, no document names more than role and content (public reference, 4.7 and
 * 10); in version 2 it has parts (reference of version 2, 3.1).
 */
interface Spoken {
	/** Milliseconds since 1970. */
	time?: number;
	speaker: string;
	words: string;
}

/**
 * The messages of a conversation as text: who said what, and when, if the service returns times.
 *
 * @param timeZone IANA name of the zone for times
 * @returns empty text if there are no messages
 */
export function transcriptOf(messages: unknown, timeZone: string): string {
	const spoken = (Array.isArray(messages) ? messages : [])
		.filter(isObject)
		.map(({ role, content, parts, type, createdAt, created_at }): Spoken => ({
			time: readTimestamp(createdAt ?? created_at),
			speaker: nameOf(role),
			words: Array.isArray(parts) ? wordsOfParts(parts.filter(isObject)) : wordsOf(content, type),
		}));
	const isTimed = spoken.every(({ time }) => time !== undefined);
	const inOrder = isTimed ? [...spoken].sort((one, other) => one.time! - other.time!) : spoken;
	return inOrder
		.map(({ time, speaker, words }) => {
			const moment = time === undefined ? '' : `[${momentText(time, timeZone)}] `;
			return `${moment}${speaker}: ${words}`;
		})
		.join('\n');
}

function nameOf(role: unknown): string {
	if (typeof role !== 'string' || role.trim() === '') return 'Unknown';
	return role[0].toUpperCase() + role.slice(1);
}

/** A message without text is shown by its type, such as an image. */
function wordsOf(content: unknown, type: unknown): string {
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
function momentText(time: number, timeZone: string): string {
	return new Date(time).toLocaleString('sv-SE', { timeZone });
}
