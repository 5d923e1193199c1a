import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { AvailableSettings, Outcome } from './errorTexts';
import { textFor } from './errorTexts';
import { escapeHtml, unescapeHtml } from './html';
import type { ApiResponse } from './response';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Puts a placeholder where text from outside repeats the key. */
export function redact(text: string, secret: string): string {
	return secret === '' ? text : text.split(secret).join('[API key]');
}

function quotable(text: string, secret: string): string {
	const cut = redact(text, secret).replace(/\s+/g, ' ').trim();
	return cut.length > maxQuoteLength ? `${cut.slice(0, maxQuoteLength)} …` : cut;
}

/** An error as plain text, for output items and agents: its title, and its description where it has one. */
export function errorText({
	message,
	description,
}: Error & { description?: string | null }): string {
	return description ? `${message}. ${unescapeHtml(description)}` : message;
}

function quoteService({ body, version }: ApiResponse, secret: string) {
	const { message, issues } = version.wordsIn(body);
	return {
		message: quotable(message, secret),
		issues: issues
			.slice(0, maxIssues)
			.map((issue) => `${quotable(issue.field, secret)}: ${quotable(issue.message, secret)}`)
			.join('; '),
	};
}

function effort(response: ApiResponse, outcome: Outcome): string {
	if (outcome === '429') {
		return `The node sent the request ${response.attempts} times and waited ${Math.round(response.rateLimitWait / 1000)} seconds.`;
	}
	if (response.attempts > 1) return `The node sent the request ${response.attempts} times.`;
	if (response.mayHaveRun) {
		return 'The node did not send the request again, because it may have been carried out: look before you repeat it.';
	}
	return '';
}

/**
 * Says what came of a request: what happened as the title; the service's own message and issues,
 * what the node tried, and what to do next as the description (escaped, since n8n renders it).
 *
 * Nothing of the request is attached, so no header can leak with the error.
 *
 * @param node the node that the error is for
 * @param response the response that is not a success
 * @param outcome what the response stands for
 * @param secret the API key, kept out of the text
 * @param place which settings the user has where it happened
 */
export function failureOf(
	node: INode,
	response: ApiResponse,
	outcome: Outcome,
	secret: string,
	place: AvailableSettings,
): NodeApiError {
	const { message, issues } = quoteService(response, secret);
	const { title, nextStep, setting } = textFor(outcome, response, `${message} ${issues}`);
	const words = [message && `“${message}”`, issues && `(${issues})`].filter(Boolean).join(' ');
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
