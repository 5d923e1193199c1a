import {
	codeTexts,
	type ErrorText,
	outcomeTexts,
	resourceCodeTexts,
	subjectTexts,
} from '../nodes/Chatbase/api/errorTexts';
import type { FailureKind } from '../nodes/Chatbase/api/failureKinds';
import type { ApiResource, Subject } from '../nodes/Chatbase/api/subjects';

/** A text of the tables, and what it is for. */
export interface ListedText {
	outcome?: FailureKind;
	subject?: Subject;
	/** Of the service. */
	code?: string;
	text: ErrorText;
}

const entriesOf = <Key extends string, Value>(record: Partial<Record<Key, Value>>) =>
	Object.entries(record) as Array<[Key, Value]>;

/** Those of a code after that code alone. */
export function allErrorTexts(): ListedText[] {
	const byOutcome = entriesOf(outcomeTexts).flatMap(([outcome, text]): ListedText[] => [
		{ outcome, text },
		...entriesOf(subjectTexts[outcome] ?? {}).map(([subject, of]) => ({
			outcome,
			subject,
			text: of,
		})),
	]);

	const ofResources = entriesOf<ApiResource, Record<string, ErrorText>>(resourceCodeTexts).flatMap(
		([subject, texts]) => entriesOf(texts).map(([code, text]) => ({ subject, code, text })),
	);
	const ofCodes = entriesOf<string, ErrorText>(codeTexts).map(([code, text]) => ({ code, text }));
	const codes = [...new Set([...ofCodes, ...ofResources].map(({ code }) => code))];
	const byCode = codes.flatMap((code) =>
		[...ofCodes, ...ofResources].filter((one) => one.code === code),
	);
	return [...byOutcome, ...byCode];
}
