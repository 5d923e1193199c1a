/** Spaces, control characters and those that no font shows: a service or a proxy may drop them. */
const invisible = /[\s\u0085\p{Cc}\p{Cf}]/gu;

/**
 * Whether text can be part of a path for everyone who reads it: empty text, `.` and `..` lead to another path, also if they
 * are decoded or trimmed on their way. Half a character can't be encoded.
 */
export function isPathSegment(text: string): boolean {
	if (/\p{Surrogate}/u.test(text)) return false;
	return !['', '.', '..'].includes(decoded(text).replace(invisible, ''));
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
