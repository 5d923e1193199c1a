/** What can be said about the service: words that are written here beforehand, and what they mean for the node. */

/** Whether the node is right as it is. */
export type Verdict = 'as assumed' | 'handled' | 'DIFFERS' | 'not found out';

export interface Answer {
	verdict: Verdict;
	/** What came. Never text of the service: `#` stands for a count. */
	words: string;
}

/** What the documents say, or what the node takes for granted. */
export const asAssumed = (words: string): Answer => ({ verdict: 'as assumed', words });

/** Something else, for which the node is made as well. */
export const handled = (words: string): Answer => ({ verdict: 'handled', words });

/** Something that the node gets wrong. */
export const differs = (words: string): Answer => ({ verdict: 'DIFFERS', words });

export const notFoundOut = (words: string): Answer => ({ verdict: 'not found out', words });

/** Which part of a run asks a question. */
export type Part = 'read' | 'write' | 'attributes' | 'chat';

export interface Question<Key extends string | number = string> {
	part: Part;
	asked: string;
	/** What the node assumes. */
	assumed: string;
	/** The answers that were foreseen, by a name that stays the same in the JSON. */
	answers: Record<Key, Answer>;
}

/** Questions of one part, each as what is asked, what the node assumes, and the answers that were foreseen. */
export function questionsOf<Answers extends Record<string, Record<string, Answer>>>(
	part: Part,
	questions: { [Name in keyof Answers]: [asked: string, assumed: string, answers: Answers[Name]] },
): { [Name in keyof Answers]: Question<Extract<keyof Answers[Name], string | number>> } {
	return Object.fromEntries(
		Object.entries<[string, string, Record<string, Answer>]>(questions).map(
			([name, [asked, assumed, answers]]) => [name, { part, asked, assumed, answers }],
		),
	) as never;
}
