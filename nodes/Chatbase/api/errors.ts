import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { AvailableSettings, Outcome } from './errorTexts';
import { textFor } from './errorTexts';
import type { ApiResponse } from './response';
import { rejectedForNow } from './retry';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Puts a placeholder in the place of a key that text from outside repeats. */
export function redact(text: string, apiKey: string): string {
	return apiKey === '' ? text : text.split(apiKey).join('[API key]');
}

function quotable(text: string, apiKey: string): string {
	const cut = redact(text, apiKey).replace(/\s+/g, ' ').trim();
	return cut.length > maxQuoteLength ? `${cut.slice(0, maxQuoteLength)} …` : cut;
}

/** Takes out the middle of a text that quotes very long values, since the next step stands at its end. */
export function shorten(text: string): string {
	if (text.length <= 2 * maxQuoteLength) return text;
	return `${text.slice(0, maxQuoteLength)} … ${text.slice(-maxQuoteLength)}`;
}

/** An error as plain text, for output items and agents. */
export function errorText({
	message,
	description,
}: Error & { description?: string | null }): string {
	return description ? `${message}. ${unescapeHtml(description)}` : message;
}

function quoteService({ body, version }: ApiResponse, apiKey: string): string {
	const { message, issues } = version.wordsIn(body);
	const quote = quotable(message, apiKey);
	const list = issues
		.slice(0, maxIssues)
		.map((issue) => `${quotable(issue.field, apiKey)}: ${quotable(issue.message, apiKey)}`)
		.join('; ');
	return [quote && `“${quote}”`, list && `(${list})`].filter(Boolean).join(' ');
}

function effort(response: ApiResponse, outcome: Outcome): string {
	if (rejectedForNow.has(outcome)) {
		return `The node sent the request ${response.attempts} times and waited ${Math.round(response.rateLimitWait / 1000)} seconds.`;
	}
	if (response.attempts > 1) return `The node sent the request ${response.attempts} times.`;
	if (response.mayHaveRun) {
		return 'The node did not send the request again, because it may have been carried out: look before you repeat it.';
	}
	return '';
}

/**
 * Says what came of a request: what happened as the title; what the service says, what the node tried and what to do
 * next as the description. Nothing of the request is attached, so no header can leak with the error.
 */
export function failureOf(
	node: INode,
	response: ApiResponse,
	outcome: Outcome,
	apiKey: string,
	place: AvailableSettings,
): NodeApiError {
	const { body, version } = response;
	const words = quoteService(response, apiKey);
	const { title, nextStep, setting } = textFor(
		outcome,
		response,
		(topic) => version.isAbout(body, topic),
		version.codeIn(body),
	);
	const sentences = [
		words && `The service says: ${words}.`,
		effort(response, outcome),
		nextStep,
		setting && place[setting.of] ? setting.hint : '',
	];
	return new NodeApiError(
		node,
		{},
		{
			message: title,
			description: escapeHtml(sentences.filter(Boolean).join(' ')),
			httpCode: response.status === undefined ? undefined : String(response.status),
		},
	);
}

const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
const characters = Object.fromEntries(
	Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Makes text safe for the description of an error, which n8n 2.41 renders as HTML. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}

export function unescapeHtml(html: string): string {
	return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]);
}
