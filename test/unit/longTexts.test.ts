/** A visitor, a service or a proxy can write a megabyte. Wherever the node reads such text, n8n must not stand still. */
import { isPageMissing } from '../../nodes/Chatbase/api/paginate';
import { fillPath } from '../../nodes/Chatbase/api/request';
import { requestFailure } from '../../nodes/Chatbase/api/requestFailure';
import { isPathSegment, escapeHtml, unescapeHtml, shorten } from '../../nodes/Chatbase/values/text';
import { type ApiResponse, failureKindOf, parseBody } from '../../nodes/Chatbase/api/response';
import { redact } from '../../nodes/Chatbase/api/secretKeys';
import { readBaseUrl } from '../../nodes/Chatbase/api/settings';
import { version1, version2 } from '../../nodes/Chatbase/api/versions';
import { stringList } from '../../nodes/Chatbase/panel/types';
import { isSameValue } from '../../nodes/Chatbase/resources/contact/plan/values';
import { transcriptOf } from '../../nodes/Chatbase/resources/conversation/conversations';
import { emailType } from '../../nodes/Chatbase/resources/ticket/tickets';
import { textOfHtml } from '../../nodes/Chatbase/resources/ticket/get';
import { booleanOf, isBlank, losesDigits, numberOf } from '../../nodes/Chatbase/values/json';
import { firstOf } from '../../nodes/Chatbase/values/list';
import { readDay, readInstant, readLastInstant } from '../../nodes/Chatbase/values/time';
import { caseRuns, longText, processorTime } from '../propertyRuns';

const long = (unit: string) => unit.repeat(longText / unit.length);

/** What patterns have failed at: a long row of one thing, and an end that does not fit. */
const worst = [
	`x${long(' ')}x`,
	`${long('\n')}x`,
	`https://a.b${long('/')}x`,
	`0.1${long('0')}1`,
	`${long('"')}x`,
	long('<'),
	long('a'),
	`a@${long('.a')}@`,
	`${long('0T')}x`,
];

const others = [
	...['\u00a0', '\u2028', '\t ', 'a ', 'A', '1', '.', '0.', '-', '+', '//a', '\\', '"",', '"a", '],
	...['""|', "'", '<a', '>', '</', '&', '&lt;', '%', '%2e', '%20', '{', '[', '(', '( ', ')', ','],
	...[', ', ';', ':', ': ', '@', 'a@', 'T', '0T0Z', 'chatbot ', 'page', 'e-', 'data:', '\r', '👩'],
].flatMap((unit) => [long(unit), `x${long(unit)}\u0000`]);

const texts = [...worst, ...caseRuns(others, 12)];

const key = `${'a'.repeat(31)}b`;

const response: ApiResponse = {
	method: 'POST',
	resource: 'contacts',
	version: version1,
	status: 400,
	outcome: '400',
	repeatable: 'always',
	mayHaveRun: false,
	attempts: 1,
	rateLimitWait: 0,
};
const errorOf = (body: unknown, version = version1) =>
	requestFailure({ ...response, body, version }, { apiKey: key, baseUrl: '' }).text;

const places: Record<string, (text: string) => unknown> = {
	'the message of an error': (text) => errorOf({ message: text }),
	'an issue of an error': (text) =>
		errorOf({ message: 'No', issues: [{ field: text, message: text }] }),
	'an error of version 2': (text) =>
		errorOf({ error: { code: text, message: text, details: { [text]: [text] } } }, version2),
	'a page of HTML in the place of an error': (text) => errorOf(`<html>${text}`),
	'the meaning of a 404': (text) =>
		[version1, version2].map((version) => failureKindOf(404, { message: text }, version)),
	'the end of a list': (text) => isPageMissing({ ...response, body: { message: text } }),
	'the key in a text': (text) => redact(text, key),
	'a text for HTML': (text) => unescapeHtml(shorten(escapeHtml(text)) + escapeHtml(text)),
	'a body that is no JSON': parseBody,
	'a body of JSON': (text) => parseBody(JSON.stringify({ text, list: [text, 1e21] })),
	'a number in a body': (text) => parseBody(`{"a":${text.replace(/[^\d.]/g, '') || '1'}}`),
	'a Base URL': readBaseUrl,
	'a part of a path': (text) => isPathSegment(text) && fillPath('/a/{id}', { id: text }),
	'a number': (text) => [
		numberOf(text),
		losesDigits(text),
		losesDigits(`12345678901234567${text}`),
	],
	'a boolean': (text) => [booleanOf(text), isBlank(text)],
	'a date': (text) => [
		readInstant(text, 'UTC'),
		readLastInstant(text, 'UTC'),
		readDay(text, 'UTC'),
	],
	'a list of texts': (text) => stringList.read(text),
	'a name in a hint': (text) => escapeHtml(firstOf([text, text])),
	'an email': (text) => emailType.read(text),
	'a message in a transcript': (text) =>
		transcriptOf([{ role: text, content: text, createdAt: text }], 'UTC'),
	'a message of HTML': textOfHtml,
	'a custom attribute of a contact': (text) => isSameValue(text, '1'),
};

it.each(Object.entries(places))(
	'%s can be long, whatever it says, without holding n8n',
	async (_, read) => {
		for (const text of texts) {
			const took = await processorTime(() => read(text));
			// One pass takes milliseconds. A pattern that looks at the rest again and again takes many minutes.
			expect([took < 5, took < 5 ? '' : text.slice(0, 20)]).toEqual([true, '']);
		}
	},
	120_000,
);
