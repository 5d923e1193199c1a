/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The tables of docs/troubleshooting.md, made from all errors of the node, grouped by what they are about. */
import { resolve } from 'node:path';

import { errorGroups, type ErrorText } from '../../nodes/Chatbase/api/errorTexts';
import { type Cause, causes } from './causes';
import { type OwnError, ownErrors } from './titles';

const start = '<!-- troubleshooting:start -->';
const end = '<!-- troubleshooting:end -->';

interface Row {
	title: string;
	when: string;
	whatToDo: string;
	group: Group;
}

/** The groups in their order, each with what to read first. */
const groups = {
	'Credential and connection': '[The credential](credential.md) explains its fields and its test.',
	'Access and limits': '[Plans](credential.md#plans) says which plan each part needs.',
	'Any operation': 'The title begins with the field, where … stands for it.',
	Chat: '[Chat](chat.md) explains conversations and memory.',
	Chatbots: '[Chatbots and settings](chatbots.md) has the details.',
	Contacts:
		'[Contacts](contacts.md) explains External ID, automatic mapping and which values are equal.',
	Mirror:
		'[Mirror](mirror.md) explains the complete list and the safety limit. The texts are the same for contacts and sources.',
	'Custom attributes': '[Custom attributes](contacts.md#custom-attributes) has the details.',
	Conversations: '[Conversations](conversations.md) says what each operation reads.',
	Sources: '[Knowledge](knowledge.md) explains sources, files and what the node remembers.',
	Tickets: '[Tickets](tickets.md) has the details.',
	'WhatsApp templates': '[WhatsApp templates](whatsapp.md) has the details.',
	Trigger: '[Trigger](trigger.md) says what it can see.',
};

type Group = keyof typeof groups;

/** Where an error stands by the beginning of its file; the first that fits. */
const groupsOfFiles: Array<[start: string, group: Group]> = [
	['Chatbase/api/', 'Credential and connection'],
	['Chatbase/resources/chat/', 'Chat'],
	['Chatbase/resources/chatbot', 'Chatbots'],
	['Chatbase/resources/contact/mirror', 'Mirror'],
	['Chatbase/resources/contact/ownership', 'Mirror'],
	['Chatbase/resources/contact/', 'Contacts'],
	['Chatbase/resources/conversation/', 'Conversations'],
	['Chatbase/resources/customAttribute/', 'Custom attributes'],
	['Chatbase/resources/source/', 'Sources'],
	['Chatbase/resources/ticket/', 'Tickets'],
	['Chatbase/resources/whatsAppTemplate/', 'WhatsApp templates'],
	['Chatbase/sync/', 'Mirror'],
	['ChatbaseTrigger/', 'Trigger'],
	['', 'Any operation'],
];

/** Errors of a request. */
function rowsOfRequests(): Row[] {
	return Object.entries(errorGroups).flatMap(([group, texts]) =>
		Object.values<ErrorText>(texts).map((text) => rowOf(text, group as Group)),
	);
}

function rowOf(text: ErrorText, group: Group): Row {
	const { title, when, nextStep, requestOptions, maxConcurrency, advice } = text;
	const whatToDo = [nextStep, requestOptions, maxConcurrency, advice].filter(Boolean).join(' ');
	return { title, when, whatToDo, group };
}

/** Errors that the node makes itself. One title has one row in a group. */
function rowsOfNode(): Row[] {
	const rows = new Map<string, Row>();
	for (const { title, nextStep, file } of shownErrors()) {
		const [, group] = groupsOfFiles.find(([path]) => file.startsWith(path))!;
		const { titles = [title], when, whatToDo, more = '' }: Cause = causes[title] ?? { when: '' };
		const key = `${group}: ${title}`;
		const known = rows.get(key)?.whatToDo.replace(more, '').trim() ?? '';
		const own = wordsOf(nextStep);
		const steps = known.includes(own) ? [known] : [known, own];
		rows.set(key, {
			title: titles.join('<br>'),
			when,
			whatToDo: [...(whatToDo ? [whatToDo] : steps), more].filter(Boolean).join(' '),
			group,
		});
	}
	return [...rows.values()];
}

/** No item fails with it: its request was not sent. */
const neverShown = 'The run has stopped';

/** A title that is nothing but a value is read from the texts of requests. */
const shownErrors = (): OwnError[] =>
	ownErrors(resolve('nodes')).filter(
		({ title, file }) =>
			!['…', neverShown].includes(title) && file !== 'Chatbase/api/errorTexts.ts',
	);

/** The sentences of a next step that are the same in every error. */
function wordsOf(nextStep: string): string {
	const sentences = nextStep.split(/(?<=\.) /);
	return sentences.filter((sentence) => !sentence.includes('…')).join(' ');
}

/** The titles that have no cause, and the causes that have no title. */
export function gapsIn(all: Record<string, unknown>): { missing: string[]; unused: string[] } {
	const titles = new Set(shownErrors().map(({ title }) => title));
	return {
		missing: [...titles].filter((title) => !(title in all)),
		unused: Object.keys(all).filter((title) => !titles.has(title)),
	};
}

export const troubleshootingRows = () => [...rowsOfRequests(), ...rowsOfNode()];

/** @returns Markdown, without a line break at its end */
export function troubleshootingTables(): string {
	const rows = troubleshootingRows();
	return Object.entries(groups)
		.map(([group, introduction]) => {
			const lines = rows
				.filter((row) => row.group === group)
				.map(({ title, when, whatToDo }) => `| ${[title, when, whatToDo].map(cell).join(' | ')} |`);
			const table = ['| The node says | When | What to do |', '| --- | --- | --- |', ...lines];
			return `## ${group}\n\n${introduction}\n\n${table.join('\n')}`;
		})
		.join('\n\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');

/**
 * @param document text with both markers
 * @returns the text with the tables between them
 * @throws Error when a marker is missing
 */
export function withTroubleshooting(document: string): string {
	const before = document.indexOf(start);
	const after = document.indexOf(end);
	if (before < 0 || after < before) throw new Error('The document has no markers for the table');
	return `${document.slice(0, before + start.length)}\n\n${troubleshootingTables()}\n\n${document.slice(after)}`;
}
