import { type INode, NodeApiError, type NodeOperationError } from 'n8n-workflow';

import { abbreviate } from '../values/list';
import type { AvailableSettings } from './errorTexts';
import { textFor } from './subjects';
import type { Topic } from './versions';
import type { ApiResponse } from './response';
import { rejectedForNow } from './retry';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Four and more quoted values in a row, such as all models that the service accepts. */
const longEnumeration = /((?:"[^"]*"[|, ]+){3})(?:"[^"]*"[|, ]*)+/g;

/** What stands for the key in an error. */
const hiddenKey = '[API key]';

/** Hides the key in text from outside, also where JSON writes its characters with a backslash or as codes. */
export function redact(text: string, apiKey: string): string {
	if (apiKey === '') return text;

	const characters = apiKey.split('').map((character) => {
		const code = character.charCodeAt(0).toString(16).padStart(4, '0');
		const inAnyCase = code.replace(
			/[a-f]/g,
			(digit) => `[${digit}${digit.toUpperCase()}]`,
		);
		return `(?:\\\\?${character.replace(/\W/, '\\$&')}|\\\\u${inAnyCase})`;
	});
	return text.replace(new RegExp(characters.join(''), 'g'), hiddenKey);
}

function quotable(text: string, apiKey: string): string {
	const line = redact(text, apiKey)
		.replace(longEnumeration, '$1… ')
		.replace(/\s+/g, ' ')
		.trim();
	return abbreviate(line, maxQuoteLength);
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

/** Whether the service may have done what must not be done twice. */
function isUnclear({ mayHaveRun, repeatable, attempts }: ApiResponse): boolean {
	return mayHaveRun && (repeatable === 'unlessReceived' || attempts === 1);
}

/** How often the request was sent, and what that means. */
function effort(response: ApiResponse): string {
	const { outcome, attempts, rateLimitWait } = response;
	const times = `The node sent the request ${attempts} times`;

	// The request was not sent, since those before it failed.
	if (attempts === 0) return '';
	if (isUnclear(response)) {
		const sent =
			attempts === 1
				? 'The node did not send the request again, because the service may have done it'
				: `${times}, and the service may have done it`;
		return `${sent}. Check before you run again.`;
	}
	if (rejectedForNow.has(outcome)) {
		return `${times} and waited ${Math.round(rateLimitWait / 1000)} seconds.`;
	}
	return attempts > 1 ? `${times}.` : '';
}

/** Advice that contradicts "Check before you run again". */
const tryAgain = /\bTry again( later)?\.\s*/;

interface ErrorContext {
	apiKey: string;
	/** The settings that the panel has. */
	available?: AvailableSettings;
	words?: ErrorWords;
}

/** What an operation adds to the error of a request. It may quote values; it is escaped here. */
export interface ErrorWords {
	/** Begins the error, such as the name of a record. */
	about?: string;
	/** Stands for all that the error says of the request. */
	instead?: string;
	/** At the end. */
	more?: readonly string[];
}

/** The error of a request. No part of the request is attached, so no header can leak. */
export function requestError(
	node: INode,
	response: ApiResponse,
	{ apiKey, available = {}, words: { about, instead, more = [] } = {} }: ErrorContext,
): NodeApiError {
	const { body, version, outcome = 'unexpectedResponse' } = response;
	const isAbout = (topic: Topic) => version.isAbout(body, topic);
	const text = textFor(outcome, response, isAbout, version.codeIn(body));
	const words = quoteService(response, apiKey);

	const sentences = [
		about && `${about}:`,
		words && `The service says: ${words}.`,
		effort(response),
		isUnclear(response) ? text.nextStep.replace(tryAgain, '') : text.nextStep,
		available.requestOptions && text.requestOptions,
		available.maxConcurrency && text.maxConcurrency,
		...more,
	];
	const description = escapeHtml(instead ?? sentences.filter(Boolean).join(' ').trim());

	const httpCode = response.status?.toString();
	const error = new NodeApiError(
		node,
		{},
		{ message: text.title, description, httpCode },
	);
	const isUnreadable =
		response.repeatable !== 'reads' && outcome === 'unexpectedResponse';
	error.context.mayBeDone = response.mayHaveRun || isUnreadable;

	return error;
}

/** An error that can say whether the service may have done what its item wanted. */
interface MarkedError {
	context: { mayBeDone?: unknown };
	description?: string | null;
}

/** Says of an error whether the service may have done what its item wanted. If it may, the error doesn't say to try again. */
export function markMayBeDone<Failure extends MarkedError>(
	error: Failure,
	isUnknown = true,
): Failure {
	error.context.mayBeDone = isUnknown;
	if (isUnknown) error.description = error.description?.replace(tryAgain, '');
	return error;
}

/** Whether the service may have done what the item of an error wanted. */
export function mayBeDone(error: Partial<MarkedError>): boolean {
	return error.context?.mayBeDone === true;
}

/** An equal error with a separate mark and description, for items that differ in what became of them. */
export function copyOf<Failure extends MarkedError>(error: Failure): Failure {
	const prototype = Object.getPrototypeOf(error) as object;
	const copy = Object.create(
		prototype,
		Object.getOwnPropertyDescriptors(error),
	) as Failure;
	copy.context = { ...error.context };
	return copy;
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
