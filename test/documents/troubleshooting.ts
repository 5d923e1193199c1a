/** The table of docs/troubleshooting.md, made from the texts that the node shows. */
import type { ErrorText, Outcome, ApiResource } from '../../nodes/Chatbase/api/errorTexts';
import { errorTexts, textFor } from '../../nodes/Chatbase/api/errorTexts';

const start = '<!-- troubleshooting:start -->';
const end = '<!-- troubleshooting:end -->';

/** When each outcome is met, in the order of the table. */
const occasions: Record<Outcome, string> = {
	'400': 'Status 400',
	'401': 'Status 401',
	'403': 'Status 403',
	'404': 'Status 404',
	'409': 'Status 409',
	'413': 'Status 413',
	'429': 'Status 429, after a minute of waiting',
	'4xx': 'Another status from 400 to 499',
	'5xx': 'Status 500 or above, after three retries',
	redirect: 'Status 300 to 399',
	refused: 'The connection is refused',
	hostNotFound: 'The host has no address',
	certificate: 'TLS fails',
	timeout: 'The Timeout has passed, after three retries',
	broken: 'The connection breaks, after three retries',
	unreadable: 'The response is packed in an encoding and damaged',
	wrongAddress: 'Status 404 in other words than those of the API, such as a page of HTML',
	unexpectedResponse: 'Status 200 with HTML, cut JSON or something else',
};

/** How the table calls what a request is about. */
const subjects: Record<ApiResource, string> = {
	chat: 'Chat',
	chatbot: 'Chatbot',
	chatbotSettings: 'Chatbot Settings',
	contact: 'Contact',
	conversation: 'Conversation',
	customAttribute: 'Custom Attribute',
	lead: 'Lead',
};

/** Responses that say which of two things is missing. */
const missing: Array<[subject: ApiResource, path: string, message: string]> = [
	['contact', '/chatbots/bot/contacts/id', 'Contact not found'],
	['customAttribute', '/chatbots/bot/custom-attributes/name', 'Custom attribute not found'],
];

/** @returns a Markdown table, without a line break at its end */
export function troubleshootingTable(): string {
	const rows = (Object.keys(occasions) as Outcome[]).flatMap((outcome) => {
		const { any, ...special } = errorTexts[outcome];
		const named = (Object.entries(special) as Array<[ApiResource, ErrorText]>).map(
			([subject, text]) => row(text, `${occasions[outcome]}, ${subjects[subject]}`),
		);
		const told = missing.map(([subject, path, message]) =>
			row(
				textFor('404', subject, { method: 'GET', path }, message),
				`${occasions['404']}, and the service says which`,
			),
		);
		return [row(any, occasions[outcome]), ...named, ...(outcome === '404' ? told : [])];
	});
	return ['| The node says | When | What to do |', '| --- | --- | --- |', ...rows].join('\n');
}

function row({ title, nextStep, setting }: ErrorText, occasion: string): string {
	const advice = setting ? `${nextStep} ${setting.hint}` : nextStep;
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
