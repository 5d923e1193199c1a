/** The possible answers about the service: fixed phrases, and what they mean for the node. */

/** Whether the node handles the answer. */
export type Verdict = 'as assumed' | 'handled' | 'DIFFERS' | 'not found out';

export interface Answer {
	verdict: Verdict;
	/** The answer. Never text of the service: `#` stands for a count. */
	words: string;
}

/** What the simulated service does by default, and so most tests of the node assume. */
export const assumed = (words: string): Answer => ({ verdict: 'as assumed', words });

/** Something else, which the node handles. */
export const handled = (words: string): Answer => ({ verdict: 'handled', words });

/** Something that the node handles wrongly. */
export const differs = (words: string): Answer => ({ verdict: 'DIFFERS', words });

/** Nothing, for a reason. */
export const notFoundOut = (words: string): Answer => ({ verdict: 'not found out', words });

/** Which part of a run asks a question. */
export type Part = 'read' | 'write' | 'attributes' | 'chat' | 'pause';

export interface Question<Name extends string = string> {
	part: Part;
	asked: string;
	/** The expected answers by their names. */
	answers: Record<Name, Answer>;
}

type InPart<Asked> = Asked & Pick<Question, 'part'>;

/** Questions that the same part of a run asks. */
export function questionsOf<List extends Record<string, Omit<Question, 'part'>>>(
	part: Part,
	list: List,
): { [Name in keyof List]: InPart<List[Name]> } {
	const entries = Object.entries(list).map(([name, question]) => [name, { part, ...question }]);
	return Object.fromEntries(entries) as { [Name in keyof List]: InPart<List[Name]> };
}
