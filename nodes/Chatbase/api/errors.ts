import { type INode, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import type { AvailableSettings } from './errorTexts';
import { textFor } from './subjects';
import { type ApiResponse, redact } from './response';
import { rejectedForNow } from './retry';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Four and more quoted values in a row, such as all models that the service accepts. */
const longEnumeration = /((?:"[^"]*"[|, ]+){3})(?:"[^"]*"[|, ]*)+/g;

function quotable(text: string, apiKey: string): string {
	const cut = redact(text, apiKey).replace(longEnumeration, '$1… ').replace(/\s+/g, ' ').trim();
	return cut.length > maxQuoteLength ? `${cut.slice(0, maxQuoteLength)} …` : cut;
}

/** Removes the middle of a very long text, since the next step is at its end. */
export function shorten(text: string): string {
	if (text.length <= 2 * maxQuoteLength) return text;
	return `${text.slice(0, maxQuoteLength)} … ${text.slice(-maxQuoteLength)}`;
}

/** An error as plain text, for output items and agents. */
export function errorText(error: Error & { description?: string | null }): string {
	const { message, description } = error;
	return description ? `${message}. ${unescapeHtml(description)}` : message;
}

function quoteService({ body, version }: ApiResponse, apiKey: string): string {
	const { message, issues } = version.wordsIn(body);
	const quote = quotable(message, apiKey);
	const list = issues
		.slice(0, maxIssues)
		.map((issue) => issue.map((part) => quotable(part, apiKey)).join(': '))
		.join('; ');
	return [quote && `"${quote}"`, list && `(${list})`].filter(Boolean).join(' ');
}

function effort({ outcome, attempts, rateLimitWait, mayHaveRun }: ApiResponse): string {
	// The request was not sent, since those before it failed.
	if (attempts === 0) return '';
	if (rejectedForNow.has(outcome)) {
		return `The node sent the request ${attempts} times and waited ${Math.round(rateLimitWait / 1000)} seconds.`;
	}
	if (attempts > 1) return `The node sent the request ${attempts} times.`;
	return mayHaveRun
		? 'The node did not send the request again, because the service may have done it. Check before you run again.'
		: '';
}

/** The error of a request. No part of the request is attached, so no header can leak. */
export function requestError(
	node: INode,
	response: ApiResponse,
	apiKey: string,
	available: AvailableSettings = {},
): NodeApiError {
	const { body, version, outcome = 'unexpectedResponse' } = response;
	const words = quoteService(response, apiKey);
	const { title, nextStep, requestOptions, maxConcurrency } = textFor(
		outcome,
		response,
		(topic) => version.isAbout(body, topic),
		version.codeIn(body),
	);
	const sentences = [
		words && `The service says: ${words}.`,
		effort(response),
		nextStep,
		available.requestOptions && requestOptions,
		available.maxConcurrency && maxConcurrency,
	];
	const description = escapeHtml(sentences.filter(Boolean).join(' '));
	const httpCode = response.status?.toString();
	return new NodeApiError(node, {}, { message: title, description, httpCode });
}

/** Adds a sentence at the end of an error. It may quote values; it is escaped here. */
export function withSentence<Failure extends NodeApiError | NodeOperationError>(
	error: Failure,
	sentence: string,
): Failure {
	error.description = `${error.description ?? ''} ${escapeHtml(sentence)}`.trim();
	return error;
}

/** Escapes text for the description of an error, which n8n 2.41 renders as HTML, and sends to mails as it is. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function unescapeHtml(html: string): string {
	return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
