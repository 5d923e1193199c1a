/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The tables of docs/troubleshooting.md, made from all errors of the node, grouped by what they are about. */
import { resolve } from 'node:path';

import type { ErrorText } from '../../nodes/Chatbase/api/errorTexts';
import type { FailureKind } from '../../nodes/Chatbase/api/failureKinds';
import type { ApiResource } from '../../nodes/Chatbase/api/subjects';
import { textFor } from '../../nodes/Chatbase/api/textFor';
import type { Topic } from '../../nodes/Chatbase/api/versions';
import { allErrorTexts } from '../errorTexts';
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

/** Where a code of the service stands, by its beginning. */
const groupsOfCodes: Array<[start: RegExp, group: Group]> = [
	[/^(CONVERSATION_SEARCH|RESOURCE_MESSAGE)/, 'Conversations'],
	[/^(CONVERSATION_NOT_TAKEN|HELPDESK|MESSAGE_CONTENT|TEAM_|TICKET)/, 'Tickets'],
	[/^(CHAT_|RESOURCE_NOT_FOUND)/, 'Chat'],
	[/^SOURCE/, 'Sources'],
	[/^(AUTH|SUBSCRIPTION)/, 'Access and limits'],
	[/^AGENT/, 'Chatbots'],
	[/./, 'WhatsApp templates'],
];

/** When each outcome is met, in the order of the tables. */
const occasions: Record<FailureKind, string> = {
	'400': 'Status 400',
	'401': 'Status 401',
	'402': 'Status 402',
	'403': 'Status 403',
	'404': 'Status 404',
	'409': 'Status 409',
	'413': 'Status 413',
	'422': 'Status 422',
	'429': 'Status 429, after a minute of waiting',
	'4xx': 'Another status from 400 to 499',
	'5xx': 'Status 500 or above, after three retries',
	maintenance: 'Code `SERVICE_UNDER_MAINTENANCE`, after a minute of waiting',
	disabled: 'Code `ENDPOINT_TEMPORARILY_DISABLED`',
	redirect: 'Status 300 to 399',
	refused: 'The connection is refused',
	hostNotFound: 'The host has no address',
	proxyUnreachable: 'The Proxy refuses the connection or has no address',
	proxyLogin: 'Status 407',
	certificate: 'TLS fails',
	timeout: 'The Timeout has passed, after three retries',
	broken: 'The connection breaks, after three retries',
	unreadable: 'The response is packed in an encoding and damaged',
	tooLarge: 'The response has more than 512 MB of text',
	wrongAddress: 'Status 404 in other words than those of the API, such as a page of HTML',
	unexpectedResponse: 'Status 200 with HTML, cut JSON or something else',
	streamedFailure: 'An event of an error in a streamed answer',
};

/** Outcomes that are about the address and the way to it. */
const aboutConnection = new Set<FailureKind>([
	'redirect',
	'refused',
	'hostNotFound',
	'proxyUnreachable',
	'proxyLogin',
	'certificate',
	'timeout',
	'broken',
	'unreadable',
	'tooLarge',
	'wrongAddress',
	'unexpectedResponse',
	'401',
]);

/** When a special text is met, if that is not when the usual one is. */
const specialOccasions: Record<string, string> = {
	'429 file': 'Status 429, after 10 minutes of waiting',
};

interface Subject {
	words: string;
	group: Group;
}

/** The subject of an outcome in the tables. */
const subjects: Record<string, Subject> = {
	agent: { words: 'operations of version 2', group: 'Access and limits' },
	agentChat: { words: '*Chat: Send Message With Memory*, By ID', group: 'Chat' },
	agentNewChat: {
		words: '*Chat: Send Message With Memory*, a new conversation',
		group: 'Chat',
	},
	agentUserChat: {
		words: '*Chat: Send Message With Memory*, Latest of a User',
		group: 'Chat',
	},
	agentConversation: { words: '*Conversation: Pause*, *Resume*', group: 'Conversations' },
	agentConversations: {
		words: '*Conversation: Export*, *Get*, *Search*',
		group: 'Conversations',
	},
	agentMessage: { words: '*Conversation: Rate Answer*', group: 'Conversations' },
	agentSource: { words: 'Source', group: 'Sources' },
	agentTicket: { words: 'Ticket', group: 'Tickets' },
	chat: { words: 'Chat', group: 'Chat' },
	contact: { words: 'Contact', group: 'Contacts' },
	contacts: { words: 'Contact, for new contacts', group: 'Contacts' },
	customAttribute: { words: 'Custom Attribute', group: 'Custom attributes' },
	file: { words: 'Source, with a file', group: 'Sources' },
	attributeValue: { words: 'Contact, about a custom attribute', group: 'Contacts' },
	contactLimit: { words: 'about the number of contacts', group: 'Contacts' },
	email: { words: 'about the email', group: 'Contacts' },
	externalId: { words: 'about the External ID', group: 'Contacts' },
	phone: { words: 'about the phone number', group: 'Contacts' },
	model: { words: 'about the model', group: 'Chat' },
};

function subjectOf(word: string): Subject {
	const subject = subjects[word];
	if (subject === undefined) throw new Error(`The table has no words for "${word}"`);
	return subject;
}

/** The subjects of a 404 that the service names. */
const missing: Array<ApiResource & Topic> = ['contact', 'customAttribute'];

/** Errors of a request: by its outcome, its subject and the code of the service. */
function rowsOfRequests(): Row[] {
	const outcomes = Object.keys(occasions) as FailureKind[];
	const texts = allErrorTexts();
	const byOutcome = outcomes.flatMap((outcome): Row[] => {
		const usual = aboutConnection.has(outcome) ? 'Credential and connection' : 'Access and limits';
		const group = outcome === 'streamedFailure' ? 'Chat' : usual;
		const listed = texts
			.filter((one) => one.outcome === outcome)
			.map(({ subject, text }) => {
				if (subject === undefined) return rowOf(text, occasions[outcome], group);
				const about = subjectOf(subject);
				const when = specialOccasions[`${outcome} ${subject}`] ?? occasions[outcome];
				return rowOf(text, `${when}, ${about.words}`, about.group);
			});
		const told = missing.map((resource) => {
			const isAbout = (topic: Topic) => topic === resource;
			const text = textFor('404', { method: 'GET', resource, isAbout });
			const about = subjectOf(resource);
			return rowOf(text, `${occasions['404']}, and the service says which`, about.group);
		});
		return outcome === '404' ? [...listed, ...told] : listed;
	});
	const byCode = texts.flatMap(({ code, subject, text }) => {
		if (code === undefined) return [];
		const about = subject === undefined ? undefined : subjectOf(subject);
		const [, group] = groupsOfCodes.find(([pattern]) => pattern.test(code))!;
		const words = about ? `, ${about.words}` : '';
		return [rowOf(text, `Code \`${code}\`${words}`, about?.group ?? group)];
	});
	return [...byOutcome, ...byCode];
}

function rowOf(text: ErrorText, when: string, group: Group): Row {
	const { title, nextStep, requestOptions, maxConcurrency, advice } = text;
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
