/** The failure of a request: what the service says, how often it was asked, and what to do. */
import { abbreviate } from '../values/text';
import { type AvailableSettings, type ErrorText, textFor } from './errorTexts';
import { Failure } from './failure';
import type { ApiResponse } from './response';
import { rejectedForNow } from './retry';
import { redact } from './secretKeys';

const maxQuoteLength = 500;
const maxIssues = 10;

/** Four or more quoted values in a row, such as all models that the service accepts. */
const longEnumeration = /((?:"[^"]*"[|, ]+){3})(?:"[^"]*"[|, ]*)+/g;

interface FailureContext {
	apiKey: string;
	baseUrl: string;
	/** The settings that the panel has. */
	available?: AvailableSettings;
}

/** The failure of a request, or of a success that is not what the API promises. */
export function requestFailure(response: ApiResponse, context: FailureContext): Failure {
	const { body, version, mayHaveRun, repeatable } = response;
	const outcome = response.outcome ?? 'unexpectedResponse';
	const isUnconfirmed = outcome === 'unexpectedResponse' && repeatable !== 'reads';
	const text = textFor(outcome, {
		method: response.method,
		resource: response.resource,
		isAbout: (topic) => version.isAbout(body, topic),
		code: version.codeIn(body),
	});

	return new Failure({
		title: text.title,
		sentences: sentencesOf(response, text, context),
		advice: text.advice,
		written: mayHaveRun || isUnconfirmed ? 'unknown' : 'no',
		response,
	});
}

function sentencesOf(
	response: ApiResponse,
	text: ErrorText,
	{ apiKey, baseUrl, available = {} }: FailureContext,
): string[] {
	const quote = quoteService(response, apiKey);
	const sentences = [
		quote && `The service says: ${quote}.`,
		effortOf(response),
		text.nextStep,
		response.outcome === '404' && !baseUrl.endsWith('/v1') && unusualAddress,
		available.requestOptions && text.requestOptions,
		available.maxConcurrency && text.maxConcurrency,
	];
	return sentences.filter((sentence): sentence is string => Boolean(sentence));
}

/** Behind such a Base URL, something else may answer, in other words than those by which a wrong address is known. */
const unusualAddress =
	'Check the Base URL of the credential, too: it does not end in /v1.';

function quoteService({ body, version }: ApiResponse, apiKey: string): string {
	const { message, issues } = version.wordsIn(body);
	const quote = quotable(message, apiKey);
	const list = issues
		.map((issue) => issue.map((part) => quotable(part, apiKey)).filter(Boolean))
		.filter((issue) => issue.length > 0)
		.slice(0, maxIssues)
		.map((issue) => issue.join(': '))
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

/** How often the request was sent, and what that means. Undefined if there is nothing to say. */
function effortOf(response: ApiResponse): string | undefined {
	const { outcome, attempts, mayHaveRun, repeatable, rateLimitWait } = response;
	const times = `The node sent the request ${attempts} times`;

	// What must not be done twice may have been done.
	if (mayHaveRun && repeatable === 'unlessReceived') {
		const sent =
			attempts > 1 ? `${times}, and` : 'The node did not send the request again, because';
		return `${sent} the service may have done it. Check before you run again.`;
	}

	if (attempts <= 1) return undefined;
	if (rejectedForNow.has(outcome)) {
		return `${times} and waited ${Math.round(rateLimitWait / 1000)} seconds.`;
	}
	return `${times}.`;
}
