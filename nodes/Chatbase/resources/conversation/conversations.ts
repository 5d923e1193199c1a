import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { cursorPages } from '../../api/paginate';
import { type Field, serviceIdField, toggleField } from '../../panel/field';
import { anyOfFilter } from '../../panel/filters';
import {
	choicesOn,
	type ListSearch,
	locator,
	panelClient,
	requireChatbot,
} from '../../panel/locators';
import type { Simplified } from '../../panel/output';
import { objectsIn } from '../../values/json';
import { giveWay } from '../../values/list';
import { capitalize, textIn } from '../../values/text';
import { readTimestamp } from '../../values/time';

/** The only list with conversations from every source. The plain list has only those from the API. */
export const exportPath = '/agents/{chatbotId}/conversations/export';

export const searchPath = '/agents/{chatbotId}/conversations/search';

export function transcriptOption(more = ''): Field<boolean> {
	return toggleField('options.transcript', 'Add Transcript', {
		description: `Whether to add the field transcript: all messages as one text, with author and time of each (in the time zone of the workflow)${more}`,
	});
}

/** The fields of a conversation that an agent needs. */
export const simplifiedConversation: Simplified = [
	'id',
	'title',
	'createdAt',
	'updatedAt',
	'userId',
	'source',
	'status',
	'snippet',
	'transcript',
];

export function isSameConversation(id: unknown, conversationId: string): boolean {
	return String(id).toLowerCase() === conversationId.toLowerCase();
}

/** Where conversations come from, in both versions (reference of version 1). */
const commonSources =
	'Action preview, API, Chatbase site, Instagram, Messenger, Playground, Slack, Unspecified, WhatsApp, Widget or Iframe';

/** The further sources of version 2, by its reference. */
const laterSources =
	'Agent page, Android SDK, Center stage, Email, Iframe, iOS SDK, Phone, Qna preview, Salesforce, Search, Zendesk, Zendesk Messaging';

/** Choices with readable names, such as "Taken Over" for `taken_over`. */
export function choicesOf(values: string[]): INodePropertyOptions[] {
	return values.map((value) => ({
		name: specialNames[value] ?? titleFromSnakeCase(value),
		value,
	}));
}

/** Names that Title Case would spell otherwise. */
const specialNames: Partial<Record<string, string>> = {
	'iOS SDK': 'iOS SDK',
	'Qna preview': 'Q&A Preview',
};

function titleFromSnakeCase(value: string): string {
	return value
		.replaceAll('_', ' ')
		.replace(/\b(?!or\b)[a-z]/g, (letter) => letter.toUpperCase());
}

const sources = `${commonSources}, ${laterSources}`.split(', ');

export const sourceFilter = anyOfFilter(
	'Channels',
	'source',
	'Only conversations of these channels',
	choicesOf(sources.sort((one, other) => one.localeCompare(other))),
);

/** Filters of a list of version 1. */
export const sourceFields = [
	anyOfFilter(
		'Channels',
		'sources',
		'Only conversations of these channels',
		choicesOf(commonSources.split(', ')),
	),
	anyOfFilter(
		'Other Channels',
		'otherSources',
		'Channels that are not in the list of Channels',
		'e.g. Telegram, Email',
	),
];

/** Lists the newest conversations of all channels. The service searches titles and messages of the last twelve months. */
const searchConversations: ListSearch = async function (filter, paginationToken) {
	const words = filter?.trim();
	const request = words
		? { path: searchPath, query: { query: words, limit: 20 } }
		: { path: exportPath, query: { include: 'summary', limit: 20 } };
	const list = cursorPages(await panelClient(this), {
		...request,
		resource: 'agentConversations',
		params: { chatbotId: requireChatbot(this) },
	});

	return await choicesOn(list, paginationToken, ({ id, title, createdAt }) => {
		const time = readTimestamp(createdAt);
		const moment = time === undefined ? '' : ` (${momentText(time, this.getTimezone())})`;
		return { name: `${String(title || 'No title')}${moment}`, value: String(id) };
	});
};

export const conversationIdField = serviceIdField('conversationId', 'Conversation ID', {
	description: 'The conversation to work with',
	...locator({ searchConversations }, 'a conversation', {
		placeholder: 'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
		hint: 'Export, Search and Send Message With Memory return it',
	}),
});

