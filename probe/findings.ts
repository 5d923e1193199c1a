/** What a run has found out so far. */
import { notFoundOut, type Answer, type Part, type Verdict } from './answer';
import { questions, type AnswerName, type QuestionName } from './questions';

/** A line of the answer. */
export interface Row {
	question: QuestionName;
	asked: string;
	came: string;
	assumed: string;
	verdict: Verdict;
}

export class Findings {
	private readonly answers = new Map<QuestionName, Answer>();

	/**
	 * Gives one of the expected answers.
	 *
	 * @param count stands for the `#` in its words; what is too large for a page size is not repeated
	 */
	set<Name extends QuestionName>(name: Name, answer: AnswerName<Name>, count?: number): void {
		const foreseen: Record<PropertyKey, Answer> = questions[name].answers;
		const { verdict, words } = foreseen[answer];
		this.answers.set(name, { verdict, words: words.replace('#', countText(count)) });
	}

	/** Gives an unexpected answer to each question that has none yet. */
	setOther(answer: Answer, ...names: QuestionName[]): void {
		for (const name of names) if (!this.has(name)) this.answers.set(name, answer);
	}

	has(name: QuestionName): boolean {
		return this.answers.has(name);
	}

	/** A row for each question of the parts; a question without an answer is "not found out". */
	rows(parts: Part[]): Row[] {
		return (Object.keys(questions) as QuestionName[])
			.filter((name) => parts.includes(questions[name].part))
			.map((name) => {
				const { asked, assumed } = questions[name];
				const { words, verdict } = this.answers.get(name) ?? notFoundOut('not asked');
				return { question: name, asked, came: words, assumed, verdict };
			});
	}
}

function countText(count = NaN): string {
	return count <= 10_000 ? String(count) : 'very many';
}
