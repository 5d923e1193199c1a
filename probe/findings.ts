/** What a run has found out so far. */
import { notFoundOut, type Answer, type Part, type Verdict } from './answer';
import type { ServiceResponse } from './client';
import { questions, type AnswerName, type QuestionName } from './questions';
import { unexpected } from './shapes';

/** A line of the answer. */
export interface Row {
	question: QuestionName;
	asked: string;
	came: string;
	assumed: string;
	verdict: Verdict;
}

/** Why there is no expected answer: a reason, or the response that has none. */
export type Otherwise = string | Answer | ServiceResponse;

export class Findings {
	private readonly answers = new Map<QuestionName, Answer>();

	/**
	 * Gives one of the expected answers, or says why there is none.
	 *
	 * @param count stands for the `#` in its words; what is too large for a page size is not repeated
	 */
	set<Name extends QuestionName>(
		name: Name,
		answer: AnswerName<Name> | undefined,
		otherwise: Otherwise = 'not asked',
		count?: number,
	): void {
		if (answer === undefined) return this.leave(otherwise, name);
		const foreseen: Record<PropertyKey, Answer> = questions[name].answers;
		const { verdict, words } = foreseen[answer];
		this.answers.set(name, { verdict, words: words.replace('#', countText(count)) });
	}

	/** Says why questions have no expected answer, except for those that have one. */
	leave(otherwise: Otherwise, ...names: QuestionName[]): void {
		const answer = answerOf(otherwise);
		for (const name of names) if (!this.answers.has(name)) this.answers.set(name, answer);
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

function answerOf(otherwise: Otherwise): Answer {
	if (typeof otherwise === 'string') return notFoundOut(otherwise);
	return 'verdict' in otherwise ? otherwise : unexpected(otherwise);
}

function countText(count = NaN): string {
	return count <= 10_000 ? String(count) : 'very many';
}