/** Characters that some program shows as a new line. */
const lineBreaks = '\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029';
const lineBreak = new RegExp(`[${lineBreaks}]`);

/** The characters around names in a transcript, including the colons of other scripts. */
const aroundNames = /[:\u2236\ua789\ufe13\ufe55\uff1a\p{Ps}\p{Pe}]/gu;

/** A line that begins with this indent belongs to the message above it. */
const indent = '  ';

interface SpokenMessage {
	message: IDataObject;
	/** In milliseconds since 1970. Undefined if the service states no time that can be read. */
	time?: number;
}

type NameSpeaker = (message: IDataObject) => string;

/**
 * Who said what, and when, if the service returns times. In version 1, no document names more than role and content
 * (reference of version 1); in version 2 a message has parts (reference of version 2).
 */
export function transcriptOf(
	messages: unknown,
	timeZone: string,
	nameSpeaker: NameSpeaker = nameOfRole,
): string {
	const spoken: SpokenMessage[] = objectsIn(messages).map((message) => ({
		message,
		time: readTimestamp(message.createdAt ?? message.created_at),
	}));

	if (spoken.every(({ time }) => time !== undefined)) {
		spoken.sort((one, other) => one.time! - other.time!);
	}

	return spoken
		.map(({ message, time }) => {
			const moment = time === undefined ? '' : `[${momentText(time, timeZone)}] `;
			return `${moment}${nameSpeaker(message)}: ${indentedWordsOf(message)}`;
		})
		.join('\n');
}

/** The transcripts of many conversations. It pauses between them, so that n8n can do other work. */
export async function transcriptsOf(
	conversations: IDataObject[],
	timeZone: string,
): Promise<string[]> {
	const transcripts: string[] = [];
	for (const { messages } of conversations) {
		transcripts.push(transcriptOf(messages, timeZone));
		await giveWay();
	}
	return transcripts;
}

/** Further lines are indented, so that a visitor cannot write what looks like a message of somebody else. */
function indentedWordsOf(message: IDataObject): string {
	return wordsOf(message)
		.split(lineBreak)
		.map((line) => line.trimEnd())
		.filter((line) => line !== '')
		.join(`\n${indent}`);
}

/**
 * A name without the characters that surround names. Otherwise, visitors could write a message of somebody else into their
 * own names.
 */
export function nameIn(value: unknown): string {
	return textIn(value).replace(aroundNames, '').split(lineBreak).join(' ').trim();
}

function nameOfRole({ role }: IDataObject): string {
	return capitalize(nameIn(role)) || 'Unknown';
}

/** The text of a message. If it has none, its type, such as an image. */
function wordsOf({ content, parts, type }: IDataObject): string {
	if (Array.isArray(parts)) return wordsOfParts(objectsIn(parts));
	if (typeof content === 'string' && !isBlankText(content)) return content.trim();

	if (typeof content === 'number' || (typeof content === 'object' && content !== null)) {
		return JSON.stringify(content);
	}

	const kind = textIn(type);
	return kind && kind !== 'text' ? `(${kind})` : '(no text)';
}

/** The text of all parts. Texts are joined, unless another part stands between them, such as a tool call. */
function wordsOfParts(parts: IDataObject[]): string {
	const words = parts.map(textOfPart).join('');
	if (!isBlankText(words)) return words.trim();

	const kinds = parts.map(({ type, toolName }) =>
		[type, toolName].filter(Boolean).join(' '),
	);
	return `(${kinds.join(', ') || 'no text'})`;
}

function textOfPart({ type, text }: IDataObject): string {
	const isText = type === 'text' && typeof text === 'string';
	return isText ? text : '\n';
}

/** Whether no line has anything to show. */
function isBlankText(text: string): boolean {
	return text.split(lineBreak).every((line) => line.trim() === '');
}

/** Making a format takes as long as using it a hundred times. */
const momentFormats = new Map<string, Intl.DateTimeFormat>();

/** Day and time to the second. The Swedish format has the order of ISO 8601. */
function momentText(time: number, timeZone: string): string {
	const format = momentFormats.get(timeZone) ?? momentFormatIn(timeZone);
	momentFormats.set(timeZone, format);
	return format.format(time);
}

function momentFormatIn(timeZone: string): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat('sv-SE', {
		timeZone,
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});
}
