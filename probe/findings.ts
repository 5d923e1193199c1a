/** What a run has found out so far. */
import { notFoundOut, type Answer, type Part, type Verdict } from './answer';
import { questions, type AnswerName, type QuestionName } from './questions';
import type { ServiceResponse } from './response';

export interface Row {
	question: QuestionName;
	asked: string;
	came: string;
	/** The answers that the node handles. */
	expected: string;
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
		count = NaN,
	): void {
		if (answer === undefined) return this.leave(otherwise, name);
		const foreseen: Record<PropertyKey, Answer> = questions[name].answers;
		const { verdict, words } = foreseen[answer];
		const number = count <= 10_000 ? String(count) : 'very many';
		this.answers.set(name, { verdict, words: words.replace('#', number) });
	}

	/** Gives the answer that a status stands for: `success` is 200 to 299, `missing` a 404 of the service itself. */
	judge<Name extends QuestionName>(
		name: Name,
		response: ServiceResponse,
		answers: Record<number, AnswerName<Name>> &
			Partial<Record<'success' | 'missing', AnswerName<Name>>>,
	): void {
		this.set(name, response.pick(answers), response);
	}

	/** Says why questions have no expected answer, except for those that have one. */
	leave(otherwise: Otherwise, ...names: QuestionName[]): void {
		const answer = answerOf(otherwise);
		for (const name of names) if (!this.answers.has(name)) this.answers.set(name, answer);
	}

	/** A row for each question of the parts; a question without an answer is "not found out". */
	rows(parts: Part[]): Row[] {
		const names = (Object.keys(questions) as QuestionName[]).filter((name) =>
			parts.includes(questions[name].part),
		);
		return names.map((name) => {
			const { asked, answers } = questions[name];
			const { words, verdict } = this.answers.get(name) ?? notFoundOut('not asked');
			const handled = Object.values<Answer>(answers).filter((one) => one.verdict !== 'DIFFERS');
			const expected = handled.map((one) => one.words).join(' / ');
			return { question: name, asked, came: words, expected, verdict };
		});
	}
}

function answerOf(otherwise: Otherwise): Answer {
	if (typeof otherwise === 'string') return notFoundOut(otherwise);
	return 'verdict' in otherwise ? otherwise : otherwise.unexpected();
}
