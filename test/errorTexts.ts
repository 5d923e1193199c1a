import { errorGroups, type ErrorText } from '../nodes/Chatbase/api/errorTexts';
import type { OwnTitle } from '../nodes/Chatbase/api/ownErrors';

/** All texts of errors of requests, by their keys. */
export const allErrorTexts: Array<[key: string, text: ErrorText]> = Object.values(
	errorGroups,
).flatMap((texts) => Object.entries<ErrorText>(texts));

/** The title of an error by its key, for tests that ask which error it is and not for its words. */
export function titleOf(key: string): string {
	const [, text] = allErrorTexts.find(([name]) => name === key) ?? [];
	if (text) return text.title;
	throw new Error(`No error has the key ${key}`);
}

/** The title for an item of contacts without an ID. */
export const emptyId = 'External ID is empty' satisfies OwnTitle;
