/** The possible answers about the service: fixed phrases, and what they mean for the node. */

/** Whether the node handles the answer. */
export type Verdict = 'as assumed' | 'handled' | 'DIFFERS' | 'not found out';

export interface Answer {
	verdict: Verdict;
	/** The answer. Never text of the service: `#` stands for a count. */
	words: string;
}

export const differs = (words: string): Answer => ({ verdict: 'DIFFERS', words });

export const notFoundOut = (words: string): Answer => ({ verdict: 'not found out', words });

/** Which part of a run asks a question. */
export type Part = 'read' | 'write' | 'attributes' | 'chat' | 'pause';

export interface Question<Name extends string = string> {
	part: Part;
	asked: string;
	/** The expected answers by their names. */
	answers: Record<Name, Answer>;
}

const marks: Record<string, Verdict> = {
	'=': 'as assumed',
	'!': 'DIFFERS',
	'?': 'not found out',
};

/** The names in a list of answers, such as `400 | !other: another one`. */
type NamesIn<List> = List extends `${infer First} | ${infer Rest}`
	? NameOf<First> | NamesIn<Rest>
	: NameOf<List>;
type NameOf<Text> = Text extends `${'=' | '!' | '?'}${infer Name}`
	? NameOf<Name>
	: Text extends `${infer Name}: ${string}`
		? Name
		: Text;

/**
 * Questions of one part, each with its text and the list of its expected answers: a name, and the words if the
 * name doesn't say it. The first answer is what documents say, or the node assumes. The node handles the others,
 * except for those with a mark: `=` also as assumed, `!` handled wrongly, `?` nothing found out.
 */
export function questionsOf<const List extends Record<string, readonly [string, string]>>(
	part: Part,
	list: List,
): { [Name in keyof List]: Question<NamesIn<List[Name][1]> & string> } {
	return Object.fromEntries(
		Object.entries(list).map(([name, [asked, answers]]) => [
			name,
			{
				part,
				asked: name.startsWith('v2') ? `Version 2: ${asked}` : asked,
				answers: Object.fromEntries(answers.split(' | ').map(read)),
			},
		]),
	) as never;
}

function read(text: string, index: number): [name: string, answer: Answer] {
	const [, mark, name, words = wordsOf(name)] = /^([=!?]?)(.*?)(?:: (.*))?$/.exec(text)!;
	return [name, { verdict: marks[mark || (index === 0 ? '=' : '')] ?? 'handled', words }];
}

function wordsOf(name: string): string {
	const isCamelCase = /^[a-z]+([A-Z][a-z]+)+$/.test(name);
	return isCamelCase ? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name;
}
