/** What went wrong, as a value. n8n's error is made from it once, where it leaves the package (`execution/nodeError`). */
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';
import { unescapeHtml } from '../values/text';
import type { ApiResponse } from './response';

interface Facts {
	/** Without a full stop, and without text from outside. */
	readonly title: string;
	/** What is known, and what to do. Plain text, which may quote values. */
	readonly sentences: readonly string[];
	/** Whether the service may have done what was asked. */
	readonly mayBeDone?: boolean;
	/** The last response to the request that failed. */
	readonly response?: ApiResponse;
	/** The number of the item that it is about, if it is about one. */
	readonly itemIndex?: number;
	/** Whether nothing is wrong with the item itself, because another item had ended the run before. */
	readonly isEndOfRun?: boolean;
	/** An error of n8n, such as that of an expression. */
	readonly origin?: Error;
}

/** Advice that is wrong if the service may have done what was asked. */
const retryAdvice = ['Try again.', 'Try again later.'];

/** A failure is thrown and never changed. The methods that add something return another failure. */
export class Failure extends Error implements Facts {
	readonly title: string;

	readonly sentences: readonly string[];

	readonly mayBeDone: boolean;

	readonly response?: ApiResponse;

	readonly itemIndex?: number;

	readonly isEndOfRun: boolean;

	readonly origin?: Error;

	constructor(facts: Facts) {
		super(facts.title);
		const { title, sentences, mayBeDone = false, isEndOfRun = false } = facts;
		this.title = title;
		this.mayBeDone = mayBeDone;
		this.sentences = sentences;
		this.response = facts.response;
		this.itemIndex = facts.itemIndex;
		this.isEndOfRun = isEndOfRun;
		this.origin = facts.origin;
	}

	/** All that it says, as plain text, for output items and agents. */
	get text(): string {
		const { title, description } = this;
		return description === '' ? title : `${title}. ${description}`;
	}

	/** All that it says after its title, as plain text. */
	get description(): string {
		return this.sentences.join(' ');
	}

	/** The same failure with more sentences at its end. */
	withSentence(...added: string[]): Failure {
		return this.with({ sentences: [...this.sentences, ...added] });
	}

	withFirstSentence(sentence: string): Failure {
		return this.with({ sentences: [sentence, ...this.sentences] });
	}

	/** The same failure, which says whether the service may have done what was asked. If so, it does not advise to try again. */
	withMayBeDone(mayBeDone: boolean): Failure {
		const isAdvice = (sentence: string) => mayBeDone && retryAdvice.includes(sentence);
		const sentences = this.sentences.filter((sentence) => !isAdvice(sentence));
		return this.with({ sentences, mayBeDone });
	}

	withItem(itemIndex: number): Failure {
		return this.with({ itemIndex });
	}

	/** The same failure in other words, such as without an API key. If they differ, n8n's own error is left out. */
	withWords(reword: (text: string) => string): Failure {
		const title = reword(this.title);
		const sentences = this.sentences.map(reword);
		const isSame =
			[title, ...sentences].join('\n') === [this.title, ...this.sentences].join('\n');
		if (isSame) return this;

		return this.with({ title, sentences, origin: undefined });
	}

	private with(other: Partial<Facts>): Failure {
		return new Failure({ ...this, ...other });
	}
}

/**
 * Makes a failure of anything that was thrown. `instanceof Error` misses an error of another realm, such as that of n8n's
 * expressions.
 */
export function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;

	const { message, description }: IDataObject = isObject(error) ? error : {};
	const title = typeof message === 'string' ? message : String(error);
	const hasMore = typeof description === 'string' && !['', title].includes(description);
	return new Failure({
		title,
		// n8n's descriptions are HTML.
		sentences: hasMore ? [unescapeHtml(description)] : [],
		origin: error instanceof Error ? error : undefined,
	});
}

/** Whether the service may have done what was asked, in spite of an error. */
export function mayBeDone(error: unknown): boolean {
	return error instanceof Failure && error.mayBeDone;
}

/** The failure of a request that is not sent because a failed item has ended the run. */
export function endOfRun(mayBeDone = false): Failure {
	return new Failure({
		title: 'The run has stopped',
		sentences: [],
		mayBeDone,
		isEndOfRun: true,
	});
}
