/** Characters that a service or a proxy may drop: spaces, control characters and those that no font shows. */
const droppedCharacters = /[\s\u0085\p{Cc}\p{Cf}]/gu;

/** Most IDs are of these characters. Asking this first spares them all further steps. */
const plainSegment = /^[\w-]+$/;

/**
 * Whether every service and proxy reads the text as one part of a path. Empty text, `.` and `..` lead to another path, also
 * if they only appear after decoding or trimming. Half of a surrogate pair can't be encoded.
 */
export function isPathSegment(text: string): boolean {
	if (plainSegment.test(text)) return true;
	if (/\p{Surrogate}/u.test(text)) return false;
	return !['', '.', '..'].includes(decoded(text).replace(droppedCharacters, ''));
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** For text that n8n 2.41 shows or sends by email as HTML, such as the description of an error. */
export function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function unescapeHtml(html: string): string {
	return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const maxQuotedLength = 100;

/** Text as errors and hints quote it: of a very long one, only the start. */
export function abbreviate(text: string, maxLength = maxQuotedLength): string {
	if (text.length <= maxLength) return text;

	// An emoji is not cut in half.
	const start = text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '');
	return `${start} …`;
}

/** Removes the middle of a very long text, since an error says what to do at its end. */
export function shorten(text: string, maxLength = 1000): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, maxLength / 2)} … ${text.slice(-maxLength / 2)}`;
}

/** The word with its first letter in upper case. */
export function capitalize(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Text as it is; empty for any other value. */
export function textIn(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
