import { isObject } from '../../values/object';
import { readTimestamp } from '../../values/time';

/** A message as far as it is known. No document names more than role and content (public reference, 4.7 and 10). */
interface Spoken {
	/** Milliseconds since 1970. */
	time?: number;
	speaker: string;
	words: string;
}

/**
 * Writes the messages of a conversation down as text, one after the other: who said what, and when, if the service
 * tells it.
 *
 * @param timeZone IANA name of the zone that times are written in
 * @returns empty text if there are no messages
 */
export function transcriptOf(messages: unknown, timeZone: string): string {
	const spoken = (Array.isArray(messages) ? messages : [])
		.filter(isObject)
		.map(({ role, content, type, createdAt, created_at }): Spoken => ({
			time: readTimestamp(createdAt ?? created_at),
			speaker: nameOf(role),
			words: wordsOf(content, type),
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

/** Something that is no text is named by its kind, such as an image. */
function wordsOf(content: unknown, type: unknown): string {
	if (typeof content === 'string' && content.trim() !== '') return content.trim();
	if (typeof content === 'number' || (typeof content === 'object' && content !== null)) {
		return JSON.stringify(content);
	}
	return typeof type === 'string' && type !== 'text' && type !== '' ? `(${type})` : '(no text)';
}

/** Day and time to the second. Sweden writes them in the order of ISO 8601. */
function momentText(time: number, timeZone: string): string {
	return new Date(time).toLocaleString('sv-SE', { timeZone });
}
