/** The tables of docs/troubleshooting.md, made from all errors of the node, grouped by what they are about. */
import { errorGroups, type ErrorText } from '../../nodes/Chatbase/api/errorTexts';
import { type Cause, ownErrors } from '../../nodes/Chatbase/api/ownErrors';

const start = '<!-- troubleshooting:start -->';
const end = '<!-- troubleshooting:end -->';

interface Row {
	title: string;
	when: string;
	/** Absent for an error of the node, whose next step is in n8n only, with the values that it names. */
	whatToDo?: string;
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

/** Errors that the node makes itself. */
function rowsOfNode(): Row[] {
	return Object.entries(ownErrors).flatMap(([group, errors]) =>
		Object.entries<Cause>(errors).map(([title, { titles = [title], when, help }]) => ({
			title: titles.join('<br>'),
			when: help === undefined ? when : `${when.replace(/\.$/, '')}. ${help}`,
			group: group as Group,
		})),
	);
}

export const troubleshootingRows = () => [...rowsOfRequests(), ...rowsOfNode()];

/** @returns Markdown, without a line break at its end */
export function troubleshootingTables(): string {
	const rows = troubleshootingRows();
	return Object.entries(groups)
		.map(([group, introduction]) => {
			const ofGroup = rows.filter((row) => row.group === group);
			const requests = ofGroup.flatMap(({ title, when, whatToDo }) =>
				whatToDo === undefined ? [] : [[title, when, whatToDo]],
			);
			const own = ofGroup
				.filter(({ whatToDo }) => whatToDo === undefined)
				.map(({ title, when }) => [title, when]);
			return [
				`## ${group}`,
				introduction,
				...tableOf(['The node says', 'When', 'What to do'], requests),
				...tableOf(['The node says, with what to do', 'When'], own),
			].join('\n\n');
		})
		.join('\n\n');
}

function tableOf(head: string[], rows: string[][]): string[] {
	if (rows.length === 0) return [];
	const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))];
	return [lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
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
