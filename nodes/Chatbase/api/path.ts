/**
 * Fills the placeholders of a path such as `/chatbots/{chatbotId}/contacts`, each value encoded
 * as one path segment so that it can never lead to another path.
 *
 * @param template path with `{name}` placeholders
 * @param values text for each placeholder: not blank, neither `.` nor `..`, and without half a character, as
 *   `isPathSegment` has it
 */
export function fillPath(template: string, values: Record<string, string>): string {
	return template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]));
}

/** Whether text can be a part of a path: `.` and `..` lead to another path, half a character cannot be encoded. */
export function isPathSegment(text: string): boolean {
	return text.trim() !== '' && !/^\.{1,2}$|\p{Surrogate}/u.test(text);
}
