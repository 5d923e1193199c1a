/** Characters that a service or a proxy may drop: spaces, control characters and those that no font shows. */
const droppedCharacters = /[\s\u0085\p{Cc}\p{Cf}]/gu;

/**
 * Whether every service and proxy reads the text as one part of a path. Empty text, `.` and `..` lead to another path, also
 * if they only appear after decoding or trimming. Half of a surrogate pair can't be encoded.
 */
export function isPathSegment(text: string): boolean {
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
