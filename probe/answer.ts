/** The possible answers about the service: fixed phrases, and what they mean for the node. */

/** Whether the node handles the answer. */
export type Verdict = 'as assumed' | 'handled' | 'DIFFERS' | 'not found out';

export interface Answer {
	verdict: Verdict;
	/** The answer. Never text of the service: `#` stands for a count. */
	words: string;
}

/** What the documents say or the node assumes. */
export const asAssumed = (words: string): Answer => ({ verdict: 'as assumed', words });

/** Something else that the node handles. */
export const handled = (words: string): Answer => ({ verdict: 'handled', words });

/** Something that the node handles wrongly. */
export const differs = (words: string): Answer => ({ verdict: 'DIFFERS', words });

export const notFoundOut = (words: string): Answer => ({ verdict: 'not found out', words });

/** Which part of a run asks a question. */
export type Part = 'read' | 'write' | 'attributes' | 'chat' | 'pause';

export interface Question<Key extends string | number = string> {
	part: Part;
	asked: string;
	/** What the node assumes. */
	assumed: string;
	/** The expected answers, by their names in the JSON. */
	answers: Record<Key, Answer>;
}

/** Questions of one part, each with its text, the node's assumption, and the expected answers. */
export function questionsOf<Answers extends Record<string, Record<string, Answer>>>(
	part: Part,
	questions: { [Name in keyof Answers]: [asked: string, assumed: string, answers: Answers[Name]] },
	topic = '',
): { [Name in keyof Answers]: Question<Extract<keyof Answers[Name], string | number>> } {
	return Object.fromEntries(
		Object.entries<[string, string, Record<string, Answer>]>(questions).map(
			([name, [asked, assumed, answers]]) => [
				name,
				{ part, asked: topic + asked, assumed, answers },
			],
		),
	) as never;
}
