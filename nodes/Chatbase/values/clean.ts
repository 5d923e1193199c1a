/** One cleaning of text, for what people don't see and what spreadsheets add. */
import { textIn } from './text';

/** Most values are clean. Asking this first spares them all further steps. */
const cleanText = /^(?!['=])[!-~](?:[ -~]*[!-~])?$/;

/** Control characters, and characters that no font shows, such as direction marks of address books. */
const invisible = /[\p{Cc}\p{Cf}]/gu;

/** With an apostrophe, a spreadsheet keeps a number as text. */
const quotedNumber = /^'(?=\+?\d+$)/;

/** With `="…"`, exports keep a spreadsheet from changing a value. */
const quotedValue = /^="([^"]*)"$/;

/**
 * Text in Unicode's composed form, without outer spaces, invisible and control characters, an apostrophe before a number,
 * and `="…"` around a value. Cleaning it again changes nothing.
 *
 * Two External IDs, tags or column names mean the same if their cleaned texts are equal.
 */
export function clean(text: string): string {
	if (cleanText.test(text)) return text;

	const cleaned = text
		.replace(invisible, '')
		.trim()
		.normalize('NFC')
		.replace(quotedNumber, '')
		.replace(quotedValue, '$1');
	return cleaned === text ? text : clean(cleaned);
}

/** Like `clean`, for an email or a phone number: hyphens that don't break a line become plain ones. */
export function cleanAddress(text: string): string {
	return clean(text.replaceAll('\u2011', '-'));
}

/** An email in the form for comparisons, or undefined if it is empty. */
export function normalizeEmail(email: unknown): string | undefined {
	return cleanAddress(textIn(email)).toLowerCase() || undefined;
}
