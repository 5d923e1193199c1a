/** The table of docs/troubleshooting.md, made from the node's error texts. */
import { type ErrorText, errorTexts, type FailureKind } from '../../nodes/Chatbase/api/errorTexts';
import { type ApiResource, textFor } from '../../nodes/Chatbase/api/subjects';
import { Topic } from '../../nodes/Chatbase/api/versions';

const start = '<!-- troubleshooting:start -->';
const end = '<!-- troubleshooting:end -->';

/** When each outcome is met, in the order of the table. */
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

/** When a special text is met, if that is not when the usual one is. */
const specialOccasions: Record<string, string> = {
	'429 file': 'Status 429, after 10 minutes of waiting',
};

/** The subject of an outcome in the table. */
const subjects: Record<string, string> = {
	agent: 'operations of version 2',
	agentChat: 'Chat: Send Message With Memory, By ID',
	agentNewChat: 'Chat: Send Message With Memory, a new conversation',
	agentUserChat: 'Chat: Send Message With Memory, Latest of a User',
	agentConversation: 'Conversation: Pause, Resume',
	agentConversations: 'Conversation: Export, Get, Search',
	agentSource: 'Source',
	agentTicket: 'Ticket',
	chat: 'Chat',
	contact: 'Contact',
	contacts: 'Contact, for new contacts',
	customAttribute: 'Custom Attribute',
	file: 'Source, with a file',
	attributeValue: 'Contact, about a custom attribute',
	email: 'about the email',
	externalId: 'about the External ID',
	phone: 'about the phone number',
	model: 'about the model',
};

function subjectOf(word: string): string {
	const subject = subjects[word];
	if (subject === undefined) throw new Error(`The table has no words for "${word}"`);
	return subject;
}

/** The subjects of a 404 that the service names. */
const missing: Array<ApiResource & Topic> = ['contact', 'customAttribute'];

/** @returns a Markdown table, without a line break at its end */
export function troubleshootingTable(): string {
	const rows = (Object.keys(occasions) as FailureKind[]).flatMap((outcome) => {
		const special = Object.entries(errorTexts as Record<string, ErrorText>).filter(([meaning]) =>
			meaning.startsWith(`${outcome} `),
		);
		const named = special.map(([meaning, text]) =>
			row(
				text,
				`${specialOccasions[meaning] ?? occasions[outcome]}, ${subjectOf(meaning.split(' ')[1])}`,
			),
		);
		const told = missing.map((resource) =>
			row(
				textFor('404', { method: 'GET', resource }, (topic) => topic === resource),
				`${occasions['404']}, and the service says which`,
			),
		);
		const rest = outcome === '404' ? told : [];
		return [row(errorTexts[outcome], occasions[outcome]), ...named, ...rest];
	});
	const codes = Object.entries(errorTexts as Record<string, ErrorText>)
		.filter(([meaning]) => meaning.startsWith('code '))
		.map(([meaning, text]) => {
			const [, code, resource] = meaning.split(' ');
			return row(text, `Code \`${code}\`${resource ? `, ${subjectOf(resource)}` : ''}`);
		});
	return ['| The node says | When | What to do |', '| --- | --- | --- |', ...rows, ...codes].join(
		'\n',
	);
}

function row(text: ErrorText, occasion: string): string {
	const { title, nextStep, requestOptions, maxConcurrency } = text;
	const advice = [nextStep, requestOptions, maxConcurrency].filter(Boolean).join(' ');
	return `| ${title} | ${occasion} | ${advice} |`;
}

/**
 * @param document text with both markers
 * @returns the text with the table between them
 * @throws Error when a marker is missing
 */
export function withTroubleshooting(document: string): string {
	const before = document.indexOf(start);
	const after = document.indexOf(end);
	if (before < 0 || after < before) throw new Error('The document has no markers for the table');
	return `${document.slice(0, before + start.length)}\n\n${troubleshootingTable()}\n\n${document.slice(after)}`;
}
