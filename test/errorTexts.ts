import { errorGroups, type ErrorText } from '../nodes/Chatbase/api/errorTexts';

/** All texts of errors of requests, by their keys. */
export const allErrorTexts: Array<[key: string, text: ErrorText]> = Object.values(
	errorGroups,
).flatMap((texts) => Object.entries<ErrorText>(texts));
