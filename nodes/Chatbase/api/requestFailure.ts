/** The failure of a request: what the service says, how often it was asked, and what to do. */
import { abbreviate } from '../values/text';
import type { AvailableSettings, ErrorText } from './errorTexts';
import { Failure } from './failure';
import type { ApiResponse } from './response';
import { rejectedForNow } from './retry';
import { redact } from './secretKeys';
import { textFor } from './textFor';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Four or more quoted values in a row, such as all models that the service accepts. */
const longEnumeration = /((?:"[^"]*"[|, ]+){3})(?:"[^"]*"[|, ]*)+/g;

/** What an operation changes in the failure of a request. */
export interface FailureWords {
	/** What the failure is about, such as the name of a record. It comes first. */
	about?: string;
	/** Replaces all other sentences. */
	instead?: string;
	/** Sentences at the end. */
	more?: readonly string[];
}

interface FailureContext {
	apiKey: string;
	/** The settings that the panel has. */
	available?: AvailableSettings;
	words?: FailureWords;
}

/** The failure of a request, or of a success that is not what the API promises. */
export function requestFailure(response: ApiResponse, context: FailureContext): Failure {
	const { body, version, mayHaveRun, repeatable } = response;
	const outcome = response.outcome ?? 'unexpectedResponse';
	const isUnconfirmedWrite = outcome === 'unexpectedResponse' && repeatable !== 'reads';
	const text = textFor(outcome, {
		method: response.method,
		resource: response.resource,
		isAbout: (topic) => version.isAbout(body, topic),
		code: version.codeIn(body),
	});

	return new Failure({
		title: text.title,
		sentences: sentencesOf(response, text, context),
		mayBeDone: mayHaveRun || isUnconfirmedWrite,
		response,
	});
}

function sentencesOf(
	response: ApiResponse,
	text: ErrorText,
	{ apiKey, available = {}, words = {} }: FailureContext,
): string[] {
	const { about, instead, more = [] } = words;
	if (instead !== undefined) return [instead];

	const quote = quoteService(response, apiKey);
	const sentences = [
		about && `${about}:`,
		quote && `The service says: ${quote}.`,
		!quote && isRefusal(response) && perhapsOfProxy,
		effortOf(response),
		!isUnclear(response) && text.tryAgain,
		text.nextStep,
		available.requestOptions && text.requestOptions,
		available.maxConcurrency && text.maxConcurrency,
		...more,
	];
	return sentences.filter((sentence): sentence is string => Boolean(sentence));
}

/** Every refusal of the service has a message (contract, Errors). */
const perhapsOfProxy =
	'The response has no message of the service, so a proxy or a firewall may have sent it.';

/** A wrong address is answered by whatever is there. Its text says so. */
function isRefusal({ status = 0, outcome }: ApiResponse): boolean {
	return status >= 400 && status < 500 && outcome !== 'wrongAddress';
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

function quotable(text: string, apiKey: string): string {
	const line = redact(text, apiKey)
		.replace(longEnumeration, '$1… ')
		.replace(/\s+/g, ' ')
		.trim();
	return abbreviate(line, maxQuoteLength);
}

/** Whether the service may have done what must not be done twice. */
function isUnclear({ mayHaveRun, repeatable, attempts }: ApiResponse): boolean {
	return mayHaveRun && (repeatable === 'unlessReceived' || attempts === 1);
}

/** How often the request was sent, and what that means. Undefined if it was not sent, since those before it failed. */
function effortOf(response: ApiResponse): string | undefined {
	const { outcome, attempts, rateLimitWait } = response;
	const times = `The node sent the request ${attempts} times`;

	if (attempts === 0) return undefined;

	if (isUnclear(response)) {
		if (attempts > 1) {
			return `${times}, and the service may have done it. Check before you run again.`;
		}
		return 'The node did not send the request again, because the service may have done it. Check before you run again.';
	}

	if (rejectedForNow.has(outcome)) {
		return `${times} and waited ${Math.round(rateLimitWait / 1000)} seconds.`;
	}
	return attempts > 1 ? `${times}.` : undefined;
}
