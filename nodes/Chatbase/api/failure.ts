/** What went wrong, as a value. n8n's error is made from it once, where it leaves the package (`execution/nodeError`). */

import { objectIn } from '../values/json';
import { unescapeHtml } from '../values/text';
import type { OwnTitle } from './ownErrors';
import type { ApiResponse } from './response';

/** Whether the service has written what was asked. */
export type Written = 'yes' | 'no' | 'unknown';

interface Facts {
	/** Without a full stop, and without text from outside. */
	readonly title: string;
	/** What is known, and what to do. Plain text, which may quote values. */
	readonly sentences: readonly string[];
	/** To try again, which is said only if that does no harm. */
	readonly advice?: string;
	/** "no" if absent. */
	readonly written?: Written;
	/** The last response to the request that failed. */
	readonly response?: ApiResponse;
	/** The number of the item that it is about, if it is about one. */
	readonly itemIndex?: number;
	/** Whether nothing is wrong with the item itself, because another item had ended the run before. */
	readonly isEndOfRun?: boolean;
	/** An error of n8n, such as that of an expression. */
	readonly origin?: Error;
}

/** A failure is thrown and never changed. The methods that add something return another failure. */
export class Failure extends Error implements Facts {
	readonly title: string;

	readonly sentences: readonly string[];

	readonly advice?: string;

	readonly written: Written;

	readonly response?: ApiResponse;

	readonly itemIndex?: number;

	readonly isEndOfRun: boolean;

	readonly origin?: Error;

	constructor(facts: Facts) {
		super(facts.title);
		const { title, sentences, written = 'no', isEndOfRun = false } = facts;
		this.title = title;
		this.sentences = sentences;
		this.advice = facts.advice;
		this.written = written;
		this.response = facts.response;
		this.itemIndex = facts.itemIndex;
		this.isEndOfRun = isEndOfRun;
		this.origin = facts.origin;
	}

	/** All that it says, as plain text, for output items and agents. */
	get text(): string {
		const { title, description } = this;
		if (description === '') return title;
		return `${title}. ${description}`;
	}

	/** All that it says after its title, as plain text. */
	get description(): string {
		const advice = this.advice !== undefined && this.isRepeatable ? [this.advice] : [];
		return [...this.sentences, ...advice].join(' ');
	}

	/** Whether the same can be done again without harm. */
	private get isRepeatable(): boolean {
		const setsValues = this.response?.repeatable === 'always';
		return this.written === 'no' || (this.written === 'unknown' && setsValues);
	}

	/** The same failure with other facts. */
	with(other: Partial<Facts>): Failure {
		return new Failure({ ...this, ...other });
	}

	/** The same failure with more sentences. */
	and(...added: string[]): Failure {
		return this.with({ sentences: [...this.sentences, ...added] });
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
}

/** A failure that the node makes itself. */
export function ownFailure(title: OwnTitle, ...sentences: string[]): Failure {
	return new Failure({ title, sentences });
}

/**
 * Makes a failure of anything that was thrown. `instanceof Error` misses an error of another realm, such as that of n8n's
 * expressions.
 */
export function failureOf(error: unknown): Failure {
	if (error instanceof Failure) return error;

	const { message, description } = objectIn(error);
	const title = typeof message === 'string' ? message : String(error);
	const hasMore = typeof description === 'string' && !['', title].includes(description);
	return new Failure({
		title,
		// n8n's descriptions are HTML.
		sentences: hasMore ? [unescapeHtml(description)] : [],
		origin: error instanceof Error ? error : undefined,
	});
}

/** The failure of a request that is not sent because a failed item has ended the run. */
export function endOfRun(written: Written = 'no'): Failure {
	return new Failure({
		title: 'The run has stopped',
		sentences: [],
		written,
		isEndOfRun: true,
	});
}
