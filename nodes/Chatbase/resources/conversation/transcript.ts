import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/json';
import { readTimestamp } from '../../values/time';

/** What one program or another shows as a new line. */
const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/;

/** A line that begins so belongs to the message above it, whatever it says. */
const indent = '  ';

interface SpokenMessage {
	message: IDataObject;
	/** In milliseconds since 1970; undefined if the service states none that can be read. */
	time?: number;
}

/**
 * Who said what, and when, if the service returns times. In version 1, no document names more than role and content
 * (public reference, 4.7 and 10); in version 2 a message has parts (reference of version 2, 3.1).
 */
export function transcriptOf(messages: unknown, timeZone: string): string {
	const records = Array.isArray(messages) ? messages.filter(isObject) : [];
	const spoken: SpokenMessage[] = records.map((message) => ({
		message,
		time: readTimestamp(message.createdAt ?? message.created_at),
	}));

	if (spoken.every(({ time }) => time !== undefined)) {
		spoken.sort((one, other) => one.time! - other.time!);
	}

	return spoken.map((one) => entryOf(one, timeZone)).join('\n');
}

/** Further lines are indented, so that a visitor cannot write what looks like a message of somebody else. */
function entryOf({ message, time }: SpokenMessage, timeZone: string): string {
	const moment = time === undefined ? '' : `[${momentText(time, timeZone)}] `;
	const lines = wordsOf(message)
		.split(lineBreak)
		.map((line) => line.trimEnd())
		.filter((line) => line !== '');

	return `${moment}${nameOf(message.role)}: ${lines.join(`\n${indent}`)}`;
}

function nameOf(role: unknown): string {
	const name = typeof role === 'string' ? role.split(lineBreak).join(' ').trim() : '';
	return name === '' ? 'Unknown' : name[0].toUpperCase() + name.slice(1);
}

/** A message without text is shown by its type, such as an image. */
function wordsOf({ content, parts, type }: IDataObject): string {
	if (Array.isArray(parts)) return wordsOfParts(parts.filter(isObject));
	if (typeof content === 'string' && !isBlankText(content)) return content.trim();

	if (typeof content === 'number' || (typeof content === 'object' && content !== null)) {
		return JSON.stringify(content);
	}

	return typeof type === 'string' && type !== 'text' && type !== ''
		? `(${type})`
		: '(no text)';
}

/** Texts belong together unless something else stands between them, such as the call of a tool. */
function wordsOfParts(parts: IDataObject[]): string {
	const words = parts
		.map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : '\n'))
		.join('');
	if (!isBlankText(words)) return words.trim();

	const kinds = parts.map(({ type, toolName }) =>
		[type, toolName].filter(Boolean).join(' '),
	);
	return `(${kinds.join(', ') || 'no text'})`;
}

/** Whether no line has anything to show. */
function isBlankText(text: string): boolean {
	return text.split(lineBreak).every((line) => line.trim() === '');
}

/** Day and time to the second. The Swedish format has the order of ISO 8601. */
export function momentText(time: number, timeZone: string): string {
	return new Date(time).toLocaleString('sv-SE', { timeZone });
}
